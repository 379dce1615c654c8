"""How many accelerators prefill and how many decode, where they are not the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array, Traced, plain, traced_search

_SPLIT = (
    "[1] Zhong et al. 2024, arXiv 2401.09670 (DistServe); [2] DeepSeek-AI 2025, open-infra-index, "
    "DeepSeek-V3/R1 inference system overview"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """One group of prefill and decode instances, whole ones."""

    prefill_instances: Array
    decode_instances: Array
    accelerators: Array
    requests_per_s: Array
    idle_share: Array  # of the accelerators, on average, while the group answers as much as it can


@quantity(unit="1", source=_SPLIT)
def prefill_per_decode(*, prefill_requests_per_s: Array, decode_requests_per_s: Array) -> Array:
    """Prefill instances for each decode instance, not rounded.

    As many as keep both busy: the requests that one decode instance ends over those that one prefill
    instance starts.
    """
    return decode_requests_per_s / prefill_requests_per_s


@quantity(unit="1", source="definition")
def group_accelerators(
    *,
    prefill_instances: Array,
    decode_instances: Array,
    prefill_accelerators: Array,
    decode_accelerators: Array,
) -> Array:
    """Accelerators of a group of prefill and decode instances."""
    return prefill_instances * prefill_accelerators + decode_instances * decode_accelerators


@quantity(unit="1/s", source=_SPLIT)
def group_requests_per_s(
    *,
    prefill_instances: Array,
    decode_instances: Array,
    prefill_requests_per_s: Array,
    decode_requests_per_s: Array,
) -> Array:
    """Requests that a group answers: what its slower side lets through."""
    return np.minimum(prefill_instances * prefill_requests_per_s, decode_instances * decode_requests_per_s)


@quantity(unit="1", source="definition")
def idle_share(
    *,
    requests_per_s: Array,
    accelerators: Array,
    prefill_accelerators: Array,
    decode_accelerators: Array,
    prefill_requests_per_s: Array,
    decode_requests_per_s: Array,
) -> Array:
    """Share of a group's accelerators that its slower side leaves without work."""
    busy = prefill_accelerators / prefill_requests_per_s + decode_accelerators / decode_requests_per_s
    return 1 - requests_per_s * busy / accelerators


def whole_split(
    *,
    prefill_requests_per_s: Array,
    decode_requests_per_s: Array,
    prefill_accelerators: Array,
    decode_accelerators: Array,
    accelerators_at_most: Array,
    prefill_accelerators_at_most: Array | None = None,
    instances_at_most: int = 64,
    tolerance: float = 0.0,
) -> Split:
    """The group of whole instances that wastes least, within a number of accelerators; the smallest of equals.

    Arrays of the same shape, or that broadcast. Unknown where not even one instance of each fits.

    Parameters
    ----------
    prefill_requests_per_s, decode_requests_per_s : of one instance [requests/s]
    prefill_accelerators, decode_accelerators : of one instance [1]
    accelerators_at_most : of the whole group; of its decode instances where the next is stated [1]
    prefill_accelerators_at_most : of its prefill instances, where they are on another kind of SuperNode [1]
    instances_at_most : of each kind, that are tried
    tolerance : share of the requests per second and accelerator that may be lost for a smaller group [1]
    """
    rates = {
        "prefill_requests_per_s": prefill_requests_per_s,
        "decode_requests_per_s": decode_requests_per_s,
    }
    sizes = {"prefill_accelerators": prefill_accelerators, "decode_accelerators": decode_accelerators}
    inputs: dict[str, Any] = {**rates, **sizes, "accelerators_at_most": accelerators_at_most}
    if prefill_accelerators_at_most is not None:
        inputs["prefill_accelerators_at_most"] = prefill_accelerators_at_most
    columns = np.broadcast_arrays(*[plain(value) for value in inputs.values()])
    chosen: dict[str, Any] = _least_waste(columns, instances_at_most, tolerance)
    traced = {role: value for role, value in inputs.items() if isinstance(value, Traced)}
    if traced:
        note = f"least idle of all groups of up to {instances_at_most} instances of each kind"
        chosen = {name: traced_search(name, count, "1", traced, note) for name, count in chosen.items()}
    return split_of(**chosen, **rates, **sizes)


def _least_waste(columns: Sequence[Array], instances: int, tolerance: float) -> dict[str, Array]:
    """Prefill and decode instances; every group is tried at once, along a last axis."""
    prefill_rate, decode_rate, each_prefill, each_decode, most, *apart = (
        column[..., None] for column in columns
    )
    counts = np.arange(1.0, instances + 1)
    prefill, decode = (grid.ravel() for grid in np.meshgrid(counts, counts, indexing="ij"))
    accelerators = prefill * each_prefill + decode * each_decode
    answered = np.minimum(prefill * prefill_rate, decode * decode_rate) / accelerators
    within = accelerators <= most
    if apart:
        within = (decode * each_decode <= most) & (prefill * each_prefill <= apart[0])
    fits = within & np.isfinite(answered)
    best = np.max(np.where(fits, answered, 0.0), axis=-1, keepdims=True)
    good = fits & (answered >= best * (1 - tolerance) * (1 - 1e-12))
    chosen = np.argmin(np.where(good, accelerators, np.inf), axis=-1)
    fitting = np.any(fits, axis=-1)
    return {
        "prefill_instances": np.where(fitting, prefill[chosen], np.nan),
        "decode_instances": np.where(fitting, decode[chosen], np.nan),
    }


def split_of(
    *,
    prefill_instances: Array,
    decode_instances: Array,
    prefill_requests_per_s: Array,
    decode_requests_per_s: Array,
    prefill_accelerators: Array,
    decode_accelerators: Array,
) -> Split:
    """What a stated number of prefill and decode instances comes to."""
    rates = {
        "prefill_requests_per_s": prefill_requests_per_s,
        "decode_requests_per_s": decode_requests_per_s,
    }
    sizes = {"prefill_accelerators": prefill_accelerators, "decode_accelerators": decode_accelerators}
    instances = {"prefill_instances": prefill_instances, "decode_instances": decode_instances}
    accelerators = group_accelerators(**instances, **sizes)
    answered = group_requests_per_s(**instances, **rates)
    return Split(
        **instances,
        accelerators=accelerators,
        requests_per_s=answered,
        idle_share=idle_share(**rates, **sizes, requests_per_s=answered, accelerators=accelerators),
    )
