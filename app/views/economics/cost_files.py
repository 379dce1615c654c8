"""The cost tree of a design as files: JSON, CSV, and a workbook that sums by formula.

A row a part, then the branches, then the whole. The workbook has what decides and both buildings, too.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.views.economics.cost_tree import BRANCHES, CostTree, CostTreeBranch, CostTreePart, CostTreeSum
from app.views.file_format import FileFormat, by_name, csv_file, json_file, xlsx_file
from app.views.sheet import Book, Cell, Formula, Number, Sheet, Text
from app.views.table import FileColumn

COLUMNS = (
    FileColumn("Branch", "branch", None, 20),
    FileColumn("Part", "title", None, 22),
    FileColumn("Kind", "kind", None, 10),
    FileColumn("Price, USD", "price_usd", "USD", 16, is_summed=True),
    FileColumn("A year, USD", "usd_per_year", "USD/year", 16, is_summed=True),
    FileColumn("Over the life, USD", "tco_usd", "USD", 18, is_summed=True),
    FileColumn("Utilised accelerator-hour, USD", "usd_per_accelerator_hour", "USD/h", 18, is_summed=True),
    FileColumn("Share of TCO", "share", "1", 12, is_summed=True),
    FileColumn("Basis", "basis", None, 14),
    FileColumn("Source", "source", None, 60),
    FileColumn("As of", "as_of", None, 10),
)
UNDATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same tree makes the same file
NUMBERS = [place for place, column in enumerate(COLUMNS) if column.unit]
LETTER = {column.path: chr(ord("A") + place) for place, column in enumerate(COLUMNS)}


def tree_csv(tree: CostTree) -> bytes:
    """Numbers so that they are read back exactly, text so that it is never computed; unknown is an empty cell."""
    parts = ((BRANCHES[part.branch], *(column.of(part) for column in COLUMNS[1:])) for part in tree.parts)
    sums = (*((branch.title, branch.together) for branch in tree.branches), ("All", tree.together))
    return csv_bytes([(column.title for column in COLUMNS), *parts, *(_sums(*one) for one in sums)])


def _sums(title: str, together: CostTreeSum) -> list[Any]:
    words = {"branch": title, "title": "Total"}
    return [column.of(together) if column.is_summed else words.get(column.path) for column in COLUMNS]


def tree_xlsx(tree: CostTree) -> bytes:
    """The same tree gives the same bytes: nothing in the file is taken from the clock."""
    book = Book(title=tree.name, subject="Cost of owning by Podwright", created=UNDATED)
    _tree(book, tree)
    _levers(book, tree)
    _buildings(book, tree)
    return book.content()


def _tree(book: Book, tree: CostTree) -> None:
    sheet = book.sheet("Cost breakdown", [column.width for column in COLUMNS])
    sheet.header(*(column.title for column in COLUMNS), numbers=NUMBERS, frozen=True)
    sums = []
    for branch in tree.branches:
        top = sheet.row + 1  # as Excel counts
        for part in branch.parts:
            sheet.line(*(_cell(branch, part, column) for column in COLUMNS))
        cells = f"{{letter}}{top}:{{letter}}{sheet.row}"
        sums.append(_sum_line(sheet, branch.title, branch.together, cells, f'COUNTIF({cells},"unknown")=0'))
    cells = ",".join(f"{{letter}}{row + 1}" for row in sums)
    _sum_line(sheet, "All", tree.together, cells, f"COUNT({cells})={len(sums)}")
    sheet.gap()
    sheet.line(Text(tree.basis, "note"))


def _cell(branch: CostTreeBranch, part: CostTreePart, column: FileColumn) -> Cell:
    if column.path == "branch":
        return Text(branch.title)
    value = column.of(part)
    if column.unit is None:
        return Text(value)
    if value is None:
        return None  # nothing of it is bought
    return Number(value, column.unit, look="share" if column.path == "share" else "number")


def _sum_line(sheet: Sheet, title: str, together: CostTreeSum, cells: str, is_known: str) -> int:
    """Sums over `cells`, where {letter} stands for the column; gives the row."""
    words = {"branch": title, "title": "Total"}

    def cell(column: FileColumn) -> Cell:
        if not column.is_summed:
            return Text(words.get(column.path, ""), "total")
        value = column.of(together)
        # A sum passes over words, so it would take what is unknown for nothing.
        formula = f"=SUM({cells})" if not math.isnan(value) else f'=IF({is_known},SUM({cells}),"unknown")'
        look = "share" if column.path == "share" else "total"
        return Formula(formula.format(letter=LETTER[column.path]), value, column.unit or "1", look=look)

    return sheet.line(*(cell(column) for column in COLUMNS))


def _levers(book: Book, tree: CostTree) -> None:
    sheet = book.sheet("Main drivers", (26, 12, 14, 14, 14, 18, 18, 14, 70))
    sheet.header(
        "Term", "Unit", "This design", "Low", "High", "At low, USD/h", "At high, USD/h", "Swing, USD/h", "Range",
        numbers=range(2, 8), frozen=True,
    )  # fmt: skip
    for lever in tree.levers:
        row = sheet.row + 1
        sheet.line(
            lever.title,
            lever.unit,
            *(Number(value, lever.unit) for value in (lever.value, lever.low, lever.high)),
            Number(lever.usd_per_accelerator_hour_low, "USD/h"),
            Number(lever.usd_per_accelerator_hour_high, "USD/h"),
            Formula(f"=ABS(G{row}-F{row})", lever.swing_usd, "USD/h"),
            lever.said,
        )
    for note in tree.notes:
        sheet.line(Text(note, "note"))


def _buildings(book: Book, tree: CostTree) -> None:
    sheet = book.sheet("Own or colocate", (34, 20, 20))
    owned, hired = tree.buildings
    sheet.header("Figure", "Owned", "Colocation", numbers=(1, 2))
    for title, field, unit in (
        ("Capital expenditure, USD", "capex_usd", "USD"),
        ("Operating expenditure per year, USD", "opex_usd_per_year", "USD/year"),
        ("of that and of capital, the building, USD", "building_usd_per_year", "USD/year"),
        ("A year of ownership, USD", "annual_cost_usd_per_year", "USD/year"),
        ("Total cost over the life, USD", "tco_usd", "USD"),
        ("Utilised accelerator-hour, USD", "usd_per_accelerator_hour", "USD/h"),
    ):
        sheet.line(title, *(Number(getattr(case, field), unit) for case in (owned, hired)))


FORMATS: dict[str, FileFormat[CostTree]] = by_name(
    json_file(".cost.json"), csv_file(tree_csv, ".cost.csv"), xlsx_file(tree_xlsx, ".cost.xlsx")
)
