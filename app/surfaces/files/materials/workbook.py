"""The bill as a workbook: a sheet a network, prices by formula, and sheets of racks and differences."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from app.surfaces.files.materials.columns import COLUMNS, Column, value_in
from app.surfaces.files.workbook.sheet import Book, Cell, Formula, Number, Sheet, Text
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.materials import FabricBill

UNDATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same bill makes the same file
NUMBERS = [place for place, column in enumerate(COLUMNS) if column.unit]
LETTER = {column.path: chr(ord("A") + place) for place, column in enumerate(COLUMNS)}
ESTIMATES = (
    "Estimates are estimates: counts follow from the design, prices are ranges of what was published, and work is "
    "an assumption. What is unknown says so and is not taken for nothing."
)


def bill_xlsx(bill: FabricBill) -> bytes:
    """The same bill gives the same bytes: nothing in the file is taken from the clock."""
    answer = bill_answer(bill)
    book = Book(title=answer["name"], subject="Bill of materials by Podwright", created=UNDATED)
    for network in answer["networks"]:
        lines = [line for line in answer["lines"] if line["network"] == network["network"]]
        _network(book, network, lines)
    _racks(book, answer)
    _differences(book, answer)
    return book.content()


def _network(book: Book, network: dict[str, Any], lines: list[dict[str, Any]]) -> None:
    sheet = book.sheet(network["title"], [column.width for column in COLUMNS])
    sheet.header(*(column.title for column in COLUMNS), numbers=NUMBERS, frozen=True)
    top = sheet.row + 1  # as Excel counts
    for line in lines:
        row = sheet.row + 1
        sheet.line(*(_cell(line, column, row) for column in COLUMNS))
    if lines:
        sheet.line(*(_total(network["totals"], column, top, sheet.row) for column in COLUMNS))


def _cell(line: dict[str, Any], column: Column, row: int) -> Cell:
    value = value_in(line, column)
    if column.unit is None:
        return Text(str(value))
    if column.path[0] == "price_usd":
        bought, unit = LETTER["bought",], LETTER["unit_price_usd", column.path[1]]
        return Formula(f"={bought}{row}*{unit}{row}", value, column.unit)
    is_input = column.path[0] == "unit_price_usd"
    return Number(value, column.unit, look="input" if is_input else "number")


def _total(totals: dict[str, Any], column: Column, top: int, last: int) -> Cell:
    letter = LETTER[column.path]
    if column.path == ("network",):
        return Text("Total", "total")
    if column.path[0] not in totals:
        return Text("", "total")
    cells = f"{letter}{top}:{letter}{last}"
    # A sum passes over words, so it would take what is unknown for nothing.
    known = f'=IF(COUNT({cells})=ROWS({cells}),SUM({cells}),"unknown")'
    return Formula(known, value_in(totals, column), column.unit or "1", look="total")


def _racks(book: Book, answer: dict[str, Any]) -> None:
    sheet = book.sheet("Racks", (24, 12, 14, 12))
    sheet.header("Kind", "Racks", "Units filled", "Work, h", numbers=(1, 2, 3))
    for line in answer["racks"]:
        sheet.line(
            line["kind"],
            Number(line["racks"]),
            Number(line["used_units"]),
            Number(line["installation_hours"], "h"),
        )
    sheet.gap()
    _notes(sheet)


def _differences(book: Book, answer: dict[str, Any]) -> None:
    sheet = book.sheet("Evaluation", (28, 16, 20, 18, 22))
    sheet.heading(
        "Beside the bill of the evaluation, which takes one kind of module and lengths by assumption",
        across=5,
    )
    sheet.header(
        "Group", "Bought", "Evaluation: bought", "Price, USD", "Evaluation: price, USD", numbers=(1, 2, 3, 4)
    )
    for line in answer["differences"]:
        sheet.line(
            line["group"],
            Number(line["bought"]),
            Number(line["evaluated_bought"]),
            Number(line["price_usd"], "USD"),
            Number(line["evaluated_price_usd"], "USD"),
        )
    sheet.gap()
    sheet.header("Tier", "Links", "Mean length, m", "Longest, m", "Assumed, m", numbers=(1, 2, 3, 4))
    for tier in answer["tier_lengths"]:
        sheet.line(
            tier["tier"],
            Number(tier["links"]),
            Number(tier["mean_m"], "m"),
            Number(tier["longest_m"], "m"),
            Number(tier["assumed_m"], "m"),
        )


def _notes(sheet: Sheet) -> None:
    sheet.line(Text(ESTIMATES, "note"))
