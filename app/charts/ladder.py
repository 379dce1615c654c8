"""The ladder: ordered levels on a log axis, each value written, and its factor to the level above.

One system is a rung a level; several share a level, one below the other in their colours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import THIN_SPACE, less, show

SLOTS = ("c1", "c2", "c3", "c4", "c5")
HEIGHT, PITCH = 320, 56  # at least, and of a rung of one system
LINE_PITCH = 21  # of the systems of a level
EDGES = 16  # above and below
LONGEST_NAME = 26
LABEL_SHARE, NARROW_LABEL_SHARE = 0.11, 0.42  # of the axis, the words of a value
UNPUBLISHED = -1  # the line of systems without a published value
UP, OUT = "Scale-up", "Scale-out"
"""The step between these two is emphasised."""


class Line(NamedTuple):
    """A system: a value a level, None where it is not published.

    `paths` lead to the explanation of each value; levels of `without` are no part of the system.
    """

    name: str
    values: tuple[float | None, ...]
    paths: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()


class Measure(NamedTuple):
    """The quantity of the lines, and its words."""

    name: str
    unit: str
    eyebrow: str
    caption: str
    missing: str
    takeaway: Callable[[Sequence[str], Sequence[Line]], str]
    heading: str = "Bandwidth"


class Spot(NamedTuple):
    """A value in its place of the chart; `factor` is that to the level above.

    Several systems whose value is not published share one place.
    """

    level: str
    line: int
    y: float
    value: float | None
    above_y: float
    factor: str
    name: str


def ladder_figure(measure: Measure, levels: Sequence[str], lines: Sequence[Line]) -> Figure:
    """Log dots on stems, with the factor between each level and the one above it."""
    known = [value for line in lines for value in line.values if value]
    if len(known) < 2:
        return unknown_figure(measure.name, measure.eyebrow, measure.caption, measure.missing)
    spots = _spots(levels, lines)
    low, high = _extent(known, rising=_rises(lines))
    extent = (low, max(high, low + _room(spots, low, LABEL_SHARE)))
    return Figure(
        name=measure.name,
        eyebrow=measure.eyebrow,
        takeaway=measure.takeaway(levels, lines),
        caption=measure.caption,
        columns=_columns(measure, lines),
        rows=_rows(levels, lines, measure.unit),
        plot=_plot(spots, levels, lines, extent, measure.unit),
        legend=()
        if len(lines) == 1
        else tuple(Mark(SLOTS[place], line.name) for place, line in enumerate(lines)),
        narrow=_narrow(spots, levels, lines, extent, measure.unit),
    )


def factor_to(above: float | None, below: float | None) -> str:
    """How far a level lies from the one above it, in words; "n/a" where either is unknown.

    >>> factor_to(450e9, 50e9), factor_to(1e-6, 1e-6), factor_to(None, 1.0)
    ('9.0× less', 'the same', 'n/a')
    """
    if not above or not below:
        return "n/a"
    if below > above:
        return less(below / above).replace("less", "more")
    return "the same" if below == above else less(above / below)


def steps(line: Line) -> list[str]:
    """The factor of each level to the one above it."""
    above = (None, *line.values[:-1])
    return [factor_to(one, other) for one, other in zip(above, line.values, strict=True)]


def _columns(measure: Measure, lines: Sequence[Line]) -> tuple[Column, ...]:
    if len(lines) == 1:
        return (Column.words("Rung"), Column(measure.heading), Column("Gap to the rung above"))
    return (
        Column.words("Rung"),
        *(column for line in lines for column in (Column(line.name), Column("to the rung above"))),
    )


def _rows(levels: Sequence[str], lines: Sequence[Line], unit: str) -> tuple[Row, ...]:
    factors = [steps(line) for line in lines]
    return tuple(
        Row(
            (
                level,
                *(
                    text
                    for number, line in enumerate(lines)
                    for text in (_text(line, level, place, unit), factors[number][place])
                ),
            ),
            path=lines[0].paths[place] if lines[0].paths else "",
        )
        for place, level in enumerate(levels)
    )


def _text(line: Line, level: str, place: int, unit: str) -> str:
    if line.values[place] is None and level in line.without:
        return "n/a"
    return show(line.values[place], unit).text


def _spots(levels: Sequence[str], lines: Sequence[Line]) -> list[Spot]:
    """Every value from the top down; several systems have a line each below the name of their level."""
    spots: list[Spot] = []
    factors = [steps(line) for line in lines]
    last: dict[int, float] = {}
    y = 0.0
    for place, level in enumerate(levels):
        several = len(lines) > 1
        y += several  # the name of the level has a line of its own
        unknown = [line for line in lines if line.values[place] is None and level not in line.without]
        for number, line in enumerate(lines):
            if line.values[place] is None and (level in line.without or len(unknown) > 1):
                continue
            factor = factors[number][place]
            spots.append(
                Spot(
                    level,
                    number,
                    y,
                    line.values[place],
                    y if several else last.get(number, y),
                    "" if factor == "n/a" else factor,
                    line.name,
                )
            )
            last[number] = y
            y += 1
        if len(unknown) > 1:
            spots.append(Spot(level, UNPUBLISHED, y, None, y, "", f"{len(unknown)} systems"))
            y += 1
        y += 0.35 * several
    return spots


def _rises(lines: Sequence[Line]) -> bool:
    known = [value for value in lines[0].values if value]
    return len(known) > 1 and known[-1] > known[0]


def _extent(known: Sequence[float], *, rising: bool) -> tuple[float, float]:
    """Decades from below the lowest to above the highest value, with room for its words where it is the
    last."""
    low, high = math.floor(math.log10(min(known)) - 0.3), math.log10(max(known))
    return low, high + (0.16 * (high - low) if rising else 0.15)


def _room(spots: Sequence[Spot], low: float, label: float) -> float:
    """Decades that keep the words of values clear of the factors in their own lines; `label` is a share of
    them."""
    beside = [
        math.log10(spot.value) for spot in spots if spot.value and spot.factor and spot.above_y == spot.y
    ]
    return (max(beside) - low) / (1 - label) if beside else 0.0


def _plot(
    spots: Sequence[Spot],
    levels: Sequence[str],
    lines: Sequence[Line],
    extent: tuple[float, float],
    unit: str,
) -> dict[str, Any]:
    low, high = extent
    data, notes = [], []
    for spot in spots:
        if not spot.value:
            notes.append(
                forms.note(low, spot.y, "not published", "text-3", anchor="left middle", shift=(8, 0))
            )
            continue
        slot, label = SLOTS[spot.line], show(spot.value, unit).text
        dot = forms.look(text=[f"  <b>{label}</b>"], place="middle right", cliponaxis=False)
        name = spot.level if len(lines) == 1 else f"{spot.name}<br>{spot.level}"
        data.append(forms.line([10.0**low, spot.value], [spot.y, spot.y], f"{slot}-tint", 4))
        data.append(
            forms.dots(
                [spot.value],
                [spot.y],
                slot,
                10,
                symbol=forms.SYMBOLS[slot],
                hover=f"{name}<br>{label}"
                + (f"<br>{spot.factor} compared with the rung above" if spot.factor else ""),
                **dot,
            )
        )
        if spot.factor:
            gap = spot.level == OUT
            words, colour = (f"<b>{spot.factor}</b>", "bad") if gap else (spot.factor, "text-3")
            between = (spot.above_y + spot.y) / 2
            notes.append(forms.note(1, between, words, colour, anchor="right", shift=(64, 0), xref="paper"))
    last = spots[-1].y
    return forms.plot(
        data,
        _height(spots, len(lines)),
        x=forms.values(
            _decades(low, high, most=6), lambda tick: forms.tick_text(tick, unit), extent, type="log"
        ),
        y=_down(spots, levels, lines, last, wide=True),
        notes=notes,
        right=72,
    )


def _height(spots: Sequence[Spot], lines: int) -> int:
    last = spots[-1].y
    return (
        max(HEIGHT, round(PITCH * (last + 1))) if lines == 1 else round(2 * EDGES + LINE_PITCH * (last + 1.5))
    )


def _down(
    spots: Sequence[Spot], levels: Sequence[str], lines: Sequence[Line], last: float, *, wide: bool
) -> dict[str, Any]:
    places, words = _names(spots, levels, lines, wide=wide)
    extent = [last + (0.5 if len(lines) == 1 else 0.8), -0.5]
    return forms.names([], type="linear", autorange=False, range=extent, tickvals=places, ticktext=words)


def _names(
    spots: Sequence[Spot], levels: Sequence[str], lines: Sequence[Line], *, wide: bool
) -> tuple[list[float], list[str]]:
    """Levels, and below each its systems; on small screens their colours say which is which."""
    places: list[float] = []
    words: list[str] = []
    for level in levels:
        mine = [spot for spot in spots if spot.level == level]
        if not mine:
            continue
        if len(lines) == 1:
            places, words = [*places, mine[0].y], [*words, level.replace(" ", THIN_SPACE)]
            continue
        places, words = [*places, mine[0].y - 1], [*words, f"<b>{level}</b>"]
        if wide:
            places += [spot.y for spot in mine]
            words += [_short(spot.name) for spot in mine]
    return places, words


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"


def _decades(low: float, high: float, *, most: int) -> list[float]:
    """Round ticks, every second or third decade where they are many."""
    decades = range(math.floor(low), math.floor(high) + 1)
    return [10.0**decade for decade in decades[:: math.ceil(len(decades) / most)]]


def _narrow(
    spots: Sequence[Spot],
    levels: Sequence[str],
    lines: Sequence[Line],
    extent: tuple[float, float],
    unit: str,
) -> dict[str, Any]:
    """On small screens: fewer ticks, and room for the longest label."""
    low, high = extent
    ticks = _decades(low, high, most=3)
    places, words = _names(spots, levels, lines, wide=False)
    return {
        "margin.r": 62,
        "xaxis.range": [
            low,
            max(high + 0.3 * max((high - low) / 5, 1), low + _room(spots, low, NARROW_LABEL_SHARE)),
        ],
        "xaxis.tickvals": ticks,
        "xaxis.ticktext": [forms.tick_text(tick, unit) for tick in ticks],
        "yaxis.tickvals": places,
        "yaxis.ticktext": words,
    }
