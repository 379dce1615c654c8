"""Both loops of every plant: temperatures that fit each other, and flows that carry the heat."""

import pytest

from app.engine.facility.cooling.loops.loops import sides_of
from app.engine.facility.cooling.plants import PLANTS
from tests.engine.facility.cases import climate, defaults
from tests.support import number


def _sides(plant, **changes):
    year = climate("ashburn_va")
    given = {
        "plant": plant, "air_handling": "perimeter", "coolant": "pg25", "coolant_supply_c": number(40),
        "coolant_flow_l_per_min": number(1500), "liquid_heat_w": number(1e6), "facility_heat_w": number(1.02e6),
        "air_heat_w": number(2e5), "dry_bulb_c": year.dry_bulb_c, "wet_bulb_c": year.wet_bulb_c,
        "pressure_pa": year.pressure_pa, "assumptions": defaults(),
    }  # fmt: skip
    return sides_of(**(given | changes))


@pytest.mark.parametrize("plant", sorted(PLANTS))
def test_every_exchange_stands_between_its_loops(plant):
    for side in _sides(plant):
        assert len(side.loops) == len(side.exchanges)
        for warm, cold, between in zip(side.loops, side.loops[1:], side.exchanges, strict=False):
            if between.name != "Liquid-to-air CDUs":
                assert warm.cold_c - cold.cold_c == pytest.approx(between.approach_k)
            else:
                assert warm.cold_c - cold.cold_c >= between.approach_k
        assert all(loop.hot_c > loop.cold_c for loop in side.loops)


def test_dry_coolers_by_hand():
    liquid, air = _sides("direct_liquid_dry")
    racks, water = liquid.loops
    assert (racks.cold_c, racks.hot_c, water.cold_c, water.hot_c) == (40, 50, 36, 46)
    assert water.flow == pytest.approx(1.02e6 / (992 * 4180 * 10) * 60e3)
    assert [one.approach_k for one in liquid.exchanges] == [4, 8]
    assert liquid.outdoors_c == climate("ashburn_va").dry_bulb_c.max()
    assert air.loops[0].flow == pytest.approx(2e5 / (1.18 * 1006 * 12), rel=0.02)


def test_towers_have_a_loop_more_and_the_wet_bulb():
    liquid, _ = _sides("direct_liquid_tower")
    assert [loop.name for loop in liquid.loops] == ["Racks", "Facility water", "Tower water"]
    assert liquid.outdoors == "wet bulb"
    assert liquid.loops[2].cold_c == 34


def test_air_and_liquid_to_air_have_one_side():
    (air,) = _sides("air")
    assert air.name == "Air"
    (whole,) = _sides("liquid_to_air")
    assert [loop.name for loop in whole.loops] == ["Racks", "Hall air", "Chilled water"]
    assert _sides("direct_liquid_dry", liquid_heat_w=number(0)) == (_sides("air")[0],)
    assert _sides("air_tower")[0].outdoors == "wet bulb"


def test_air_handlers_by_name():
    (side,) = _sides("air", air_handling="rear_door")
    assert side.exchanges[0].name == "Rear doors"


def test_tanks_hold_oil():
    liquid, _ = _sides("immersion_tower")
    assert (liquid.loops[0].name, liquid.loops[0].fluid) == ("Tanks", "dielectric oil")
