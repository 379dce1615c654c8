"""Electricity supply of the site: grid, own plant, batteries and contracts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.engine.facility.power_supply.kinds import CleanKind, SourceKind
from app.scenarios.fields import PERCENT, CountOrZero, Display, Key, Part, Share

Watts = Annotated[float, Field(gt=0, le=1e12)]
Years = Annotated[float, Field(ge=0, le=50)]
UsdPerKwh = Annotated[float, Field(ge=0, le=100)]


class PowerSourceDocument(Part):
    """Own plant of one kind. What is left out is taken from the catalog's assumptions for the kind."""

    kind: SourceKind = Field(title="Kind of plant", description="Kind of generation.")
    capacity_w: Watts = Field(
        title="Plant capacity", description="Rated at 15 degC and sea level, without spare units."
    )
    unit_w: Watts | None = Field(title="Unit of plant", default=None, description="Rating of one unit.")
    spare_units: CountOrZero = Field(
        title="Spare units of plant", default=0, description="Units beyond the capacity: k of N+k."
    )
    efficiency: Annotated[Annotated[float, Field(gt=0, le=1)] | None, PERCENT] = Field(
        title="Plant efficiency",
        default=None,
        description="Electricity over fuel (lower heating value) at full load.",
    )
    fuel_usd_per_kwh: UsdPerKwh | None = Field(
        title="Fuel price", default=None, description="Fuel delivered, by its lower heating value."
    )
    capital_usd_per_kw: Annotated[float, Field(ge=0, le=1e6)] | None = Field(
        title="Plant price", default=None, description="Installed price by rated power."
    )
    lead_time_years: Annotated[Years | None, Display(unit="years")] = Field(
        title="Plant lead time", default=None, description="Years until it can run."
    )


class BatteryDocument(Part):
    """Storage beside the load."""

    power_w: Watts = Field(title="Battery power", description="Maximum power of charge and discharge.")
    energy_wh: Annotated[Annotated[float, Field(gt=0, le=1e14)], Display(unit="Wh")] = Field(
        title="Battery energy", description="Usable energy."
    )
    use: Literal["backup", "clean", "price"] = Field(
        title="Battery use",
        default="backup",
        description="backup: gives what nothing else can carry; clean: stores what sun and wind have to spare; price: is "
        "filled in the cheapest hours of a day and emptied in the most expensive.",
    )


class PurchaseDocument(Part):
    """A contract for the generation of a field or a farm elsewhere on the grid, at a fixed price."""

    kind: CleanKind = Field(title="Kind of contract", description="Kind of generation.")
    capacity_w: Watts = Field(title="Contracted capacity", description="Rated power.")
    price_usd_per_kwh: UsdPerKwh = Field(
        title="Contract price", description="Paid for each kWh; its hours earn the price of the market."
    )


class DemandResponseDocument(Part):
    """Load taken off in the dearest hours of the year."""

    hours_per_year: Annotated[Annotated[float, Field(ge=0, le=8760)], Display(unit="h/year")] = Field(
        title="Hours of demand response", description="Hours of a year."
    )
    load_share: Share = Field(title="Load taken off", description="Share of the load at the meter.")
    credit_usd_per_kw_year: Annotated[
        Annotated[float, Field(ge=0, le=10_000)], Display(unit="USD/(kW year)")
    ] = Field(
        title="Demand response credit", default=0.0, description="Paid for each kW that can be taken off."
    )


class PowerSupplyDocument(Part):
    """Without it the grid alone supplies the site, at one price for the year."""

    grid: Literal["connected", "none"] = Field(
        title="Grid",
        default="connected",
        description="Whether the site is connected; the limit is the utility limit.",
    )
    grid_wait_years: Annotated[Years, Display(unit="years")] = Field(
        title="Grid queue", default=0.0, description="Years until the grid is connected."
    )
    market: Key | None = Field(
        title="Market of hourly prices",
        default=None,
        description="Market whose hours prices and carbon follow about their yearly means, such as us_tex_erco; the same "
        "in every hour when left out.",
    )
    sources: Annotated[tuple[PowerSourceDocument, ...], Field(strict=False, max_length=8)] = Field(
        title="Own plant", default=(), description="Own plant on site."
    )
    battery: BatteryDocument | None = Field(default=None, description="Battery; none by default.")
    purchases: Annotated[tuple[PurchaseDocument, ...], Field(strict=False, max_length=4)] = Field(
        title="Power purchase contracts", default=(), description="Contracts for clean energy, hour by hour."
    )
    demand_response: DemandResponseDocument | None = Field(
        default=None, description="Demand response; none by default."
    )
