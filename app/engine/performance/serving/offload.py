"""Keys and values that wait in the memory of the host: how many, how long they take back, whether it pays."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_OFFLOAD = (
    "[1] Qin et al. 2024, arXiv 2407.00079 (Mooncake); [2] Sheng et al. 2023, arXiv 2303.06865 (FlexGen)"
)


@quantity(unit="s", source=_OFFLOAD)
def kv_return_time_s(*, sequence_bytes: Array, link_bytes_per_s: Array, medium_bytes_per_s: Array) -> Array:
    """Time that a sequence takes to come back.

    Over the link of each accelerator, or as fast as the host reads, whichever is slower; all accelerators
    at once, each its part.
    """
    return sequence_bytes / np.minimum(link_bytes_per_s, medium_bytes_per_s)


@quantity(unit="1", source=_OFFLOAD)
def offloaded_sequences(*, host_bytes: Array, accelerators: Array, request_bytes: Array) -> Array:
    """Sequences of one instance that its hosts hold, beside those in the accelerators' memory.

    Parameters
    ----------
    host_bytes : memory of the host for each accelerator that keys and values may take [B]
    request_bytes : what one request keeps in all [B]
    """
    return np.floor(host_bytes * accelerators / request_bytes)


@quantity(unit="1", source=_OFFLOAD)
def sequences_with_offload(*, batch_limit: Array, offloaded_sequences: Array) -> Array:
    """Sequences that one instance keeps, those that wait in the host included: users between two questions."""
    return batch_limit + offloaded_sequences


@quantity(unit="s", source=_OFFLOAD)
def saved_by_return_s(*, prefill_s: Array, return_s: Array) -> Array:
    """Time to the first token that keeping a sequence saves; less than nothing where prefill is faster."""
    return prefill_s - return_s


@quantity(unit="1/s", source=_OFFLOAD)
def returns_per_s(*, link_bytes_per_s: Array, medium_bytes_per_s: Array, sequence_bytes: Array) -> Array:
    """Sequences a second that can come back at most, one after another."""
    return np.minimum(link_bytes_per_s, medium_bytes_per_s) / sequence_bytes
