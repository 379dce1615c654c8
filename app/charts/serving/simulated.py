"""Simulated requests: the time that each share of them stays within, and how it went minute by minute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts.figure import Column, Figure, Mark, Row, layout, round_ticks, token, value_axis
from app.charts.format import THIN_SPACE, WIDE_SPACE, counted, one_prefix, show

HEIGHT = 320


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesWithin:
    """`shares` rise; `formula` are shares and times that the formulas give."""

    name: str
    title: str
    shares: Sequence[float]
    simulated_s: Sequence[float]
    formula: Sequence[tuple[float, float]]
    promised_s: float | None
    takeaway: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Minutes:
    """Series by minute; None in a minute without requests."""

    minutes: Sequence[int]
    first_s: Sequence[float | None]
    running: Sequence[float]
    takeaway: str


def shares_figure(curve: SharesWithin) -> Figure:
    """Requests within a time, of all; the formula's percentiles are marks on it, the promise a dashed line."""
    ends = [
        *curve.simulated_s,
        *(time for _, time in curve.formula),
        *([] if curve.promised_s is None else [curve.promised_s]),
    ]
    scale, unit = one_prefix(ends, "s")
    end = max(ends) / scale * 1.05
    ticks = round_ticks(end)
    labels = [f"{tick:g}" for tick in ticks]
    labels[-1] += f"{THIN_SPACE}{unit}"
    shapes, annotations = _promise(curve, scale)
    return Figure(
        name=curve.name,
        eyebrow=f"{curve.title}, of all requests",
        takeaway=curve.takeaway,
        caption="Share of the simulated requests that stay within a time; marks are percentiles by the formulas.",
        height=HEIGHT,
        columns=(Column(name="Share of requests"), Column(name="Within")),
        rows=tuple(
            Row(cells=(f"{100 * share:.4g}{THIN_SPACE}%", show(time, "s").text))
            for share, time in zip(curve.shares, curve.simulated_s, strict=True)
        ),
        legend=(
            Mark(slot="c1", label="Simulated"),
            *([Mark(slot="c2", label="Formulas")] if curve.formula else []),
        ),
        plot={
            "data": [
                {
                    "type": "scatter",
                    "mode": "lines",
                    "name": "Simulated",
                    "x": [time / scale for time in curve.simulated_s],
                    "y": [100 * share for share in curve.shares],
                    "line": {"color": token("c1"), "width": 2.5},
                    "hovertemplate": f"%{{y:.4~g}}{THIN_SPACE}% within %{{x:,.3~g}}{THIN_SPACE}{unit}<extra></extra>",
                },
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": "Formulas",
                    "x": [time / scale for _, time in curve.formula],
                    "y": [100 * share for share, _ in curve.formula],
                    "marker": {"size": 9, "color": token("c2"), "symbol": "diamond"},
                    "hovertemplate": f"Formulas: %{{y:.4~g}}{THIN_SPACE}% within %{{x:,.3~g}}{THIN_SPACE}{unit}<extra></extra>",
                },
            ],
            "layout": layout(
                HEIGHT,
                margin={"l": 8, "r": 24, "t": 16, "b": 8},
                xaxis=value_axis(ticks, labels, [0, end], tickangle=0),
                yaxis=value_axis(
                    [0, 25, 50, 75, 100], ["0", "25", "50", "75", f"100{THIN_SPACE}%"], [0, 103]
                ),
                shapes=shapes,
                annotations=annotations,
            ),
        },
        narrow={"xaxis.nticks": 3},
    )


def _promise(curve: SharesWithin, scale: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    if curve.promised_s is None:
        return [], []
    at = curve.promised_s / scale
    line = {"color": token("bad"), "width": 2, "dash": "dash"}
    shape = {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": at, "x1": at, "line": line}
    words = f"Promised{WIDE_SPACE}{show(curve.promised_s, 's').text}"
    label = {
        "x": at, "y": 0.04, "yref": "paper", "xanchor": "right", "yanchor": "bottom", "showarrow": False,
        "xshift": -6, "text": words, "font": {"size": 12, "color": token("bad")},
    }  # fmt: skip
    return [shape], [label]


def minutes_figure(minutes: Minutes) -> Figure:
    """p95 of the time to first token of the requests of each minute, and the sequences they found running."""
    known = [time for time in minutes.first_s if time is not None]
    scale, unit = one_prefix(known or [1.0], "s")
    end = max(known, default=1.0) / scale * 1.1
    ticks = round_ticks(end)
    labels = [f"{tick:g}" for tick in ticks]
    labels[-1] += f"{THIN_SPACE}{unit}"
    last = max(minutes.minutes)
    steps = [tick for tick in round_ticks(float(last)) if tick == int(tick)] or [0.0]
    names = [f"{tick:g}" for tick in steps]
    names[-1] += f"{THIN_SPACE}min"
    return Figure(
        name="simulated_minutes",
        eyebrow="Minute by minute, one replica",
        takeaway=minutes.takeaway,
        caption="p95 of the time to first token of the requests that came in a minute.",
        height=HEIGHT,
        columns=(Column(name="Minute"), Column(name="First token, p95"), Column(name="Running")),
        rows=tuple(
            Row(cells=(str(minute), "none came" if time is None else show(time, "s").text, counted(running)))
            for minute, time, running in zip(minutes.minutes, minutes.first_s, minutes.running, strict=True)
        ),
        legend=(Mark(slot="c1", label="First token, p95"),),
        plot={
            "data": [
                {
                    "type": "bar",
                    "name": "First token, p95",
                    "x": list(minutes.minutes),
                    "y": [None if time is None else time / scale for time in minutes.first_s],
                    "customdata": [counted(running) for running in minutes.running],
                    "marker": {"color": token("c1")},
                    "hovertemplate": f"Minute %{{x}}<br>p95 %{{y:,.3~g}}{THIN_SPACE}{unit}<br>%{{customdata}} running<extra></extra>",
                }
            ],
            "layout": layout(
                HEIGHT,
                margin={"l": 8, "r": 24, "t": 8, "b": 8},
                bargap=0.25,
                xaxis=value_axis(steps, names, [0.4, last + 0.6], tickangle=0),
                yaxis=value_axis(ticks, labels, [0, end]),
            ),
        },
    )
