"""The workbook of an evaluation: which sheets it has, and in what order."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from app.charts.figure import estimated_words
from app.charts.format import WIDE_SPACE, is_percent, one_prefix, unit_at
from app.charts.key_figures import key_figures, show_figure
from app.engine.quantities import label_at
from app.saved.imports import SHEET_OF_SCENARIO
from app.scenarios.reading.yaml_text import write_yaml
from app.surfaces.files.rows import ROOMS
from app.surfaces.files.text import problem_word, value_at
from app.surfaces.files.work import Work
from app.surfaces.files.workbook.cost_model import CostLine, CostModel, cost_model
from app.surfaces.files.workbook.inputs_sheet import inputs_sheet
from app.surfaces.files.workbook.room_sheet import TOTAL_NAME, bill_sheet, room_sheet
from app.surfaces.files.workbook.sources_sheet import Citations, sources_sheet
from app.views.sheet import Book, Cell, Formula, Number, Sheet, Text, unit_cell


def evaluation_xlsx(work: Work) -> bytes:
    """Every figure with its unit and source; the cost as formulas that can be followed and changed.

    The same work gives the same bytes: nothing in the file is taken from the clock.
    """
    evaluated = work.evaluated
    evaluation = evaluated.as_json
    book = Book(title=evaluation["name"], subject="Evaluation by Podwright", created=work.dated)
    linked = {"fabric.network_price_usd": TOTAL_NAME} if evaluation["fabric"]["bill"] else {}
    model = cost_model(evaluated.figures, linked)
    citations = Citations(evaluated.resolved.origins.values())
    summary_sheet(book, evaluation, model)
    inputs_sheet(book, evaluated.resolved, citations)
    for room in ROOMS:
        if room == "workloads" and not evaluation[room]:  # one workload has the pod to itself
            continue
        room_sheet(book, evaluation, room, model)
    bill_sheet(book, evaluation, model)
    cost_sheet(book, model, citations)
    problems_sheet(book, evaluation["problems"])
    sources_sheet(book, evaluation, citations)
    scenario_sheet(book, work)
    about_sheet(book, work)
    return book.content()


CONVENTIONS = (
    "Figures are in SI units and US dollars unless the unit alongside them says otherwise. FLOP/s are dense; "
    "bandwidths go one way and are per accelerator; GB is decimal. What is unknown says so: it is never taken "
    "for nothing."
)
ESTIMATES = (
    "Planning estimates, not guarantees: these are figures for planning, not quotations or guarantees. Each input says "
    "where it comes from; one of kind assumption was chosen, not published."
)
FORMULAS = (
    "The cost build-up and the prices in the bill of materials are formulas: change a blue number, and the cost "
    "follows, here and on the sheets Summary and Cost. Everything else was computed by Podwright and stays."
)


def scenario_sheet(book: Book, work: Work) -> None:
    """The scenario as YAML, a line a cell, with the own rows that it rests on."""
    sheet = book.sheet(SHEET_OF_SCENARIO, (120,))
    for line in write_yaml(work.values).splitlines():
        sheet.line(Text(line, "code"))


def about_sheet(book: Book, work: Work) -> None:
    """Versions, and how to read the file."""
    sheet = book.sheet("About", (26, 110))
    evaluation = work.evaluated.as_json
    provenance = evaluation["provenance"]
    sheet.heading("About this file", "title")
    sheet.line("Scenario", evaluation["name"])
    if work.document.description:
        sheet.line("Description", work.document.description)
    if work.revision is not None:
        note = f": {work.note}" if work.note else ""
        sheet.line("Revision", f"{work.revision}, saved {work.dated:%Y-%m-%d %H:%M} UTC{note}")
    sheet.line("Made with", f"Podwright {provenance['engine_version']}")
    sheet.line("Catalog revision", provenance["catalog_revision"])
    sheet.line("Inputs hash", provenance["inputs_hash"])
    sheet.gap()
    sheet.line("Estimates", ESTIMATES)
    sheet.line("Units", CONVENTIONS)
    sheet.line("Formulas", FORMULAS)
    sheet.line(
        "Importing", "Podwright reads this file as a scenario: its sheet Scenario holds all that is needed."
    )
    sheet.line(
        "Sources",
        "The sheet Sources has the licence of each and the credit it asks for; pass them on with it.",
    )


COST = "Cost build-up"
VALUE_COLUMN = 1
KIND_WORDS = {
    "computed": "computed by Podwright",
    "scenario": "stated in the scenario",
    "third_party": "third party",
}
COLUMNS = ("Step", "Value", "Unit", "Name in formulas", "Computed as, or source", "Place")


def cost_sheet(book: Book, model: CostModel, citations: Citations) -> None:
    """What the cost starts from, then every step of it as a formula."""
    sheet = book.sheet(COST, (54, 20, 18, 46, 76, 60))
    sheet.header(*COLUMNS, numbers=(1,), frozen=True)
    sheet.heading("Inputs: change a blue number, and the cost follows", across=len(COLUMNS))
    for line in model.inputs:
        _write(sheet, line, _origin(line, citations))
    for title, lines in model.groups.items():
        sheet.heading(title, across=len(COLUMNS))
        for line in lines:
            _write(sheet, line, Text(line.formula.removeprefix("=") or "computed by Podwright", "code"))


def _origin(line: CostLine, citations: Citations) -> str:
    kind = KIND_WORDS.get(line.kind, line.kind)
    return f"{kind}: {citations.words(line.source)}" if line.source else kind


def _write(sheet: Sheet, line: CostLine, computed: Cell) -> None:
    value: Cell
    if line.formula:
        value = Formula(line.formula, line.value, line.unit)
    elif isinstance(line.value, str):
        value = line.value
    else:
        value = Number(line.value, line.unit, look="input")
    row = sheet.line(
        line.label, value, unit_cell(line.unit), Text(line.name, "code"), computed, Text(line.path, "muted")
    )
    sheet.book.name_cell(line.name, COST, row, VALUE_COLUMN)


SUMMARY = "Summary"


def summary_sheet(book: Book, evaluation: dict[str, Any], model: CostModel) -> None:
    """Key figures in the units that people use; those of the cost follow the cost build-up."""
    sheet = book.sheet(SUMMARY, (52, 16, 18, 46), upright=True)
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


PROBLEMS = "Problems"
PROBLEM_COLUMNS = ("Kind", "Field", "Problem", "Value", "Limit", "Missed by", "Unit", "Fix")


def problems_sheet(book: Book, problems: list[dict[str, Any]]) -> None:
    """One row a problem, the binding ones first as in the evaluation."""
    sheet = book.sheet(PROBLEMS, (16, 34, 70, 16, 16, 16, 12, 60))
    sheet.header(*PROBLEM_COLUMNS, numbers=(3, 4, 5), frozen=True)
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
