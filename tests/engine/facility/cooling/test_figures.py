"""Cooling of a whole pod: heat balance, limits, shapes, samples."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.cooling.plants import PLANTS as BUILT
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, rack, steady
from tests.support import dgx_h100, number

PLANTS = tuple(BUILT)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    dry=st.floats(-30, 48),
    depression=st.floats(0, 15),
    share=st.floats(0, 1),
    supply_c=st.floats(18, 50),
    plant=st.sampled_from(PLANTS),
)
def test_heat_out_is_heat_in(dry, depression, share, supply_c, plant):
    facility = facility_at(
        steady(dry_bulb_c=dry, wet_bulb_c=dry - depression), cooling=plant, coolant_supply_c=supply_c
    )
    power, cooling = evaluate(facility=facility, supernode=rack(share), network_power_w=1e4)
    parts = cooling.breakdown_w
    assert sum(parts.values())[0] == pytest.approx(cooling.power_mean_w[0], rel=1e-12)
    assert all(part[0] >= 0 for part in parts.values())
    moved = power.it_power_mean_w + power.electrical_losses_w + cooling.power_mean_w
    assert (cooling.heat_rejected_w + parts["heat_rejection"])[0] == pytest.approx(moved[0], rel=1e-12)
    assert 1 < cooling.pue[0] < 2
    assert cooling.pue_hottest_hour[0] == pytest.approx(cooling.pue[0], rel=1e-9)
    assert cooling.tue[0] > cooling.pue[0]


def test_rack_flow_and_cdus_by_hand():
    _, cooling = evaluate(facility=facility_at(climate("ashburn_va"), coolant_supply_c=35), supernodes=16)
    liquid_kw = 0.87 * 132 * 16
    assert cooling.liquid_heat_design_w[0] == pytest.approx(liquid_kw * 1e3)
    assert cooling.coolant_flow_l_per_min[0] == pytest.approx(1.497 * liquid_kw, rel=1e-3)
    assert cooling.cdu_count[0] == np.ceil(liquid_kw / 1350) + 1
    assert cooling.air_heat_per_rack_w[0] == pytest.approx(0.13 * 132e3)


def test_air_plant_has_no_liquid_and_no_water():
    _, cooling = evaluate(facility=facility_at(climate("ashburn_va")), supernode=dgx_h100())
    assert cooling.plant == "air"
    assert cooling.coolant_flow_l_per_min is None
    for figure in ("liquid_heat_w", "cdu_count", "water_m3_per_year"):
        assert getattr(cooling, figure)[0] == 0


def test_air_plant_needs_no_coolant_temperature():
    facility = facility_at(climate("ashburn_va"), coolant_supply_c=float("nan"))
    _, cooling = evaluate(facility=facility, supernode=dgx_h100())
    assert (
        cooling.pue[0]
        == evaluate(facility=facility_at(climate("ashburn_va")), supernode=dgx_h100())[1].pue[0]
    )


@pytest.mark.filterwarnings("error")
def test_unknown_liquid_share_stays_unknown():
    with np.errstate(invalid="ignore"):
        _, cooling = evaluate(facility=facility_at(climate("ashburn_va")), supernode=rack(float("nan")))
    for figure in ("pue", "pue_hottest_hour", "coolant_flow_l_per_min", "cdu_count", "wue_l_per_kwh"):
        assert np.isnan(getattr(cooling, figure)[0]), figure


def test_water_agrees_with_its_yearly_sum():
    power, cooling = evaluate(
        facility=facility_at(climate("dallas_tx"), cooling="direct_liquid_tower", coolant_supply_c=32)
    )
    litres = cooling.wue_l_per_kwh * power.energy_it_kwh_per_year
    assert cooling.water_m3_per_year[0] == pytest.approx(litres[0] / 1e3)


def test_tower_that_cools_its_trim_chiller_draws_less_and_evaporates_more():
    facility = facility_at(climate("singapore"), cooling="direct_liquid_tower", coolant_supply_c=30)
    by_air = dataclasses.replace(defaults(), tower_trim_water_cooled=number(0))
    own, other = evaluate(facility=facility)[1], evaluate(facility=facility, given=by_air)[1]
    assert own.pue < other.pue
    assert own.wue_l_per_kwh > other.wue_l_per_kwh


def test_warmer_coolant_never_costs_more():
    pues = [
        evaluate(
            facility=facility_at(
                climate("phoenix_az"), cooling="direct_liquid_dry", coolant_supply_c=supply_c
            )
        )[1].pue[0]
        for supply_c in (20, 26, 32, 38, 44, 50)
    ]
    assert pues == sorted(pues, reverse=True)


def test_grid_by_month_and_hour_averages_to_the_year():
    _, cooling = evaluate(facility=facility_at(climate("ashburn_va")))
    grid = cooling.pue_by_month_and_hour
    days = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
    assert grid.shape == (12, 24)
    assert (grid.mean(axis=1) @ days / 365) == pytest.approx(cooling.pue[0], rel=1e-9)
    assert np.unravel_index(grid.argmax(), grid.shape)[0] in (5, 6, 7)
    assert 11 <= grid[6].argmax() <= 17


PADS = ("direct_liquid_adiabatic", "outdoor_air", "indirect_evaporative")
"""Plants whose water has a kink where pads are switched on, which bins of half a kelvin round off."""


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("site", ["ashburn_va", "singapore", "phoenix_az"])
def test_samples_agree_with_one_design_at_a_time(site, plant):
    """Bins of 0.5 K: annual means within a few 1e-5 of the full year, the hottest hour exact."""
    facility = facility_at(climate(site), cooling=plant)
    shares, supplies = np.array([[0.6], [0.87], [1.0]]), np.array([[30.0], [36.0], [42.0]])
    many = evaluate(
        facility=dataclasses.replace(facility, coolant_supply_c=supplies),
        supernode=rack(liquid_share=shares),
    )[1]
    assert many.pue.shape == many.pue_hottest_hour.shape == (3, 1)
    assert many.pue_by_month_and_hour is None
    for row in range(3):
        one = evaluate(
            facility=dataclasses.replace(facility, coolant_supply_c=supplies[row]),
            supernode=rack(liquid_share=shares[row]),
        )[1]
        assert many.pue[row, 0] == pytest.approx(one.pue[0], abs=5e-5)
        assert many.pue_hottest_hour[row, 0] == pytest.approx(one.pue_hottest_hour[0], rel=1e-12)
        water = np.broadcast_to(many.wue_l_per_kwh, (3, 1))
        assert water[row, 0] == pytest.approx(one.wue_l_per_kwh[0], rel=3e-3 if plant in PADS else 1e-4)


@pytest.mark.slow
def test_many_samples_go_through_in_blocks():
    rng = np.random.default_rng(1)
    varied = {
        field.name: getattr(defaults(), field.name) * rng.uniform(0.98, 1.02, (300, 1))
        for field in dataclasses.fields(defaults())
    }
    facility = facility_at(climate("ashburn_va"), cooling="direct_liquid_dry")
    everything = evaluate(facility=facility, given=dataclasses.replace(defaults(), **varied))[1]
    assert everything.pue.shape == (300, 1)
    last = {name: value[299] for name, value in varied.items()}
    one = evaluate(facility=facility, given=dataclasses.replace(defaults(), **last))[1]
    assert everything.pue[299, 0] == pytest.approx(one.pue[0], abs=5e-5)


def test_sampled_power_alone_keeps_its_shape():
    power, cooling = evaluate(
        facility=facility_at(climate("ashburn_va")),
        supernode=rack(max_power_w=np.array([[120e3], [132e3], [142e3]])),
    )
    assert power.utility_mean_w.shape == cooling.pue.shape == (3, 1)
    assert np.all(np.diff(power.utility_mean_w[:, 0]) > 0)


def test_sampled_liquid_share_alone_goes_by_bins():
    _, cooling = evaluate(
        facility=facility_at(climate("ashburn_va")),
        supernode=rack(liquid_share=np.array([[0.7], [0.8], [0.9]])),
    )
    assert cooling.pue.shape == (3, 1)
    assert cooling.pue_by_month_and_hour is None
    assert np.all(np.diff(cooling.pue[:, 0]) < 0)
