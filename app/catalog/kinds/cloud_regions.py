"""What cloud providers publish about the PUE and WUE of their regions."""

from __future__ import annotations

from typing import ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import CatalogKind, Count, Number


class CloudRegion(CatalogKind):
    """One region in one year."""

    kind: ClassVar[str] = "cloud_regions"
    file: ClassVar[str] = "cloud_region_pue_wue.csv"
    title: ClassVar[str] = "Cloud regions"
    name_field: ClassVar[str] = "region"
    vendor_field: ClassVar[str] = "provider"
    date_columns: ClassVar[tuple[str, ...]] = ("year",)

    year: Count = None
    provider: str = text(min_length=1)
    region: str = text(min_length=1)
    location: str = text()
    latitude: Number = number("lat", "deg", signed=True, limit=90)
    longitude: Number = number("lon", "deg", signed=True, limit=180)
    pue: Number = number()
    wue_l_per_kwh: Number = number("wue_l_per_kwh", "L/kWh")
    grid_carbon_average_kg_per_kwh: Number = number("grid_carbon_avg_g_per_kwh", "g/kWh")
    grid_carbon_marginal_kg_per_kwh: Number = number("grid_carbon_marginal_g_per_kwh", "g/kWh")
    source: str = text()
