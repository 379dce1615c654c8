"""What a design may ask of the catalog: few questions, so that every answer can be kept and given again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from app.catalog.assumptions import AssumptionRow
from app.catalog.lookup import Catalog
from app.catalog.values import ClimateYear, Part, Price, Rental


class CatalogView(Protocol):
    """Today's catalog (`lookup.Catalog`), one that takes notes, or the values that were noted once.

    Scenarios are resolved with these questions alone: the answer to any other could not be kept with a
    revision. Each raises CatalogLookupError where there is no answer.
    """

    @property
    def today(self) -> Catalog: ...

    @property
    def revision(self) -> str: ...

    def keys(self, kind: str) -> tuple[str, ...]: ...

    def part(self, kind: str, key: str) -> Part: ...

    def price(self, part_key: str) -> Price | None: ...

    def price_absence(self, part_key: str) -> str: ...

    def price_estimate(self, part_key: str) -> Price | None: ...

    def price_item(self, key: str) -> Price: ...

    def rental(self, accelerator_key: str, kind: str, vendor_class: str = "") -> Rental | None: ...

    def climate(self, key: str) -> ClimateYear: ...

    def assumption(self, room: str, name: str, context: Mapping[str, str]) -> AssumptionRow: ...

    def assumption_names(self, room: str) -> tuple[str, ...]: ...
