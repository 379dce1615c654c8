"""Data processing units."""

from __future__ import annotations

from typing import ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, HardwareKind, Number


class Dpu(HardwareKind):
    """A network card with its own processor."""

    kind: ClassVar[str] = "dpus"
    file: ClassVar[str] = "dpus.csv"
    title: ClassVar[str] = "Data processing units"
    foreign_keys: ClassVar = {"nic_key": ("nics",)}

    nic_key: str = text()
    vendor: str = text()
    name: str = text(min_length=1)
    year: Count = None
    status: str = text()
    network_bandwidth_bytes_per_s: Number = number("network_gbit_s", "Gbit/s", "one way")
    host_bus: str = text()
    cpu_cores: Count = number()
    cpu_cores_type: str = text()
    memory_bytes: Number = number("memory_gb", "GB", "vendor's label, taken as decimal")
    max_power_w: Number = number("max_power_w", "W")
    typical_power_w: Number = number("typical_power_w", "W")
    price_usd: Number = number("", "USD", "purchase", low="price_usd_low", high="price_usd_high")
    price_note: str = text()
