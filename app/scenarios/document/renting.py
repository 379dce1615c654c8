"""What renting costs beside the hours, and how its price moves."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.document.prices import PriceUsdPerHour
from app.scenarios.fields import NotNegative, Part, Share

Change = Annotated[float, Field(gt=-1, le=10)]


class RentingDocument(Part):
    """What is left out is taken from the catalog and its assumptions."""

    price_path: Literal["flat", "decay", "history", "shock"] = Field(
        default="flat",
        description="How rental prices go on: flat; decay: by a share a year; history: as they have moved; "
        "shock: a jump in one month.",
    )
    spot_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        default=None, description="Rent on the spot market."
    )
    capacity_block_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        default=None, description="Rent of a block of capacity booked ahead."
    )
    price_change_per_year: Change | None = Field(
        default=None,
        description="Change of rental prices a year on the path decay, as a fraction; below 0 they fall.",
    )
    shock_month: Annotated[float, Field(ge=1, le=600)] | None = Field(
        default=None, description="Month of the jump on the path shock."
    )
    shock_share: Change | None = Field(
        default=None, description="The jump, as a fraction of the price before it."
    )
    storage_usd_per_tb_month: NotNegative | None = Field(default=None, description="Rented storage.")
    egress_tb_per_month: NotNegative | None = Field(default=None, description="Data taken out of the cloud.")
    egress_usd_per_tb: NotNegative | None = Field(default=None, description="Price of data taken out.")
    support_share: Share | None = Field(default=None, description="Support plan, as a fraction of the rent.")
    setup_usd: NotNegative | None = Field(default=None, description="One-time cost of moving in.")
    goodput_ratio: Annotated[float, Field(ge=0.01, le=2)] | None = Field(
        default=None, description="Useful share of a rented hour over that of an owned one."
    )
    commitment_months: Annotated[float, Field(ge=1, le=120)] | None = Field(
        default=None, description="Months that a reserved price holds before it follows the market."
    )
    peak_over_mean: Annotated[float, Field(ge=1, le=100)] | None = Field(
        default=None,
        description="Accelerators in use at the busiest time over those in use on average; the pod is the most.",
    )
    horizon_months: Annotated[float, Field(ge=1, le=600)] | None = Field(
        default=None, description="Months that owning and renting are compared over."
    )
