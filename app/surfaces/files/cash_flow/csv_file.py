"""A cash flow as comma-separated values (RFC 4180): one row a year, then the totals."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from typing import Any

from app.views.economics.cash_flow.report import CashFlowAnswer

TOTAL = "total"


def cash_flow_csv(answer: CashFlowAnswer) -> bytes:
    """Numbers so that they are read back exactly; unknown is an empty cell, and so is a total that says nothing."""
    rows = [_flat(dataclasses.asdict(year)) for year in answer.years]
    totals = {"year": TOTAL} | _flat(dataclasses.asdict(answer.totals))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\r\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    writer.writerow(totals)
    return text.getvalue().encode()


def _flat(values: dict[str, Any]) -> dict[str, str | int]:
    """Running cost by kind in columns of their own."""
    found: dict[str, str | int] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found |= {f"operating_{kind}_usd": _written(usd) for kind, usd in value.items()}
        else:
            found[name] = _written(value)
    return found


def _written(value: float | int) -> str | int:
    if isinstance(value, int):
        return value
    return "" if math.isnan(value) else repr(value)
