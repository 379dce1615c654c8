"""Purchase prices, rates and other money figures."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import field_validator, model_validator

from app.catalog.columns import PRICE_UNITS, number, text
from app.catalog.kinds.base import Number, SourcedKind, Table

Condition = Literal[
    "", "new", "used", "list", "quote", "hyperscale", "all_in_it", "all_in_with_facility", "estimate"
]


Channel = Literal["", "list", "oem", "hyperscaler"]
"""Who was quoted a price: a buyer of single systems, an OEM's volume customer, a hyperscaler; empty where it is not stated."""
Basis = Literal["", "system", "system_with_network", "complete_it", "all_in"]
Reliability = Literal["", "usable", "indicative", "do_not_use"]


class PriceItem(SourcedKind):
    """A dated price of a part, or a generic figure of the trade."""

    kind: ClassVar[str] = "prices"
    file: ClassVar[str] = "prices.csv"
    title: ClassVar[str] = "Prices"
    table: ClassVar[Table] = "price"
    name_field: ClassVar[str] = "item"
    vendor_field: ClassVar[str] = ""
    date_columns: ClassVar[tuple[str, ...]] = ("as_of",)

    part_key: str = text()
    category: str = text()
    item: str = text(min_length=1)
    unit: str = text(min_length=1)
    condition: Condition = ""
    basis: Basis = ""  # what the price of a system covers; empty for what is no system
    reliability: Reliability = ""
    reliability_reason: str = text()
    channel: Channel = text()
    date: str = text()
    as_of: str = text(pattern=r"^$|^\d{4}(-\d{2}(-\d{2})?)?$")
    url: str = text()
    confidence: str = text()
    notes: str = text("note")
    value: Number = number("typical", "", "in `unit`", low="low", high="high")

    @field_validator("unit")
    @classmethod
    def _known_unit(cls, unit: str) -> str:
        if unit not in PRICE_UNITS:
            raise ValueError(f"unknown unit {unit!r}")
        return unit

    @model_validator(mode="after")
    def _has_a_value(self) -> PriceItem:
        if self.value is None:
            raise ValueError("neither a typical value nor a range from low to high")
        return self
