"""The bandwidth tab: ladders, what is shown next to the design, and how its domain is joined."""

from __future__ import annotations

import html

import pytest

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.surfaces.pages.part import section_text

pytestmark = pytest.mark.slow

PATH = "/fabric/llama_3_1_405b_on_2048_dgx_h100/bandwidth"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_the_design_alone_and_how_its_domain_is_joined(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, PATH)
    assert 'aria-current="page">Bandwidth' in page
    assert "Leaving the SuperNode costs a factor of 9." in page
    assert "NVSwitch board of 8 GPUs, NVLink 4" in page
    assert "explain/fabric.scale_up.links_total" in page
    assert page.count('name="with"') == 1
    assert 'placeholder="Compare with a system"' in page
    assert '<option value="GB200 NVL72 (DGX GB200)">NVIDIA</option>' in page
    assert "not published" in page


def test_systems_stand_beside_it_and_stay_chosen(asgi_client: AsgiClient) -> None:
    asked = "with=GB200%20NVL72%20(DGX%20GB200)&with=&with=huawei_cloudmatrix384&with="
    page = section_text(asgi_client, f"{PATH}?{asked}")
    assert "7.8 (CloudMatrix384" in page
    assert page.count('name="with"') == 3
    assert 'value="GB200 NVL72 (DGX GB200)" placeholder' in page
    assert page.count('scope="colgroup"') == 3


def test_what_is_typed_in_the_studio_is_carried(asgi_client: AsgiClient) -> None:
    state = encode_state(scenario(supernode={"system": "tpu_v4_pod"}, pod__supernodes=1))
    page = text(asgi_client, f"/fabric/edge_node/bandwidth?s={state}")
    assert f'name="s" value="{state}"' in page
    assert "cubes joined by circuit switches" in page
    assert "Dimension 3" in page


def test_levels_inside_the_accelerator_are_shown_on_request(asgi_client: AsgiClient) -> None:
    assert '<th scope="row">Last-level cache</th>' not in text(asgi_client, PATH).split("latency_ladders")[0]
    assert "Last-level cache" in text(asgi_client, f"{PATH}?levels=registers").split("latency_ladders")[0]
    assert "Last-level cache" not in text(asgi_client, f"{PATH}?levels=x").split("latency_ladders")[0]


def test_a_domain_that_nobody_describes_is_said_to_be_so(asgi_client: AsgiClient) -> None:
    assert "is not published, or was overridden" in text(asgi_client, "/fabric/edge_node/bandwidth")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("with=dgx_h1000", "'dgx_h1000' is no system of the catalog"),
        ("with=DGX%20Z100", "is not the name or key of a system"),
        ("&".join(["with=dgx_h100"] * 5), "5 systems are chosen; at most 4"),
    ],
)
def test_a_system_that_cannot_be_is_refused_and_the_design_stays(
    asgi_client: AsgiClient, query: str, said: str
) -> None:
    page = text(asgi_client, f"{PATH}?{query}", 422)
    assert said in page
    assert "Leaving the SuperNode costs a factor of 9." in page


def test_a_scenario_that_cannot_be_used_has_no_ladder(asgi_client: AsgiClient) -> None:
    state = encode_state({"workload": {"model": "nothing"}})
    page = text(asgi_client, f"/fabric/edge_node/bandwidth?s={state}")
    assert "Not evaluated" in page
