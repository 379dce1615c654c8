"""The constants of the collective model that were fitted to measured collectives.

The prior is what physics, data sheets or library sources say without the measurements; the spread is how far
from it the fit may go at the cost of one standard deviation, in logarithms. A row that narrows another
(Hopper narrows all) is fitted as a ratio to it, so that without measurements of its own it stays there.
"""

from __future__ import annotations

from typing import NamedTuple

from app.catalog.assumptions import AssumptionRow
from app.catalog.lookup import Catalog

ASSUMPTIONS = (
    "scale_up_efficiency",
    "link_sharers",
    "host_staging_bytes_per_s",
    "in_switch_efficiency",
    "in_switch_reduction_ranks",
    "collective_launch_s",
    "scale_up_hop_s",
    "own_part",
    "scale_out_efficiency",
    "scale_out_hop_s",
    "domain_nics",
    "level_overlap",
    "expert_launch_s",
    "expert_handling_bytes_per_s",
    "memory_bandwidth_fraction",
    "collective_full_pipeline_s",
    "separate_processes_s",
)
"""All that the model is computed with, fitted or stated."""

MEASUREMENT = ("separate_processes_s",)


def room_of(assumption: str) -> str:
    """Where an assumption is kept: with the engine's, or with those on how measurements were taken."""
    return "validation" if assumption in MEASUREMENT else "performance"


class Constant(NamedTuple):
    """One row of the assumptions; `narrows` names the conditions of the row that it is a ratio to."""

    assumption: str
    applies_to: str
    prior: float
    spread: float
    narrows: str | None = None

    @property
    def name(self) -> str:
        return f"{self.assumption}[{self.applies_to}]"

    @property
    def conditions(self) -> dict[str, str]:
        return dict(part.split("=", 1) for part in self.applies_to.split(";") if part)


AMPERE, HOPPER, BLACKWELL = (f"link=nvlink;generation={name}" for name in ("ampere", "hopper", "blackwell"))

FITTED = (
    Constant("scale_up_efficiency", "", 0.88, 0.05),  # copies on H200 (nvbandwidth): 396 of 450 GB/s
    # Half of a PCIe Gen4 x16 link: every byte goes to the host and back.
    Constant("host_staging_bytes_per_s", "link=pcie;generation=ada", 16e9, 0.5),
    # NCCL tuning table: 0.85 and 0.74, less the rank's own part of the sum, 1/8 with 8 ranks.
    Constant("in_switch_efficiency", HOPPER, 0.75, 0.08),
    Constant("in_switch_efficiency", BLACKWELL, 0.66, 0.08),
    Constant("collective_launch_s", "", 6e-6, 0.4),  # NCCL tuning table: 6.6 us
    Constant("collective_launch_s", "link=pcie", 1.0, 0.3, ""),
    Constant("collective_launch_s", AMPERE, 1.0, 0.3, ""),
    Constant("collective_launch_s", HOPPER, 1.0, 0.3, ""),
    Constant("collective_launch_s", BLACKWELL, 1.0, 0.3, ""),
    Constant("scale_up_hop_s", "", 1e-6, 0.4),  # NCCL tuning table: 0.6 us (LL) to 1.9 us (LL128)
    Constant("scale_up_hop_s", HOPPER, 1.0, 0.3, ""),
    Constant("scale_up_hop_s", BLACKWELL, 1.0, 0.3, ""),
    Constant("collective_full_pipeline_s", "", 1e-3, 0.5),  # 4 MiB x 32 channels at 100 GB/s and more
    Constant("own_part", "", 0.5, 0.3),
    Constant("scale_out_efficiency", "", 0.95, 0.03),  # Ethernet and InfiniBand headers: 3 to 5 %
    Constant("scale_out_hop_s", "", 4e-6, 0.15),  # NCCL tuning table: 2.7 (LL) to 14 us (Simple)
    Constant("scale_out_hop_s", "network=efa", 12e-6, 0.3),
    Constant("scale_out_hop_s", "network=efa;nic=efa_v1", 1.5, 0.4, "network=efa"),
    Constant("domain_nics", "link=nvlink", 9.0, 0.2),  # as many channels as an 8-GPU server has NICs
    Constant("expert_launch_s", "", 10e-6, 0.2),
    Constant("expert_handling_bytes_per_s", "", 7e11, 0.25),
    Constant("separate_processes_s", "", 15e-6, 0.3),
)


def row_of(catalog: Catalog, constant: Constant) -> AssumptionRow:
    """The catalog row that holds a constant."""
    return catalog.assumption(room_of(constant.assumption), constant.assumption, constant.conditions)


def shipped_values(catalog: Catalog) -> dict[str, float]:
    """The values in the catalog of the constants that were fitted, by name."""
    return {constant.name: row_of(catalog, constant).value for constant in FITTED}
