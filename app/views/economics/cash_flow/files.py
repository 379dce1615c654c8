"""The files a cash flow can be had as: the years as CSV, a workbook where every year follows its inputs, and JSON."""

from __future__ import annotations

import dataclasses
import math
from datetime import UTC, datetime
from typing import Any

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.views.economics.cash_flow.flow_sheet import flow_sheet
from app.views.economics.cash_flow.inputs_sheet import inputs_sheet
from app.views.economics.cash_flow.report import CashFlowAnswer
from app.views.file_format import FileFormat, by_name, csv_file, json_file, xlsx_file
from app.views.sheet import Book

TOTAL = "total"
UNDATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same answer makes the same file
LEAST_YEARS = 10  # of room, so that a longer life can be tried


def cash_flow_csv(answer: CashFlowAnswer) -> bytes:
    """Numbers so that they are read back exactly; unknown is an empty cell, and so is a total that says nothing."""
    rows = [_flat(dataclasses.asdict(year)) for year in answer.years]
    totals = {"year": TOTAL} | _flat(dataclasses.asdict(answer.totals))
    names = list(rows[0])
    return csv_bytes([names, *([row.get(name) for name in names] for row in (*rows, totals))])


def _flat(values: dict[str, Any]) -> dict[str, Any]:
    """Running cost by kind in columns of their own."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found |= {f"operating_{kind}_usd": usd for kind, usd in value.items()}
        else:
            found[name] = value
    return found


def cash_flow_xlsx(answer: CashFlowAnswer) -> bytes:
    """The same answer gives the same bytes: nothing in the file is taken from the clock."""
    book = Book(title=answer.name, subject="Cash flow by Podwright", created=UNDATED)
    last_year = max(LEAST_YEARS, math.ceil(answer.terms.life_years))
    inputs_sheet(book, answer, last_year)
    flow_sheet(book, answer, last_year)
    return book.content()


FORMATS: dict[str, FileFormat[CashFlowAnswer]] = by_name(
    csv_file(cash_flow_csv, ".cash.csv"),
    xlsx_file(cash_flow_xlsx, ".cash.xlsx", "Excel, with formulas"),
    json_file(".cash.json"),
)
