"""The workbook of a study: its formulas give the study's figures, and follow what is changed."""

from __future__ import annotations

import functools
import math

import pytest

from app.surfaces.pages.report.study_workbook import comparison_of, study_xlsx
from app.views.study.columns import FIGURES
from tests.surfaces.files.spreadsheet import Spreadsheet
from tests.surfaces.pages.report.studies import STUDIES, study

pytestmark = pytest.mark.slow

SHEETS = [
    "Summary",
    "Time",
    "Cost",
    "Power",
    "Fabric",
    "Reliability",
    "Carbon",
    "Cash flow",
    "Inputs",
    "Sources",
    "Study",
    "About",
]
LETTERS = "CDEFGHIJKLMN"


@functools.cache
def workbook(name: str) -> bytes:
    return study_xlsx(study(name))


def rows(book: Spreadsheet, sheet: str) -> dict[str, int]:
    """Numbers of the first lines with these labels."""
    found: dict[str, int] = {}
    for line in book.book[sheet].iter_rows(max_col=1):
        if line[0].value is not None:
            found.setdefault(str(line[0].value), line[0].row)
    return found


def places(book: Spreadsheet, sheet: str) -> dict[str, int]:
    """Numbers of lines by the place in their last column."""
    return {str(line[-1].value): line[0].row for line in book.book[sheet].iter_rows() if line[-1].value}


@pytest.mark.parametrize("name", STUDIES)
def test_every_formula_gives_what_was_exported(name: str) -> None:
    book = Spreadsheet(workbook(name))
    assert book.book.sheetnames == SHEETS
    formulas = book.formulas()
    assert len(formulas) > 300
    for sheet, address in formulas:
        computed, exported = book.computed(sheet, address), book.as_exported(sheet, address)
        assert computed == pytest.approx(exported, rel=1e-6, abs=1e-6, nan_ok=True), (sheet, address)


@pytest.mark.parametrize("name", STUDIES)
def test_recomputed_figures_are_those_of_the_study(name: str) -> None:
    book = Spreadsheet(workbook(name))
    lines = rows(book, "Summary")
    compared = comparison_of(study(name))
    checked = 0
    for place, one in enumerate(compared.columns):
        for figure in FIGURES:
            value = one.row.figures[figure.key].value if figure.key in one.row.figures else math.nan
            if math.isfinite(value):
                found = book.computed("Summary", f"{LETTERS[place]}{lines[figure.title]}")
                assert found == pytest.approx(value, rel=1e-5), (one.letter, figure.key)
                checked += 1
    assert checked > 20


def test_money_is_live_and_differences_follow() -> None:
    """The price of a SuperNode twice as high: capital, total cost, cost of the run and the difference move, time does not."""
    book = Spreadsheet(workbook("ranked"))
    lines = rows(book, "Summary")
    before = {
        title: book.computed("Summary", f"D{lines[title]}")
        for title in ("Capital cost", "Total cost of ownership", "Cost of the run", "Time to finish")
    }
    cell = book.book["Cost"][f"D{places(book, 'Cost')['supernode.price_usd']}"]
    assert cell.data_type == "n", "an input"
    cell.value *= 2
    book._computed.clear()
    for title, value in before.items():
        after = book.computed("Summary", f"D{lines[title]}")
        assert (after == value) if title == "Time to finish" else (after > 1.2 * value), title
    base, other = (book.computed("Summary", f"{letter}{lines['Capital cost']}") for letter in "CD")
    first = next(
        row
        for row in range(lines["Difference to the base"], 200)
        if book.book["Summary"][f"A{row}"].value == "Capital cost"
    )
    assert book.computed("Summary", f"D{first}") == pytest.approx(other - base)


def test_cash_flow_is_discounted_by_its_own_rate() -> None:
    found = study("ranked")
    book = Spreadsheet(workbook("ranked"))
    assert found.answer.timing is not None
    assert book.named("present_value_A") == pytest.approx(found.answer.timing.present_value_usd, rel=1e-9)
    assert book.named("payments_A") == pytest.approx(
        sum(year.total_usd for year in found.answer.timing.years), rel=1e-9
    )
    book.change("wacc_A", 0.0)
    assert book.named("present_value_A") == pytest.approx(book.named("payments_A"), rel=1e-9)


def test_rent_is_paid_for_as_much_work() -> None:
    compared = comparison_of(study("ranked"))
    rented = next(one for one in compared.columns if one.row.terms == "rent_reserved")
    book = Spreadsheet(workbook("ranked"))
    lines = rows(book, "Summary")
    letter = LETTERS[compared.columns.index(rented)]
    assert book.computed("Summary", f"{letter}{lines['Capital cost']}") == 0
    run = book.computed("Summary", f"{letter}{lines['Cost of the run']}")
    tokens = book.computed("Summary", f"{letter}{lines['Tokens trained']}")
    per_token = book.computed("Summary", f"{letter}{lines['Cost per million trained tokens']}")
    assert per_token == pytest.approx(run / tokens * 1e6)


def test_candidates_differ_in_inputs_that_are_listed_first() -> None:
    book = Spreadsheet(workbook("kept"))
    lines = rows(book, "Inputs")
    assert lines["In which the candidates differ"] < lines["The same for all"]


def test_the_same_study_makes_the_same_file() -> None:
    assert study_xlsx(study("kept")) == workbook("kept")
