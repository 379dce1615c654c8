"""The hours of a design as lines of text."""

from __future__ import annotations

import math

from app.charts.format import number, show
from app.engine.facility.hours.metrics import Metric
from app.engine.quantities import label_at
from app.views.facility.hours import HoursAnswer
from app.views.facility.hours_report import unit_of
from app.views.table import Column, text_line

HOURS_SHOWN = (1, 88, 840, 4320, 8760)
COLUMNS = (Column("", str, width=-72), *(Column("", str, width=16) for _ in range(4)))


def hours_text(answer: HoursAnswer) -> str:
    """Measures of the year and of its hottest hour, duration curves in five rows, and PUE at part load."""
    lines = [
        f"{answer.name} at {answer.site}, {answer.plant.replace('_', ' ')}",
        "",
        _row("", "annual", "hottest hour", "operators"),
    ]
    lines += [_metric(one) for one in answer.metrics]
    if answer.hottest_hour is not None:
        hot = answer.hottest_hour
        lines.append(
            f"Hottest hour: month {hot.month}, day {hot.day}, {hot.hour:02d}:00; "
            f"dry bulb {hot.dry_bulb_c:.1f} °C, wet bulb {hot.wet_bulb_c:.1f} °C, "
            f"{show(hot.utility_w, 'W').text} at the meter."
        )
    lines += ["", _row("Reached or passed in", "PUE", "utility", "dry bulb", "wet bulb")]
    lines += [_duration(answer, hours) for hours in HOURS_SHOWN]
    lines += ["", _row("Share of full load", "PUE", "fixed", "proportional", "quadratic")]
    curve = answer.part_load
    lines += [
        _row(f"{curve.load_share[at]:.0%}", *(_three(line[at]) for line in
             (curve.pue, curve.fixed, curve.proportional, curve.quadratic)))
        for at in range(0, curve.load_share.size, 3)
    ]  # fmt: skip
    year = answer.first_year
    grows = (
        f"growing evenly over {year.ramp_months} months" if year.ramp_months else "full from the first day"
    )
    lines.append(f"PUE of a first year {grows}: {_three(year.pue)}.")
    return "\n".join(lines)


def _metric(one: Metric) -> str:
    unit = "" if unit_of(one.path) == "1" else f" [{unit_of(one.path)}]"
    band = "" if math.isnan(one.low) else f"{_value(one.low)} to {_value(one.high)}"
    return _row(f"{label_at(one.path)}{unit}", _value(one.annual), _value(one.hottest_hour), band)


def _duration(answer: HoursAnswer, hours: int) -> str:
    curve = answer.duration
    at = int(curve.hours.searchsorted(hours))
    return _row(
        f"{curve.hours[at]:,.0f} h",
        _three(curve.pue[at]),
        show(float(curve.utility_w[at]), "W").text,
        f"{curve.dry_bulb_c[at]:.1f} °C",
        f"{curve.wet_bulb_c[at]:.1f} °C",
    )


def _value(value: float) -> str:
    return "not published" if math.isnan(value) else number(value)


def _three(value: float) -> str:
    return "not published" if math.isnan(value) else f"{value:.3f}"


def _row(*cells: str) -> str:
    return text_line(cells, COLUMNS)
