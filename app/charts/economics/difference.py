"""From one design's figure to another's: what adds and what takes away, in steps that reach it exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.charts.economics.waterfall import Change, Level, Steps, waterfall_figure
from app.charts.figure import Figure, Kind, unknown_figure

KINDS = {"adds": Kind("Adds", "c4"), "takes": Kind("Takes away", "c7")}
LEAST = 0.002  # of the larger of the difference and either side: less is drawn with the others


class Side(NamedTuple):
    """A design as a comparison calls and colours it."""

    letter: str
    slot: str


class Brought(NamedTuple):
    """What a part brings to the difference."""

    title: str
    amount: float


def difference_figure(
    lines: Sequence[Brought],
    *,
    view: str,
    first: float,
    second: float,
    title: str,
    unit: str,
    takeaway: str,
    caption: str,
    least_rows: int = 0,
    sides: tuple[Side, Side] = (Side("A", "c1"), Side("B", "c2")),
) -> Figure:
    """Horizontal waterfall from one side to the other; both ends wear the colours that they have in a
    comparison."""
    base, other = sides
    name, eyebrow = f"difference_by_{view}", f"{title}, from {base.letter} to {other.letter} by {view}"
    if not math.isfinite(second - first) or not lines:
        return unknown_figure(name, eyebrow, caption, "The explanation of the difference is unknown.")
    steps: Steps = [
        Level(base.letter, first, base.slot),
        *(Change(line.title, line.amount, "adds" if line.amount >= 0 else "takes") for line in drawn(lines)),
        Level(other.letter, second, other.slot),
    ]
    return waterfall_figure(
        steps, name=name, eyebrow=eyebrow, takeaway=takeaway, caption=caption, unit=unit, kinds=KINDS,
        share_of=second - first, least_rows=least_rows,
    )  # fmt: skip


def drawn(lines: Sequence[Brought]) -> list[Brought]:
    """Largest first; several that are too small to be seen as one."""
    ranked = sorted(lines, key=lambda line: -abs(line.amount))
    least = LEAST * max((abs(line.amount) for line in lines), default=0.0)
    small = [line for line in ranked if abs(line.amount) < least]
    if len(small) < 2:
        return ranked
    rest = Brought(f"{len(small)} others", sum(line.amount for line in small))
    return [*(line for line in ranked if line not in small), rest]
