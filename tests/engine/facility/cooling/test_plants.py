"""Coolant, heat rejection and plants: published values, limits, monotony."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.cooling.choice import BY_WATER, choose_plant
from app.engine.facility.cooling.coolant import (
    coolant_density_kg_per_m3,
    coolant_flow_m3_per_j,
    coolant_heat_capacity_j_per_kg_k,
    coolant_viscosity_mpa_s,
    liquid_loops,
)
from app.engine.facility.cooling.heat_rejection import (
    chiller_cop,
    economiser_share,
    fan_power_share,
    tower_makeup_kg_per_j,
)
from app.engine.facility.cooling.plants import PLANTS
from app.engine.facility.cooling.year import full_year
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, rack, steady
from tests.support import dgx_h100, number


def _properties(**context):
    a, mean_c = defaults(**context), number(40)
    return (
        coolant_density_kg_per_m3(
            coolant_mean_c=mean_c,
            constant=a.coolant_density_constant_kg_per_m3,
            linear=a.coolant_density_linear_kg_per_m3_k,
            quadratic=a.coolant_density_quadratic_kg_per_m3_k2,
        )[0],
        coolant_heat_capacity_j_per_kg_k(
            coolant_mean_c=mean_c,
            constant=a.coolant_heat_capacity_constant_j_per_kg_k,
            linear=a.coolant_heat_capacity_linear_j_per_kg_k2,
            quadratic=a.coolant_heat_capacity_quadratic_j_per_kg_k3,
        )[0],
        coolant_viscosity_mpa_s(
            coolant_mean_c=mean_c,
            constant=a.coolant_log_viscosity_constant,
            linear=a.coolant_log_viscosity_linear_per_k,
            quadratic=a.coolant_log_viscosity_quadratic_per_k2,
            cubic=a.coolant_log_viscosity_cubic_per_k3,
        )[0],
    )


def test_propylene_glycol_at_40_c_is_that_of_coolprop():
    assert _properties() == pytest.approx((1009.9, 3969, 1.353), rel=5e-4)


def test_more_glycol_is_denser_thicker_and_carries_less():
    density, heat_capacity, viscosity = _properties()
    more = _properties(coolant="pg30")
    ethylene = _properties(coolant="eg25")
    assert more[0] > density
    assert more[1] < heat_capacity
    assert more[2] > viscosity
    assert ethylene[0] > density
    assert ethylene[1] < heat_capacity
    assert ethylene[2] < viscosity


@pytest.mark.parametrize(("rise_k", "l_per_min_per_kw"), [(10, 1.497), (7.5, 1.996), (5, 2.994)])
def test_flow_is_that_of_the_ocp_guideline(rise_k, l_per_min_per_kw):
    flow = coolant_flow_m3_per_j(
        density_kg_per_m3=number(1009.9),
        heat_capacity_j_per_kg_k=number(3969),
        temperature_rise_k=number(rise_k),
        flow_excess=number(1),
    )
    assert flow[0] * 1e3 * 1e3 * 60 == pytest.approx(l_per_min_per_kw, rel=1e-3)


def test_pumps_draw_about_two_per_cent_of_the_heat():
    """250 kPa at half efficiency is 1.25 %, 200 kPa at 0.7 is 0.7 %."""
    _, pumps = liquid_loops(coolant_supply_c=number(35), assumptions=defaults())
    assert pumps[0] == pytest.approx(0.0125 + 0.007, rel=0.01)


def test_flow_beyond_need_costs_more_than_its_square():
    def pump(excess):
        given = dataclasses.replace(defaults(), coolant_flow_excess=number(excess))
        return liquid_loops(coolant_supply_c=number(40), assumptions=given)[1][0]

    base = liquid_loops(
        coolant_supply_c=number(40),
        assumptions=dataclasses.replace(defaults(), coolant_flow_excess=number(0)),
    )[1][0]
    assert (pump(2) - base) / (pump(1) - base) == pytest.approx(2**2.75)


@pytest.mark.parametrize(("outdoor_c", "share"), [(10, 1), (22, 1), (27, 0.5), (32, 0), (45, 0)])
def test_economiser(outdoor_c, share):
    assert economiser_share(
        return_c=number(40), supply_c=number(30), outdoor_c=number(outdoor_c), approach_k=number(8)
    )[0] == pytest.approx(share)


@pytest.mark.parametrize(("outdoor_c", "power"), [(-40, 0.25**3), (24, 0.125), (35, 1), (46, 1), (60, 1)])
def test_fans_follow_the_cube_law_between_their_limits(outdoor_c, power):
    assert fan_power_share(
        hot_water_c=number(46),
        outdoor_c=number(outdoor_c),
        design_outdoor_c=number(35),
        least_design_difference_k=number(1),
        least_fan_speed=number(0.25),
    )[0] == pytest.approx(power)


def _cop(supply_c, dry_bulb_c):
    return chiller_cop(
        supply_c=number(supply_c), evaporator_approach_k=number(2), cooled_by_c=number(dry_bulb_c),
        condenser_approach_k=number(12), carnot_share=number(0.5), least_cop=number(2), greatest_cop=number(14),
    )[0]  # fmt: skip


def test_chiller_by_hand_and_at_its_limits():
    assert _cop(20, 35) == pytest.approx(0.5 * (18 + 273.15) / (47 - 18))
    assert _cop(20, 0) == 14
    assert _cop(5, 60) == pytest.approx(0.5 * 276.15 / 69)
    assert _cop(5, 75) == 2


def test_a_kelvin_of_supply_saves_two_to_four_per_cent_of_chiller_energy():
    """stechtimes.com; datacenterdynamics.com, Hot water, cold water."""
    assert 0.02 < 1 - _cop(20, 35) / _cop(21, 35) < 0.04


def test_water_of_a_tower_that_only_evaporates():
    """2,430 kJ/kg make 1.48 L/kWh, and 1.85 with blowdown at five cycles."""
    makeup = tower_makeup_kg_per_j(
        evaporation_kg_per_j=number(1 / 2.43e6), concentration_cycles=number(5), drift_share=number(0),
        heat_capacity_j_per_kg_k=number(4180), temperature_rise_k=number(10),
    )  # fmt: skip
    assert makeup[0] * 3.6e6 == pytest.approx(1.85, rel=2e-3)


@pytest.mark.parametrize(
    ("supernode", "cooling", "supply_c", "plant"),
    [
        (dgx_h100(), "auto", 40, "air"),
        (rack(), "auto", 40, "direct_liquid_dry"),
        (rack(), "auto", 32, "direct_liquid_tower"),
        (rack(), "air", 32, "air"),
        (dgx_h100(), "direct_liquid_tower", 40, "direct_liquid_tower"),
        (rack(float("nan"), cooling="air"), "auto", 40, "air"),
        (rack(float("nan"), cooling=""), "auto", 40, "direct_liquid_dry"),
    ],
)
def test_plant_follows_supernode_and_coolant(supernode, cooling, supply_c, plant):
    facility = facility_at(steady(dry_bulb_c=26, wet_bulb_c=20), cooling=cooling, coolant_supply_c=supply_c)
    assert choose_plant(supernode=supernode, facility=facility, assumptions=defaults()) == plant


def test_a_cold_site_needs_no_water():
    facility = facility_at(steady(dry_bulb_c=5, wet_bulb_c=3), coolant_supply_c=32)
    assert choose_plant(supernode=rack(), facility=facility, assumptions=defaults()) == "direct_liquid_dry"


@pytest.mark.slow
def test_the_choice_is_near_the_least_power_at_any_coolant_temperature():
    """200 sites: a coolant that passes from one plant to another never costs more than the margin."""
    seeded, margin = np.random.default_rng(26), defaults().plant_choice_margin.item()
    for _ in range(200):
        dry_c = float(seeded.uniform(-20, 45))
        weather = steady(dry_bulb_c=dry_c, wet_bulb_c=dry_c - float(seeded.uniform(0, 15)))
        power = _power(weather, float(seeded.uniform(18, 50)))
        assert power["auto"] <= min(power.values()) + margin + 1e-9


def _power(weather, supply_c):
    """Cooling power for each watt of liquid heat of `auto` and of the plants that it chooses from."""
    found = {}
    for plant in ("auto", *BY_WATER):
        facility = facility_at(weather, cooling=plant, coolant_supply_c=supply_c)
        _, cooling = evaluate(facility=facility, supernode=rack())
        found[plant] = (cooling.power_mean_w / cooling.liquid_heat_w).item()
    return found


WEATHER = st.tuples(st.floats(-30, 50), st.floats(0, 20)).map(lambda pair: (pair[0], pair[0] - pair[1]))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    weather=WEATHER,
    warmer=st.floats(0.1, 10),
    wetter=st.floats(0, 10),
    plant=st.sampled_from(sorted(PLANTS)),
    supply_c=st.floats(18, 50),
)
def test_hotter_weather_never_lowers_pue(weather, warmer, wetter, plant, supply_c):
    dry, wet = weather

    def pue(dry_bulb_c, wet_bulb_c):
        facility = facility_at(
            steady(dry_bulb_c=dry_bulb_c, wet_bulb_c=wet_bulb_c), cooling=plant, coolant_supply_c=supply_c
        )
        return evaluate(facility=facility)[1].pue[0]

    assert pue(dry + warmer, min(wet + wetter, dry + warmer)) >= pue(dry, wet) - 1e-12


def test_full_year_counts_every_hour_once():
    assert full_year(climate("ashburn_va")).hours.sum() == 8760


def test_air_side_fans_rise_with_altitude():
    low, high = (
        evaluate(facility=facility_at(steady(dry_bulb_c=10, wet_bulb_c=5, pressure_pa=p), cooling="air"))[1]
        for p in (101325, 83400)
    )
    ratio = high.breakdown_w["fans"] / low.breakdown_w["fans"]
    assert ratio[0] == pytest.approx(101325 / 83400)
    assert np.all(high.pue > low.pue)
