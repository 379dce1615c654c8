"""Every figure is one that Plotly accepts, says what it shows, and survives what is unknown."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.charts import FIGURES, figure_json
from app.charts.fat_tree import _blocks
from app.charts.figure import Detail
from tests.charts.support import plain
from tests.surfaces.pages.states import StateDesigns, single, unknown, whole

TOKENS = Path(__file__).resolve().parents[2] / "static" / "css" / "tokens.css"
STATES = StateDesigns.made


def strings(item: Any) -> Iterator[str]:
    if isinstance(item, str):
        yield item
    elif isinstance(item, dict):
        for part in item.values():
            yield from strings(part)
    elif isinstance(item, list | tuple):
        for part in item:
            yield from strings(part)


def plots_below(details: tuple[Detail, ...]) -> Iterator[dict[str, Any] | None]:
    for detail in details:
        yield detail.plot
        yield from plots_below(detail.details)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", FIGURES)
def test_plotly_accepts_every_figure(name: str, state: str) -> None:
    figure = FIGURES[name](STATES[state]())
    assert figure.name == name
    assert figure.takeaway.endswith(".")
    for plot in [figure.plot, *plots_below(figure.details)]:
        if plot is not None:
            go.Figure(plot)
            json.dumps(plot, allow_nan=False)


@pytest.mark.parametrize("name", FIGURES)
def test_colours_are_tokens_of_the_theme(name: str) -> None:
    figure = FIGURES[name](whole())
    defined = set(re.findall(r"(--[\w-]+):", TOKENS.read_text(encoding="utf-8")))
    plots = [figure.plot, *plots_below(figure.details)]
    used = set(re.findall(r"var\((--[\w-]+)\)", json.dumps(plots)))
    assert used
    assert used <= defined
    bare = [text for text in strings(plots) if re.fullmatch(r"#[0-9a-fA-F]{3,8}", text)]
    assert not bare


@pytest.mark.parametrize("name", FIGURES)
def test_table_has_a_cell_for_every_column(name: str) -> None:
    figure = FIGURES[name](whole())
    assert figure.rows
    assert all(len(row.cells) == len(figure.columns) for row in figure.rows)


def test_step_is_drawn_to_its_last_second() -> None:
    evaluation = whole()
    figure = FIGURES["step_time"](evaluation)
    assert figure.plot is not None
    drawn = sum(trace["x"][0] for trace in figure.plot["data"])
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
    assert figure.plot is not None
    texts = [note["text"] for note in figure.plot["layout"]["annotations"]]
    assert "not published" in texts
    assert not any("102" in text or "205" in text for text in texts)


def test_single_supernode_has_no_scale_out_rung() -> None:
    assert [row.cells[0] for row in FIGURES["bandwidth"](single()).rows][:2] == ["HBM", "Scale-up"]
    assert "Scale-out" not in [row.cells[0] for row in FIGURES["bandwidth"](single()).rows]


def test_waterfall_ends_at_the_total() -> None:
    evaluation = whole()
    figure = FIGURES["tco"](evaluation)
    assert figure.plot is not None
    (bars,) = figure.plot["data"]
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
    assert figure.plot is not None
    assert 1 <= figure.plot["data"][0]["x"][-1] < 2000


def test_memory_says_when_it_does_not_fit() -> None:
    evaluation = whole()
    evaluation["performance"]["memory_per_accelerator_bytes"] = 94.3e9
    assert "too much" in FIGURES["memory"](evaluation).takeaway


def test_every_unit_can_be_chosen() -> None:
    figure = FIGURES["topology"](whole())
    assert figure.plot is not None
    units = next(trace for trace in figure.plot["data"] if trace.get("meta") == "choosable")
    assert len(units["customdata"]) == 64
    assert units["customdata"][55] == ["Unit 56", "32 SuperNodes, 256 GPUs", 0]
    assert all(kind < len(figure.details) for _, _, kind in units["customdata"])


def test_switches_of_the_boxes_add_up() -> None:
    figure = FIGURES["topology"](whole())
    assert figure.plot is not None
    boxes = [note["text"] for note in figure.plot["layout"]["annotations"] if note["text"].isdigit()]
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
    assert figure.plot is not None
    go.Figure(figure.plot)
    units = next(trace for trace in figure.plot["data"] if trace.get("meta") == "choosable")
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
      for name in ("mtbf_s", "checkpoint_interval_s", "ettr", "restart_s", "checkpoint_write_s")),
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
