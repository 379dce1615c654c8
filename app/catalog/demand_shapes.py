"""How requests are spread over the hours of a day or a week: `seed_data/serving/demand_shapes.csv`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

FILE = "serving/demand_shapes.csv"
COLUMNS = ("shape", "label", "clock", "weights", "kind", "source", "as_of")
CLOCKS = ("any", "local", "UTC")
LENGTHS = (1, 24, 168)
"""Hours of a shape: all alike, a day from midnight, or a week from Monday."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandShape:
    """Requests of each hour in any unit. `clock` is the one that hours are of: local to the users, or UTC."""

    key: str
    label: str
    clock: str
    weights: tuple[float, ...]
    kind: str
    source: str
    as_of: str


@cache
def demand_shapes(directory: Path | None = None) -> dict[str, DemandShape]:
    """Every shape by its word, in file order.

    Raises
    ------
    SeedError : a row cannot be used
    """
    return {
        row.cells["shape"]: DemandShape(
            key=row.cells["shape"],
            label=row.cells["label"],
            clock=_clock(row),
            weights=_weights(row),
            kind=row.cells["kind"],
            source=row.sourced(),
            as_of=row.cells["as_of"],
        )
        for row in read_rows(directory or seed_data(), FILE, COLUMNS)
    }


def _clock(row: SeedRow) -> str:
    clock = row.cells["clock"]
    if clock not in CLOCKS:
        raise row.error("clock", f"is not one of {', '.join(CLOCKS)}")
    return clock


def _weights(row: SeedRow) -> tuple[float, ...]:
    try:
        weights = tuple(float(word) for word in row.cells["weights"].split())
    except ValueError:
        raise row.error("weights", "has a word that is not a number") from None
    if len(weights) not in LENGTHS:
        raise row.error("weights", f"has {len(weights)} hours, not 1, 24 or 168")
    if min(weights) < 0 or max(weights) <= 0:
        raise row.error("weights", "has a negative hour, or none above 0")
    return weights
