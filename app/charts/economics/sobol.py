"""Sobol indices: the share of a figure's variance that each input makes, alone and with the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts.economics.uncertain_axis import share_text, wrapped
from app.charts.figure import Column, Figure, Mark, Row, layout, name_axis, token, unknown_figure, value_axis
from app.charts.format import THIN_SPACE, number

NAME = "sobol"
MOST_BARS = 10
ROW_HEIGHT = 38
CAPTION = (
    "Share of the variance of the figure that an input makes alone (first order), and with its part in what inputs "
    "do together (total). Lines hold nine of ten resamples of the total."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceBar:
    """Shares between nothing and one; sampled ones may lie a little outside."""

    name: str
    first: float
    first_low: float
    first_high: float
    total: float
    total_low: float
    total_high: float


def sobol_figure(label: str, bars: Sequence[VarianceBar]) -> Figure:
    """The inputs that make the most of the variance."""
    eyebrow = f"{label}, share of the variance"
    if not bars:
        return unknown_figure(NAME, eyebrow, CAPTION, "No input that varies moves this figure.")
    drawn = sorted(bars, key=lambda bar: -bar.total)[:MOST_BARS]
    left_out = len(bars) - len(drawn)
    height = 56 + ROW_HEIGHT * len(drawn)
    rest = f" {left_out} more make less of it." if left_out else ""
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=_takeaway(bars),
        caption=f"{CAPTION}{rest}",
        height=height,
        columns=(
            Column(name="Input", numeric=False),
            Column(name="First order", unit="%"),
            Column(name="of resamples"),
            Column(name="Total", unit="%"),
            Column(name="of resamples"),
        ),
        rows=tuple(
            Row(
                cells=(
                    bar.name,
                    _percent(bar.first),
                    f"{_percent(bar.first_low)} to {_percent(bar.first_high)}",
                    _percent(bar.total),
                    f"{_percent(bar.total_low)} to {_percent(bar.total_high)}",
                )
            )
            for bar in drawn
        ),
        legend=(Mark(slot="c1", label="Alone"), Mark(slot="c1-tint", label="With others, total")),
        plot=_plot(drawn, height),
        narrow={"yaxis.ticktext": [wrapped(bar.name, 15) for bar in drawn]},
    )


def _takeaway(bars: Sequence[VarianceBar]) -> str:
    alone = sum(max(bar.first, 0.0) for bar in bars)
    largest = max(bars, key=lambda bar: bar.first)
    said = f"{largest.name} makes {share_text(max(largest.first, 0.0))} of the variance alone"
    together = 1 - min(alone, 1.0)
    return f"{said}; what inputs do together makes {share_text(together)}." if together > 0.03 else f"{said}."


def _percent(share: float) -> str:
    size = 100 * max(share, 0.0)
    return number(float(f"{size:.2g}")) if size >= 0.1 else "0" if size < 0.005 else f"{size:.2f}"


def _plot(drawn: list[VarianceBar], height: int) -> dict[str, Any]:
    places = [str(place) for place in range(len(drawn))]
    extent = max(0.1, *(bar.total_high for bar in drawn), *(bar.first for bar in drawn))
    whole = min(100.0, 10 * -(-extent * 100 // 10))
    step = 20 if whole > 50 else 10 if whole > 20 else 5
    ticks = [float(tick) for tick in range(0, int(whole) + 1, step)]
    labels = [number(tick) for tick in ticks]
    labels[-1] += f"{THIN_SPACE}%"
    words = [
        [bar.name, f"alone {_percent(bar.first)} %", f"with others {_percent(bar.total)} %"] for bar in drawn
    ]
    shared = {
        "type": "bar",
        "orientation": "h",
        "y": places,
        "customdata": words,
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
    }
    totals = [100 * max(bar.total, 0.0) for bar in drawn]
    return {
        "data": [
            shared
            | {
                "x": totals,
                "width": 0.5,
                "marker": {"color": token("c1-tint")},
                "error_x": {
                    "type": "data",
                    "symmetric": False,
                    "array": [100 * max(bar.total_high - max(bar.total, 0.0), 0.0) for bar in drawn],
                    "arrayminus": [
                        100 * max(max(bar.total, 0.0) - max(bar.total_low, 0.0), 0.0) for bar in drawn
                    ],
                    "color": token("text-2"),
                    "thickness": 1.2,
                    "width": 3,
                },
            },
            shared
            | {
                "x": [100 * max(bar.first, 0.0) for bar in drawn],
                "width": 0.22,
                "marker": {"color": token("c1")},
            },
        ],
        "layout": layout(
            height,
            margin={"l": 8, "r": 24, "t": 8, "b": 8},
            barmode="overlay",
            xaxis=value_axis(ticks, labels, [0, max(whole, ticks[-1]) * 1.04]),
            yaxis=name_axis(places, tickvals=places, ticktext=[wrapped(bar.name) for bar in drawn]),
        ),
    }
