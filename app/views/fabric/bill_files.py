"""The bill of materials of a pod's networks as text and as files: JSON, CSV, and a workbook that computes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from app.charts.format import show
from app.scenarios.errors import refuse, shorten
from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.materials import FabricBill
from app.views.file_format import FileFormat, by_name, csv_file, json_file, xlsx_file
from app.views.sheet import Book, Cell, Formula, Number, Sheet, Text
from app.views.table import FileColumn

COLUMNS = (
    FileColumn("Network", "network", width=13),
    FileColumn("Role", "role", width=12),
    FileColumn("Tier", "tier", width=11),
    FileColumn("Item", "item", width=30),
    FileColumn("Part", "part", width=30),
    FileColumn("Installed", "installed", "1"),
    FileColumn("Spare", "spare", "1", 9),
    FileColumn("Bought", "bought", "1"),
    FileColumn("Unit price low, USD", "unit_price_usd.low", "USD"),
    FileColumn("Unit price, USD", "unit_price_usd.typical", "USD"),
    FileColumn("Unit price high, USD", "unit_price_usd.high", "USD"),
    FileColumn("Price low, USD", "price_usd.low", "USD", 14, is_summed=True),
    FileColumn("Price, USD", "price_usd.typical", "USD", 14, is_summed=True),
    FileColumn("Price high, USD", "price_usd.high", "USD", 14, is_summed=True),
    FileColumn("Power, W", "power_w", "W", is_summed=True),
    FileColumn("Rack units", "rack_units", "1", is_summed=True),
    FileColumn("Work, h", "installation_hours", "h", is_summed=True),
    FileColumn("Note", "note", width=40),
)
UNDATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same bill makes the same file
NUMBERS = [place for place, column in enumerate(COLUMNS) if column.unit]
LETTER = {column.path: chr(ord("A") + place) for place, column in enumerate(COLUMNS)}
ESTIMATES = (
    "Planning estimates, not guarantees: counts follow from the design, prices are ranges of what was published, and work is "
    "an assumption. What is unknown says so and is not taken for nothing."
)


def bill_text(answer: dict[str, Any]) -> str:
    """Line by line, network by network, then the totals and what is to be minded."""
    lines = [f"{answer['name']}: bill of materials of its networks"]
    for network in answer["networks"]:
        lines += ["", network["title"]]
        mine = [line for line in answer["lines"] if line["network"] == network["network"]]
        lines += [_text_line(line) for line in mine]
        lines.append(_text_sum("  Total", network["totals"]))
    lines += ["", _text_sum("All networks", answer["totals"])]
    if answer["racks"]:
        racks = ", ".join(f"{line['racks']:,} {line['kind']}" for line in answer["racks"])
        lines.append(f"Racks: {racks}")
    lines += [f"\nWarning [{problem['field']}]: {problem['message']}" for problem in answer["problems"]]
    lines.append(
        "\nPlanning estimates, not guarantees: prices are ranges of what was published, work is an assumption."
    )
    return "\n".join(lines)


def _text_line(line: dict[str, Any]) -> str:
    spare = f" + {line['spare']:,.0f} spare" if line["spare"] else ""
    counts = f"{line['installed']:,.0f}{spare}"
    return f"  {line['item']:<34} {counts:<24} {_money(line['price_usd']):<34} {line['part']}"


def _text_sum(words: str, totals: dict[str, Any]) -> str:
    price = _money(totals["price_usd"])
    if totals["unpriced_lines"]:
        known = show(totals["priced_usd"], "USD").text
        price = f"unknown: {known} and {totals['unpriced_lines']} lines without a price"
    power = show(totals["power_w"], "W").text
    return f"{words}: {price}; {power}; {totals['installation_hours']:,.0f} h of work"


def _money(price: dict[str, Any]) -> str:
    if price["typical"] is None:
        return "price unknown"
    low, typical, high = (show(price[name], "USD").text for name in ("low", "typical", "high"))
    return typical if low == high else f"{typical} ({low} to {high})"


def bill_csv(bill: FabricBill) -> bytes:
    """Numbers so that they are read back exactly, text so that it is never computed; unknown is an empty cell."""
    answer = bill_answer(bill)
    lines = ([column.of(line) for column in COLUMNS] for line in answer["lines"])
    sums = (*((one["network"], one["totals"]) for one in answer["networks"]), ("all", answer["totals"]))
    return csv_bytes([(column.title for column in COLUMNS), *lines, *(_sums(*one) for one in sums)])


def _sums(network: str, totals: dict[str, Any]) -> list[Any]:
    words = {"network": network, "role": "total"}
    return [column.of(totals) if column.is_summed else words.get(column.path) for column in COLUMNS]


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


def _cell(line: dict[str, Any], column: FileColumn, row: int) -> Cell:
    value = column.of(line)
    if column.unit is None:
        return Text(str(value))
    if column.path.startswith("price_usd."):
        bought, unit = LETTER["bought"], LETTER[f"unit_{column.path}"]
        return Formula(f"={bought}{row}*{unit}{row}", value, column.unit)
    is_input = column.path.startswith("unit_price_usd.")
    return Number(value, column.unit, look="input" if is_input else "number")


def _total(totals: dict[str, Any], column: FileColumn, top: int, last: int) -> Cell:
    letter = LETTER[column.path]
    if column.path == "network":
        return Text("Total", "total")
    if not column.is_summed:
        return Text("", "total")
    cells = f"{letter}{top}:{letter}{last}"
    # A sum passes over words, so it would take what is unknown for nothing.
    known = f'=IF(COUNT({cells})=ROWS({cells}),SUM({cells}),"unknown")'
    return Formula(known, column.of(totals), column.unit or "1", look="total")


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


FORMATS: dict[str, FileFormat[FabricBill]] = by_name(
    json_file(".bill.json", bill_answer),
    csv_file(bill_csv, ".bill.csv"),
    xlsx_file(bill_xlsx, ".bill.xlsx"),
)


def bill_format(name: str) -> FileFormat[FabricBill]:
    """The format of that name.

    Raises
    ------
    ScenarioError : there is none
    """
    if name not in FORMATS:
        raise refuse(
            f"{shorten(name)} is not a format of a bill.",
            rule="one_of",
            path="format",
            value=name,
            hint=f"Formats: {', '.join(FORMATS)}.",
            stated=True,
        )
    return FORMATS[name]
