"""One accelerator and its place among the others, as serving sees them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.performance.sustained_bandwidth import across_units_bandwidth_bytes_per_s
from app.engine.trace import Array


def _all() -> Array:
    return np.full(1, np.inf)


def _one() -> Array:
    return np.ones(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingMachine:
    """Peak rates of one accelerator: what is sustained of them is in the assumptions."""

    memory_bytes: Array
    memory_bandwidth_bytes_per_s: Array
    peak_16_bit_flop_per_s: Array
    scale_up_bandwidth_bytes_per_s: Array  # one way
    scale_out_bandwidth_bytes_per_s: Array  # one way, of one accelerator
    domain_accelerators: Array  # of the scale-up domain
    unit_accelerators: Array = field(
        default_factory=_all
    )  # of a unit of the fabric that all ranks fill at once
    oversubscription: Array = field(default_factory=_one)  # of the links between units

    def scale_out_of(self, accelerators: Array) -> Array:
        """Scale-out bandwidth of each of so many accelerators, all of which send at once [B/s]."""
        return across_units_bandwidth_bytes_per_s(
            scale_out_bandwidth_bytes_per_s=self.scale_out_bandwidth_bytes_per_s,
            oversubscription=self.oversubscription,
            accelerators_used=accelerators,
            unit_accelerators=self.unit_accelerators,
        )
