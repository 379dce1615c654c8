"""The terms on which the pod is bought or rented."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.document.finance import FinanceDocument
from app.scenarios.document.prices import PriceUsdPerHour
from app.scenarios.document.renting import RentingDocument
from app.scenarios.fields import PERCENT, Display, NotNegative, Part, Share


class EconomicsDocument(Part):
    """What is left out is taken from the catalog, its assumptions and the site, else unknown."""

    life_years: Annotated[float, Field(gt=0, le=50)] | None = Field(
        title="Equipment life", default=None, description="Life of the IT equipment, in years."
    )
    wacc: Share | None = Field(
        title="Cost of capital", default=None, description="Cost of capital, as a fraction."
    )
    utilisation: Annotated[Annotated[float, Field(gt=0, le=1)] | None, PERCENT] = Field(
        title="Utilisation", default=None, description="Utilisation: share of the hours in productive use."
    )
    residual_value: Share | None = Field(
        title="Residual value",
        default=None,
        description="Residual value at the end of life, as a fraction of the price.",
    )
    supernode_price_usd: NotNegative | None = Field(
        title="SuperNode price", default=None, description="Price of one SuperNode."
    )
    electricity_price_usd_per_kwh: Annotated[float, Field(ge=0, le=100)] | None = Field(
        title="Electricity price", default=None, description="Delivered price of electricity."
    )
    water_price_usd_per_m3: Annotated[float, Field(ge=0, le=1_000)] | None = Field(
        title="Water price", default=None, description="Price of water, sewage included."
    )
    rental_on_demand_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="On-demand rental price", default=None, description="Rent on demand."
    )
    rental_reserved_usd_per_accelerator_hour: PriceUsdPerHour | None = Field(
        title="Reserved rental price", default=None, description="Rent when reserved for a year or more."
    )
    building: Literal["owned", "colocation"] = Field(
        title="Building",
        default="owned",
        description="owned: shell and plant are bought; colocation: they are rented by the kW.",
    )
    colocation_usd_per_kw_month: Annotated[
        Annotated[float, Field(ge=0, le=10_000)] | None, Display(unit="USD/(kW month)")
    ] = Field(
        title="Colocation price",
        default=None,
        description="Colocation, for each kW of provisioned IT power and month; without electricity.",
    )
    price_discount: Annotated[Annotated[float, Field(ge=0, lt=1)] | None, PERCENT] = Field(
        title="Discount",
        default=None,
        description="Discount on the catalog prices of servers and network, as a fraction.",
    )
    research_multiplier: Annotated[float, Field(ge=1, le=1_000)] | None = Field(
        title="Research multiplier",
        default=None,
        description="Compute of the whole project, failed and small runs too, over that of the run.",
    )
    finance: FinanceDocument = Field(default=FinanceDocument(), description="Debt, tax and depreciation.")
    renting: RentingDocument = Field(
        default=RentingDocument(), description="Rental terms besides the hourly price."
    )
