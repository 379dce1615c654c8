"""Generators, fuel and batteries: hand-worked, with derating."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.electrical.supply import (
    battery_energy_j,
    fuel_l,
    generator_derating,
    generators,
    load_steps,
    transformer_derating,
)
from tests.support import number

RULES = {
    "derating_altitude_m": number(1000),
    "altitude_derating_per_m": number(1e-4),
    "derating_dry_bulb_c": number(40),
    "temperature_derating_per_k": number(0.002),
}


@pytest.mark.parametrize(
    ("elevation_m", "dry_bulb_c", "left"),
    [(100, 35, 1.0), (1600, 35, 0.94), (100, 45, 0.99), (1600, 50, 0.94 * 0.98)],
)
def test_altitude_and_heat_take_off_the_rating(elevation_m, dry_bulb_c, left):
    found = generator_derating(
        elevation_m=number(elevation_m), hottest_dry_bulb_c=number(dry_bulb_c), **RULES
    )
    assert found[0] == pytest.approx(left)


def test_a_transformer_at_altitude():
    found = transformer_derating(
        elevation_m=number(2000), derating_altitude_m=number(1000), altitude_derating_per_m=number(3e-5)
    )
    assert found[0] == pytest.approx(0.97)


def test_generators_of_a_30_mw_site():
    sized = {"site_power_w": number(30e6), "generator_unit_w": number(2.5e6), "spare_units": number(1)}
    at_sea = generators(**sized, generator_derating=number(1), generator_load_share=number(0.875))
    at_altitude = generators(**sized, generator_derating=number(0.94), generator_load_share=number(0.875))
    assert (at_sea[0], at_altitude[0]) == (14 + 1, 15 + 1)  # 30 / 2.1875 and 30 / 2.056


def test_load_is_taken_in_steps():
    steps = load_steps(
        site_power_w=number(30e6), running_power_w=number(35e6), generator_block_load_share=number(0.5)
    )
    assert steps[0] == 2


def test_fuel_of_a_megawatt_for_two_days():
    found = fuel_l(site_power_w=number(1e6), fuel_hours=number(48), fuel_l_per_kwh=number(0.26))
    assert found[0] == pytest.approx(12_480)


def test_battery_of_a_megawatt_for_five_minutes():
    found = battery_energy_j(
        power_w=number(1e6),
        battery_time_s=number(300),
        battery_depth_of_discharge=number(0.9),
        battery_efficiency=number(0.96),
        battery_end_of_life_share=number(0.8),
    )
    assert found[0] / 3.6e6 == pytest.approx(1e3 / 12 / (0.9 * 0.96 * 0.8))  # kWh


@given(site=st.floats(1e5, 1e9), unit=st.floats(1e5, 3.5e6), spare=st.integers(0, 2))
def test_generators_less_their_spares_carry_the_site(site, unit, spare):
    count = generators(
        site_power_w=number(site),
        generator_unit_w=number(unit),
        generator_derating=number(0.9),
        generator_load_share=number(0.875),
        spare_units=number(spare),
    )[0]
    assert (count - spare) * unit * 0.9 * 0.875 >= site * (1 - 1e-9)
