"""Ladders side by side: bandwidth and latency of every level, a colour a system."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import show

SLOTS = ("c1", "c2", "c3", "c4", "c7")
ROW_HEIGHT = 44
SPREAD = 0.5  # of a row, over which the systems of a level are spread


class Line(NamedTuple):
    """A system as a line of the chart: a value a level, None where nobody published one."""

    name: str
    values: tuple[float | None, ...]


class Measure(NamedTuple):
    """What the lines are of."""

    name: str
    unit: str
    eyebrow: str
    caption: str
    missing: str
    takeaway: Callable[[Sequence[Line]], str]


def ladders_figure(measure: Measure, levels: Sequence[str], lines: Sequence[Line]) -> Figure:
    """Dots of every system at every level, joined from level to level."""
    known = [value for line in lines for value in line.values if value]
    if not known:
        return unknown_figure(measure.name, measure.eyebrow, measure.caption, measure.missing)
    shown = [place for place in range(len(levels)) if any(line.values[place] for line in lines)]
    names = [levels[place] for place in shown]
    kept = [Line(line.name, tuple(line.values[place] for place in shown)) for line in lines]
    return Figure(
        name=measure.name,
        eyebrow=measure.eyebrow,
        takeaway=measure.takeaway(lines),
        caption=measure.caption,
        columns=(Column.words("Level"), *(Column(line.name) for line in lines)),
        rows=tuple(
            Row((name, *(_text(line.values[place], measure.unit) for line in lines)))
            for place, name in enumerate(levels)
        ),
        plot=forms.plot(
            [_trace(line, names, position, len(kept), measure.unit) for position, line in enumerate(kept)],
            40 + ROW_HEIGHT * len(names),
            x=_axis(known, measure.unit),
            y=forms.rows(names),
            right=24,
        ),
        legend=tuple(Mark(SLOTS[position], line.name) for position, line in enumerate(lines)),
        narrow={"xaxis.tickvals": _decades(known, 3), "xaxis.ticktext": _labels(known, measure.unit, 3)},
    )


def _text(value: float | None, unit: str) -> str:
    return show(value, unit).text


def _trace(line: Line, names: Sequence[str], position: int, lines: int, unit: str) -> dict[str, Any]:
    """A line over the levels that are known; one that is not leaves a gap."""
    offset = SPREAD * ((position + 0.5) / lines - 0.5)
    return forms.line(
        line.values, [place + offset for place in range(len(names))], SLOTS[position], 1.5, size=8, edge="bg", edge_width=1,
        connectgaps=False, said=[[name, _text(value, unit)] for name, value in zip(names, line.values, strict=True)],
        hover=f"{line.name}<br>%{{customdata[0]}}: %{{customdata[1]}}",
    )  # fmt: skip


def _decades(known: list[float], most: int) -> list[float]:
    """Powers of ten that the values span, every second or third one where they are many."""
    first, last = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    decades = list(range(first, last + 1))
    return [10.0**decade for decade in decades[:: math.ceil(len(decades) / most)]]


def _labels(known: list[float], unit: str, most: int) -> list[str]:
    return [forms.tick_text(tick, unit) for tick in _decades(known, most)]


def _axis(known: list[float], unit: str) -> dict[str, Any]:
    extent = [math.log10(min(known)) - 0.3, math.log10(max(known)) + 0.3]
    return forms.values(_decades(known, 6), _labels(known, unit, 6), extent, type="log", tickangle=0)
