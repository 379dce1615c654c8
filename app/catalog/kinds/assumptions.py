"""Modelling assumptions of the engine's rooms, one file a room."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import model_validator

from app.catalog.columns import number, text
from app.catalog.kinds.base import CatalogKind, Number

ValueKind = Literal["vendor", "measured", "third_party", "derived", "assumption"]


class Assumption(CatalogKind):
    """A value the engine uses where no scenario and no part says otherwise."""

    kind: ClassVar[str] = "assumptions"
    file: ClassVar[str] = "assumptions"
    title: ClassVar[str] = "Modelling assumptions"
    vendor_field: ClassVar[str] = ""

    key: str = text("")  # room.name, with the conditions it holds under
    room: str = text("")
    name: str = text(min_length=1)
    applies_to: str = text()
    value: Number = number("value", "", "in `unit`", low="low", high="high", signed=True)
    unit: str = text()
    value_kind: ValueKind = text("kind")
    source: str = text(min_length=1)
    as_of: str = text()
    description: str = text()

    @model_validator(mode="after")
    def _has_a_value(self) -> Assumption:
        if self.value is None:
            raise ValueError("value is missing")
        return self
