"""Shared file systems: appliances, whole systems, and published guidelines."""

from __future__ import annotations

from typing import ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, HardwareKind, Number


class Storage(HardwareKind):
    """Bandwidths and capacity of the whole row."""

    kind: ClassVar[str] = "storage"
    file: ClassVar[str] = "storage.csv"
    title: ClassVar[str] = "Storage"

    category: str = text()
    vendor: str = text()
    name: str = text(min_length=1)
    year: Count = None
    status: str = text()
    read_bandwidth_bytes_per_s: Number = number("read_gb_s", "GB/s", "decimal, as rated")
    write_bandwidth_bytes_per_s: Number = number("write_gb_s", "GB/s", "decimal, as rated")
    measured_read_bandwidth_bytes_per_s: Number = number("measured_read_gb_s", "GB/s", "decimal, measured")
    measured_conditions: str = text()
    read_operations_per_s: Number = number("read_iops_million", "million/s")
    raw_capacity_bytes: Number = number("capacity_raw_tb", "TB", "decimal")
    usable_capacity_bytes: Number = number("capacity_usable_tb", "TB", "decimal")
    protocols: str = text()
    rack_units: Number = number()
    max_power_w: Number = number("max_power_w", "W")
    typical_power_w: Number = number("typical_power_w", "W")
    network_bandwidth_bytes_per_s: Number = number("network_gbit_s", "Gbit/s", "one way, all ports")
    price_usd: Number = number("", "USD", "purchase", low="price_usd_low", high="price_usd_high")
    price_note: str = text()
