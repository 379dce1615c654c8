"""Predicted vs measured: one marker a measurement, on equal scales, along the line where both agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table, unknown_figure
from app.charts.format import THIN_SPACE, brief, number, signed_percent

NAME = "predicted_measured"
HEIGHT = 520
BAND = 0.2
ROOM = 0.06  # of the scale, beyond the outermost runs
LEAST_SPAN = 0.8  # of the logarithm, where all runs are alike
APART = 0.3  # of the logarithm, between two runs that are named
UPPER_PART = 0.55  # of the scale, from which a name stands on the other side of the line
ARROW_X, ARROW_Y = 34, 40  # pixels from a run to its name
ROOM_OF_THE_AXIS = 40  # pixels at the foot, where no name stands
MOST_LISTED = 500
"""Rows of the table; of more measurements it holds those that are furthest off."""


class Point(NamedTuple):
    """A run. `named` says that its name is shown next to its marker, where there is room."""

    key: str
    name: str
    series: str
    measured: float
    predicted: float
    named: bool = False

    @property
    def error(self) -> float:
        return self.predicted / self.measured - 1


class Series(NamedTuple):
    """Runs that share a marker."""

    name: str
    slot: str


class Subject(NamedTuple):
    """A kind of measurement."""

    eyebrow: str
    unit: str  # of the axis where there is room
    short_unit: str
    noun: str  # several measurements
    first: str  # header of the column with their names
    series: str  # header of the column with their series
    above: str  # what a prediction above the measurement says
    below: str
    hint: str = "A marker opens its measurement."


TRAINING = Subject(
    eyebrow="Training speed, predicted vs measured", unit="tokens per second per accelerator",
    short_unit="tokens/s per accelerator", noun="runs", first="Run", series="Hardware", above="too fast",
    below="too slow", hint="A marker opens its run.",
)  # fmt: skip
COLLECTIVES = Subject(
    eyebrow="Collective time, predicted vs measured", unit="microseconds", short_unit="µs",
    noun="measurements", first="Measurement", series="Hardware", above="too slow", below="too fast",
)  # fmt: skip
TPOT = Subject(
    eyebrow="Time per output token, predicted vs measured",
    unit="milliseconds",
    short_unit="ms",
    noun="measurements",
    first="Measurement",
    series="Hardware",
    above="too slow",
    below="too fast",
)
TTFT = TPOT._replace(eyebrow="Time to first token, predicted vs measured")
NODE_POWER = Subject(
    eyebrow="Node power, predicted vs measured", unit="kilowatts", short_unit="kW", noun="figures",
    first="Figure", series="Hardware", above="too high", below="too low",
    hint="A marker leads to its line below.",
)  # fmt: skip


def predicted_measured_figure(
    points: Sequence[Point], series: Sequence[Series], *, caption: str, subject: Subject = TRAINING
) -> Figure:
    """Every measurement with its marker; its table leads to each by its key."""
    if not points:
        return unknown_figure(NAME, subject.eyebrow, caption, f"No {subject.noun} are asked for.")
    shown = [one for one in series if any(point.series == one.name for point in points)]
    ends = _ends(points)
    notes = _notes(points, ends)
    return Figure(
        name=NAME,
        eyebrow=subject.eyebrow,
        takeaway=_takeaway(points, subject),
        caption=caption
        if len(points) <= MOST_LISTED
        else f"{caption} The table holds the {MOST_LISTED} furthest off.",
        hint=subject.hint,
        **table(
            _listed(points),
            (Column.words(subject.first), lambda point: point.name),
            (Column.words(subject.series), lambda point: point.series),
            (Column("Measured"), lambda point: number(point.measured)),
            (Column("Predicted"), lambda point: number(point.predicted)),
            (Column("Error"), lambda point: signed_percent(point.error)),
            path=lambda point: point.key,
        ),
        legend=(
            *(Mark(one.slot, one.name) for one in shown),
            Mark("line-dot", f"{BAND:.0%} off".replace("%", f"{THIN_SPACE}%")),
        ),
        plot=forms.plot(
            [*_lines(ends), *(_markers(one, points) for one in shown)],
            HEIGHT,
            x=_axis(ends, f"Measured, {subject.unit}"),
            y=_axis(ends, "Predicted"),
            notes=notes,
            right=16,
        ),
        narrow={
            "annotations": [_in_two_lines(note) for note in notes[:1]],
            "xaxis.title.text": f"Measured, {subject.short_unit}",
        },
    )


def _listed(points: Sequence[Point]) -> Sequence[Point]:
    if len(points) <= MOST_LISTED:
        return points
    return sorted(points, key=lambda point: -abs(point.error))[:MOST_LISTED]


def _takeaway(points: Sequence[Point], subject: Subject) -> str:
    within = sum(abs(point.error) <= BAND for point in points)
    if len(points) == 1:
        way = subject.above if points[0].error > 0 else subject.below
        return f"The one {subject.noun.removesuffix('s')} is predicted {way}, by {signed_percent(points[0].error)}."
    least, most = (end(point.measured for point in points) for end in (min, max))
    share = f"{100 * within / len(points):.0f}{THIN_SPACE}%"
    return (
        f"Of {len(points):,} {subject.noun} from {brief(least)} to {brief(most)} {subject.short_unit}, "
        f"{share} are predicted within 20{THIN_SPACE}%."
    )


def _ends(points: Sequence[Point]) -> tuple[float, float]:
    """Both axes from here to there, as logarithms."""
    values = [math.log10(value) for point in points for value in (point.measured, point.predicted)]
    low, high = min(values), max(values)
    room = max(ROOM * (high - low), (LEAST_SPAN - (high - low)) / 2)
    return low - room, high + room


def _axis(ends: tuple[float, float], title: str) -> dict[str, Any]:
    low, high = (10.0**end for end in ends)
    decades = forms.powers(low, high)
    steps = decades if len(decades) >= 2 else forms.powers(low, high, (1, 2, 5))
    return forms.values(steps, _short, ends, base=True, type="log", title=title)


def _short(value: float) -> str:
    return f"{value / 1e3:g}{THIN_SPACE}k" if value >= 1e3 else f"{value:g}"


def _lines(ends: tuple[float, float]) -> list[dict[str, Any]]:
    """Where both agree, and where they are a fifth apart."""
    x = [10.0**end for end in ends]
    looks = ((1.0, ""), (1 + BAND, "dot"), (1 - BAND, "dot"))
    return [forms.line(x, [factor * value for value in x], "control", 1, dash) for factor, dash in looks]


def _markers(series: Series, points: Sequence[Point]) -> dict[str, Any]:
    members = [point for point in points if point.series == series.name]
    return forms.dots(
        [point.measured for point in members], [point.predicted for point in members], series.slot,
        symbol=forms.SYMBOLS[series.slot], opacity=0.7, edge="bg", edge_width=0.5, name=series.name,
        said=[
            [point.key, point.name, number(point.measured), number(point.predicted), signed_percent(point.error)]
            for point in members
        ],
        hover="%{customdata[1]}<br>%{customdata[2]} measured, %{customdata[3]} predicted, %{customdata[4]}",
    )  # fmt: skip


def _in_two_lines(note: dict[str, Any]) -> dict[str, Any]:
    return note | {"text": note["text"].replace(", ", "<br>", 1), "align": note["xanchor"]}


def _notes(points: Sequence[Point], ends: tuple[float, float]) -> list[dict[str, Any]]:
    """Names of runs, below the line where it is low and above it where it is high, none on another."""
    notes: list[dict[str, Any]] = []
    taken: list[float] = []
    for point in points:
        place = math.log10(point.measured)
        if not point.named or any(abs(place - other) < APART for other in taken):
            continue
        taken.append(place)
        height = math.log10(point.predicted)
        share = (height - ends[0]) / (ends[1] - ends[0])
        below = share < UPPER_PART
        room = max(0.0, share * HEIGHT - ROOM_OF_THE_AXIS)
        side, ax, ay = ("left", ARROW_X, min(ARROW_Y, room)) if below else ("right", -ARROW_X, -ARROW_Y)
        arrow = forms.look(
            ax=ax, ay=ay, arrowhead=0, arrowwidth=1, arrowcolor=forms.token("text-2"), standoff=4
        )
        notes.append(
            forms.note(place, height, f"<b>{point.name}</b>", "text", anchor=side, showarrow=True, **arrow)
        )
    return notes
