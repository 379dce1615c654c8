"""What explains a difference as lines of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.charts.format import show
from app.views.economics.difference.report import DifferenceLine, DifferenceReport

VIEWS = (("by_cause", "By cause"), ("by_category", "By category"), ("by_factor", "By factor"))


def difference_text(report: DifferenceReport) -> str:
    """Both figures, the difference, and every view of it."""
    lines = [
        report.title,
        f"First           {_amount(report.first, report.unit)}  {report.first_name}",
        f"Second          {_amount(report.second, report.unit)}  {report.second_name}",
        f"Difference      {_amount(report.difference, report.unit)}",
        "",
        *report.said,
    ]
    for name, title in VIEWS:
        view: Sequence[DifferenceLine] = getattr(report, name)
        if view:
            lines += ["", title, *(_line(line, report.unit) for line in view)]
            lines.append(
                f"  {'All':<40}{_amount(sum(line.amount for line in view), report.unit):>18}{'100.0%':>9}"
            )
    return "\n".join([*lines, "", *(f"- {note}" for note in report.notes)])


def _line(line: DifferenceLine, unit: str) -> str:
    share = "" if math.isnan(line.share) else f"{line.share:.1%}"
    return f"  {line.title:<40}{_amount(line.amount, unit):>18}{share:>9}"


def _amount(value: float, unit: str) -> str:
    return "unknown" if math.isnan(value) else show(float(f"{value:.4g}"), unit).text
