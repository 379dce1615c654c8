"""The cost build-up: a reader can follow every step, change what it starts from, and see what follows."""

from __future__ import annotations

from app.surfaces.files.workbook.citations import Citations
from app.surfaces.files.workbook.cost_model import CostLine, CostModel
from app.views.sheet import Book, Cell, Formula, Number, Sheet, Text, unit_cell

NAME = "Cost build-up"
VALUE_COLUMN = 1
KIND_WORDS = {
    "computed": "computed by Podwright",
    "scenario": "stated in the scenario",
    "third_party": "third party",
}
COLUMNS = ("Step", "Value", "Unit", "Name in formulas", "Computed as, or source", "Place")


def cost_sheet(book: Book, model: CostModel, citations: Citations) -> None:
    """What the cost starts from, then every step of it as a formula."""
    sheet = book.sheet(NAME, (54, 20, 18, 46, 76, 60))
    sheet.header(*COLUMNS, numbers=(1,), frozen=True)
    sheet.heading("What it starts from: change a blue number, and the cost follows", across=len(COLUMNS))
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
    sheet.book.name_cell(line.name, NAME, row, VALUE_COLUMN)
