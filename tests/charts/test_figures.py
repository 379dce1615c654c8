"""Every figure is one that Plotly accepts, says what it shows, and survives what is unknown."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.charts import FIGURES, figure_json
from app.charts.fat_tree import _blocks
from tests.charts.support import assert_whole, layout, plain, traces
from tests.surfaces.pages.states import StateDesigns, single, unknown, whole

STATES = StateDesigns.made


def test_step_is_drawn_to_its_last_second() -> None:
    evaluation = whole()
    figure = FIGURES["step_time"](evaluation)
    drawn = sum(trace["x"][0] for trace in traces(figure))
    assert drawn == pytest.approx(evaluation["performance"]["step_time_s"])
    assert "54.3" in figure.takeaway


def test_gap_stands_between_the_rungs() -> None:
    figure = FIGURES["bandwidth"](whole())
    assert [row.cells[2] for row in figure.rows] == [
        "n/a", "7.4× less", "9.0× less", "102× less", "2.0× less",
    ]  # fmt: skip
    assert figure.takeaway == "Leaving the SuperNode costs a factor of 9.0."


def test_gap_to_an_unknown_rung_is_left_out() -> None:
    figure = FIGURES["bandwidth"](unknown())
    texts = [note["text"] for note in layout(figure)["annotations"]]
    assert "not published" in texts
    assert not any("102" in text or "205" in text for text in texts)


def test_single_supernode_has_no_scale_out_rung() -> None:
    assert [row.cells[0] for row in FIGURES["bandwidth"](single()).rows][:2] == ["HBM", "Scale-up"]
    assert "Scale-out" not in [row.cells[0] for row in FIGURES["bandwidth"](single()).rows]


def test_waterfall_ends_at_the_total() -> None:
    evaluation = whole()
    figure = FIGURES["tco"](evaluation)
    (bars,) = traces(figure)
    assert bars["base"][-2] + bars["x"][-2] == pytest.approx(evaluation["cost"]["tco_usd"] / 1e6)
    assert (bars["base"][-1], bars["x"][-1]) == (0, evaluation["cost"]["tco_usd"] / 1e6)
    assert bars["x"][bars["y"].index("Resale")] < 0


@pytest.mark.parametrize(("factor", "unit"), [(1, "M USD"), (2e-4, "k USD"), (5e-7, "USD")])
def test_waterfall_takes_the_prefix_of_its_total(factor: float, unit: str) -> None:
    evaluation = whole()
    parts = evaluation["cost"]["tco_breakdown_usd"]
    evaluation["cost"]["tco_breakdown_usd"] = {name: factor * value for name, value in parts.items()}
    evaluation["cost"]["tco_usd"] *= factor
    figure = FIGURES["tco"](evaluation)
    assert plain(figure.eyebrow) == f"Total cost of ownership, {unit}"
    assert 1 <= traces(figure)[0]["x"][-1] < 2000


def test_memory_says_when_it_does_not_fit() -> None:
    evaluation = whole()
    evaluation["performance"]["memory_per_accelerator_bytes"] = 94.3e9
    assert "too much" in FIGURES["memory"](evaluation).takeaway


def test_every_unit_can_be_chosen() -> None:
    figure = FIGURES["topology"](whole())
    units = next(trace for trace in traces(figure) if trace.get("meta") == "choosable")
    assert len(units["customdata"]) == 64
    assert units["customdata"][55] == ["Unit 56", "32 SuperNodes, 256 GPUs", 0]
    assert all(kind < len(figure.details) for _, _, kind in units["customdata"])


def test_switches_of_the_boxes_add_up() -> None:
    figure = FIGURES["topology"](whole())
    boxes = [note["text"] for note in layout(figure)["annotations"] if note["text"].isdigit()]
    assert sum(map(int, boxes)) == whole()["fabric"]["switches_total"]


def test_blocks_hold_whole_leaf_groups() -> None:
    assert _blocks(64, 3, 16) == 4
    assert _blocks(8, 3, 32) == 2
    assert _blocks(11, 3, 3) == 1
    assert _blocks(13, 3, 208) == 1
    assert _blocks(33, 3, 9) == 3
    assert _blocks(4, 2, 1) == 4


@pytest.mark.parametrize("topology", ["switched", "mesh", "torus"])
@pytest.mark.parametrize("accelerators", [1, 2, 8, 16, 64, 72, 128, 384])
def test_inside_of_a_supernode_shows_every_accelerator(topology: str, accelerators: int) -> None:
    evaluation = single()
    evaluation["inputs"]["supernode"] |= {"accelerators": accelerators, "scale_up_topology": topology}
    figure = FIGURES["topology"](evaluation)
    units = next(trace for trace in traces(figure) if trace.get("meta") == "choosable")
    points = set(zip(units["x"], units["y"], strict=True))
    assert len(points) == accelerators
    assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in points)


def leaf_paths(item: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(item, dict):
        for name, part in item.items():
            yield from leaf_paths(part, (*path, name))
    elif isinstance(item, list):
        for position, part in enumerate(item):
            yield from leaf_paths(part, (*path, position))
    elif isinstance(item, int | float) and not isinstance(item, bool):
        yield path


@pytest.mark.slow
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_missing_value_breaks_a_figure(data: st.DataObject) -> None:
    evaluation = copy.deepcopy(whole())
    paths = sorted(leaf_paths(evaluation), key=str)
    for path in data.draw(st.lists(st.sampled_from(paths), max_size=12)):
        part = evaluation
        for name in path[:-1]:
            part = part[name]
        part[path[-1]] = None
    for draw in FIGURES.values():
        json.dumps(figure_json(draw(evaluation)), allow_nan=False)


UNKNOWN: list[tuple[str, str, object]] = [
    *(("goodput", f"reliability.{name}", None)
      for name in ("mtbf_s", "checkpoint_interval_s", "ettr", "restart_s", "checkpoint_drain_s")),
    *(("own_or_rent", path, None) for path in ("cost.capex_usd", "cost.opex_usd_per_year", "reliability.availability")),
    *(("pue_hours", "cooling.pue_by_month_and_hour", table)
      for table in (None, [], [[1.1] * 24] * 11, [[1.1] * 23 + [None]] * 12)),
    ("power_flow", "cooling.heat_sinks", [{"sink": "dry_coolers", "liquid_heat_w": None}]),
    ("topology", "fabric.tiers", [{"name": "leaf", "switches": None, "links": 16_384.0}]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "value"), UNKNOWN)
def test_what_is_unknown_is_not_drawn(name: str, path: str, value: object) -> None:
    evaluation = whole()
    room, field = path.split(".")
    evaluation[room][field] = value
    assert FIGURES[name](evaluation).plot is None


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_drawn_or_says_why_not(name: str, state: str) -> None:
    figure = FIGURES[name](STATES[state]())
    assert figure.name == name
    assert_whole(figure)


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_of_a_whole_evaluation_has_a_table_and_colours(name: str) -> None:
    figure = FIGURES[name](whole())
    assert figure.rows
    assert "var(--" in json.dumps(figure.plot)
