"""Systems: servers, SuperNodes, pods and deployments built of accelerators."""

from __future__ import annotations

from typing import ClassVar

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, HardwareKind, Number


class System(HardwareKind):
    """Totals are accelerators x chip value unless a vendor figure is noted."""

    kind: ClassVar[str] = "systems"
    file: ClassVar[str] = "systems.csv"
    title: ClassVar[str] = "Systems"
    measurable: ClassVar[frozenset[str]] = frozenset({"typical_power_w", "scale_up_latency_s"})
    foreign_keys: ClassVar = {"accelerator_key": ("accelerators",), "scale_up_fabric": ("scale_up_fabrics",)}

    category: str = text()
    vendor: str = text()
    name: str = text(min_length=1)
    year: Count = None
    status: str = text()
    accelerator_key: str = text()
    accelerator_mix: str = text(pattern=r"^$|^[a-z0-9_]+:\d+(;[a-z0-9_]+:\d+)*$")
    accelerators: Count = number()
    nodes: Count = number("", basis="hosts or trays")  # joined from system_nodes.csv
    scale_up_domain_accelerators: Count = number()
    max_job_accelerators: Count = number()
    cpus: Count = number()
    cpu_model: str = text()
    accelerator_memory_label_bytes: Number = number("accel_memory_tb", "TB", "vendor's labels, summed")
    host_memory_bytes: Number = number("host_memory_tb", "TB", "decimal")
    racks: Number = number()
    rack_units: Number = number()
    weight_kg: Number = number("weight_kg", "kg")
    max_power_w: Number = number("max_power_kw", "kW", "whole system, maximum")
    typical_power_w: Number = number("typical_power_kw", "kW", "whole system, typical")
    cooling: str = text()
    liquid_share: Number = number("liquid_share_pct", "%", "share of the heat that liquid takes", limit=1)
    scale_up_topology: str = text()
    scale_up_fabric: str = text()
    scale_up_bandwidth_bytes_per_s: Number = number(
        "scale_up_gb_s_bidir_per_accel", "GB/s both ways", "one way, per accelerator: half of the sum"
    )
    scale_up_aggregate_bandwidth_bytes_per_s: Number = number(
        "scale_up_aggregate_bidir_tb_s", "TB/s both ways", "one way, whole system: half of the sum"
    )
    scale_up_latency_s: Number = number("scale_up_latency_us", "us")
    scale_out_nics: Count = number()
    scale_out_nic_bandwidth_bytes_per_s: Number = number("scale_out_nic_gbit_s", "Gbit/s", "one way, per NIC")
    scale_out_total_bandwidth_bytes_per_s: Number = number(
        "scale_out_total_gbit_s", "Gbit/s", "one way, whole system"
    )
    bf16_flop_per_s: Number = number("bf16_dense_pflops", "PFLOP/s", "dense, whole system")
    fp8_flop_per_s: Number = number("fp8_dense_pflops", "PFLOP/s", "dense, whole system")
    fp4_flop_per_s: Number = number("fp4_dense_pflops", "PFLOP/s", "dense, whole system")
    vendor_headline: str = text()
    price_usd: Number = number("", "USD", "purchase", low="price_usd_low", high="price_usd_high")
    price_note: str = text()

    def chips(self) -> list[tuple[str, int]]:
        """Accelerator keys with how many of each, mixed systems included."""
        if self.accelerator_mix:
            pairs = (part.split(":") for part in self.accelerator_mix.split(";"))
            return [(key, int(count)) for key, count in pairs]
        if self.accelerator_key and self.accelerators:
            return [(self.accelerator_key, self.accelerators)]
        return []
