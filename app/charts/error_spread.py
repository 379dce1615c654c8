"""How the errors of predictions are spread: bars of as many runs as fall between two errors."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import MINUS, THIN_SPACE, number, signed_percent

NAME = "error_spread"
EYEBROW = "Distribution of error"
HEIGHT = 210
STEP_PCT = 4
LIMIT_PCT = 40
"""Beyond it all errors share one bar at each end."""


def error_spread_figure(
    errors: Sequence[float], *, caption: str, noun: str = "runs", above: str = "too fast"
) -> Figure:
    """Errors, as fractions: predicted over measured, less one.

    Parameters
    ----------
    noun : what is predicted, several
    above : what an error above zero says of a prediction
    """
    if not errors:
        return unknown_figure(NAME, EYEBROW, caption, f"No {noun} are asked for.")
    starts = list(range(-LIMIT_PCT - STEP_PCT, LIMIT_PCT + STEP_PCT, STEP_PCT))
    counts = _counts(errors, starts)
    names = [_name(start) for start in starts]
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(errors, noun, above),
        caption=caption,
        columns=(Column.words("Error"), Column(noun.capitalize())),
        rows=tuple(Row((name, f"{count:,}")) for name, count in zip(names, counts, strict=True)),
        plot=_plot(starts, names, counts, noun),
        narrow={
            "xaxis.tickvals": [-LIMIT_PCT, 0, LIMIT_PCT],
            "xaxis.ticktext": [_edge(-LIMIT_PCT), "0", _edge(LIMIT_PCT)],
        },
    )


def _counts(errors: Sequence[float], starts: Sequence[int]) -> list[int]:
    counts = [0] * len(starts)
    for error in errors:
        place = int((100 * error - starts[0]) // STEP_PCT)
        counts[min(max(place, 0), len(starts) - 1)] += 1
    return counts


def _takeaway(errors: Sequence[float], noun: str, above: str) -> str:
    middle = signed_percent(statistics.median(errors))
    if len(errors) == 1:
        return f"The one error is {middle}."
    fast = sum(error > 0 for error in errors)
    beyond = sum(abs(100 * error) > LIMIT_PCT for error in errors)
    said = f"The median is {middle}: {fast:,} of {len(errors):,} {noun} are predicted {above}"
    return f"{said}, {beyond:,} more than {LIMIT_PCT}{THIN_SPACE}% off." if beyond else f"{said}."


def _edge(percent: float) -> str:
    sign = "+" if percent > 0 else MINUS if percent < 0 else ""
    return f"{sign}{abs(percent):g}{THIN_SPACE}%"


def _name(start: int) -> str:
    if start < -LIMIT_PCT:
        return f"under {_edge(-LIMIT_PCT)}"
    return (
        f"over {_edge(LIMIT_PCT)}" if start >= LIMIT_PCT else f"{_edge(start)} to {_edge(start + STEP_PCT)}"
    )


def _plot(starts: Sequence[int], names: Sequence[str], counts: Sequence[int], noun: str) -> dict[str, Any]:
    bars = forms.columns(
        [start + STEP_PCT / 2 for start in starts], counts, "c1", width=STEP_PCT, edge="bg", edge_width=1.5, said=names,
        hover=f"%{{customdata}}<br>%{{y}} {noun}",
    )  # fmt: skip
    most = max(counts)
    whole = [tick for tick in forms.round_ticks(most * 1.05, 3) if tick == int(tick)]
    ticks = range(-LIMIT_PCT, LIMIT_PCT + 1, LIMIT_PCT // 2)
    labels = [_edge(tick) if abs(tick) == LIMIT_PCT else _edge(tick).split(THIN_SPACE)[0] for tick in ticks]
    extent = [starts[0] - 2, starts[-1] + STEP_PCT + 2]
    return forms.plot(
        [bars],
        HEIGHT,
        x=forms.along(ticks, labels, extent, title="Predicted vs measured"),
        y=forms.values(whole, number, [0, most * 1.05], title=noun.capitalize()),
        shapes=[forms.rule("text", x=0, width=1)],
        bargap=0,
    )
