"""Places to build."""

from __future__ import annotations

from typing import ClassVar, Literal

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, Number, SourcedKind


class Site(SourcedKind):
    """A place with its climate file, which may be that of a neighbour."""

    kind: ClassVar[str] = "sites"
    file: ClassVar[str] = "sites.csv"
    title: ClassVar[str] = "Sites"
    foreign_keys: ClassVar = {
        "climate_key": ("climate",),
        "jurisdiction_key": ("jurisdictions",),
    }
    vendor_field: ClassVar[str] = ""

    name: str = text("city", min_length=1)
    country: str = text(min_length=2, max_length=2)
    year: Count = None
    confidence: str = text()
    latitude: Number = number("lat", "deg", signed=True, limit=90)
    longitude: Number = number("lon", "deg", signed=True, limit=180)
    elevation_m: Number = number("elevation_m", "m", "the site's own", signed=True, group="elevation")
    climate_elevation_m: Number = number("climate_elevation_m", "m", "the climate file's", signed=True)
    electricity_price_usd_per_kwh: Number = number(
        "electricity_usd_per_kwh", "USD/kWh", "large user, delivered", group="electricity",
        low="electricity_usd_per_kwh_low", high="electricity_usd_per_kwh_high",
    )  # fmt: skip
    wholesale_electricity_price_usd_per_kwh: Number = number(
        "wholesale_usd_per_kwh_2024", "USD/kWh", "wholesale, mean of 2024", group="wholesale"
    )
    carbon_intensity_kg_per_kwh: Number = number("carbon_g_per_kwh", "g/kWh", "grid average", group="carbon")
    water_price_usd_per_m3: Number = number("water_usd_per_m3", "USD/m3", group="water")
    climate_key: str = text(min_length=1)
    jurisdiction_key: str = text()
    climate_proxy_distance_m: Number = number(
        "climate_proxy_km",
        "km",
        "from the site to the place of the climate file; 0 = the same city",
        derived=True,
    )
    rankable: Literal["yes", "no"]
