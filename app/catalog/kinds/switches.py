"""Switches of scale-out and scale-up fabrics."""

from __future__ import annotations

from typing import ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, HardwareKind, Number


class Switch(HardwareKind):
    """Port rates one way; power without modules unless the note says otherwise.

    `ecosystems` are those whose usual switch it is, in the networks of `usual_in`; `open` joins all others.
    """

    kind: ClassVar[str] = "switches"
    file: ClassVar[str] = "switches.csv"
    title: ClassVar[str] = "Switches"
    measurable: ClassVar[frozenset[str]] = frozenset({"typical_power_w", "latency_s"})

    vendor: str = text()
    name: str = text("model", min_length=1)
    asic: str = text()
    year: Count = None
    protocol: str = text()
    ecosystems: str = text()
    usual_in: str = text()
    ports: Count = number()
    line_card_ports: Count = number("line_card_ports", "", "ports of one line card of a chassis")
    port_bandwidth_bytes_per_s: Number = number("port_gbit_s", "Gbit/s", "one way, per port")
    max_logical_ports: Count = number()
    logical_port_bandwidth_bytes_per_s: Number = number(
        "logical_port_gbit_s", "Gbit/s", "one way, per logical port"
    )
    capacity_bytes_per_s: Number = number("capacity_tbit_s_one_way", "Tbit/s", "one way, whole switch")
    latency_s: Number = number("latency_ns", "ns", "port to port")
    typical_power_w: Number = number("power_typical_w", "W")
    max_power_w: Number = number("power_max_w", "W")
    port_max_power_w: Number = number("port_power_max_w", "W", "per port")
    power_note: str = text()
    rack_units: Number = number("height_u")
    cooling: str = text()
    in_network_reduction: str = text()
    price_usd: Number = number("", "USD", "purchase", low="price_usd_low", high="price_usd_high")
    price_note: str = text()
