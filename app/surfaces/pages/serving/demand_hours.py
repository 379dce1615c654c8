"""Hours of a demand on the sizing tab: the chart, and what scaling saves line by line."""

from __future__ import annotations

from typing import NamedTuple

from app.charts.figure import Figure
from app.charts.format import THIN_SPACE, Shown, percent, show_computed
from app.charts.serving.demand_hours import HourDrawn, HoursDrawn, demand_hours_figure
from app.views.serving.demand_hours import DemandHours
from app.views.serving.scaling import headroom_words
from app.views.serving.sizing import SizingView
from app.views.serving.sizing_row import SizingRow


class Line(NamedTuple):
    title: str
    shown: Shown
    said: str


class HoursShown(NamedTuple):
    """`short` says that the headroom is too small, "" where it is not."""

    figure: Figure
    lines: list[Line]
    basis: str
    short: str


def line_of(row: SizingRow) -> Line:
    """A step of the sizing as a line of a table."""
    return Line(row.title, _shown(row), f"{row.said[:1].upper()}{row.said[1:]}")


def hours_shown(view: SizingView, hours: DemandHours) -> HoursShown:
    """The hours of a sizing as its tab has them."""
    scaling = hours.scaling
    drawn = [
        HourDrawn(
            title=hour.title,
            requests_per_s=hour.requests_per_s,
            needed=hour.needed,
            running=hour.running,
            paid=hour.paid,
            utilisation=hour.utilisation,
            ttft_within_s=hour.ttft_within_s,
            tpot_within_s=hour.tpot_within_s,
            keeps=hour.keeps,
        )
        for hour in hours.hours
    ]
    figure = demand_hours_figure(
        HoursDrawn(
            hours=drawn,
            rate=hours.requests_per_s_per_replica,
            always_on=hours.replicas,
            follows=scaling is not None,
            share=view.percentile,
            takeaway=_takeaway(hours),
        )
    )
    short = ""
    if scaling is not None and not scaling.headroom_is_enough:
        words = headroom_words(scaling)
        relief = f" {100 * scaling.headroom_needed:.3g}{THIN_SPACE}% would be enough."
        short = f"{words[:1].upper()}{words[1:]}.{relief if scaling.headroom_needed < 1 else ''}"
    return HoursShown(
        figure=figure,
        lines=[line_of(row) for row in hours.rows],
        basis="replicas follow the demand" if scaling is not None else "all replicas run in all hours",
        short=short,
    )


def _takeaway(hours: DemandHours) -> str:
    least, most = (round(end(hour.needed for hour in hours.hours)) for end in (min, max))
    need = f"The busiest hour needs {most:,} {'replica' if most == 1 else 'replicas'}, the quietest {least:,}"
    if hours.scaling is None:
        return f"{need}."
    freed = 100 * hours.scaling.freed_share
    return f"{need}; following the demand frees {freed:.3g}{THIN_SPACE}% of the accelerator-hours."


def _shown(row: SizingRow) -> Shown:
    if row.unit == "share":
        return Shown("unknown") if row.value != row.value else percent(row.value)
    shown = show_computed(row.value)
    return shown if row.unit == "1" else shown._replace(unit=row.unit)
