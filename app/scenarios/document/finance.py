"""Financing and tax of a purchase."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.document.prices import PriceUsdPerHour
from app.scenarios.fields import PERCENT, Display, Part, Positive, Share

Rate = Annotated[float, Field(ge=0, le=1)]


class CurrencyDocument(Part):
    """A currency that money is also shown in, at a rate of a stated day."""

    code: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = Field(
        title="Currency", description="Three letters, such as EUR."
    )
    per_usd: Annotated[Positive, Display(unit="for one USD")] = Field(
        title="Exchange rate", description="Units of it for one US dollar."
    )
    as_of: Annotated[date, Field(strict=False)] = Field(
        title="Date of the exchange rate", description="The day of the rate."
    )


class FinanceDocument(Part):
    """What is left out is taken from the catalog's assumptions."""

    prices: Literal["nominal", "real"] = Field(
        title="Prices and rates",
        default="nominal",
        description="What the cost of capital and the rate of debt are: with inflation, or without.",
    )
    depreciation: Literal["straight_line", "declining_balance", "macrs"] = Field(
        title="Depreciation", default="straight_line", description="Depreciation method for tax."
    )
    tax_rate: Share | None = Field(
        title="Tax rate", default=None, description="Tax on profit, as a fraction; 0 for before tax."
    )
    bonus_depreciation: Share | None = Field(
        title="Bonus depreciation",
        default=None,
        description="Bonus depreciation: share of the equipment price depreciated in the first year.",
    )
    inflation: Annotated[Annotated[float, Field(ge=-0.1, le=1)] | None, PERCENT] = Field(
        title="Inflation", default=None, description="Growth of prices a year, as a fraction."
    )
    debt_share: Share | None = Field(
        title="Debt share", default=None, description="Share of the purchase that is borrowed."
    )
    debt_rate: Annotated[Rate | None, PERCENT] = Field(
        title="Interest rate on debt", default=None, description="Interest on debt a year, as a fraction."
    )
    debt_years: Annotated[float, Field(gt=0, le=50)] | None = Field(
        title="Debt term", default=None, description="Years in which debt is paid back, in level payments."
    )
    price_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="Price of a used accelerator-hour",
        default=None,
        description="What a used accelerator-hour earns; left out, the rent on demand that owning avoids.",
    )
    currency: CurrencyDocument | None = Field(
        default=None, description="A currency that money is also shown in; figures stay in USD."
    )
