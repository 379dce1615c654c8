"""Host processors."""

from __future__ import annotations

from typing import ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, HardwareKind, Number


class Cpu(HardwareKind):
    """One socket."""

    kind: ClassVar[str] = "cpus"
    file: ClassVar[str] = "cpus.csv"
    title: ClassVar[str] = "Host processors"
    measurable: ClassVar[frozenset[str]] = frozenset()

    vendor: str = text()
    name: str = text(min_length=1)
    year: Count = None
    cpu_cores: Count = number()
    cpu_cores_type: str = text()
    memory_bytes: Number = number("memory_gb", "GB", "vendor's label, taken as decimal")
    max_power_w: Number = number("max_power_w", "W")
