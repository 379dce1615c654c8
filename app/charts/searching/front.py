"""Step time against memory: a sample of the layouts that can run, and those that nothing beats in both."""

from __future__ import annotations

from typing import Any

from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    layout,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import number, percent, show
from app.charts.searching.layout_words import Adopt, degrees_text, details_text
from app.charts.searching.log_scale import log_axis, tick_text

NAME = "front"
EYEBROW = "Step time against memory, each point a layout"
HEIGHT = 400
TITLE = {"standoff": 8, "font": {"size": 12}}


def front_figure(answer: dict[str, Any], adopt: Adopt) -> Figure:
    """Scatter with the Pareto front as a step line; its points lead to the studio with their layout."""
    front, sample = answer["pareto"], answer["sample"]
    caption = (
        f"A sample of {len(sample):,} of the {answer['feasible_strategies']:,} layouts that can run. "
        "On the front no layout is both faster and smaller."
    )
    if not front:
        return unknown_figure(NAME, EYEBROW, caption, "No layout can run.")
    stated = _stated(answer)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(front),
        caption=caption,
        height=HEIGHT,
        columns=(
            Column(name="Layout of the front", numeric=False),
            Column(name="Step"),
            Column(name="Memory per accelerator"),
            Column(name="Rest of the layout", numeric=False),
        ),
        rows=tuple(
            Row(
                cells=(
                    degrees_text(point["parallelism"], point["dp"]),
                    show(point["step_time_s"], "s").text,
                    show(point["memory_per_accelerator_bytes"], "B").text,
                    details_text(point["parallelism"]),
                ),
                path=adopt(point["parallelism"]),
            )
            for point in front
        ),
        legend=(
            Mark(slot="c7", label="Layouts"),
            Mark(slot="c1", label="Pareto front"),
            *((Mark(slot="c2", label="The stated layout"),) if stated else ()),
        ),
        plot=_plot(answer, stated),
        hint="A point of the front opens the studio with its layout.",
    )


def _stated(answer: dict[str, Any]) -> dict[str, Any] | None:
    stated = answer.get("stated")
    known = stated and None not in (stated["step_time_s"], stated["memory_per_accelerator_bytes"])
    return stated if known else None


def _takeaway(front: list[dict[str, Any]]) -> str:
    fastest, leanest = front[0], front[-1]
    best = show(fastest["step_time_s"], "s").text
    needs = show(fastest["memory_per_accelerator_bytes"], "B").text
    if fastest is leanest:
        return f"The fastest layout, {best} a step, also needs least memory, {needs}."
    least = show(leanest["memory_per_accelerator_bytes"], "B").text
    longer = leanest["step_time_s"] / fastest["step_time_s"]
    times = f"{number(longer)} times as long" if longer >= 1.005 else "hardly longer"
    return f"The fastest layout, {best} a step, needs {needs}; the leanest {least}, and {times}."


def _plot(answer: dict[str, Any], stated: dict[str, Any] | None) -> dict[str, Any]:
    front, sample = answer["pareto"], answer["sample"]
    shown = [*front, *sample, *([stated] if stated else [])]
    capacity, margin = _capacity(answer), answer.get("memory_margin", 0.0)
    limit = None if capacity is None else capacity * (1 - margin)
    top = max(capacity or 0, *(point["memory_per_accelerator_bytes"] for point in shown)) * 1.08
    ticks = round_ticks(top, 5)
    data = [_points(sample, "Layouts", "c7", {"size": 5, "opacity": 0.45}), _front(front)]
    if stated:
        ring = {"size": 13, "symbol": "square-open", "line": {"width": 2, "color": token("c2")}}
        data.append(_points([stated], "The stated layout", "c2", ring))
    return {
        "data": data,
        "layout": layout(
            HEIGHT,
            xaxis=log_axis(
                [point["step_time_s"] for point in shown], "s", "Step time", most=4,
                showline=True, linecolor=token("axis"),
            ),
            yaxis=value_axis(
                ticks, [tick_text(tick, "B") if tick else "0" for tick in ticks], [0, top],
                title={"text": "Memory per accelerator", **TITLE},
            ),
            shapes=[] if limit is None else [
                {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": limit, "y1": limit,
                 "line": {"color": token("bad"), "width": 1.5, "dash": "dash"}}
            ],
            annotations=[] if limit is None else [
                {"xref": "paper", "x": 1, "y": limit, "xanchor": "right", "yanchor": "bottom", "showarrow": False,
                 "text": _limit_text(limit, capacity, margin), "font": {"size": 12, "color": token("bad")}}
            ],
        ),
    }  # fmt: skip


def _limit_text(limit: float, capacity: float | None, margin: float) -> str:
    used = f"{show(limit, 'B').text} can be used"
    return f"{used}: {show(capacity, 'B').text} less {percent(margin).text}" if margin else used


def _capacity(answer: dict[str, Any]) -> float | None:
    """What of a memory can be used, from the best layout: what it needs and what it leaves."""
    for row in answer["best"]:
        needed, left = row["memory_per_accelerator_bytes"], row.get("memory_headroom_bytes")
        if needed is not None and left is not None:
            return float(needed + left)
    return None


def _points(points: list[dict[str, Any]], name: str, slot: str, marker: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [point["step_time_s"] for point in points],
        "y": [point["memory_per_accelerator_bytes"] for point in points],
        "marker": {"color": token(slot), **marker},
        "customdata": [_said(point) for point in points],
        "hovertemplate": f"{name}: %{{customdata[0]}}<br>%{{customdata[1]}}<br>%{{customdata[2]}}<extra></extra>",
    }


def _front(front: list[dict[str, Any]]) -> dict[str, Any]:
    # Customdata begins with the row of the table that adopts a point.
    points = _points(front, "Pareto front", "c1", {"size": 8})
    return points | {
        "mode": "lines+markers",
        "meta": "adopts",
        "line": {"shape": "hv", "width": 2, "color": token("c1")},
        "customdata": [[row, *_said(point)] for row, point in enumerate(front)],
        "hovertemplate": "%{customdata[1]}<br>%{customdata[2]}<br>%{customdata[3]}<extra></extra>",
    }


def _said(point: dict[str, Any]) -> list[str]:
    time, memory = show(point["step_time_s"], "s"), show(point["memory_per_accelerator_bytes"], "B")
    return [
        degrees_text(point["parallelism"], point["dp"]),
        f"{time.text} a step, {memory.text}",
        details_text(point["parallelism"]),
    ]
