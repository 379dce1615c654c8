"""Keys and values of a prompt on their way from a prefill to a decode instance."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.kv_cache import request_bytes
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.ranks import accelerators_of
from app.engine.quantities import quantity
from app.engine.specs import Architecture, PartPrecision, ServingLayout
from app.engine.trace import Array

_FITTED = "constants fitted to measured runs"


@quantity(
    unit="B/s", source="constants fitted to measured runs; [1] Qin et al. 2024, arXiv 2407.00079 (Mooncake)"
)
def transfer_rate_bytes_per_s(
    *,
    at_most: Array,
    prefill_ranks: Array,
    group_accelerators: Array,
    domain_accelerators: Array,
    scale_up: Array,
    scale_out: Array,
) -> Array:
    """Rate at which a prompt's keys and values are sent.

    What engines were measured to reach, and no more than the links of the ranks that send: of the scale-up network
    where the group lies in one domain, else of the fabric.
    """
    link = np.where(group_accelerators > domain_accelerators, scale_out, scale_up)
    return np.minimum(at_most, prefill_ranks * link)


@quantity(unit="s", source=_FITTED)
def kv_transfer_time_s(*, transferred_bytes: Array, bytes_per_s: Array) -> Array:
    """Sending the keys and values of a prompt."""
    return transferred_bytes / bytes_per_s


def kv_transfer_s(
    *,
    architecture: Architecture,
    parts: PartPrecision,
    machine: ServingMachine,
    prefill: ServingLayout,
    group_accelerators: Array,
    input_tokens: Array,
    shared_tokens: Array,
    assumptions: ServingAssumptions,
) -> Array:
    """Time in which a prompt's keys, values and states reach their decode instance, which has the shared prefix."""
    return kv_transfer_time_s(
        transferred_bytes=request_bytes(
            architecture=architecture,
            parts=parts,
            sequence_tokens=input_tokens,
            shared_tokens=shared_tokens,
            assumptions=assumptions,
        ),
        bytes_per_s=transfer_rate_bytes_per_s(
            at_most=assumptions.kv_transfer_bytes_per_s,
            prefill_ranks=accelerators_of(prefill),
            group_accelerators=group_accelerators,
            domain_accelerators=machine.domain_accelerators,
            scale_up=machine.scale_up_bandwidth_bytes_per_s,
            scale_out=machine.scale_out_bandwidth_bytes_per_s,
        ),
    )
