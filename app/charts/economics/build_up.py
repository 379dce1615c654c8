"""The cost of a used accelerator-hour, part by part, as a waterfall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    layout,
    name_axis,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import WIDE_SPACE, number, percent, rounded

NAME = "build_up"
EYEBROW = "Cost of a used accelerator-hour"
UNIT = "USD/h"
UNKNOWN = "The cost of an accelerator-hour is unknown: a price is missing."
CAPTION = (
    "What is bought is charged over its life at the cost of capital, less its resale. Parts below 0.5 % of the "
    "whole are drawn as one."
)
ROW_HEIGHT = 26
LEAST_SHARE = 0.005
KINDS = {"capital": ("Bought", "c1"), "running": ("Running", "c2")}


class BuildUpPart(NamedTuple):
    """A part of the hour: `kind` is capital or running, `path` the figure of the evaluation behind it."""

    title: str
    kind: str
    usd_per_hour: float
    path: str = ""


def build_up_figure(parts: Sequence[BuildUpPart], total_usd: float) -> Figure:
    """Horizontal waterfall: what is bought first, then what is paid every year; parts sum to the total."""
    if math.isnan(total_usd) or not parts:
        return unknown_figure(NAME, EYEBROW, CAPTION, UNKNOWN)
    drawn = _drawn(parts, total_usd)
    height = 48 + ROW_HEIGHT * (len(drawn) + 1)
    return Figure(
        name=NAME,
        eyebrow=f"{EYEBROW}, {UNIT}",
        takeaway=_takeaway(parts, total_usd),
        caption=CAPTION,
        height=height,
        columns=(
            Column(name="Part", numeric=False),
            Column(name="Kind", numeric=False),
            Column(name="Cost", unit=UNIT),
            Column(name="Share", unit="%"),
        ),
        rows=(
            *(_row(part, total_usd) for part in parts),
            Row(
                cells=("Total", "", _money(total_usd), "100"),
                path="cost.usd_per_accelerator_hour",
                total=True,
            ),
        ),
        legend=tuple(
            Mark(slot=slot, label=label, value=_money(_sum(parts, kind)))
            for kind, (label, slot) in KINDS.items()
        ),
        plot=_plot(drawn, total_usd, height),
        narrow={f"annotations.{len(drawn)}.text": f"<b>{_money(total_usd)}</b>"},
    )


def _drawn(parts: Sequence[BuildUpPart], total: float) -> list[BuildUpPart]:
    """Large parts in their order, and the small ones of a kind as one after them."""
    found = []
    for kind, (label, _) in KINDS.items():
        of_kind = [part for part in parts if part.kind == kind]
        small = [part for part in of_kind if abs(part.usd_per_hour) < LEAST_SHARE * total]
        found += [part for part in of_kind if part not in small]
        rest = sum(part.usd_per_hour for part in small)
        if rest:
            found.append(BuildUpPart(f"Other, {label.lower()}", kind, rest))
    return found


def _sum(parts: Sequence[BuildUpPart], kind: str) -> float:
    return sum(part.usd_per_hour for part in parts if part.kind == kind)


def _takeaway(parts: Sequence[BuildUpPart], total: float) -> str:
    if total <= 0:
        return "A used hour costs nothing."
    largest = max(parts, key=lambda part: part.usd_per_hour)
    bought = percent(round(_sum(parts, "capital") / total, 3)).text
    return (
        f"{bought} of a used hour is what was bought; {largest.title} alone "
        f"{percent(round(largest.usd_per_hour / total, 3)).text}."
    )


def _row(part: BuildUpPart, total: float) -> Row:
    share = number(round(100 * part.usd_per_hour / total, 1)) if total else "n/a"
    return Row(
        cells=(part.title, KINDS[part.kind][0], _money(part.usd_per_hour), share),
        path=part.path,
        slot=KINDS[part.kind][1],
    )


def _money(usd: float) -> str:
    return f"{usd:,.3f}" if abs(usd) < 1 else number(rounded(usd))


def _plot(items: list[BuildUpPart], total: float, height: int) -> dict[str, Any]:
    starts, running = [], 0.0
    for item in items:
        starts.append(running)
        running += item.usd_per_hour
    peak = max(total, running, 1e-9) * 1.14
    names = [*(item.title for item in items), "Total"]
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": [*names],
        "x": [*(item.usd_per_hour for item in items), total],
        "base": [*starts, 0.0],
        "width": 0.55,
        "marker": {"color": [*(token(KINDS[item.kind][1]) for item in items), token("text-2")]},
        "customdata": [*([_money(item.usd_per_hour), KINDS[item.kind][0]] for item in items),
                       [_money(total), "Total"]],
        "hovertemplate": f"%{{y}}<br>%{{customdata[0]}}{WIDE_SPACE}{UNIT}, %{{customdata[1]}}<extra></extra>",
    }  # fmt: skip
    ends = [start + item.usd_per_hour for start, item in zip(starts, items, strict=True)]
    steps = [
        {"type": "line", "x0": end, "x1": end, "y0": place + 0.28, "y1": place + 0.72,
         "line": {"color": token("axis"), "width": 1}}
        for place, end in enumerate(ends)
    ]  # fmt: skip
    labels = [
        {"x": end, "y": item.title, "text": _money(item.usd_per_hour), "xanchor": "left", "xshift": 5,
         "showarrow": False, "font": {"size": 12, "color": token("text-2")}}
        for item, end in zip(items, ends, strict=True)
    ]  # fmt: skip
    labels.append(
        {"x": total, "y": "Total", "text": f"<b>{_money(total)}{WIDE_SPACE}{UNIT}</b>", "xanchor": "left",
         "xshift": 5, "showarrow": False, "font": {"size": 12, "color": token("text")}}
    )  # fmt: skip
    ticks = round_ticks(peak, wanted=4)
    return {
        "data": [bars],
        "layout": layout(
            height,
            margin={"l": 8, "r": 16, "t": 4, "b": 8},
            xaxis=value_axis(ticks, [number(tick) for tick in ticks], [0, peak * 1.06]),
            yaxis=name_axis(names),
            shapes=steps,
            annotations=labels,
        ),
    }
