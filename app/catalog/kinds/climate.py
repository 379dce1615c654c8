"""Hourly weather years. The index is here, the hours in one file a place."""

from __future__ import annotations

from typing import ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import Number, SourcedKind, Table


class ClimateIndex(SourcedKind):
    """Statistics of one year; temperatures of air at the station."""

    kind: ClassVar[str] = "climate"
    file: ClassVar[str] = "climate/index.csv"
    title: ClassVar[str] = "Climate years"
    table: ClassVar[Table] = "climate_year"
    foreign_keys: ClassVar = {"licence_key": ("sources",)}
    vendor_field: ClassVar[str] = ""

    name: str = text("city", min_length=1)
    country: str = text(min_length=2, max_length=2)
    year_kind: str = text("kind")
    humidity: str = text()
    licence_note: str = text()
    licence_key: str = text(min_length=1)
    notes: str = text("note")
    latitude: Number = number("lat", "deg", signed=True, limit=90)
    longitude: Number = number("lon", "deg", signed=True, limit=180)
    elevation_m: Number = number("elevation_m", "m", signed=True)
    utc_offset_hours: Number = number("utc_offset_h", "h", signed=True)
    dry_bulb_mean_c: Number = number("db_mean_c", "degC", signed=True)
    dry_bulb_minimum_c: Number = number("db_min_c", "degC", signed=True)
    dry_bulb_99_6_percent_c: Number = number("db_p99_6_c", "degC", "99.6th percentile of hours", signed=True)
    dry_bulb_99_percent_c: Number = number("db_p99_c", "degC", "99th percentile of hours", signed=True)
    dry_bulb_maximum_c: Number = number("db_max_c", "degC", signed=True)
    wet_bulb_mean_c: Number = number("wb_mean_c", "degC", signed=True)
    wet_bulb_99_6_percent_c: Number = number("wb_p99_6_c", "degC", "99.6th percentile of hours", signed=True)
    wet_bulb_maximum_c: Number = number("wb_max_c", "degC", signed=True)
    dew_point_99_6_percent_c: Number = number("dp_p99_6_c", "degC", "99.6th percentile of hours", signed=True)
    dry_bulb_up_to_13_c_hours: Number = number("h_db_le_13", "h")
    dry_bulb_up_to_22_c_hours: Number = number("h_db_le_22", "h")
    dry_bulb_up_to_27_c_hours: Number = number("h_db_le_27", "h")
    dry_bulb_up_to_35_c_hours: Number = number("h_db_le_35", "h")
    wet_bulb_up_to_13_c_hours: Number = number("h_wb_le_13", "h")
    wet_bulb_up_to_24_c_hours: Number = number("h_wb_le_24", "h")
