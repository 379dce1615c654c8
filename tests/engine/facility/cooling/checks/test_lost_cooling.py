"""Ride-through by hand, with a tank, and what goes on the UPS."""

import dataclasses
import math

import pytest

from app.engine.facility.cooling.assumptions import CoolingAssumptions
from app.engine.facility.cooling.checks.lost_cooling import Contents, lose_cooling, ride_through_s
from tests.engine.facility.cases import defaults
from tests.support import assumptions, build, number

HALL = build(
    Contents, liquid_heat_w=1e6, air_heat_w=2e5, has_facility_water=True, coolant_density_kg_per_m3=1000,
    coolant_heat_capacity_j_per_kg_k=4000, pressure_pa=101325, coolant_pumps_w=12e3, facility_pumps_w=7e3,
    hall_fans_w=6800, chilled_water_pumps_w=2000, liquid_chilled=True, tank_m3=0, has_chilled_water=True,
)  # fmt: skip


def _lost(hall=HALL, start_s=15.0):
    found = lose_cooling(
        contents=hall,
        facility=defaults(),
        detail=assumptions("cooling", CoolingAssumptions),
        generator_start_s=number(start_s),
    )
    return {one.lost: one for one in found}


def test_a_rack_rides_through_seconds():
    """40 L in a rack of 132 kW that may warm by 10 K: 40 x 4 x 10 / 132 = 12 s."""
    seconds = ride_through_s(
        volume_m3_per_w=number(0.040 / 132e3),
        density_kg_per_m3=number(1000),
        heat_capacity_j_per_kg_k=number(4000),
        rise_k=number(10),
    )
    assert seconds[0] == pytest.approx(12.1, abs=0.05)


def test_every_loss_by_hand():
    lost = _lost()
    rack, water, sky = (
        lost[name]
        for name in (
            "Coolant stops in the racks",
            "Facility water stops, coolant runs on",
            "Heat rejection stops, all water runs on",
        )
    )
    assert rack.lasts_s == pytest.approx(3e-7 * 1000 * 4000 * 10)
    assert (rack.holds, rack.answer, rack.power_w) == (False, "on the UPS", 12e3)
    assert water.lasts_s == pytest.approx(1e-6 * 1000 * 4000 * 10)
    assert (water.holds, water.answer) == (True, "passes")
    assert sky.lasts_s == pytest.approx(1e-6 * 4e6 * 5 + 6e-6 * 992 * 4180 * 5)
    assert sky.to_last_s == 15 + 180
    missing = sky.to_last_s - sky.lasts_s
    assert sky.tank_m3 == pytest.approx(missing * 1e6 / (992 * 4180 * 10))


def test_the_tank_that_is_asked_for_is_enough():
    name = "Heat rejection stops, all water runs on"
    tank_m3 = _lost()[name].tank_m3
    enough = _lost(dataclasses.replace(HALL, tank_m3=number(tank_m3 + 1e-6)))[name]
    assert enough.holds
    assert enough.lasts_s == pytest.approx(enough.to_last_s, abs=1e-3)
    assert not _lost(dataclasses.replace(HALL, tank_m3=number(tank_m3 * 0.9)))[name].holds


def test_without_chillers_only_the_generators_have_to_start():
    name = "Heat rejection stops, all water runs on"
    assert _lost(dataclasses.replace(HALL, liquid_chilled=False))[name].to_last_s == 15


def test_an_air_plant_takes_the_tank_for_its_chilled_water():
    hall = dataclasses.replace(HALL, liquid_heat_w=number(0), has_facility_water=False)
    name = "Chillers stop, air and chilled water run on"
    assert set(_lost(hall)) == {"Air handlers stop", name}
    more = _lost(dataclasses.replace(hall, tank_m3=number(5)))[name].lasts_s
    assert more == pytest.approx(_lost(hall)[name].lasts_s + 5 * 992 * 4180 * 10 / 2e5)


def test_fans_last_no_time_at_all():
    fans = _lost()["Air handlers stop"]
    assert fans.lasts_s < 5
    assert fans.power_w == 8800
    assert math.isnan(fans.tank_m3)
