"""The first sheet: what was asked, whether it can be built, and the figures that people look for."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from app.charts.figure import estimated_words
from app.charts.format import WIDE_SPACE, is_percent, one_prefix, unit_at
from app.charts.key_figures import key_figures, show_figure
from app.engine.quantities import label_at
from app.surfaces.files.text import problem_word, value_at
from app.surfaces.files.workbook.cost_model import CostModel
from app.views.sheet import Book, Cell, Formula, Number, Text, unit_cell

NAME = "Summary"


def summary_sheet(book: Book, evaluation: dict[str, Any], model: CostModel) -> None:
    """Key figures in the units that people use; those of the cost follow the cost build-up."""
    sheet = book.sheet(NAME, (52, 16, 18, 46), upright=True)
    sheet.heading(evaluation["name"], "title")
    sheet.line("Feasible" if evaluation["feasible"] else "Infeasible, see Problems")
    sheet.gap()
    sheet.header("Figure", "Value", "Unit", "Place", numbers=(1,), frozen=True)
    for room, paths in groupby(key_figures(evaluation), key=lambda path: path.partition(".")[0]):
        sheet.heading(room.capitalize(), across=4)
        for path in paths:
            name, *rest = _figure(evaluation, path, model)
            sheet.line(f"{name} (estimate)" if estimated_words(evaluation, path) else name, *rest)
    if evaluation.get("estimates"):
        sheet.gap()
        sheet.heading("Accepted estimates, in the figures marked so", across=4)
        for one in evaluation["estimates"]:
            sheet.line(one["label"], Number(one["value"], one["unit"]), unit_cell(one["unit"]), one["rule"])
    if decisions := evaluation.get("decisions"):
        sheet.gap()
        sheet.heading("Chosen automatically", across=4)
        for decision in decisions:
            sheet.line(Text(decision["message"], "note"), None, None, Text(decision["field"], "muted"))
    if evaluation["problems"]:
        sheet.gap()
        sheet.heading("Problems", across=4)
        for problem in evaluation["problems"]:
            sheet.line(Text(f"{problem_word(problem)}: {problem['message']}", "note"))
    sheet.gap()
    sheet.line(
        Text(
            "Planning estimates, not guarantees. Sources and the assumptions behind them are in this file.",
            "note",
        )
    )


def _figure(evaluation: dict[str, Any], path: str, model: CostModel) -> tuple[Cell, ...]:
    value, place = value_at(evaluation, path), Text(path, "muted")
    if value is None:
        return label_at(path), Text(show_figure(evaluation, path).text, "unknown"), None, place
    if is_percent(path):
        return label_at(path), Number(value, look="share"), None, place
    divisor, unit = one_prefix([value], unit_at(path))
    scaled = value / divisor
    shown: Cell = Number(scaled, unit)
    if path.startswith("cost."):
        over = f"/{divisor:.0f}" if divisor != 1 else ""
        shown = Formula(f"={model.at(path).name}{over}", scaled, unit)
    return label_at(path), shown, unit_cell(unit.replace(WIDE_SPACE, " ")), place
