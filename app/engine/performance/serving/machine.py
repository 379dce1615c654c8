"""One accelerator and its place among the others, as serving sees them."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingMachine:
    """Peak rates of one accelerator: what is sustained of them is in the assumptions."""

    memory_bytes: Array
    memory_bandwidth_bytes_per_s: Array
    peak_16_bit_flop_per_s: Array
    scale_up_bandwidth_bytes_per_s: Array  # one way
    scale_out_bandwidth_bytes_per_s: Array  # one way, of one accelerator
    domain_accelerators: Array  # of the scale-up domain
