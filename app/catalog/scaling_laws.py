"""The built-in scaling laws: `seed_data/scaling_laws/`, read once a process.

`laws.csv` has one line a law with where it was fitted, `constants.csv` its constants with intervals, and
`points.csv` the compute-optimal models that its source prints.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from app.catalog.seed_files import SeedRow, read_rows
from app.engine.scaling.law import Constant, FrontierPoint, ScalingLaw, Span
from app.paths import seed_data

DEFAULT_LAW = "epoch_refit"
LAWS_FILE, CONSTANTS_FILE, POINTS_FILE = (
    f"scaling_laws/{name}.csv" for name in ("laws", "constants", "points")
)
SPANS = ("parameters", "tokens", "flops")
WORDS = ("key", "name", "form", "base", "formula", "confidence", "source", "note")
LAW_COLUMNS = (*WORDS, *(f"{name}_{end}" for name in SPANS for end in ("low", "high")))
BOUNDS = ("low", "high", "probability", "standard_error")
CONSTANT_COLUMNS = ("law", "constant", "value", *BOUNDS, "confidence", "note")
POINT_COLUMNS = ("law", "parameters", "flops", "tokens", "note")


@cache
def scaling_laws() -> dict[str, ScalingLaw]:
    """The shipped laws by key, the default first.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return read_scaling_laws(seed_data())


def read_scaling_laws(seed_dir: Path) -> dict[str, ScalingLaw]:
    """The laws of a folder of seed data, in the order of its file.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    lines = {row.cells["key"]: row for row in read_rows(seed_dir, LAWS_FILE, LAW_COLUMNS)}
    constants: dict[str, dict[str, Constant]] = {key: {} for key in lines}
    points: dict[str, list[FrontierPoint]] = {key: [] for key in lines}
    for row in read_rows(seed_dir, CONSTANTS_FILE, CONSTANT_COLUMNS):
        constants[_law_of(row, lines)][row.cells["constant"]] = _constant(row)
    for row in read_rows(seed_dir, POINTS_FILE, POINT_COLUMNS):
        points[_law_of(row, lines)].append(
            FrontierPoint(
                parameters=row.needed("parameters"),
                flops=row.needed("flops"),
                tokens=row.number("tokens"),
            )
        )
    return {key: _law(row, constants[key], tuple(points[key])) for key, row in lines.items()}


def _law(row: SeedRow, constants: dict[str, Constant], points: tuple[FrontierPoint, ...]) -> ScalingLaw:
    cells = {name: row.cells[name] for name in WORDS}
    spans = {name: Span(low=row.number(f"{name}_low"), high=row.number(f"{name}_high")) for name in SPANS}
    values: dict[str, Any] = {**cells, **spans, "constants": constants, "points": points}
    return ScalingLaw(**values)


def _law_of(row: SeedRow, known: dict[str, SeedRow]) -> str:
    if row.cells["law"] not in known:
        raise row.error("law", f"{row.cells['law']!r} is not a law of {LAWS_FILE}")
    return row.cells["law"]


def _constant(row: SeedRow) -> Constant:
    return Constant(
        value=row.needed("value"),
        **{name: row.number(name) for name in BOUNDS},
        confidence=row.cells["confidence"],
        note=row.cells["note"],
    )
