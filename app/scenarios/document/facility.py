"""Site, power and cooling of the pod."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.document.power_supply import PowerSupplyDocument
from app.scenarios.fields import PERCENT, Display, Either, Key, Line, Part, Value, Word

PriceUsdPerKwh = Annotated[float, Field(ge=0, le=100)]


class InlineSite(Part):
    """A site that no catalog holds. What is left out is unknown."""

    name: Line = Field(description="Name.")
    climate: Key = Field(description="Catalog key of a climate year, such as ashburn_va.")
    elevation_m: Annotated[float, Field(ge=-500, le=6_000)] | None = Field(
        title="Elevation",
        default=None,
        description="Height above the sea; that of the climate year when left out.",
    )
    electricity_price_usd_per_kwh: PriceUsdPerKwh | None = Field(
        title="Electricity price", default=None, description="Delivered price."
    )
    carbon_intensity_kg_per_kwh: Annotated[float, Field(ge=0, le=10)] | None = Field(
        title="Carbon intensity of the grid", default=None, description="Carbon of the grid."
    )
    water_price_usd_per_m3: Annotated[float, Field(ge=0, le=1_000)] | None = Field(
        title="Water price", default=None, description="Price of water, sewage included."
    )


CoolingPlant = Literal[
    "auto",
    "air",
    "air_tower",
    "direct_liquid_dry",
    "direct_liquid_adiabatic",
    "direct_liquid_tower",
    "direct_liquid_chiller",
    "liquid_to_air",
    "immersion_dry",
    "immersion_tower",
    "outdoor_air",
    "indirect_evaporative",
    "air_source_water",
    "direct_liquid_all_tower",
    "direct_liquid_source_water",
]


class HeatReuse(Part):
    """A network that takes heat, such as district heating."""

    share: Annotated[Annotated[float, Field(ge=0, le=1)], PERCENT] = Field(
        title="Heat reused",
        default=1.0,
        description="Share of the liquid heat that it takes, mean over the year.",
    )
    supply_c: Annotated[float, Field(ge=20, le=120)] = Field(
        title="Heat reuse supply temperature",
        default=60.0,
        description="Temperature at which it takes heat, degC; a heat pump lifts what is cooler.",
    )


class FacilityDocument(Part):
    """The building."""

    site: Annotated[Annotated[Key, Word] | Annotated[InlineSite, Value], Either] = Field(
        title="Site", default="ashburn", description="Catalog key of a site, or a site written out."
    )
    cooling: CoolingPlant = Field(
        title="Cooling plant",
        default="auto",
        description="Cooling plant; auto: air for servers without liquid, else the one that draws least at the site.",
    )
    air_handling: Literal["perimeter", "in_row", "rear_door"] = Field(
        title="Air handling",
        default="perimeter",
        description="Cooling of the heat that the racks give to air.",
    )
    coolant: Literal["pg25", "pg30", "eg25"] = Field(
        title="Coolant",
        default="pg25",
        description="Coolant of the racks: 25 or 30 % propylene glycol, or 25 % ethylene glycol.",
    )
    coolant_supply_c: Annotated[float, Field(ge=5, le=70)] | None = Field(
        title="Coolant supply",
        default=None,
        description="Coolant at the inlet of the SuperNode, degC; a catalog assumption when left out.",
    )
    redundancy: Literal["N", "N+1", "2N", "2(N+1)", "3N/2", "4N/3", "block_redundant"] = Field(
        title="Power redundancy", default="2N", description="Redundancy of the power train."
    )
    cooling_redundancy: Literal["auto", "N", "N+1", "2N"] = Field(
        title="Cooling redundancy",
        default="auto",
        description="Redundancy of the cooling plant; auto: N or N+1.",
    )
    distribution: Literal["ac_415", "ac_480", "dc_800"] = Field(
        title="Rack power distribution",
        default="ac_415",
        description="Supply of the racks: 415 or 480 V three-phase, or 800 V direct current.",
    )
    rectifier: Key | None = Field(
        title="Rectifier of 800 V",
        default=None,
        description="Catalog key of what makes 800 V direct current: a power rack in the row, fed with 480 V, or a "
        "rectifier from medium voltage; one from medium voltage as assumed when left out. Of distribution dc_800.",
    )
    rack_converter: Key | None = Field(
        title="Rack converter",
        default=None,
        description="Catalog key of the converter in the racks; as assumed when left out. Of distribution dc_800.",
    )
    busway: Key | None = Field(
        title="Busway",
        default=None,
        description="Catalog key of the busway above the rows; as assumed when left out.",
    )
    cdu: Key | None = Field(
        title="Coolant distribution unit",
        default=None,
        description="Catalog key of the coolant distribution units; as assumed when left out.",
    )
    ups: Literal["double_conversion", "eco", "rack_batteries"] = Field(
        title="UPS",
        default="double_conversion",
        description="Ride-through of the load at a loss of the utility.",
    )
    load_profile: Literal["auto", "large_batch", "strong_scaled", "serving"] = Field(
        title="Load profile",
        default="auto",
        description="Load profile of the nodes, as measured; auto follows from the workload.",
    )
    power_cap: Annotated[Annotated[float, Field(ge=0.3, le=1)] | None, Display(unit="of TDP")] = Field(
        title="Power cap",
        default=None,
        description="Cap on the accelerators' power as a share of their TDP; none when left out.",
    )
    utility_limit_w: Annotated[Annotated[float, Field(gt=0, le=1e12)] | None, Display(unit="W_of_site")] = (
        Field(
            title="Utility limit",
            default=None,
            description="Power that the utility grants at the meter; unlimited when left out.",
        )
    )
    warming_k: Annotated[float, Field(ge=0, le=5)] | None = Field(
        title="Climate warming",
        default=None,
        description="Warmer than the climate year throughout, at the same relative humidity.",
    )
    clean_energy_share: Annotated[Annotated[float, Field(ge=0, le=1)] | None, PERCENT] = Field(
        title="Contracted clean energy",
        default=None,
        description="Share of the electricity that is contracted free of carbon, year by year.",
    )
    heat_reuse: HeatReuse | None = Field(default=None, description="Heat reuse; none by default.")
    power_supply: PowerSupplyDocument | None = Field(
        default=None, description="Grid, own plant, battery and contracts; the grid alone by default."
    )
