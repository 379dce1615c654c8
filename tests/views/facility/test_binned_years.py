"""Weighted hours against the full year: every site and plant of the catalog."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.facility.cooling.load import means_of_samples
from app.engine.facility.cooling.plant_year import PlantYear, means_of, plants_over
from app.engine.facility.cooling.plants import PLANTS
from app.engine.facility.cooling.year import full_year
from app.engine.trace import Array
from tests.engine.facility.cases import defaults

COOLANT_SUPPLY_C = np.array([[20.0], [26.0], [32.0], [36.0], [40.0], [45.0]])
WITHIN_PUE = 1e-4


def liquid_w_per_w(year: PlantYear) -> Array:
    return year.liquid_pumps_w_per_w + year.liquid_rejection_w_per_w + year.liquid_chiller_w_per_w


def air_w_per_w(year: PlantYear) -> Array:
    return (
        year.hall_fans_w_per_w
        + year.air_pumps_w_per_w
        + year.air_rejection_w_per_w
        + year.air_chiller_w_per_w
    )


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
def test_samples_are_within_a_ten_thousandth_of_pue_everywhere(plant: str) -> None:
    """A watt of heat is at most a watt of IT, so no PUE is further off than its plants are for a watt."""
    catalog, rules = ready_catalog(), defaults()
    keys = sorted(catalog.keys("climate"))
    assert len(keys) >= 60
    for key in keys:
        climate = catalog.climate(key).spec()
        year = full_year(climate)
        liquid, air = plants_over(
            year=year, plant=plant, coolant_supply_c=COOLANT_SUPPLY_C, assumptions=rules
        )
        full = means_of(liquid=liquid, air=air, hours=year.hours)
        sampled = means_of_samples(
            climate=climate, plant=plant, coolant_supply_c=COOLANT_SUPPLY_C, assumptions=rules
        )
        for w_per_w in (liquid_w_per_w, air_w_per_w):
            assert np.abs(w_per_w(sampled) - w_per_w(full)).max() < WITHIN_PUE, key


@pytest.mark.slow
def test_hours_without_chillers_are_exact_where_the_dry_bulb_decides() -> None:
    catalog, rules = ready_catalog(), defaults()
    for key in ("singapore_iwec", "ashburn_va", "phoenix_az", "kiruna"):
        climate = catalog.climate(key).spec()
        year = full_year(climate)
        given = {"plant": "direct_liquid_dry", "coolant_supply_c": COOLANT_SUPPLY_C, "assumptions": rules}
        liquid, air = plants_over(year=year, **given)
        full = means_of(liquid=liquid, air=air, hours=year.hours)
        sampled = means_of_samples(climate=climate, **given)
        np.testing.assert_allclose(sampled.liquid_economiser_hours, full.liquid_economiser_hours)
        np.testing.assert_allclose(sampled.air_economiser_hours, full.air_economiser_hours)
