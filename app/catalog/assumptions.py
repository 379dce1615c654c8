"""Modelling assumptions: `seed_data/assumptions/<room>.csv`, one row a value, each with its source.

`applies_to` narrows a row ("generation=hopper", "precision=fp8;generation=hopper", empty for
all); of the rows of one name that match, the one that says most wins.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionRow:
    name: str
    applies_to: Mapping[str, str]
    value: float
    low: float | None
    high: float | None
    unit: str
    kind: str
    source: str
    as_of: str
    description: str


def read_assumptions(path: Path) -> list[AssumptionRow]:
    """Every row of one file, in file order."""
    with path.open(encoding="utf-8", newline="") as file:
        return [_row(record) for record in csv.DictReader(file)]


def choose(rows: Iterable[AssumptionRow], name: str, context: Mapping[str, str]) -> AssumptionRow | None:
    """The most specific row of `name` whose conditions all hold in `context`, if there is one."""
    matching = [
        row
        for row in rows
        if row.name == name and all(context.get(key) == value for key, value in row.applies_to.items())
    ]
    return max(matching, key=lambda row: len(row.applies_to), default=None)


def _row(record: dict[str, str]) -> AssumptionRow:
    conditions = (part.partition("=") for part in record["applies_to"].split(";") if part)
    return AssumptionRow(
        name=record["name"],
        applies_to={key.strip(): value.strip() for key, _, value in conditions},
        value=float(record["value"]),
        low=float(record["low"]) if record["low"] else None,
        high=float(record["high"]) if record["high"] else None,
        unit=record["unit"],
        kind=record["kind"],
        source=record["source"],
        as_of=record["as_of"],
        description=record["description"],
    )
