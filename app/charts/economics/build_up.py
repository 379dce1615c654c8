"""The cost of a utilised accelerator-hour, part by part, as a waterfall."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import Shown, brief, number, percent
from app.charts.forms import Step, narrow_waterfall, waterfall

NAME = "build_up"
EYEBROW = "Cost per utilised accelerator-hour"
UNIT = "USD/h"
UNKNOWN = "The cost of an accelerator-hour is unknown: a price is missing."
CAPTION = (
    "What is bought is charged over its life at the cost of capital, less its resale. Parts below 0.5 % of the "
    "whole are drawn as one."
)
ROW_HEIGHT = 26
LEAST_SHARE = 0.005
KINDS = {"capital": ("Capex", "c1"), "running": ("Running cost", "c2")}


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
    steps = _steps(_drawn(parts, total_usd), total_usd)
    total = Row(("Total", "", _money(total_usd), "100"), path="cost.usd_per_accelerator_hour", total=True)
    return Figure(
        name=NAME,
        eyebrow=f"{EYEBROW}, {UNIT}",
        takeaway=_takeaway(parts, total_usd),
        caption=CAPTION,
        columns=(Column.words("Part"), Column.words("Kind"), Column("Cost", UNIT), Column("Share", "%")),
        rows=(*(_row(part, total_usd) for part in parts), total),
        legend=tuple(Mark(slot, label, _money(_sum(parts, kind))) for kind, (label, slot) in KINDS.items()),
        plot=waterfall(steps, UNIT, 48 + ROW_HEIGHT * len(steps)),
        narrow=narrow_waterfall(steps, UNIT),
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
        return "A utilised hour costs nothing."
    largest = max(parts, key=lambda part: part.usd_per_hour)
    bought = percent(round(_sum(parts, "capital") / total, 3)).text
    return (
        f"{bought} of the cost per utilised hour is capex; {largest.title} alone "
        f"{percent(round(largest.usd_per_hour / total, 3)).text}."
    )


def _row(part: BuildUpPart, total: float) -> Row:
    share = number(round(100 * part.usd_per_hour / total, 1)) if total else "n/a"
    label, slot = KINDS[part.kind]
    return Row((part.title, label, _money(part.usd_per_hour), share), path=part.path, slot=slot)


def _money(usd: float) -> str:
    return f"{usd:,.3f}" if abs(usd) < 1 else brief(usd)


def _steps(parts: Sequence[BuildUpPart], total: float) -> list[Step]:
    steps, at = [], 0.0
    for part in parts:
        words, (label, slot) = _money(part.usd_per_hour), KINDS[part.kind]
        start, at = at, at + part.usd_per_hour
        steps.append(Step(part.title, start, at, slot, words, f"{Shown(words, UNIT).text}, {label}"))
    whole = Shown(_money(total), UNIT).text
    return [*steps, Step("Total", 0.0, total, "text-2", whole, whole, total=True)]
