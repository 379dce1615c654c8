"""The carbon tab: what it shows, how its terms change the scenario, and what cannot be used."""

from __future__ import annotations

import html

from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.support import without_estimates
from tests.surfaces.pages.part import section_text

EDGE = "/economics/edge_node/carbon"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_boundaries_charts_factors_and_sites(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, EDGE)
    for words in (
        "Accelerators by design power",
        "With the hours of waiting",
        "Restarts, in both",
        "The pod between runs",
        "No clean-energy contracts.",
        "The making of storage: no figure of it is published",
    ):
        assert words in page
    for figure in ("carbon_build_up", "carbon_parts"):
        assert f'id="figure-{figure}"' in page
    assert page.count('<span class="chip accent">here</span>') == 1


def test_terms_change_the_scenario_and_keep_what_stands_beside(asgi_client: AsgiClient) -> None:
    asked = "terms=1&facility.site=paris&facility.clean_energy_share=60&economics.utilisation=&economics.life_years="
    answer = asgi_client.get(f"{EDGE}?{asked}&building_embodied_kg=5,000")
    assert answer.status_code == 303
    address = answer.headers["location"]
    assert "building_embodied_kg=5%2C000" in address
    values = decode_state(address.split("s=", 1)[1].split("&")[0])
    assert values is not None
    assert values["facility"]["site"] == "paris"
    assert values["facility"]["clean_energy_share"] == 0.6
    page = text(asgi_client, address)
    assert "Contracts, by the year" in page
    assert "The same from wind, by the hour" in page
    assert "Shell and plant: no figure" not in page


def test_a_profile_of_the_grid(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{EDGE}?intensity_by_hour={'+'.join(['0.02'] * 24)}")
    assert "By the hours of the grid" in page


def test_what_is_typed_stays_and_what_is_wrong_stands_beside_it(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{EDGE}?network_embodied_kg=heavy&intensity_by_hour=1,2", 422)
    assert 'value="heavy"' in page
    assert "'heavy' must be a number" in page
    assert "has 2 values, neither 24 nor 288." in page
    page = text(asgi_client, f"{EDGE}?terms=1&facility.clean_energy_share=160&facility.site=", 422)
    assert 'value="160"' in page
    assert "at most 1" in page


def test_a_site_that_is_written_out_stays_as_it_is(asgi_client: AsgiClient) -> None:
    site = {"name": "Own hall", "climate": "ashburn_va", "carbon_intensity_kg_per_kwh": 0.1}
    state = encode_state(scenario(facility={"site": site}, parallelism={"tp": 8}))
    page = section_text(asgi_client, f"{EDGE}?s={state}")
    assert "Grid of Own hall: 100 g/kWh" in page
    assert 'name="facility.site"' not in page


def test_unknown_carbon(asgi_client: AsgiClient) -> None:
    state = encode_state(without_estimates("dense_128b_on_tpu_v5p").as_dict())
    page = text(asgi_client, f"/economics/dense_128b_on_tpu_v5p/carbon?s={state}")
    assert "The emissions of a run of this design are unknown" in page


def test_a_scenario_that_cannot_be_used(asgi_client: AsgiClient) -> None:
    state = encode_state(scenario(supernode={"system": "nothing"}))
    assert "Not evaluated" in text(asgi_client, f"{EDGE}?s={state}")
