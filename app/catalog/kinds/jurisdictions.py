"""Rules of a place: tax on profit, writing off, duty and sales tax on equipment, and what building and people cost."""

from __future__ import annotations

from typing import ClassVar, Literal

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, Number, SourcedKind


class Jurisdiction(SourcedKind):
    """A country, or a state or province whose rules differ from the rest of it."""

    kind: ClassVar[str] = "jurisdictions"
    file: ClassVar[str] = "jurisdictions.csv"
    title: ClassVar[str] = "Jurisdictions"
    vendor_field: ClassVar[str] = ""

    name: str = text(min_length=1)
    country: str = text(min_length=2, max_length=2)
    depreciation: Literal["macrs", "straight_line"]
    year: Count = None
    confidence: str = text()
    tax_rate: Number = number("tax_rate", "", "on profit, state and federal together", group="tax")
    equipment_write_off_years: Number = number(
        "equipment_write_off_years", "years", "of computers, for tax", group="writing off"
    )
    building_write_off_share_per_year: Number = number(
        "building_write_off_share_per_year", "1/year", "of its price, for tax; 0: none", group="writing off"
    )
    import_duty_share: Number = number(
        "import_duty_share", "", "of the price of servers", group="duty",
        low="import_duty_share_low", high="import_duty_share_high",
    )  # fmt: skip
    sales_tax_share: Number = number(
        "sales_tax_share", "", "that a data centre does not recover", group="sales tax",
        low="sales_tax_share_low", high="sales_tax_share_high",
    )  # fmt: skip
    construction_cost_factor: Number = number(
        "construction_cost_factor", "", "over the mean of US markets", group="construction",
        low="construction_cost_low", high="construction_cost_high",
    )  # fmt: skip
    labour_cost_factor: Number = number(
        "labour_cost_factor", "", "over the US", group="labour",
        low="labour_cost_factor_low", high="labour_cost_factor_high",
    )  # fmt: skip
