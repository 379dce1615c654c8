"""The first sheet: what was asked, whether it can be built, and the figures that people look for."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from app.charts.figure import estimated_words
from app.charts.format import WIDE_SPACE, is_percent, one_prefix, unit_at
from app.surfaces.files.text import key_figures, label, problem_word, value_at
from app.surfaces.files.workbook.cost_model import CostModel
from app.views.sheet import Book, Cell, Formula, Number, Text, unit_cell

NAME = "Summary"


def summary_sheet(book: Book, evaluation: dict[str, Any], model: CostModel) -> None:
    """Key figures in the units that people use; those of the cost follow the cost build-up."""
    sheet = book.sheet(NAME, (52, 16, 18, 46), upright=True)
    sheet.heading(evaluation["name"], "title")
    sheet.line(
        "Can be built as it is" if evaluation["feasible"] else "Cannot be built as it is: see Problems"
    )
    sheet.gap()
    sheet.header("Figure", "Value", "Unit", "Place", numbers=(1,), frozen=True)
    for room, paths in groupby(key_figures(evaluation), key=lambda path: path.partition(".")[0]):
        sheet.heading(room.capitalize(), across=4)
        for path in paths:
            name, *rest = _figure(path, value_at(evaluation, path), model)
            sheet.line(f"{name} (estimate)" if estimated_words(evaluation, path) else name, *rest)
    if evaluation.get("estimates"):
        sheet.gap()
        sheet.heading("Accepted estimates, in the figures marked so", across=4)
        for one in evaluation["estimates"]:
            sheet.line(one["label"], Number(one["value"], one["unit"]), unit_cell(one["unit"]), one["rule"])
    if decisions := evaluation.get("decisions"):
        sheet.gap()
        sheet.heading("Chosen where the scenario says auto", across=4)
        for decision in decisions:
            sheet.line(Text(decision["message"], "note"), None, None, Text(decision["field"], "muted"))
    if evaluation["problems"]:
        sheet.gap()
        sheet.heading("What stands in the way", across=4)
        for problem in evaluation["problems"]:
            sheet.line(Text(f"{problem_word(problem)}: {problem['message']}", "note"))
    sheet.gap()
    sheet.line(
        Text("Estimates are estimates. Sources and the assumptions behind them are in this file.", "note")
    )


def _figure(path: str, value: float | None, model: CostModel) -> tuple[Cell, ...]:
    place = Text(path, "muted")
    if is_percent(path):
        return label(path), Number(value, look="share"), None, place
    divisor, unit = one_prefix([value], unit_at(path))
    scaled = None if value is None else value / divisor
    shown: Cell = Number(scaled, unit)
    if path.startswith("cost."):
        over = f"/{divisor:.0f}" if divisor != 1 else ""
        shown = Formula(f"={model.at(path).name}{over}", scaled, unit)
    return label(path), shown, unit_cell(unit.replace(WIDE_SPACE, " ")), place
