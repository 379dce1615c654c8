"""Problems of the design, by how much, and what would mend it."""

from __future__ import annotations

from typing import Any

from app.surfaces.files.text import problem_word
from app.views.sheet import Book, Number, Text, unit_cell

NAME = "Problems"
COLUMNS = ("Kind", "Field", "What is wrong", "Value", "Limit", "Missed by", "Unit", "What mends it")


def problems_sheet(book: Book, problems: list[dict[str, Any]]) -> None:
    """One row a problem, the binding ones first as in the evaluation."""
    sheet = book.sheet(NAME, (16, 34, 70, 16, 16, 16, 12, 60))
    sheet.header(*COLUMNS, numbers=(3, 4, 5), frozen=True)
    for problem in problems:
        unit = problem["unit"]
        numbers = (
            None if problem[name] is None else Number(problem[name], unit)
            for name in ("value", "limit", "missed_by")
        )
        sheet.line(
            problem_word(problem),
            Text(problem["field"], "muted"),
            problem["message"],
            *numbers,
            unit_cell(unit),
            _way_out(problem),
        )
    if not problems:
        sheet.line("None")


def _way_out(problem: dict[str, Any]) -> str:
    if problem["fix"]:
        return str(problem["fix"]["message"])
    offered = problem["suggested_assumption"]
    return f"Assume {offered['value']:,.6g} {offered['unit']}: {offered['source']}" if offered else ""
