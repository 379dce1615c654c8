"""Optical modules and copper cables."""

from __future__ import annotations

from typing import ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, HardwareKind, Number


class Optics(HardwareKind):
    """Rates one way; power and latency for one end."""

    kind: ClassVar[str] = "optics"
    file: ClassVar[str] = "optics_cables.csv"
    title: ClassVar[str] = "Optics and cables"

    vendor: str = text()
    name: str = text("model", min_length=1)
    type: str = text()
    form_factor: str = text()
    module_bandwidth_bytes_per_s: Number = number("link_gbit_s", "Gbit/s", "one way, whole module")
    links: Count = number("engines", "", "independent links that one module carries")
    link_bandwidth_bytes_per_s: Number = number("engine_gbit_s", "Gbit/s", "one way, per link carried")
    lane_bandwidth_bytes_per_s: Number = number("lane_gbit_s", "Gbit/s", "one way, per lane")
    reach_m: Number = number("reach_m", "m")
    fibre_or_medium: str = text()
    typical_power_w: Number = number("power_typical_w_per_end", "W", "one end")
    max_power_w: Number = number("power_max_w_per_end", "W", "one end")
    latency_s_per_m: Number = number("latency_ns_per_m", "ns/m")
    latency_s: Number = number("latency_ns_per_end", "ns", "one end")
    price_usd: Number = number("", "USD", "purchase", low="price_usd_low", high="price_usd_high")
    price_note: str = text()
