"""A sample of catalog values that were checked against their sources, drawn by rule so that no one chooses
them.

`seed_data/catalog_sample.csv` has the result and the place of each check, or says that the source could not
be opened.
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
"""Kinds of published value; computed and assumed values have no source to check."""
VERDICTS = ("as printed", "computed", "corrected", "not opened")
"""Printed as stored; computed from printed values; corrected, with its source; or not checked."""


class Drawn(NamedTuple):
    """A value of the sample."""

    kind: str
    key: str
    field: str
    fact: Fact


class Sampled(NamedTuple):
    """Result of a check."""

    kind: str
    key: str
    field: str
    value: float
    verdict: str
    read_in: str


def drawn(catalog: CatalogView, count: int) -> list[Drawn]:
    """A number of published values: those with the smallest SHA-256 of kind/key/field."""
    found = [
        Drawn(kind, key, field, fact)
        for kind in KINDS
        for key in catalog.keys(kind)
        for field, fact in catalog.part(kind, key).facts.items()
        if fact.kind in PRINTED
    ]
    return sorted(found, key=lambda one: place(one.kind, one.key, one.field))[:count]


def place(kind: str, key: str, field: str) -> str:
    """Sort key of the sample."""
    return hashlib.sha256(f"{kind}/{key}/{field}".encode()).hexdigest()


def sampled() -> list[Sampled]:
    """The recorded checks, in the order of the rule."""

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
