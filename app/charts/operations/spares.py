"""Useful time against the number of spare units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, table, unknown_figure
from app.charts.format import number, share_text, show

NAME, EYEBROW = "spare_units", "Effective training time ratio vs spare units"
HEIGHT = 300
CAPTION = "The same pod with other numbers of spares. The ring is the design, the line what is recommended."


class Point(NamedTuple):
    """The run with so many spare units."""

    spares: float
    coverage: float
    waiting_s: float
    ettr: float
    cost_usd: float
    is_design: bool


def spares_figure(points: Sequence[Point], recommended: float, unit: str) -> Figure:
    """A line over the numbers of spares."""
    if any(math.isnan(point.ettr) for point in points):
        return unknown_figure(NAME, EYEBROW, CAPTION, "The share of useful time is unknown.")
    x, y = [point.spares for point in points], [100 * point.ettr for point in points]
    here = next(point for point in points if point.is_design)
    low, high = min(y), max(y)
    room = 0.08 * (high - low) or 0.5
    plot = forms.plot(
        [
            forms.line(
                x, y, said=[[share_text(point.coverage, 1), show(point.waiting_s, "s").text] for point in points],
                hover="%{x:,.0f} spares<br>%{y:.2f} % useful<br>enough %{customdata[0]} of the time",
            ),
            forms.ring(here.spares, 100 * here.ettr, "c1", f"This design<br>{share_text(here.ettr, 2)}"),
        ],
        HEIGHT,
        x=forms.values(
            forms.round_ticks(x[-1], 5), number, [-0.02 * x[-1], 1.02 * x[-1]], base=True, grid=False,
            title=f"Spare {unit}s",
        ),
        y=forms.values(forms.even_ticks(low - room, high + room, 5), number, [low - room, high + room], unit="%"),
        shapes=[forms.rule("accent", x=recommended, dash="dot")],
        top=16,
        right=20,
    )  # fmt: skip
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=f"{number(recommended)} spare {unit}{'' if recommended == 1 else 's'} "
        f"{'is' if recommended == 1 else 'are'} recommended: {share_text(points[0].ettr, 1)} of the time is useful with "
        f"none, {share_text(here.ettr, 1)} in this design.",
        caption=CAPTION,
        **table(
            points,
            (Column("Spares"), lambda point: number(point.spares, 6)),
            (Column("Enough"), lambda point: share_text(point.coverage, 1)),
            (Column("Wait after an interruption"), lambda point: show(round(point.waiting_s, 3), "s").text),
            (Column("ETTR", "%"), lambda point: f"{100 * point.ettr:.2f}"),
            (
                Column("Cost"),
                lambda point: (
                    "not published" if math.isnan(point.cost_usd) else show(point.cost_usd, "USD").text
                ),
            ),
            total=lambda point: point.is_design,
        ),
        plot=plot,
        narrow=forms.few_ticks(plot),
    )
