"""The IT power tab: components, caps, swings, a limit that is passed, and what cannot be."""

from __future__ import annotations

import html

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

IT = "/facility/llama_3_1_405b_on_2048_dgx_h100/it"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_components_caps_and_swings(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, IT)
    for name in ("it_parts", "power_caps", "power_swing"):
        assert f'id="figure-{name}"' in page
    assert 'data-explain="power.it_power_mean_w"' in page
    assert "Scale-up switches: power not published" in page
    assert "a secondary source of low confidence" in page
    assert "arXiv 2508.14318" in page


def test_the_first_tab_is_where_the_room_opens(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get("/facility/edge_node", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/facility/edge_node/it")


def test_a_ramp_limit_of_ones_own(asgi_client: AsgiClient) -> None:
    assert "At 50.0 kW per second" in text(asgi_client, f"{IT}?ramp=50").replace("\u202f", " ").replace(
        "50.0kW", "50.0 kW"
    )


def test_a_ramp_limit_that_cannot_be_leaves_what_was_typed(asgi_client: AsgiClient) -> None:
    for typed in ("<b>fast", "-3", "nan", "0"):
        page = text(asgi_client, f"{IT}?ramp={typed}", 422)
        assert f'value="{typed}"' in page
        assert 'aria-invalid="true"' in page
        assert 'id="figure-power_swing"' in page
    assert "<b>fast" not in asgi_client.get(f"{IT}?ramp=<b>fast").text


def test_a_limit_that_is_passed_is_told_with_its_fix(asgi_client: AsgiClient) -> None:
    facility = {"utility_limit_w": 1.1e6, "power_cap": 0.95}
    state = encode_state(scenario(facility=facility, pod__supernodes=128))
    page = text(asgi_client, f"/facility/edge_node/it?s={state}")
    assert "that the utility grants" in page
    assert "Cap the accelerators at" in page
    assert "of the accelerators' TDP" in page


def test_an_unpublished_rating_leaves_the_tab_standing(asgi_client: AsgiClient) -> None:
    state = encode_state(scenario(supernode__system="tpu_v5p_pod", pod__supernodes=1))
    page = text(asgi_client, f"/facility/edge_node/it?s={state}")
    assert "The power of its SuperNodes is unknown." in page


def test_a_scenario_that_cannot_be_used_says_so(asgi_client: AsgiClient) -> None:
    state = encode_state(scenario(supernode__system="nowhere"))
    assert "Not evaluated" in text(asgi_client, f"/facility/edge_node/it?s={state}")
