"""Cost and cash flow of candidates beside each other, as formulas that can be followed and changed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from app.surfaces.files.workbook.compared import (
    FIRST,
    Compared,
    Comparison,
    across_all,
    against_base,
    candidate_sheet,
    column_letter,
    same_label,
)
from app.surfaces.files.workbook.cost_model import CostLine, CostModel
from app.views.sheet import Book, Cell, Formula, Number, Sheet, Text, unit_cell
from app.views.study.report import StudyTiming

COST, CASH = "Cost", "Cash flow"
NAMED = (
    "cost.capex_usd",
    "cost.tco_usd",
    "cost.usd_per_run",
    "cost.usd_per_run_rented_reserved",
    "cost.usd_per_run_rented_on_demand",
)
"""Results that other sheets refer to, by the name of the cell and the letter of the candidate."""
Step = tuple[str, str]
"""Name and place of a line of the cost."""
IDENTIFIER = re.compile(r'"[^"]*"|[A-Za-z_][\w.]*')


def cost_sheet(book: Book, comparison: Comparison) -> None:
    """The cost of each candidate from what it starts from, step by step, as formulas of its own column."""
    sheet = candidate_sheet(book, comparison, COST, 46)
    across = across_all(comparison, 1)
    models = [one.model for one in comparison.columns]
    # the same step of every candidate in one row: steps that share a place are told apart by their names
    found = [{(line.name, line.path): line for line in _lines(model)} for model in models]
    groups: dict[str, list[Step]] = {"": _steps(model.inputs for model in models)}
    for title in dict.fromkeys(title for model in models for title in model.groups):
        groups[title] = _steps(model.groups.get(title, ()) for model in models)
    rows: dict[Step, int] = {}
    last = sheet.row
    for some in groups.values():  # each below a heading
        rows |= {step: last + 2 + place for place, step in enumerate(some)}
        last += 1 + len(some)
    cells = [
        {name: f"{column_letter(place)}{rows[name, path]}" for name, path in one}
        for place, one in enumerate(found)
    ]
    for title, some in groups.items():
        sheet.heading(title or "Inputs: change a blue number, and the cost follows", across=across)
        for step in some:
            known = [one[step] for one in found if step in one]
            first, label = known[0], same_label([line.label for line in known], step[1])
            written = (_step(one.get(step), named) for one, named in zip(found, cells, strict=True))
            sheet.line(label, unit_cell(first.unit), *written, Text(first.path, "muted"))
    results: dict[str, tuple[str, str, int]] = {}
    for place, one in enumerate(comparison.columns):
        for path in NAMED if one.found else ():
            line = one.model.at(path)
            row = rows[line.name, line.path]
            book.name_cell(f"{path.removeprefix('cost.')}_{one.letter}", COST, row - 1, FIRST + place)
            results.setdefault(path, (line.label, line.unit, row))
    against_base(sheet, comparison, [results[path] for path in NAMED[:3] if path in results])


def _steps(several: Iterable[Iterable[CostLine]]) -> list[Step]:
    """The steps that any candidate has, each once."""
    return list(dict.fromkeys((line.name, line.path) for some in several for line in some))


def _lines(model: CostModel) -> Iterator[CostLine]:
    yield from model.inputs
    for some in model.groups.values():
        yield from some


def _step(line: CostLine | None, cells: Mapping[str, str]) -> Cell:
    if line is None:
        return Text("–", "muted")
    if line.formula:
        text = IDENTIFIER.sub(lambda found: cells.get(found[0], found[0]), line.formula)
        return Formula(text, line.value, line.unit)
    return line.value if isinstance(line.value, str) else Number(line.value, line.unit, look="input")


CASH_HEADS = ("Capital", "Running", "Rent", "Residual value")
SUM, FACTOR, PRESENT, SERVED = 5, 6, 7, 9
"""Places of the columns of a plan: after the year and the four kinds of payment."""


def cash_sheet(book: Book, comparison: Comparison) -> None:
    """Payments of each candidate from the order on, discounted: first what they come to, then year by
    year."""
    planned = [one for one in comparison.columns if one.timing is not None]
    sheet = book.sheet(CASH, (48, 18, *(20.0 for _ in range(max(len(comparison.columns), SERVED)))))
    if not planned:
        sheet.line(Text("No candidate has a plan of delivery and payments.", "note"))
        return
    sheet.header(
        "All candidates",
        "Unit",
        *(f"{one.letter}: {one.name}{' (base)' if one.is_base else ''}" for one in planned),
        numbers=range(2, 2 + len(planned)),
    )
    at = sheet.line("Cost of capital", None, *(Number(one.wacc, look="input") for one in planned))
    for place, one in enumerate(planned):
        book.name_cell(f"wacc_{one.letter}", CASH, at, 2 + place)
    sums = [(f"payments_{one.letter}", sum(year.total_usd for year in _plan(one).years)) for one in planned]
    present = [(f"present_value_{one.letter}", _plan(one).present_value_usd) for one in planned]
    _referred(sheet, "Sum of payments", "USD", sums)
    _referred(sheet, "Net present value", "USD", present)
    base = next((place for place, one in enumerate(planned) if one.is_base), 0)
    name, known = present[base]
    sheet.line("Net present value, difference to the base", unit_cell("USD"), *(
        Formula(f"={other}-{name}", value - known, "USD") for other, value in present
    ))  # fmt: skip
    served = [_plan(one).served_tokens for one in planned]
    if any(value == value and value > 0 for value in served):
        sheet.line("Cost per million served tokens, present value", unit_cell("USD"), *(
            Formula(f"=-present_value_{one.letter}/served_tokens_{one.letter}*1000000", -_plan(one).present_value_usd / tokens * 1e6 if tokens else None, "USD")
            for one, tokens in zip(planned, served, strict=True)
        ))  # fmt: skip
    for one in planned:
        sheet.gap()
        _plan_sheet(sheet, one)


def _served(tokens: float, formula: str) -> Cell:
    """A sum counts text as zero, so the cost without served tokens is unknown."""
    return Formula(formula, tokens, "tokens", look="total") if math.isfinite(tokens) else Number(None)


def _plan(one: Compared) -> StudyTiming:
    assert one.timing is not None
    return one.timing


def _referred(sheet: Sheet, title: str, unit: str, cells: Sequence[tuple[str, float]]) -> None:
    sheet.line(title, unit_cell(unit), *(Formula(f"={name}", value, unit) for name, value in cells))


def _plan_sheet(sheet: Sheet, one: Compared) -> None:
    """Year by year. Payments are inputs; their sum, its discount and its present value are formulas."""
    plan, wacc = _plan(one), one.wacc or 0.0
    heads = (
        "Year after the order",
        *CASH_HEADS,
        "Sum",
        "Discount factor",
        "Present value",
        "Trained",
        "Served tokens",
    )
    sheet.heading(f"{one.letter}: {one.name}", across=len(heads))
    sheet.header(*heads, numbers=range(len(heads)))
    first = sheet.row + 1
    for year in plan.years:
        row = sheet.row + 1
        factor = (1 + wacc) ** -(year.year - 0.5)
        kinds = (year.capital_usd, year.running_usd, year.rent_usd, year.residual_usd)
        sheet.line(
            Number(year.year), *(Number(value, "USD", look="input") for value in kinds),
            Formula(f"=SUM(B{row}:E{row})", year.total_usd, "USD"),
            Formula(f"=1/(1+wacc_{one.letter})^(A{row}-0.5)", factor),
            Formula(f"=F{row}*G{row}", year.total_usd * factor, "USD"),
            Number(year.trained_share, look="share"), Number(year.served_tokens, "tokens"),
        )  # fmt: skip
    last = sheet.row
    totals = [
        sum(getattr(year, name) for year in plan.years)
        for name in ("capital_usd", "running_usd", "rent_usd", "residual_usd", "total_usd")
    ]
    row = sheet.line(
        Text("Total", "total"),
        *(Formula(f"=SUM({letter}{first}:{letter}{last})", value, "USD", look="total") for letter, value in zip("BCDEF", totals, strict=True)),
        Text("", "total"), Formula(f"=SUM(H{first}:H{last})", plan.present_value_usd, "USD", look="total"), Text("", "total"),
        _served(plan.served_tokens, f"=SUM(J{first}:J{last})"),
    )  # fmt: skip
    for name, place in (("payments", SUM), ("present_value", PRESENT), ("served_tokens", SERVED)):
        sheet.book.name_cell(f"{name}_{one.letter}", CASH, row, place)
