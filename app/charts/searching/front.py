"""Step time against memory: a sample of the layouts that can run, and those that nothing beats in both."""

from __future__ import annotations

from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table, unknown_figure
from app.charts.format import number, percent, show
from app.charts.searching.layout_axes import Adopt, degrees_text, details_text

NAME = "front"
EYEBROW = "Step time vs memory, each point a layout"
HEIGHT = 400


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
        **table(
            front,
            (
                Column.words("Layout of the front"),
                lambda point: degrees_text(point["parallelism"], point["dp"]),
            ),
            (Column("Step"), lambda point: show(point["step_time_s"], "s").text),
            (
                Column("Memory per accelerator"),
                lambda point: show(point["memory_per_accelerator_bytes"], "B").text,
            ),
            (Column.words("Rest of the layout"), lambda point: details_text(point["parallelism"])),
            path=lambda point: adopt(point["parallelism"]),
        ),
        legend=(
            Mark("c7", "Layouts"),
            Mark("c1", "Pareto front"),
            *((Mark("c2", "The stated layout"),) if stated else ()),
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
        return f"The fastest layout, {best} per step, also needs least memory, {needs}."
    least = show(leanest["memory_per_accelerator_bytes"], "B").text
    longer = leanest["step_time_s"] / fastest["step_time_s"]
    times = f"{number(longer)} times as long" if longer >= 1.005 else "hardly longer"
    return f"The fastest layout, {best} per step, needs {needs}; the leanest {least}, and {times}."


def _plot(answer: dict[str, Any], stated: dict[str, Any] | None) -> dict[str, Any]:
    front, sample = answer["pareto"], answer["sample"]
    shown = [*front, *sample, *([stated] if stated else [])]
    capacity, margin = _capacity(answer), answer.get("memory_margin", 0.0)
    limit = None if capacity is None else capacity * (1 - margin)
    top = max(capacity or 0, *(point["memory_per_accelerator_bytes"] for point in shown)) * 1.08
    data = [_points(sample, "Layouts", "c7", 5, opacity=0.45), _front(front)]
    if stated:
        look = forms.look(symbol="square-open", edge="c2", edge_width=2)
        data.append(_points([stated], "The stated layout", "c2", 13, **look))
    words = "" if limit is None else _limit_text(limit, capacity, margin)
    return forms.plot(
        data,
        HEIGHT,
        x=forms.log([point["step_time_s"] for point in shown], "s", "Step time", most=4, base=True),
        y=forms.from_zero(
            top,
            words=lambda tick: forms.tick_text(tick, "B") if tick else "0",
            title="Memory per accelerator",
        ),
        limits=[] if limit is None else [forms.limit(words, y=limit)],
    )


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


def _points(points: list[dict[str, Any]], name: str, slot: str, size: int, **look: Any) -> dict[str, Any]:
    hover = f"{name}: %{{customdata[0]}}<br>%{{customdata[1]}}<br>%{{customdata[2]}}"
    return forms.dots(
        *_places(points), slot, size, name=name, said=[_said(one) for one in points], hover=hover, **look
    )


def _front(front: list[dict[str, Any]]) -> dict[str, Any]:
    said = [
        [row, *_said(point)] for row, point in enumerate(front)
    ]  # the row of the table that adopts a point
    hover = "%{customdata[1]}<br>%{customdata[2]}<br>%{customdata[3]}"
    look = forms.look(shape="hv", size=8, name="Pareto front", meta="adopts")
    return forms.line(*_places(front), width=2, said=said, hover=hover, **look)


def _said(point: dict[str, Any]) -> list[str]:
    time, memory = show(point["step_time_s"], "s"), show(point["memory_per_accelerator_bytes"], "B")
    return [
        degrees_text(point["parallelism"], point["dp"]),
        f"{time.text} per step, {memory.text}",
        details_text(point["parallelism"]),
    ]


def _places(points: list[dict[str, Any]]) -> tuple[list[float], list[float]]:
    return [one["step_time_s"] for one in points], [one["memory_per_accelerator_bytes"] for one in points]
