"""The hours tab: measures, maps, curves, a hall that fills, and what cannot be shown."""

from __future__ import annotations

import html

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

KEY = "llama_3_1_405b_on_2048_dgx_h100"
HOURS = f"/facility/{KEY}/hours"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def stated(**changes: object) -> str:
    return f"/facility/edge_node/hours?s={encode_state(scenario(**changes))}"


def test_measures_maps_curves_and_part_load(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, HOURS)
    for name in ("power_flow", "pue_year", "free_cooling_year", "pue_duration", "utility_duration",
                 "weather_duration", "part_load"):  # fmt: skip
        assert f'id="figure-{name}"' in page
    assert 'data-explain="cooling.cue_kg_per_kwh"' in page
    assert "Operators publish" in page
    assert "takes no water on site" in page
    assert "CUE, market based" not in page


def test_towers_have_a_map_of_water_and_contracts_a_line(asgi_client: AsgiClient) -> None:
    facility = {"cooling": "direct_liquid_tower", "clean_energy_share": 0.5, "coolant_supply_c": 32}
    page = text(asgi_client, stated(supernode__system="gb200_nvl72", facility=facility))
    assert 'id="figure-water_year"' in page
    assert "CUE, market based" in page


def test_heat_that_a_network_takes_is_told(asgi_client: AsgiClient) -> None:
    facility = {"cooling": "direct_liquid_dry", "heat_reuse": {"share": 0.5, "supply_c": 60}}
    page = text(asgi_client, stated(supernode__system="gb200_nvl72", facility=facility))
    assert 'data-explain="cooling.erf"' in page
    assert "No network is counted on" in page
    assert "Heat network" in page


def test_a_hall_that_fills_more_slowly(asgi_client: AsgiClient) -> None:
    assert "filled evenly over 24 months" in text(asgi_client, f"{HOURS}?ramp=24")


def test_a_ramp_that_cannot_be_leaves_what_was_typed(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{HOURS}?ramp=<b>soon", 422)
    assert 'value="<b>soon"' in page
    assert 'aria-invalid="true"' in page
    assert 'id="figure-part_load"' in page
    assert "<b>soon" not in asgi_client.get(f"{HOURS}?ramp=<b>soon").text


def test_every_hour_as_a_file(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get(f"{HOURS}/file")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.text.count("\r\n") == 8761


def test_unknown_liquid_share_draws_the_weather_alone(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated(supernode__system="amd_helios_72"))
    assert "The PUE over the year is unknown." in page
    assert "not published" in page
    assert "The dry bulb reaches" in page


def test_a_scenario_that_cannot_be_used_says_why(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, stated(facility__site="nowhere"))
    assert "Not evaluated" in page
    address = stated(facility__site="nowhere").replace("/hours?", "/hours/file?")
    assert asgi_client.get(address).status_code == 404
