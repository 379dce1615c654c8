"""Ladders side by side: bandwidth and latency of every level, a colour a system."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    layout,
    name_axis,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import show
from app.charts.searching.log_scale import tick_text

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
    height = 40 + ROW_HEIGHT * len(names)
    return Figure(
        name=measure.name,
        eyebrow=measure.eyebrow,
        takeaway=measure.takeaway(lines),
        caption=measure.caption,
        height=height,
        columns=(Column(name="Level", numeric=False), *(Column(name=line.name) for line in lines)),
        rows=tuple(
            Row(cells=(name, *(_text(line.values[place], measure.unit) for line in lines)))
            for place, name in enumerate(levels)
        ),
        plot={
            "data": [
                _trace(line, names, position, len(kept), measure.unit) for position, line in enumerate(kept)
            ],
            "layout": _layout(height, names, known, measure.unit),
        },
        legend=tuple(Mark(slot=SLOTS[position], label=line.name) for position, line in enumerate(lines)),
        narrow={"xaxis.tickvals": _decades(known, 3), "xaxis.ticktext": _labels(known, measure.unit, 3)},
    )


def _text(value: float | None, unit: str) -> str:
    return show(value, unit).text


def _trace(line: Line, names: Sequence[str], position: int, lines: int, unit: str) -> dict[str, Any]:
    """A line over the levels that are known; one that is not leaves a gap."""
    offset = SPREAD * ((position + 0.5) / lines - 0.5)
    colour = token(SLOTS[position])
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "x": list(line.values),
        "y": [place + offset for place in range(len(names))],
        "connectgaps": False,
        "line": {"color": colour, "width": 1.5},
        "marker": {"color": colour, "size": 8, "line": {"width": 1, "color": token("bg")}},
        "customdata": [[name, _text(value, unit)] for name, value in zip(names, line.values, strict=True)],
        "hovertemplate": f"{line.name}<br>%{{customdata[0]}}: %{{customdata[1]}}<extra></extra>",
    }


def _layout(height: int, names: Sequence[str], known: list[float], unit: str) -> dict[str, Any]:
    low, high = math.log10(min(known)), math.log10(max(known))
    return layout(
        height,
        margin={"l": 8, "r": 24, "t": 8, "b": 8},
        xaxis=value_axis(
            _decades(known, 6), _labels(known, unit, 6), [low - 0.3, high + 0.3], type="log", tickangle=0
        ),
        yaxis=name_axis(
            [],
            type="linear",
            autorange=False,
            range=[len(names) - 0.5, -0.5],
            tickvals=list(range(len(names))),
            ticktext=list(names),
        ),
    )


def _decades(known: list[float], most: int) -> list[float]:
    """Powers of ten that the values span, every second or third one where they are many."""
    first, last = math.floor(math.log10(min(known))), math.ceil(math.log10(max(known)))
    decades = list(range(first, last + 1))
    return [10.0**decade for decade in decades[:: math.ceil(len(decades) / most)]]


def _labels(known: list[float], unit: str, most: int) -> list[str]:
    return [tick_text(tick, unit) for tick in _decades(known, most)]
