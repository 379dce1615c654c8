"""The bill as comma-separated values (RFC 4180): one row a line, then the totals."""

from __future__ import annotations

from typing import Any

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.surfaces.files.materials.columns import COLUMNS, SUMMED, value_in
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.materials import FabricBill


def bill_csv(bill: FabricBill) -> bytes:
    """Numbers so that they are read back exactly, text so that it is never computed; unknown is an empty cell."""
    answer = bill_answer(bill)
    lines = ([value_in(line, column) for column in COLUMNS] for line in answer["lines"])
    sums = (*((one["network"], one["totals"]) for one in answer["networks"]), ("all", answer["totals"]))
    return csv_bytes([(column.title for column in COLUMNS), *lines, *(_total(*one) for one in sums)])


def _total(network: str, totals: dict[str, Any]) -> list[Any]:
    words: dict[tuple[str, ...], str] = {("network",): network, ("role",): "total"}
    return [
        value_in(totals, column) if column.path[0] in SUMMED else words.get(column.path) for column in COLUMNS
    ]
