"""What rows of a kind can be filtered and sorted by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from app.catalog.columns import numeric_columns
from app.catalog.kinds import KINDS
from app.catalog.lookup import Part

OF_EVERY_ROW = ("key", "name", "vendor", "year", "status", "source")
NOT_OF_A_ROW = frozenset({"url", "confidence", "memory_only_fields", "licence_key"})
"""They belong to single figures; the answer for one part shows them there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of the rows of a kind. Numbers are in `unit`; text is compared whatever its case."""

    name: str
    type: Literal["number", "text"]
    unit: str = ""
    basis: str = ""

    def of(self, part: Part) -> float | str | None:
        """The field of one row, None when it is unknown."""
        if self.type == "number":
            found = part.year if self.name == "year" else _number(part, self.name)
            return None if found is None else float(found)
        text = getattr(part, self.name) if self.name in OF_EVERY_ROW else part.attributes.get(self.name)
        return str(text).casefold() if text not in (None, "") else None


def _number(part: Part, name: str) -> float | None:
    if name in part.facts:
        return part.facts[name].value
    found = part.attributes.get(name)  # of prices and rentals, all numbers but one stand here
    return found if isinstance(found, int | float) else None


@cache
def fields_of(kind: str) -> Mapping[str, Field]:
    """Name -> field, what every row has first."""
    spec = KINDS[kind]
    found = {name: Field(name=name, type="number" if name == "year" else "text") for name in OF_EVERY_ROW}
    for column in numeric_columns(spec):
        found[column.field] = Field(name=column.field, type="number", unit=column.unit, basis=column.basis)
    for name in spec.model_fields:
        if name not in NOT_OF_A_ROW:
            found.setdefault(name, Field(name=name, type="text"))
    return found
