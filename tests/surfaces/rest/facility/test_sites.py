"""Sites compared over HTTP."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

PATH = "/api/v1/facility/sites"


def test_sites_of_a_scenario(reading_client) -> None:
    answer = reading_client.post(PATH, json={"scenario": scenario(), "sort": "pue"})
    assert answer.status_code == 200
    found = answer.json()
    schemas = named_schemas()
    assert set(found) == set(schemas["SiteComparison"]["properties"])
    assert set(found["sites"][0]) == set(schemas["SiteLine"]["properties"])
    assert len(found["sites"]) == 61
    pues = [site["pue"] for site in found["sites"] if site["rankable"]]
    assert pues == sorted(pues)
    unpriced = [site for site in found["sites"] if "cost" in site["unknown"]]
    assert unpriced
    assert {site["usd_per_accelerator_hour"] for site in unpriced} == {None}
    assert found["clean_energy_share"] is None
    assert found["sites"][0]["operational_market_kg"] is None


def test_contracts_show_beside_the_grid(reading_client) -> None:
    body = {"scenario": scenario(facility__clean_energy_share=0.5), "plant": "cheapest"}
    found = reading_client.post(PATH, json=body).json()
    first = found["sites"][0]
    assert first["operational_market_kg"] * 2 == first["operational_kg"]


def test_what_cannot_be_asked_is_named(reading_client) -> None:
    for options, pointer in (
        ({"plant": "ice"}, "#/plant"),
        ({"weights": {"cost": -1}}, "#/weights/cost"),
        ({"colour": "red"}, "#/colour"),
    ):
        problem = assert_problem(reading_client.post(PATH, json={"scenario": scenario(), **options}), 422)
        assert problem["errors"][0]["pointer"] == pointer
