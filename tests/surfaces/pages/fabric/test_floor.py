"""The floor tab: racks, one from the front, lengths, and what cannot be shown."""

from __future__ import annotations

import html

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

KEY = "llama_3_1_405b_on_2048_dgx_h100"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def with_floor(**floor: object) -> str:
    state = encode_state(scenario(pod__supernodes=64, pod__floor=floor))
    return f"/fabric/edge_node/floor?s={state}"


def test_plan_sums_and_lengths(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"/fabric/{KEY}/floor")
    assert 'id="figure-floor_plan"' in page
    assert "616 racks of 40.8" in page
    assert '<th scope="row">Compute</th><td>Spine</td>' in page
    assert "Unpublished: the weight of QM9700" in page
    assert "figure-rack_elevation" not in page


def test_a_rack_from_the_front_in_another_colour(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"/fabric/{KEY}/floor?rack=R01-02&colour=air_heat")
    assert "R01-02 holds 4 DGX H100" in page
    assert "node-0005" in page
    assert '<option value="air_heat" selected>' in page


def test_a_rack_that_is_not_there_leaves_what_was_typed(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"/fabric/{KEY}/floor?rack=<b>R99", 422)
    assert "No such rack" in page
    assert 'value="<b>R99"' in page
    assert "Nearest: R" in page
    assert 'id="figure-floor_plan"' in page


def test_names_are_escaped(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get(f"/fabric/{KEY}/floor?rack=<b>R99")
    assert "<b>R99" not in answer.text


def test_a_rack_that_cannot_carry_its_load_is_told_with_a_way_out(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, with_floor(rack_power_w=10_000))
    assert "Does not fit: rack power" in page
    assert "It takes racks of 10,200 W." in page
    assert "#floor" in page


def test_one_supernode_has_a_floor_and_no_cables(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, "/fabric/edge_node/floor")
    assert "One rack" in page
    assert "Nothing is joined by cables" in page


def test_a_scenario_that_cannot_be_used_is_refused_in_words(asgi_client: AsgiClient) -> None:
    assert "Not evaluated" in text(asgi_client, with_floor(row_racks=0))
