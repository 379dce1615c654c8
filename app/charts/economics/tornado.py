"""What each input does to one figure alone, from its low end to its high end, the widest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, table, unknown_figure
from app.charts.format import MINUS, THIN_SPACE, Measure, number, one_prefix
from app.engine.units import inside

NAME = "tornado"
ROW_HEIGHT = 38
LETTER = 0.018  # of the axis, beside a bar
ROUNDS = 5
MOST_LETTERS = 9  # of a value beside a bar on a small screen
CAPTION = (
    "One input at a time from the low to the high end of its range, all others as they are. Beside each bar "
    "stands the value of the input at that end."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwingBar:
    """An input, what its ends are in words, and the figure at each."""

    name: str
    low_words: str
    high_words: str
    at_low: float
    at_high: float

    @property
    def width(self) -> float:
        return abs(self.at_high - self.at_low)


def tornado_figure(
    label: str, unit: str, point: float | None, bars: Sequence[SwingBar], *, left_out: int = 0
) -> Figure:
    """`left_out` inputs move the figure less than those that are drawn."""
    eyebrow = f"{label}, one input at a time"
    if point is None:
        return unknown_figure(NAME, eyebrow, CAPTION, "The figure is unknown as the scenario stands.")
    if not bars:
        return unknown_figure(NAME, eyebrow, CAPTION, "No input that varies moves this figure.")
    drawn = sorted(bars, key=lambda bar: -bar.width)
    measure = measure_of([point, *(end for bar in drawn for end in (bar.at_low, bar.at_high))], unit)
    height = 56 + ROW_HEIGHT * len(drawn)
    rest = f" {left_out} more move it less." if left_out else ""
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=_takeaway(drawn, measure),
        caption=f"{CAPTION}{rest}",
        **table(
            drawn,
            (Column.words("Input"), lambda bar: bar.name),
            (Column("From"), lambda bar: bar.low_words),
            (Column("To"), lambda bar: bar.high_words),
            (Column("At the low end", measure.unit), lambda bar: measure.words(bar.at_low)),
            (Column("At the high end", measure.unit), lambda bar: measure.words(bar.at_high)),
        ),
        plot=_plot(drawn, point, measure, height),
        narrow={
            "yaxis.ticktext": [wrapped(bar.name, 13) for bar in drawn],
            "xaxis.range": _room([_short(bar) for bar in drawn], measure, 1.9 * LETTER),
            **{
                f"annotations.{place}.text": note["text"]
                for place, note in enumerate(_notes([_short(bar) for bar in drawn], measure))
            },
            **_few_ticks(drawn, measure),
        },
    )


def _takeaway(drawn: list[SwingBar], measure: Measure) -> str:
    widest = drawn[0]
    ends = f"{measure.words(widest.at_low)} to {measure.text(widest.at_high)}"
    said = f"{widest.name} moves it most: {ends}"
    if len(drawn) > 1:
        second = drawn[1].width / widest.width if widest.width else 0.0
        said += f"; the next, {inside(drawn[1].name)}, {number(round(100 * second))} % as far"
    return f"{said}."


def _plot(drawn: list[SwingBar], point: float, measure: Measure, height: int) -> dict[str, Any]:
    places = [str(place) for place in range(len(drawn))]  # names may be alike
    ends = [end for bar in drawn for end in (bar.at_low, bar.at_high)]
    bars = forms.bars(
        places, measure.of(bar.width for bar in drawn), "c1", width=0.5,
        base=measure.of(min(bar.at_low, bar.at_high) for bar in drawn),
        said=[
            [bar.name, bar.low_words, measure.text(bar.at_low), bar.high_words, measure.text(bar.at_high)]
            for bar in drawn
        ],
        hover="%{customdata[0]}<br>%{customdata[1]}: %{customdata[2]}<br>%{customdata[3]}: %{customdata[4]}",
    )  # fmt: skip
    return forms.plot(
        [bars],
        height,
        x=measured_axis([point, *ends], measure) | {"range": _room(drawn, measure, LETTER)},
        y=forms.names(places, tickvals=places, ticktext=[wrapped(bar.name) for bar in drawn], showline=False),
        shapes=[forms.rule("text", x=point / measure.divisor)],
        notes=_notes(drawn, measure),
        right=16,
    )


def _notes(drawn: list[SwingBar], measure: Measure) -> list[dict[str, Any]]:
    """The value of the input at each end of its bar."""
    return [
        forms.note(
            at / measure.divisor, str(place), words.replace("-", MINUS), "text-3", anchor=side,
            shift=(shift, 0),
        )
        for place, bar in enumerate(drawn)
        for (at, words), side, shift in zip(_ends(bar), ("right", "left"), (-5, 5), strict=True)
    ]  # fmt: skip


def _ends(bar: SwingBar) -> list[tuple[float, str]]:
    """Where a bar begins and ends, with what stands there."""
    return sorted([(bar.at_low, bar.low_words), (bar.at_high, bar.high_words)])


def _short(bar: SwingBar) -> SwingBar:
    """Long values without their units, which stand in the table: words would leave a small screen no room for bars."""

    def short(words: str) -> str:
        found = re.match(r"\S+(?:\s(?:k|M|billion)\b)?", words)
        return found[0] if found and len(words) > MOST_LETTERS else words

    return replace(bar, low_words=short(bar.low_words), high_words=short(bar.high_words))


def _room(drawn: list[SwingBar], measure: Measure, letter: float) -> list[float]:
    """The extent of the axis, with the words beside the bars."""
    left, right = (_sides(drawn, measure, side) for side in (0, 1))
    low, high = min(at for at, _ in left), max(at for at, _ in right)
    for _ in range(ROUNDS):  # room for words makes the axis longer, and a letter a smaller part of it
        whole = high - low
        low = min(at - letter * whole * (len(words) + 2) for at, words in left)
        high = max(at + letter * whole * (len(words) + 2) for at, words in right)
    return [low, high]


def _sides(drawn: list[SwingBar], measure: Measure, side: int) -> list[tuple[float, str]]:
    """Where the bars begin, or end, with what stands there."""
    return [(at / measure.divisor, words) for at, words in (_ends(bar)[side] for bar in drawn)]


def _few_ticks(drawn: list[SwingBar], measure: Measure) -> dict[str, Any]:
    axis = measured_axis([end for bar in drawn for end in (bar.at_low, bar.at_high)], measure, most=2)
    return {"xaxis.tickvals": axis["tickvals"], "xaxis.ticktext": axis["ticktext"]}


ROOM = 0.06  # of the extent, beyond the outermost values


def measure_of(values: Iterable[float], unit: str) -> Measure:
    """The prefix that all values of a chart share."""
    return Measure(*one_prefix(list(values), unit))


def measured_axis(
    values: Sequence[float], measure: Measure, *, most: int = 5, **changes: Any
) -> dict[str, Any]:
    """An axis over values in their own unit; positions are in that of the chart, which the last label names."""
    low, high = min(values) / measure.divisor, max(values) / measure.divisor
    room = ROOM * (high - low) or abs(high) * ROOM or 1.0
    ticks = forms.even_ticks(low - room, high + room, most)
    return forms.values(ticks, number, [low - room, high + room], unit=measure.unit, **changes)


def wrapped(name: str, width: int = 26, lines: int = 2) -> str:
    """A long name in a few lines, as tick labels need; what does not fit is left out.

    >>> wrapped("Price per SuperNode"), wrapped("Utilisation of the pod over its life", 14)
    ('Price per SuperNode', 'Utilisation of<br>the pod over\\u2026')
    """
    found = [""]
    for word in name.split():
        longer = f"{found[-1]} {word}".strip()
        if len(longer) <= width or not found[-1]:
            found[-1] = longer
        elif len(found) == lines:
            found[-1] += "\u2026"
            break
        else:
            found.append(word)
    return "<br>".join(line if len(line) <= width + 1 else f"{line[:width]}\u2026" for line in found)


def share_text(share: float) -> str:
    """A share of a whole, as exact as samples tell it.

    >>> share_text(0.483).split(), share_text(0.068).split(), share_text(0.0004)
    (['48', '%'], ['6.8', '%'], 'under 0.1\u202f%')
    """
    if share < 1e-3:
        return f"under 0.1{THIN_SPACE}%"
    return f"{100 * share:.{0 if share >= 0.0995 else 1}f}{THIN_SPACE}%"
