"""A cash flow as comma-separated values (RFC 4180): one row a year, then the totals."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.scenarios.reading.spreadsheets.text import csv_bytes
from app.views.economics.cash_flow.report import CashFlowAnswer

TOTAL = "total"


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
