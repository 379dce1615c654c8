"""What a lower PUE saves, and what one run takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.it.supernode import node_fan_share
from app.engine.facility.savings.saved import (
    clean_energy_usd,
    facility_energy_ceiling,
    facility_energy_saved,
    grid_carbon_kg,
    grid_energy_kwh,
    rated_power_per_accelerator_w,
    rated_power_with_other_fans_w,
    run_energy_j_per_token,
    run_utilities_usd,
    run_water_m3,
)
from tests.support import number


def test_liquid_cooling_saves_a_quarter():
    saved = facility_energy_saved(pue_before=number(1.5), pue_after=number(1.1))
    assert saved == pytest.approx(0.2667, abs=1e-4)
    assert rated_power_per_accelerator_w(max_power_w=number(10_200), accelerators=number(8)) == 1275


@given(st.floats(1, 3), st.floats(1, 3))
def test_no_pue_saves_the_energy_of_the_it(before, after):
    saved = facility_energy_saved(pue_before=number(before), pue_after=number(after))[0]
    assert saved <= 1 - 1 / before + 1e-12
    assert (saved > 0) == (after < before)


def test_overhead_is_the_ceiling_of_what_a_facility_can_save():
    """At a PUE of 1.5 a third, so half of the energy is out of reach of plant and power train."""
    assert facility_energy_ceiling(pue=number(1.5)) == pytest.approx(1 / 3)
    assert facility_energy_ceiling(pue=number(1)) == 0


def test_the_same_server_with_other_fans():
    """10 kW with 12 % of fans is 8.8 kW of work: with 3 % it is rated 9.07 kW."""
    shares = {
        share: node_fan_share(
            liquid_share=number(share), fan_power_share_air=number(0.12), fan_power_share_liquid=number(0.03)
        )
        for share in (0, 1)
    }
    rated = rated_power_with_other_fans_w(
        max_power_w=number(10_000), fan_share=shares[0], other_fan_share=shares[1]
    )
    assert rated == pytest.approx(8800 / 0.97)
    back = rated_power_with_other_fans_w(max_power_w=rated, fan_share=shares[1], other_fan_share=shares[0])
    assert back == pytest.approx(10_000)


def test_a_run_by_hand():
    energy = number(1000.0)  # kWh
    assert run_energy_j_per_token(run_energy_kwh=energy, tokens=number(3.6e9)) == 1
    grid = grid_energy_kwh(run_energy_kwh=energy, matched_share=number(0.75))
    assert grid == 250
    assert grid_carbon_kg(grid_energy_kwh=grid, carbon_intensity_kg_per_kwh=number(0.4)) == 100
    water = run_water_m3(
        water_m3_per_year=number(876), run_energy_kwh=energy, energy_utility_kwh_per_year=number(8760)
    )
    assert water == 100
    bill = run_utilities_usd(
        grid_energy_kwh=grid,
        electricity_price_usd_per_kwh=number(0.08),
        run_water_m3=water,
        water_price_usd_per_m3=number(2),
    )
    assert bill == 220
    clean = clean_energy_usd(
        run_energy_kwh=energy, generated_share=number(0.9), clean_price_usd_per_kwh=number(0.05)
    )
    assert clean == pytest.approx(45)
