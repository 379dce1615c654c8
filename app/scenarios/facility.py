"""Where the pod stands and how it is powered and cooled."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.fields import Either, Key, Line, Part, Value, Word

PriceUsdPerKwh = Annotated[float, Field(ge=0, le=100)]


class InlineSite(Part):
    """A site that no catalog holds. What is left out is unknown."""

    name: Line = Field(description="What it is called.")
    climate: Key = Field(description="Catalog key of a climate year, such as ashburn_va.")
    elevation_m: Annotated[float, Field(ge=-500, le=6_000)] | None = Field(
        default=None, description="Height above the sea; that of the climate year when left out."
    )
    electricity_price_usd_per_kwh: PriceUsdPerKwh | None = Field(default=None, description="Delivered price.")
    carbon_intensity_kg_per_kwh: Annotated[float, Field(ge=0, le=10)] | None = Field(
        default=None, description="Carbon of the grid."
    )
    water_price_usd_per_m3: Annotated[float, Field(ge=0, le=1_000)] | None = Field(
        default=None, description="Price of water, sewage included."
    )


class FacilityDocument(Part):
    """The building."""

    site: Annotated[Annotated[Key, Word] | Annotated[InlineSite, Value], Either] = Field(
        default="ashburn", description="Catalog key of a site, or a site written out."
    )
    cooling: Literal["auto", "air", "direct_liquid_dry", "direct_liquid_tower"] = Field(
        default="auto", description="Cooling plant; auto follows from the SuperNode."
    )
    redundancy: Literal["N", "N+1", "2N", "2(N+1)", "3N/2", "4N/3"] = Field(
        default="2N", description="Redundancy of the power train."
    )
    coolant_supply_c: Annotated[float, Field(ge=5, le=70)] | None = Field(
        default=None,
        description="Coolant at the inlet of the SuperNode, degC; a catalog assumption when left out.",
    )
