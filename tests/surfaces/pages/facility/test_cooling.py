"""The cooling tab: loops, plants, units, checks, and what cannot be shown."""

from __future__ import annotations

import html

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

LIQUID = "/facility/llama_3_1_405b_on_gb200_nvl72/cooling"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def stated(**changes: object) -> str:
    return f"/facility/edge_node/cooling?s={encode_state(scenario(**changes))}"


def test_loops_plants_and_checks(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, LIQUID)
    assert 'id="figure-cooling_loops"' in page
    assert page.count("Infeasible") == 5
    assert "This design" in page
    assert "class W40" in page
    assert "Needed + spare" in page
    assert "No heat reuse" in page


def test_a_network_that_takes_heat(asgi_client: AsgiClient) -> None:
    facility = {"site": "stockholm", "heat_reuse": {"share": 0.6, "supply_c": 70}}
    page = text(asgi_client, stated(supernode={"system": "gb200_nvl72"}, facility=facility))
    assert "COP 7.15" in page
    assert "ERF" in page


def test_air_servers_have_no_units(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated(supernode={"system": "dgx_h100"}))
    assert "Coolant distribution units" not in page
    assert "Air handlers stop" in page


def test_a_plant_that_cannot_be_used_is_said(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated(supernode={"system": "gb200_nvl72"}, facility={"cooling": "air"}))
    assert "Infeasible: cooling plant" in page


def test_unknown_heat_is_not_drawn(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated(supernode={"system": "amd_helios_72"}))
    assert "The load of the loops is unknown." in page


def test_a_tank_that_cannot_be_leaves_what_was_typed(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{LIQUID}?tank=<b>big", 422)
    assert 'value="<b>big"' in page
    assert 'aria-invalid="true"' in page
    assert "<b>big" not in asgi_client.get(f"{LIQUID}?tank=<b>big").text
    assert "Passes" in text(asgi_client, f"{LIQUID}?tank=500")


def test_an_impossible_exchanger_is_said(asgi_client: AsgiClient) -> None:
    page = text(
        asgi_client,
        stated(
            supernode={"system": "gb200_nvl72"},
            assumptions={"facility.facility_water_temperature_rise_k": 15},
        ),
    )
    assert "No such exchanger" in page
