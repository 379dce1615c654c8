"""Sobol indices: the share of a figure's variance that each input makes, alone and with the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.economics.tornado import share_text, wrapped
from app.charts.figure import Column, Figure, Mark, table, unknown_figure
from app.charts.format import number

NAME = "sobol"
MOST_BARS = 10
ROW_HEIGHT = 38
CAPTION = (
    "Share of the variance of the figure that an input makes alone (first order), and with its part in what inputs "
    "do together (total). Lines hold 90 % of resamples of the total."
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
        **table(
            drawn,
            (Column.words("Input"), lambda bar: bar.name),
            (Column("First order", "%"), lambda bar: _percent(bar.first)),
            (Column("of resamples"), lambda bar: f"{_percent(bar.first_low)} to {_percent(bar.first_high)}"),
            (Column("Total", "%"), lambda bar: _percent(bar.total)),
            (Column("of resamples"), lambda bar: f"{_percent(bar.total_low)} to {_percent(bar.total_high)}"),
        ),
        legend=(Mark("c1", "Alone"), Mark("c1-tint", "With others, total")),
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
    ticks = list(range(0, int(whole) + 1, 20 if whole > 50 else 10 if whole > 20 else 5))
    first, total, low, high = (
        [100 * max(getattr(bar, part), 0.0) for bar in drawn]
        for part in ("first", "total", "total_low", "total_high")
    )
    said = forms.look(
        said=[
            [bar.name, f"alone {_percent(bar.first)} %", f"with others {_percent(bar.total)} %"]
            for bar in drawn
        ],
        hover="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}",
    )
    resamples = forms.error_bars(
        [max(end - value, 0.0) for end, value in zip(high, total, strict=True)],
        [max(value - end, 0.0) for end, value in zip(low, total, strict=True)],
    )
    return forms.plot(
        [
            forms.bars(places, total, "c1-tint", width=0.5, error_x=resamples, **said),
            forms.bars(places, first, "c1", width=0.22, **said),
        ],
        height,
        x=forms.values(ticks, number, [0, max(whole, ticks[-1]) * 1.04], unit="%"),
        y=forms.names(places, tickvals=places, ticktext=[wrapped(bar.name) for bar in drawn]),
        right=24,
        barmode="overlay",
    )
