"""Where heat leaves: every watt from the meter, by sinks that the plant has."""

import dataclasses

import numpy as np
import pytest

from app.engine.facility.cooling.plants import PLANTS
from app.engine.specs import HeatReuse
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, rack, steady
from tests.support import number


def sinks(weather, *, reuse=None, given=None, supernode=None, **changes):
    facility = dataclasses.replace(facility_at(weather, **changes), heat_reuse=reuse)
    power, cooling = evaluate(facility=facility, given=given, supernode=supernode, network_power_w=2e4)
    return power, cooling, {one.sink: one for one in cooling.heat_sinks}


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("reuse", [None, HeatReuse(share=number(0.4), supply_c=number(40))])
def test_all_power_leaves_by_some_sink(plant, reuse):
    power, cooling, found = sinks(climate("dallas_tx"), cooling=plant, coolant_supply_c=28, reuse=reuse)
    total = sum(one.total_w[0] for one in found.values())
    assert total == pytest.approx(power.utility_mean_w[0], rel=1e-12)
    assert sum(one.air_heat_w[0] for one in found.values()) == pytest.approx(cooling.air_heat_w[0])
    liquid = cooling.liquid_heat_w[0] if PLANTS[plant].liquid not in ("none", "hall") else 0
    assert sum(one.liquid_heat_w[0] for one in found.values()) == pytest.approx(liquid)
    assert all(
        getattr(one, name)[0] >= 0 for one in found.values() for name in one.__slots__ if name != "sink"
    )
    assert ("heat_network" in found) == (reuse is not None)


def test_network_gets_what_the_evaluation_says():
    reuse = HeatReuse(share=number(0.4), supply_c=number(40))
    _, cooling, found = sinks(climate("stockholm"), cooling="direct_liquid_dry", reuse=reuse)
    assert found["heat_network"].total_w[0] == pytest.approx(cooling.heat_reused_w[0], rel=1e-12)


def test_cold_needs_no_condensers_and_heat_nothing_else():
    """By hand: at 0 degC all goes through dry coolers, at 48 degC all through chillers."""
    _, _, cold = sinks(steady(dry_bulb_c=0, wet_bulb_c=-2), cooling="direct_liquid_dry")
    assert cold["chiller_condensers"].total_w[0] == 0
    _, cooling, hot = sinks(steady(dry_bulb_c=48, wet_bulb_c=30), cooling="direct_liquid_dry")
    assert hot["dry_coolers"].liquid_heat_w[0] == hot["dry_coolers"].air_heat_w[0] == 0
    compressors = cooling.breakdown_w["chillers"][0]
    assert hot["chiller_condensers"].cooling_power_w[0] > compressors


@pytest.mark.parametrize(("water_cooled", "condensers"), [(1, False), (0, True)])
def test_trim_chiller_of_a_tower_condenses_where_it_is_told(water_cooled, condensers):
    given = dataclasses.replace(defaults(), tower_trim_water_cooled=number(water_cooled))
    _, _, found = sinks(climate("singapore"), cooling="direct_liquid_tower", coolant_supply_c=28, given=given)
    assert (found["chiller_condensers"].liquid_heat_w[0] > 0) == condensers
    assert found["towers"].liquid_heat_w[0] > 0


def test_exhaust_is_what_no_plant_cools():
    power, _, found = sinks(climate("dublin"), cooling="air", supernode=rack(0.0))
    outside = 1 - defaults().electrical_loss_share_in_hall[0]
    expected = power.electrical_losses_w[0] * outside + power.house_load_w[0]
    assert found["hall_exhaust"].total_w[0] == pytest.approx(expected)


def test_samples_have_sinks_of_their_own():
    supplies = np.array([[26.0], [34.0], [42.0]])
    facility = dataclasses.replace(
        facility_at(climate("phoenix_az"), cooling="direct_liquid_dry"), coolant_supply_c=supplies
    )
    power, cooling = evaluate(facility=facility)
    total = sum(one.total_w for one in cooling.heat_sinks)
    np.testing.assert_allclose(total, power.utility_mean_w, rtol=1e-9)
