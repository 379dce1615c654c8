"""Modelling assumptions: `seed_data/assumptions/<room>.csv`, one row a value, each with its source.

`applies_to` narrows a row ("generation=hopper", "precision=fp8;generation=hopper", empty for
all); of the rows of one name that match, the one that says most wins.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.catalog.values import Part


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
    own: str = ""


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


def assumption_row(part: Part) -> AssumptionRow:
    """An assumption as the catalog stores it."""
    fact = part.facts["value"]
    return AssumptionRow(
        name=part.name,
        applies_to=_conditions(str(part.attributes.get("applies_to", ""))),
        value=fact.value,
        low=fact.low,
        high=fact.high,
        unit=fact.unit,
        kind=fact.kind,
        source=fact.source,
        as_of=fact.date,
        own=fact.own,
        description=str(part.attributes.get("description", "")),
    )


def _row(record: dict[str, str]) -> AssumptionRow:
    return AssumptionRow(
        name=record["name"],
        applies_to=_conditions(record["applies_to"]),
        value=float(record["value"]),
        low=float(record["low"]) if record["low"] else None,
        high=float(record["high"]) if record["high"] else None,
        unit=record["unit"],
        kind=record["kind"],
        source=record["source"],
        as_of=record["as_of"],
        description=record["description"],
    )


def _conditions(applies_to: str) -> dict[str, str]:
    pairs = (text.partition("=") for text in applies_to.split(";") if text)
    return {key.strip(): value.strip() for key, _, value in pairs}
