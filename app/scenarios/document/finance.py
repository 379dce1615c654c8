"""How a purchase is paid for and taxed."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.document.prices import PriceUsdPerHour
from app.scenarios.fields import Part, Positive, Share

Rate = Annotated[float, Field(ge=0, le=1)]


class CurrencyDocument(Part):
    """A currency that money is also shown in, at a rate of a stated day."""

    code: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = Field(description="Three letters, such as EUR.")
    per_usd: Positive = Field(description="Units of it for one US dollar.")
    as_of: Annotated[date, Field(strict=False)] = Field(description="The day of the rate.")


class FinanceDocument(Part):
    """What is left out is taken from the catalog's assumptions."""

    prices: Literal["nominal", "real"] = Field(
        default="nominal",
        description="What the cost of capital and the rate of debt are: with inflation, or without.",
    )
    depreciation: Literal["straight_line", "declining_balance", "macrs"] = Field(
        default="straight_line", description="How equipment is written off for tax."
    )
    tax_rate: Share | None = Field(
        default=None, description="Tax on profit, as a fraction; 0 for before tax."
    )
    bonus_depreciation: Share | None = Field(
        default=None, description="Share of the equipment's price written off in its first year."
    )
    inflation: Annotated[float, Field(ge=-0.1, le=1)] | None = Field(
        default=None, description="Growth of prices a year, as a fraction."
    )
    debt_share: Share | None = Field(default=None, description="Share of the purchase that is borrowed.")
    debt_rate: Rate | None = Field(default=None, description="Interest on debt a year, as a fraction.")
    debt_years: Annotated[float, Field(gt=0, le=50)] | None = Field(
        default=None, description="Years in which debt is paid back, in level payments."
    )
    price_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        default=None,
        description="What a used accelerator-hour earns; left out, the rent on demand that owning avoids.",
    )
    currency: CurrencyDocument | None = Field(
        default=None, description="A currency that money is also shown in; figures stay in USD."
    )
