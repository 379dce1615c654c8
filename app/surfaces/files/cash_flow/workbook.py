"""A cash flow as a workbook: change an input, and every year follows."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from app.surfaces.files.cash_flow.flow_sheet import flow_sheet
from app.surfaces.files.cash_flow.inputs_sheet import inputs_sheet
from app.surfaces.files.workbook.sheet import Book
from app.views.economics.cash_flow.report import CashFlowAnswer

UNDATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same answer makes the same file
LEAST_YEARS = 10  # of room, so that a longer life can be tried


def cash_flow_xlsx(answer: CashFlowAnswer) -> bytes:
    """The same answer gives the same bytes: nothing in the file is taken from the clock."""
    book = Book(title=answer.name, subject="Cash flow by Podwright", created=UNDATED)
    last_year = max(LEAST_YEARS, math.ceil(answer.terms.life_years))
    inputs_sheet(book, answer, last_year)
    flow_sheet(book, answer, last_year)
    return book.content()
