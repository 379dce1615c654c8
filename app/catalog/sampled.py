"""Values of the catalog that are drawn to be read in their sources: by rule, so that no one chooses them.

`seed_data/catalog_sample.csv` says of each what was read where, or that its source could not be opened.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from app.catalog.seed_files import read_rows
from app.catalog.values import Fact
from app.catalog.view import CatalogView
from app.paths import seed_data

FILE = "catalog_sample.csv"
COLUMNS = ("kind", "key", "field", "value", "verdict", "read_in", "read_on")
KINDS = ("accelerators", "cpus", "dpus", "models", "nics", "optics", "storage", "switches", "systems")
PRINTED = ("vendor", "measured", "third_party")
"""Kinds of value that others print; what is computed or assumed has no source to be read in."""
VERDICTS = ("as printed", "computed", "corrected", "not opened")
"""Read as it is; computed from what is printed; wrong or wrongly sourced, and fixed; or not read at all."""


class Drawn(NamedTuple):
    """A value that is drawn."""

    kind: str
    key: str
    field: str
    fact: Fact


class Sampled(NamedTuple):
    """What was read of it."""

    kind: str
    key: str
    field: str
    value: float
    verdict: str
    read_in: str


def drawn(catalog: CatalogView, count: int) -> list[Drawn]:
    """So many values that are printed somewhere: those of the least SHA-256 of kind/key/field."""
    found = [
        Drawn(kind, key, field, fact)
        for kind in KINDS
        for key in catalog.keys(kind)
        for field, fact in catalog.part(kind, key).facts.items()
        if fact.kind in PRINTED
    ]
    return sorted(found, key=lambda one: place(one.kind, one.key, one.field))[:count]


def place(kind: str, key: str, field: str) -> str:
    """What values are drawn by."""
    return hashlib.sha256(f"{kind}/{key}/{field}".encode()).hexdigest()


def sampled() -> list[Sampled]:
    """The record of what was drawn, in the order of the rule."""

    return [
        Sampled(
            cells["kind"],
            cells["key"],
            cells["field"],
            float(cells["value"]),
            cells["verdict"],
            cells["read_in"],
        )
        for cells in (row.cells for row in read_rows(seed_data(), FILE, COLUMNS))
    ]
