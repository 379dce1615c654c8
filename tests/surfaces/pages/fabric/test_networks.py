"""The networks tab: what is built, what is offered, and what cannot be shown."""

from __future__ import annotations

import html
import re

import pytest

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

KEY = "llama_3_1_405b_on_2048_dgx_h100"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def with_networks(**networks: object) -> str:
    state = encode_state(scenario(pod__supernodes=128, pod__networks=networks))
    return f"/fabric/edge_node/networks?s={state}"


@pytest.fixture(scope="module")
def shown(asgi_client: AsgiClient) -> str:
    return text(asgi_client, f"/fabric/{KEY}/networks")


def test_what_is_not_built_is_said_and_offered(asgi_client: AsgiClient, shown: str) -> None:
    assert shown.count(">Not built<") == 3
    offers = re.findall(r'<a href="(/fabric/[^"]+/networks\?s=[^"]+)">([^<]+)</a>', shown)
    assert [title for _, title in offers] == [
        "storage network",
        "in-band network",
        "out-of-band network",
        "all networks",
    ]
    with_all = text(asgi_client, offers[-1][0])
    assert ">Not built<" not in with_all
    assert "SN2201" in with_all
    assert 'data-explain="fabric.networks[2].switches"' in with_all


def test_kinds_of_fabric_stand_side_by_side(shown: str) -> None:
    assert 'InfiniBand <span class="chip accent">this design</span>' in shown
    assert "This switch: SHARPv3." in shown
    assert "ConnectX-7" in shown
    assert "cx7_ndr" not in shown
    assert "95 % Spectrum-X, three tiers" in shown


def test_storage_by_the_in_band_network(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, with_networks(storage={"carried_by": "in_band"}))
    assert "<td>In-band network</td>" in page
    assert "2 × 200 Gbit/s" in page


def test_unknown_figures_are_said_to_be_so(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, with_networks(in_band={"switch": "sn4600c", "port_gbit_s": 100}))
    assert '<span class="unknown">unknown</span>' in page


def test_one_supernode_has_no_networks(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, "/fabric/edge_node/networks")
    assert "One SuperNode alone has no networks here" in page
    assert "See this design with" not in page


def test_a_scenario_that_cannot_be_used_is_refused_in_words(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, with_networks(out_of_band={"switch": "sn9999"}))
    assert "Not evaluated" in page
    assert "sn9999" in page


def test_there_is_no_such_design(asgi_client: AsgiClient) -> None:
    text(asgi_client, "/fabric/nothing/networks", 404)
