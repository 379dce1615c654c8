"""The bill as comma-separated values (RFC 4180): one row a line, then the totals."""

from __future__ import annotations

import csv
import io
from typing import Any

from app.scenarios.reading.spreadsheets.text import to_cell
from app.surfaces.files.materials.columns import COLUMNS, SUMMED, Column, value_in
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.materials import FabricBill


def bill_csv(bill: FabricBill) -> bytes:
    """Numbers so that they are read back exactly, text so that it is never computed; unknown is an empty cell."""
    answer = bill_answer(bill)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(column.title for column in COLUMNS)
    for line in answer["lines"]:
        writer.writerow([_written(value_in(line, column)) for column in COLUMNS])
    for network in answer["networks"]:
        writer.writerow([_total(network["network"], network["totals"], column) for column in COLUMNS])
    writer.writerow([_total("all", answer["totals"], column) for column in COLUMNS])
    return text.getvalue().encode()


def _total(network: str, totals: dict[str, Any], column: Column) -> str:
    if column.path == ("network",):
        return network
    if column.path == ("role",):
        return "total"
    return _written(value_in(totals, column)) if column.path[0] in SUMMED else ""


def _written(value: float | str | None) -> str:
    if value is None:
        return ""
    return to_cell(value) if isinstance(value, str) else repr(value)
