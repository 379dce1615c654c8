"""What explains a difference as lines of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.views.economics.difference.report import DifferenceLine, DifferenceReport
from app.views.table import Column, amount, percent, text_line, text_rows

VIEWS = (("by_cause", "By cause"), ("by_category", "By category"), ("by_factor", "By factor"))


def difference_text(report: DifferenceReport) -> str:
    """Both figures, the difference, and every view of it."""

    def shown(value: float) -> str:
        return amount(value, report.unit)

    columns = (
        Column("", "title", width=-40),
        Column("", "amount", shown, 18),
        Column("", "share", lambda share: "" if math.isnan(share) else percent(share), 9),
    )
    lines = [
        report.title,
        f"First           {shown(report.first)}  {report.first_name}",
        f"Second          {shown(report.second)}  {report.second_name}",
        f"Difference      {shown(report.difference)}",
        "",
        *report.said,
    ]
    for name, title in VIEWS:
        view: Sequence[DifferenceLine] = getattr(report, name)
        if view:
            together = shown(sum(line.amount for line in view))
            lines += ["", title, *text_rows(columns, view, indent="  ")]
            lines.append(text_line(["All", together, "100.0%"], columns, indent="  "))
    return "\n".join([*lines, "", *(f"- {note}" for note in report.notes)])
