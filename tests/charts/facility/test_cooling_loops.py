"""The loops as a picture: a box for each exchange, a pair of arrows for each loop."""

from __future__ import annotations

import dataclasses

import pytest

from app.charts.facility.cooling_loops import cooling_loops_figure
from app.engine.facility.cooling.loops.loops import sides_of
from tests.charts.support import layout
from tests.engine.facility.cases import climate, defaults
from tests.support import number


def _sides(plant: str = "direct_liquid_tower"):
    year = climate("ashburn_va")
    return sides_of(
        plant=plant, air_handling="in_row", coolant="pg25", coolant_supply_c=number(40),
        coolant_flow_l_per_min=number(1500), liquid_heat_w=number(1e6), facility_heat_w=number(1.02e6),
        air_heat_w=number(2e5), dry_bulb_c=year.dry_bulb_c, wet_bulb_c=year.wet_bulb_c,
        pressure_pa=year.pressure_pa, assumptions=defaults(),
    )  # fmt: skip


@pytest.mark.parametrize("plant", ["air", "direct_liquid_dry", "direct_liquid_tower", "liquid_to_air"])
def test_every_exchange_has_a_box_and_every_loop_two_arrows(plant):
    sides = _sides(plant)
    figure = cooling_loops_figure(sides)
    loops = sum(len(side.loops) for side in sides)
    assert len(figure.rows) == loops
    assert len(layout(figure)["shapes"]) == loops + 2 * len(sides)
    arrows = [note for note in layout(figure)["annotations"] if note["showarrow"]]
    assert len(arrows) == 2 * loops + len(sides)
    hot = [arrow for arrow in arrows if arrow["arrowcolor"] == "var(--c2)"]
    assert all(arrow["x"] > arrow["ax"] for arrow in hot)


def test_it_says_what_leaves_the_racks_and_how_warm():
    figure = cooling_loops_figure(_sides())
    assert figure.takeaway.startswith("1.00\u202fMW") or "MW leave the racks at 50°C" in figure.takeaway
    words = " ".join(note["text"] for note in layout(figure)["annotations"])
    for part in ("50.0°C", "40.0°C", "36.0°C", "34.0°C", "wet bulb", "Plate exchanger", "In-row coolers"):
        assert part in words.replace("<br>", " ")


def test_unknown_heat_is_no_picture():
    (liquid, air) = _sides()
    unknown = dataclasses.replace(liquid.loops[0], heat_w=float("nan"))
    figure = cooling_loops_figure((dataclasses.replace(liquid, loops=(unknown, *liquid.loops[1:])), air))
    assert figure.plot is None
