"""What the what-if assumes where none is stated, each with its source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.catalog.assumptions import AssumptionRow
from app.catalog.view import CatalogView
from app.engine.trace import Array

ROOM = "savings"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsValue:
    """A value with what says it: the what-if, the scenario, or an assumption."""

    name: str
    value: float
    unit: str
    kind: str
    source: str
    description: str

    @property
    def array(self) -> Array:
        return np.array([self.value])


@dataclass(frozen=True, slots=True)
class Assumed:
    """The room's rows, looked up by name."""

    catalog: CatalogView

    def used(self, name: str, stated: float | None = None) -> SavingsValue:
        """What was asked for, else the assumption."""
        row = self.row(name)
        if stated is None:
            return SavingsValue(
                name=name,
                value=row.value,
                unit=row.unit,
                kind=row.kind,
                source=row.source,
                description=row.description,
            )
        return SavingsValue(
            name=name,
            value=stated,
            unit=row.unit,
            kind="scenario",
            source="stated",
            description=row.description,
        )

    def array(self, name: str) -> Array:
        return np.array([self.row(name).value])

    def row(self, name: str) -> AssumptionRow:
        return self.catalog.assumption(ROOM, name, {})
