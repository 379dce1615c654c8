"""How the errors of predictions are spread: bars of as many runs as fall between two errors."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from app.charts.figure import Column, Figure, Row, layout, round_ticks, token, unknown_figure, value_axis
from app.charts.format import MINUS, THIN_SPACE, signed_percent

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
    noun : what is predicted, several of them
    above : what an error above nought says of a prediction
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
        height=HEIGHT,
        columns=(Column(name="Error", numeric=False), Column(name=noun.capitalize())),
        rows=tuple(Row(cells=(name, f"{count:,}")) for name, count in zip(names, counts, strict=True)),
        plot=_plot(starts, names, counts, noun),
        narrow={"xaxis.tickvals": [-LIMIT_PCT, 0, LIMIT_PCT],
                "xaxis.ticktext": [_edge(-LIMIT_PCT), "0", _edge(LIMIT_PCT)]},
    )  # fmt: skip


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
    said = f"The middle is {middle}: {fast:,} of {len(errors):,} {noun} are predicted {above}"
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
    bars = {
        "type": "bar",
        "x": [start + STEP_PCT / 2 for start in starts],
        "y": list(counts),
        "width": STEP_PCT,
        "marker": {"color": token("c1"), "line": {"color": token("bg"), "width": 1.5}},
        "customdata": list(names),
        "hovertemplate": f"%{{customdata}}<br>%{{y}} {noun}<extra></extra>",
    }
    ticks = [-40.0, -20.0, 0.0, 20.0, 40.0]
    most = max(counts)
    values = [tick for tick in round_ticks(most * 1.05, 3) if tick == int(tick)]
    return {
        "data": [bars],
        "layout": layout(
            HEIGHT,
            bargap=0,
            xaxis=value_axis(
                ticks,
                [_edge(tick) if abs(tick) == LIMIT_PCT else _edge(tick).split(THIN_SPACE)[0] for tick in ticks],
                [starts[0] - 2, starts[-1] + STEP_PCT + 2],
                showgrid=False,
                showline=True,
                linecolor=token("axis"),
                title=_title("Predicted against measured"),
            ),
            yaxis=value_axis(values, [f"{tick:,.0f}" for tick in values], [0, most * 1.05], title=_title(noun.capitalize())),
            shapes=[
                {"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1,
                 "line": {"color": token("text"), "width": 1}}
            ],
        ),
    }  # fmt: skip


def _title(text: str) -> dict[str, Any]:
    return {"text": text, "standoff": 8, "font": {"size": 12, "color": token("text-3")}}
