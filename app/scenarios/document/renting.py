"""Rental terms besides the hourly price, and the price path."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.document.prices import PriceUsdPerHour
from app.scenarios.fields import PERCENT, Display, NotNegative, Part, Share

Change = Annotated[float, Field(gt=-1, le=10)]


class RentingDocument(Part):
    """What is left out is taken from the catalog and its assumptions."""

    price_path: Literal["flat", "decay", "history", "shock"] = Field(
        title="Price path",
        default="flat",
        description="How rental prices go on: flat; decay: by a share a year; history: as they have moved; "
        "shock: a jump in one month.",
    )
    spot_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="Spot price", default=None, description="Rent on the spot market."
    )
    capacity_block_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="Capacity block price", default=None, description="Rent of a block of capacity booked ahead."
    )
    price_change_per_year: Annotated[Change | None, PERCENT] = Field(
        title="Annual price change",
        default=None,
        description="Change of rental prices a year on the path decay, as a fraction; below 0 they fall.",
    )
    shock_month: Annotated[Annotated[float, Field(ge=1, le=600)] | None, Display(unit="months")] = Field(
        title="Month of the price shock", default=None, description="Month of the jump on the path shock."
    )
    shock_share: Annotated[Change | None, PERCENT] = Field(
        title="Price shock", default=None, description="The jump, as a fraction of the price before it."
    )
    storage_usd_per_tb_month: Annotated[NotNegative | None, Display(unit="USD/TB mo")] = Field(
        title="Rented storage price", default=None, description="Rented storage."
    )
    egress_tb_per_month: Annotated[NotNegative | None, Display(unit="TB/mo")] = Field(
        title="Data egress", default=None, description="Data taken out of the cloud."
    )
    egress_usd_per_tb: Annotated[NotNegative | None, Display(unit="USD/TB")] = Field(
        title="Egress price", default=None, description="Price of data taken out."
    )
    support_share: Share | None = Field(
        title="Support plan, share of rent",
        default=None,
        description="Support plan, as a fraction of the rent.",
    )
    setup_usd: NotNegative | None = Field(
        title="Setup cost", default=None, description="One-time cost of moving in."
    )
    goodput_ratio: Annotated[float, Field(ge=0.01, le=2)] | None = Field(
        title="Goodput ratio (rented / owned)",
        default=None,
        description="Useful share of a rented hour over that of an owned one.",
    )
    commitment_months: Annotated[Annotated[float, Field(ge=1, le=120)] | None, Display(unit="months")] = (
        Field(
            title="Reservation term",
            default=None,
            description="Months that a reserved price holds before it follows the market.",
        )
    )
    peak_over_mean: Annotated[float, Field(ge=1, le=100)] | None = Field(
        title="Peak-to-mean ratio",
        default=None,
        description="Accelerators in use at the busiest time over those in use on average; the pod is the most.",
    )
    horizon_months: Annotated[Annotated[float, Field(ge=1, le=600)] | None, Display(unit="months")] = Field(
        title="Comparison horizon",
        default=None,
        description="Months that owning and renting are compared over.",
    )
