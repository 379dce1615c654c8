"""What accelerators cost by the hour."""

from __future__ import annotations

from typing import ClassVar, Literal

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, Number, SourcedKind, Table

Terms = Literal["on_demand", "reserved", "spot", "capacity_block", "contract", "quote", "own_cost", "index"]

VendorClass = Literal["", "hyperscaler", "neocloud", "marketplace", "market"]
"""What kind of seller: market is an index or a model over several; empty where it is not stated."""


class Rental(SourcedKind):
    """One dated offer. Compare only within one `terms`."""

    kind: ClassVar[str] = "rentals"
    file: ClassVar[str] = "cloud_rentals.csv"
    title: ClassVar[str] = "Cloud rentals"
    table: ClassVar[Table] = "price"
    name_field: ClassVar[str] = "accelerator"
    vendor_field: ClassVar[str] = "provider"
    foreign_keys: ClassVar = {"accelerator_key": ("accelerators",)}
    date_columns: ClassVar[tuple[str, ...]] = ("date",)

    date: str = text(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")
    provider: str = text(min_length=1)
    vendor_class: VendorClass = text()
    region: str = text()
    instance: str = text()
    accelerator: str = text(min_length=1)
    accelerator_key: str = text(min_length=1)
    accelerators_per_instance: Count = number("accel_per_instance")
    term: str = text()
    terms: Terms = text("kind")
    value: Number = number("usd_per_accel_hour", "USD/h", "per accelerator")
    url: str = text()
    confidence: str = text()
    notes: str = text("note")
