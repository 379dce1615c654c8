"""The week after a trace, by the hour, with its interval."""

from __future__ import annotations

from collections.abc import Sequence

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.format import number, percent

HEIGHT = 300


def forecast_figure(
    mean: Sequence[float], low: Sequence[float], high: Sequence[float], *, method: str, error: float, naive: float, weeks: int
) -> Figure:  # fmt: skip
    """Accelerators that jobs ask for, by the hour they come in."""
    days = [hour / 24 for hour in range(len(mean))]
    better = "no better than" if error >= naive else "better than"
    return Figure(
        name="fleet_forecast",
        eyebrow="Accelerators asked for by hour, the week after the trace",
        takeaway=(
            f"By {method}: {number(sum(mean))} accelerators asked for in the week. Its error was {percent(error).text} in "
            f"{weeks} held-out week{'s' if weeks > 1 else ''}, {better} the week before at {percent(naive).text}."
        ),
        caption="Jobs by the hour they come in. The band holds 80 % of the errors of the held-out weeks.",
        columns=(Column("Hour"), Column("Mean"), Column("P10"), Column("P90")),
        rows=tuple(
            Row((str(hour), number(mean[hour], 1), number(low[hour], 1), number(high[hour], 1)))
            for hour in range(len(mean))
        ),
        legend=(Mark("c1", "Forecast"),),
        plot=forms.plot(
            [
                forms.band(days, low, high, "c1", 0.2),
                forms.line(days, list(mean), hover="Day %{x:.1f}<br>%{y:,.0f} accelerators", width=1.5, name="Forecast"),
            ],
            HEIGHT,
            x=forms.from_zero(7.0, "days", words=forms.plain, tickangle=0),
            y=forms.from_zero(max(high, default=1.0) or 1.0, "", room=1.08, words=forms.plain),
            top=16,
            right=20,
        ),
    )  # fmt: skip
