"""The floor from above and a rack from the front."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import Any

import numpy as np
import orjson
import pytest

from app.charts.figure import Figure, figure_json
from app.charts.floor_plan import MEASURES, MOST_RACKS, DrawnFloor, floor_plan_figure
from app.charts.rack_elevation import rack_elevation_figure, rack_facts
from app.engine.fabric.floor.contents import alike, contents
from app.engine.fabric.floor.elevation import full_racks
from app.engine.fabric.floor.floor import RACK_KINDS
from tests.charts.support import plain
from tests.engine.fabric.floor.cases import DGX_H100, SIZES, laid_out, of, two_tiers
from tests.engine.fabric.floor.rules import floor_rules


def drawn(*unit_hosts: int, spines: int = 4) -> DrawnFloor:
    graph, supernodes = two_tiers(unit_hosts, leaves=8, spines=spines), [of(DGX_H100, sum(unit_hosts))]
    floor = laid_out(graph, floor_rules(), *supernodes)
    found = contents({"compute": graph}, floor, supernodes, {"compute": SIZES}, {})
    make_up, examples = alike(found, floor.racks.count)
    names = [f"R{rack}" for rack in range(floor.racks.count)]
    return DrawnFloor(
        floor=floor,
        names=names,
        make_up=make_up,
        examples=full_racks(
            floor, found, examples, names, [f"d{device}" for device in range(found.rack.size)]
        ),
        rack_width_m=0.75,
        rack_depth_m=1.2,
    )


def choices(plot: dict[str, Any] | None) -> list[list[Any]]:
    assert plot is not None
    found: list[list[Any]] = next(
        trace["customdata"] for trace in plot["data"] if trace.get("meta") == "choosable"
    )
    return found


def checked(figure: Figure) -> dict[str, Any]:
    """The plot, that Plotly takes."""
    assert figure.plot is not None
    return figure.plot


@pytest.fixture(scope="module")
def small() -> DrawnFloor:
    return drawn(32, 32, 30)


def test_a_rack_is_a_cell_and_opens_into_what_it_holds(small: DrawnFloor) -> None:
    figure = floor_plan_figure(small)
    plot = checked(figure)
    cells = [value for line in plot["data"][0]["z"] for value in line if value is not None]
    assert len(cells) == len(choices(plot)) == small.floor.racks.count == 28
    assert max(cells) == plot["data"][0]["zmax"] == 40_800
    title, subtitle, detail = choices(plot)[0]
    assert (title, plain(subtitle)) == ("Rack R0", "SuperNodes, 40.8 kW")
    assert dict(figure.details[detail].facts)["Height used"] == "32 of 48 U"
    assert {name for name, _, _ in choices(plot)} == {f"Rack R{rack}" for rack in range(28)}


def test_racks_that_hold_the_same_are_drawn_once(small: DrawnFloor) -> None:
    held = {rack.shelves and tuple(shelf.what for shelf in rack.shelves) for rack in small.examples}
    assert held == {("DGX H100",) * 4, ("DGX H100",) * 2, ("QM9700",) * 8, ("QM9700",) * 4}


def test_switches_have_marks_beside_their_colour(small: DrawnFloor) -> None:
    figure = floor_plan_figure(small)
    marks = next(
        trace for trace in checked(figure)["data"] if trace.get("marker", {}).get("symbol") == "diamond"
    )
    assert len(marks["x"]) == int(np.sum(small.floor.racks.kind == RACK_KINDS.index("network")))
    assert [mark.label for mark in figure.legend] == ["SuperNodes", "Switches"]


@pytest.mark.parametrize("measure", list(MEASURES))
def test_each_measure_has_its_scale_and_its_table(small: DrawnFloor, measure: str) -> None:
    figure = floor_plan_figure(small, measure)
    plot = checked(figure)
    assert plot["data"][0]["colorbar"]["ticktext"][-1].endswith(MEASURES[measure][2])
    assert [row.cells[1] for row in figure.rows] == ["24", "4"]
    if measure == "weight":
        assert "Weight of 4 racks is not published" in figure.caption
        assert figure.rows[1].cells[2] == "not published"


def test_unknown_power_draws_nothing(small: DrawnFloor) -> None:
    unknown = drawn(4)
    unknown.floor.racks.power_w[:] = np.nan
    figure = floor_plan_figure(unknown)
    assert figure.plot is None
    assert figure.details == ()


@pytest.mark.slow
def test_many_racks_are_drawn_by_row_and_stay_small() -> None:
    many = drawn(*[32] * 512, spines=4)
    assert many.floor.racks.count > 3 * MOST_RACKS
    figure = floor_plan_figure(many)
    plot = checked(figure)
    rows = choices(plot)
    assert len(rows) == np.unique(many.floor.racks.row).size < 500
    inside = figure.details[rows[0][2]]
    assert len(choices(inside.plot)) == 18
    assert dict(inside.details[choices(inside.plot)[0][2]].facts)["Height used"] == "32 of 48 U"
    assert len(gzip.compress(orjson.dumps(figure_json(figure)))) < 100_000


def test_an_elevation_has_a_box_and_a_line_for_each_device(small: DrawnFloor) -> None:
    rack = next(rack for rack in small.examples if len(rack.shelves) == 4 and rack.kind == "compute")
    figure = rack_elevation_figure(rack)
    plot = checked(figure)
    assert figure.takeaway.startswith(f"{rack.name} holds 4 DGX H100, 40.8")
    boxes = [shape for shape in plot["layout"]["shapes"] if shape["y1"] - shape["y0"] < 10]
    assert [round(box["y0"]) for box in boxes] == [1, 9, 17, 25]
    assert [row.cells[2] for row in figure.rows] == ["U25", "U17", "U9", "U1"]
    assert plot["layout"]["yaxis"]["ticktext"][0] == "U1"
    assert dict(rack_facts(rack))["Weight"].startswith("683")


@pytest.mark.parametrize(("hosts", "across"), [(4, [0, 1]), (40, [0])])
def test_a_single_row_has_numbers_that_do_not_touch(hosts: int, across: list[int]) -> None:
    few = drawn(hosts, spines=1)
    assert len(set(few.floor.racks.row)) == 1
    assert checked(floor_plan_figure(few))["layout"]["yaxis"]["tickvals"] == across


def test_a_long_name_ends_inside_its_box(small: DrawnFloor) -> None:
    rack = next(one for one in small.examples if one.kind == "compute")
    plot = checked(rack_elevation_figure(replace(rack, shelves=(replace(rack.shelves[0], name="x" * 60),))))
    (label,) = plot["layout"]["annotations"]
    assert label["text"] == "x" * 27 + "…"
    assert "x" * 60 in plot["data"][0]["text"][0]
