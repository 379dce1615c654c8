"""The hours of a design: the same plants as its annual figures, hour by hour."""

import dataclasses

import numpy as np
import pytest

from app.engine.facility.cooling.plants import PLANTS
from app.engine.facility.hours.hours import hours_of
from app.engine.specs import HeatReuse
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, rack, steady
from tests.support import dgx_h100, number

SITES = ("ashburn_va", "singapore")


def hours_at(weather, **changes):
    supernode, reuse = changes.pop("supernode", None), changes.pop("reuse", None)
    facility = dataclasses.replace(facility_at(weather, **changes), heat_reuse=reuse)
    power, cooling = evaluate(facility=facility, supernode=supernode, network_power_w=2e4)
    return power, cooling, hours_of(power=power, cooling=cooling, facility=facility, assumptions=defaults())


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("site", SITES)
def test_hours_add_up_to_the_year(site, plant):
    power, cooling, hours = hours_at(climate(site), cooling=plant, coolant_supply_c=30)
    it_w = power.it_power_mean_w[0]
    assert hours.pue.mean() == pytest.approx(cooling.pue[0], rel=1e-12)
    assert hours.pue.max() == pytest.approx(cooling.pue_hottest_hour[0], rel=1e-12)
    assert hours.utility_w.sum() / 1e3 == pytest.approx(power.energy_utility_kwh_per_year[0], rel=1e-12)
    assert hours.water_l_per_h.sum() / 1e3 == pytest.approx(cooling.water_m3_per_year[0], rel=1e-12)
    for name, part_w in hours.parts_w.items():
        assert part_w.mean() == pytest.approx(cooling.breakdown_w[name][0], rel=1e-12), name
    assert (hours.main_free_cooling_share >= 1).sum() == pytest.approx(cooling.full_economiser_hours[0])
    np.testing.assert_allclose(hours.utility_w / it_w, hours.pue, rtol=1e-12)
    np.testing.assert_allclose(sum(hours.parts_w.values()), hours.cooling_w, rtol=1e-12)


def test_every_array_has_a_value_for_every_hour():
    _, _, hours = hours_at(climate("dublin"), cooling="direct_liquid_dry")
    arrays = [getattr(hours, name) for name in hours.__slots__ if name != "parts_w"]
    assert all(array.shape == (8760,) for array in (*arrays, *hours.parts_w.values()))


def test_one_weather_is_one_hour_over_and_over():
    """By hand: 0 degC needs no chiller, and no dry cooler takes water."""
    power, _, hours = hours_at(steady(dry_bulb_c=0, wet_bulb_c=-2), cooling="direct_liquid_dry")
    assert np.ptp(hours.utility_w) == 0
    assert np.all(hours.free_cooling_share == 1)
    assert np.all(hours.parts_w["chillers"] == 0)
    assert np.all(hours.water_l_per_h == 0)
    assert hours.pue[0] == pytest.approx(power.utility_mean_w[0] / power.it_power_mean_w[0])


def test_hot_hours_need_chillers_for_all_heat():
    _, _, hours = hours_at(steady(dry_bulb_c=48, wet_bulb_c=30), cooling="direct_liquid_dry")
    assert np.all(hours.free_cooling_share == 0)
    assert np.all(hours.parts_w["chillers"] > 0)


def test_free_cooling_is_of_all_heat_not_of_one_plant():
    """At 20 degC the dry coolers take all the liquid's heat, the air plant's chiller most of the air's."""
    _, cooling, hours = hours_at(steady(dry_bulb_c=20, wet_bulb_c=15), cooling="direct_liquid_dry")
    air_share = np.clip((30 - 6 - 20) / 10, 0, 1)
    heat_w = cooling.liquid_heat_w[0] + cooling.air_heat_w[0]
    expected = (cooling.liquid_heat_w[0] + air_share * cooling.air_heat_w[0]) / heat_w
    assert hours.free_cooling_share[0] == pytest.approx(expected)
    assert hours.main_free_cooling_share[0] == 1


def test_servers_without_liquid_have_the_air_plant_alone():
    _, _, hours = hours_at(climate("ashburn_va"), supernode=dgx_h100())
    assert np.all(hours.water_l_per_h == 0)
    np.testing.assert_allclose(hours.free_cooling_share, hours.main_free_cooling_share, rtol=1e-12)


def test_unknown_liquid_share_leaves_the_hours_unknown():
    with np.errstate(invalid="ignore"):
        _, _, hours = hours_at(climate("ashburn_va"), supernode=rack(float("nan")))
    assert np.isnan(hours.pue).all()
    assert np.isnan(hours.water_l_per_h).all() or np.all(hours.water_l_per_h == 0)
    assert np.isfinite(hours.dry_bulb_c).all()


def test_network_takes_its_share_in_every_hour_but_is_not_counted_on_in_the_hottest():
    reuse = HeatReuse(share=number(0.5), supply_c=number(40))
    weather = climate("phoenix_az")
    power, cooling, hours = hours_at(weather, cooling="direct_liquid_dry", reuse=reuse)
    _, _, alone = hours_at(weather, cooling="direct_liquid_dry")
    assert hours.pue.mean() == pytest.approx(cooling.pue[0], rel=1e-12)
    assert hours.utility_w.mean() == pytest.approx(power.utility_mean_w[0], rel=1e-12)
    assert alone.pue.max() == pytest.approx(cooling.pue_hottest_hour[0], rel=1e-12)
    assert np.all(hours.free_cooling_share >= alone.free_cooling_share - 1e-12)


def test_liquid_to_air_units_leave_all_heat_to_the_air_plant():
    _, _, hours = hours_at(climate("ashburn_va"), cooling="liquid_to_air")
    np.testing.assert_allclose(hours.free_cooling_share, hours.main_free_cooling_share, rtol=1e-12)
