"""Drawings of a facility: loops, racks and the single-line diagram."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from app.catalog.ready import ready_catalog
from app.charts.facility.cooling_loops import cooling_loops_figure
from app.charts.facility.rack_heat import headline, measured, more_servers, rack_heat_figure
from app.charts.facility.single_line import PATHS, Feeds, single_line_figure
from app.charts.figure import Figure
from app.engine.facility.cooling.loops.loops import sides_of
from app.engine.facility.electrical.redundancy import SCHEMES
from app.engine.facility.racks.kind import RackKind
from app.scenarios.evaluation.service import evaluate_scenario
from app.views.facility.racks import RacksOptions, racks_answer
from tests.charts.support import layout, plain
from tests.engine.facility.cases import climate, defaults
from tests.engine.facility.electrical.cases import chain_of, loads_of, lost, sized
from tests.scenarios.support import document
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


def kind_of(**changes: object) -> RackKind:
    evaluated = evaluate_scenario(document(pod__supernodes=8, **changes), ready_catalog())
    chosen = racks_answer(evaluated, RacksOptions()).chosen
    assert chosen is not None
    return chosen


@pytest.fixture(scope="module")
def nvl72() -> RackKind:
    return kind_of(supernode__system="gb200_nvl72")


def test_both_loops_of_an_nvl72(nvl72: RackKind) -> None:
    figure = rack_heat_figure(nvl72)
    assert figure.plot is not None
    drawn = go.Figure(figure.plot)
    air, liquid = (trace for trace in drawn.data if trace.type == "bar")
    assert (air.name, liquid.name) == ("To air", "To liquid")
    assert air.marker.pattern.shape == "/"  # told apart not only by colour
    assert not liquid.marker.pattern.shape
    assert (air.xaxis, liquid.xaxis) == ("x2", "x3")
    assert sum(2 * (one + other) for one, other in zip(air.x, liquid.x, strict=True)) == pytest.approx(132e3)
    assert drawn.layout.xaxis2.range == drawn.layout.xaxis3.range
    assert plain(figure.takeaway) == (
        "17.2 kW leave by air and 115 kW by liquid; the hottest units give 3.67 kW each."
    )
    assert len(figure.rows) == 18
    assert figure.rows[0].cells[1:] == ("U35", "2", "477", "3,190")


def test_all_by_air() -> None:
    figure = rack_heat_figure(kind_of())
    assert plain(figure.takeaway).startswith("40.8 kW leave by air; the hottest units")


def test_unknown_power_is_not_drawn(nvl72: RackKind) -> None:
    shelves = tuple(replace(shelf, air_w_per_u=np.nan) for shelf in nvl72.heat.shelves)
    assert rack_heat_figure(replace(nvl72, heat=replace(nvl72.heat, shelves=shelves))).plot is None


def test_words_of_checks(nvl72: RackKind) -> None:
    (first, *_) = nvl72.checks
    servers = [replace(first, more=more) for more in (np.nan, 0.0, 1.0, np.inf)]
    assert [more_servers(check) for check in servers] == ["n/a", "0", "1", "any"]
    assert headline(replace(nvl72, first=servers[1])).endswith("No further server fits.")
    assert headline(replace(nvl72, first=servers[2])).endswith("1 more server fits.")
    assert "nothing of it is known" in headline(replace(nvl72, first=None))
    over = replace(first, status="over", value=2000.0, utilisation=2000 / 1361)
    assert "is past a limit: planned weight per rack at 2,000" in headline(replace(nvl72, checks=(over,)))
    assert measured(7903.0, "N/m2").text == "7.90\u202fkN/m\u00b2"
    assert measured(float("nan"), "N/m2").value == "not published"
    assert measured(float("inf"), "W").text == "none"


def drawn(scheme: str = "2N", lost_kind: str = "", unknown: bool = False, **words: str) -> Figure:
    chain = chain_of(scheme, **words)
    loads, racks = loads_of(chain, supernodes=40)
    if unknown:
        loads.carried_w["ups"] = np.array([np.nan])
    sizing = sized(chain, loads, racks)
    feeds = Feeds(racks, loads.it_w[0], loads.cooling_and_house_w[0])
    return single_line_figure(chain, sizing, lost(chain, sizing, loads), feeds, lost_kind)


def boxes(layout: dict[str, Any], **line: Any) -> list[dict[str, Any]]:
    found = [shape for shape in layout["shapes"] if shape["type"] == "rect"]
    return [shape for shape in found if all(shape["line"][name] == value for name, value in line.items())]


@pytest.mark.parametrize("scheme", sorted(SCHEMES))
def test_every_scheme_has_its_paths(scheme: str) -> None:
    figure = drawn(scheme)
    paths = len(PATHS[scheme])
    # six kinds on every path; generators, cooling, pumps, cooling load beside; racks under all
    assert len(boxes(layout(figure))) == 6 * paths + 4 + 1
    assert len(figure.rows) == 11
    assert (figure.minimum_width > 0) == (paths > 2)


def test_the_lost_block_and_the_one_that_takes_over_are_marked() -> None:
    figure = drawn("2N", "ups")
    drawing = layout(figure)
    assert len(boxes(drawing, dash="dash")) == 1
    assert len(boxes(drawing, color="var(--accent)")) == 1
    assert any(note["text"] == "1 of 4 lost" for note in drawing["annotations"])
    assert figure.takeaway.startswith("With one UPS lost the rest carries on at ")


def test_on_one_bus_the_rest_of_the_path_takes_over() -> None:
    drawing = layout(drawn("N+1", "lv_transformer"))
    assert any("lost, rest " in note["text"] for note in drawing["annotations"])


@pytest.mark.parametrize("kind", ["generator", "cooling_transformer", "rack_feed", "shelf", "utility_feed"])
def test_blocks_beside_the_paths_can_be_lost(kind: str) -> None:
    assert len(boxes(layout(drawn("block_redundant", kind)), dash="dash")) == 1


def test_what_cannot_be_served_is_said() -> None:
    assert "of IT cannot be served" in drawn("N", "switchboard").takeaway


def test_a_reserve_stands_idle() -> None:
    notes = layout(drawn("block_redundant"))["annotations"]
    assert sum(note["text"] == "idle" for note in notes) == 6


@pytest.mark.parametrize("words", [{"distribution": "dc_800"}, {"ups": "rack_batteries"}])
def test_chains_without_a_transformer_or_a_ups(words: dict[str, str]) -> None:
    assert len(boxes(layout(drawn("2N", **words)))) == 5 * 2 + 4 + 1


def test_an_unknown_load_is_not_drawn() -> None:
    figure = drawn(unknown=True)
    assert figure.plot is None
    assert "unknown" in figure.takeaway
