"""Every plant at every site: few hours and bins in place of 8,760."""

import numpy as np
import pytest

from app.engine.facility.cooling.plant_year import plants_over
from app.engine.facility.cooling.plants import PLANTS
from app.engine.facility.cooling.year import binned_year, full_year, hottest_hours
from tests.engine.facility.cases import climate, defaults
from tests.support import SEED_DATA, number, part_of

SITES = part_of(
    sorted(file.name.removesuffix(".csv.gz") for file in (SEED_DATA / "climate").glob("*.csv.gz"))
)
LIQUID, AIR = 0.87, 0.2  # heat of a rack to liquid, and to air with the electrical losses, over its power


def _drawn(year, plant, supply_c, assumptions):
    """Power and water of both plants over IT power, in every hour."""
    liquid, air = plants_over(
        year=year, plant=plant, coolant_supply_c=number(supply_c), assumptions=assumptions
    )
    power = LIQUID * (liquid.pumps_w_per_w + liquid.rejection_w_per_w + liquid.chiller_w_per_w)
    power = power + AIR * (air.fans_w_per_w + air.pumps_w_per_w + air.rejection_w_per_w + air.chiller_w_per_w)
    water = LIQUID * liquid.makeup_kg_per_j + AIR * air.makeup_kg_per_j
    return (np.broadcast_to(drawn, year.hours.shape) for drawn in (power, water))


def _mean(values, hours):
    return values @ hours / hours.sum()


@pytest.mark.slow
@pytest.mark.parametrize("supply_c", [28.0, 40.0])
def test_every_site_and_plant(supply_c):
    """The hottest hour is among the unbeaten ones, and bins give the full year's PUE within 1e-4."""
    assumptions = defaults()
    for site in SITES:
        weather = climate(site)
        years = full_year(weather), binned_year(weather), hottest_hours(weather)
        assert years[2].hours.size < 100
        for plant in PLANTS:
            (power, water), (binned_power, binned_water), (hottest, _) = (
                _drawn(year, plant, supply_c, assumptions) for year in years
            )
            assert hottest.max() == pytest.approx(power.max(), rel=1e-12), (site, plant)
            assert _mean(binned_power, years[1].hours) == pytest.approx(power.mean(), abs=1e-4), (site, plant)
            assert _mean(binned_water, years[1].hours) == pytest.approx(water.mean(), rel=3e-3, abs=1e-11), (
                site,
                plant,
            )


def test_hottest_hours_hold_both_extremes():
    weather = climate("phoenix_az")
    few = hottest_hours(weather)
    assert few.dry_bulb_c.max() == weather.dry_bulb_c.max()
    assert few.wet_bulb_c.max() == weather.wet_bulb_c.max()


def test_a_share_for_a_network_is_taken_off_what_goes_outdoors():
    year, given = full_year(climate("ashburn_va")), defaults()
    alone, _ = plants_over(
        year=year, plant="direct_liquid_tower", coolant_supply_c=number(32), assumptions=given
    )
    half, _ = plants_over(
        year=year,
        plant="direct_liquid_tower",
        coolant_supply_c=number(32),
        assumptions=given,
        heat_reuse_share=number(0.5),
    )
    assert half.makeup_kg_per_j == pytest.approx(alone.makeup_kg_per_j / 2)
    assert half.rejection_w_per_w == pytest.approx(alone.rejection_w_per_w / 2)
    assert half.pumps_w_per_w[0] == alone.pumps_w_per_w[0]
