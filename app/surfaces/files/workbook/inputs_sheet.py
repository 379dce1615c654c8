"""Every number that the evaluation started from, with its unit and where it comes from."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from app.engine.leaves import leaves
from app.engine.trace import Array, Origin
from app.engine.units import unit_of
from app.scenarios.resolve import Resolved
from app.surfaces.files.rows import input_label
from app.surfaces.files.workbook.sources_sheet import Citations
from app.views.sheet import Book, Cell, Number, Sheet, Text, unit_cell

NAME = "Inputs"
COLUMNS = (
    "Input", "Value", "Unit", "Kind", "Source", "Date", "Low", "High", "As printed", "Catalog row", "Name",
)  # fmt: skip
KIND_WORDS = {"third_party": "third party"}


def inputs_sheet(book: Book, resolved: Resolved, citations: Citations) -> None:
    """One row a number, by the part of the design that it belongs to."""
    sheet = book.sheet(NAME, (44, 20, 14, 12, 72, 12, 14, 14, 20, 44, 56))
    sheet.header(*COLUMNS, numbers=(1, 6, 7), frozen=True)
    numbers = [
        (path.replace("assumptions.rooms.", "assumptions."), value) for path, value in leaves(resolved.design)
    ]
    for part, inside in groupby(numbers, key=lambda found: _part(found[0])):
        sheet.heading(part, across=len(COLUMNS))
        for path, value in inside:
            _line(sheet, path, value, resolved.origins[path], citations)


def _part(path: str) -> str:
    first, second, *_ = path.split(".")
    return f"Assumptions, {second}" if first == "assumptions" else first.capitalize()


def _line(sheet: Sheet, path: str, value: Array, origin: Origin, citations: Citations) -> None:
    unit = unit_of(path)
    low, high = _range(value) if value.size > 1 else (origin.low, origin.high)
    sheet.line(
        input_label(origin),
        Text(f"{value.size:,} values", "muted") if value.size > 1 else Number(_known(value), unit),
        unit_cell(unit),
        KIND_WORDS.get(origin.kind, origin.kind),
        _source(origin, citations),
        origin.date,
        _or_blank(low, unit),
        _or_blank(high, unit),
        origin.printed,
        Text(origin.catalog, "muted"),
        Text(origin.field or path, "muted"),
    )


def _source(origin: Origin, citations: Citations) -> str:
    if origin.source:
        return citations.words(origin.source)
    return "stated in the scenario" if origin.kind == "scenario" else ""


def _range(values: Array) -> tuple[float, float]:
    return float(np.min(values)), float(np.max(values))


def _known(value: Array) -> float | None:
    number = float(value[0])
    return number if np.isfinite(number) else None


def _or_blank(value: float | None, unit: str) -> Cell:
    return None if value is None else Number(value, unit)
