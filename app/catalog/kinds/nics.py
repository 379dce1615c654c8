"""Network interfaces of hosts and accelerators."""

from __future__ import annotations

from typing import ClassVar, Literal

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, HardwareKind, Number


class Nic(HardwareKind):
    """`basis` says what the total and the power belong to.

    `ecosystems` are those whose usual NIC it is, first choices first, in the networks of `usual_in`.
    """

    kind: ClassVar[str] = "nics"
    file: ClassVar[str] = "nics.csv"
    title: ClassVar[str] = "Network interfaces"

    vendor: str = text()
    name: str = text("model", min_length=1)
    year: Count = None
    protocol: str = text()
    ecosystems: str = text()
    usual_in: str = text()
    ports: Count = number()
    port_bandwidth_bytes_per_s: Number = number("port_gbit_s", "Gbit/s", "one way, per port")
    total_bandwidth_bytes_per_s: Number = number(
        "total_gbit_s", "Gbit/s", "one way, per card, instance or accelerator as `basis` says"
    )
    basis: Literal["card", "instance", "accelerator"]
    host_interface: str = text()
    typical_power_w: Number = number("power_typical_w", "W")
    max_power_w: Number = number("power_max_w", "W")
    host_cores_freed: Number = number()
    encryption_bandwidth_bytes_per_s: Number = number(
        "encryption_gbit_s", "Gbit/s", "one way, IPsec or TLS in the card"
    )
    price_usd: Number = number("", "USD", "purchase", low="price_usd_low", high="price_usd_high")
    form: str = text()
    status: str = text()
