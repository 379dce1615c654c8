"""Keys and values that wait in another tier of memory: how many, how long they take back, whether it pays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.performance.memory_tiers import MemoryTier
from app.engine.performance.serving.kv_cache import request_bytes, sequence_held_bytes
from app.engine.performance.serving.latency import RETURN, Latency, Load
from app.engine.performance.serving.prefill import prefill_over
from app.engine.performance.serving.setting import Setting
from app.engine.quantities import quantity
from app.engine.specs import ServingLayout
from app.engine.trace import Array

_OFFLOAD = (
    "[1] Qin et al. 2024, arXiv 2407.00079 (Mooncake); [2] Sheng et al. 2023, arXiv 2303.06865 (FlexGen)"
)


@quantity(unit="tokens", source=_OFFLOAD)
def returned_tokens(*, input_tokens: Array, cached_share: Array, shared_tokens: Array) -> Array:
    """Tokens of a prompt that come back: what is cached beyond the shared prefix; less than one is none."""
    beyond = input_tokens * cached_share - shared_tokens
    return np.where(beyond < 1, 0.0, beyond)


@quantity(unit="B", source=_OFFLOAD)
def returned_bytes(*, returned_tokens: Array, sequence_bytes: Array) -> Array:
    """Bytes restored to one accelerator: its part of the cached tokens and of their state, or nothing."""
    return np.where(returned_tokens > 0, sequence_bytes, 0.0)


@quantity(unit="s", source=_OFFLOAD)
def kv_return_time_s(*, sequence_bytes: Array, link_bytes_per_s: Array, medium_bytes_per_s: Array) -> Array:
    """Time that a sequence takes to come back.

    Over the link of each accelerator, or as fast as the memory there is read, whichever is slower; all
    accelerators of a replica of attention at once, each its part.
    """
    return sequence_bytes / np.minimum(link_bytes_per_s, medium_bytes_per_s)


@quantity(unit="s", source=_OFFLOAD)
def pool_return_time_s(*, moved_s: Array, sequence_bytes: Array, latency_s: Array) -> Array:
    """Time that a sequence takes to come back from a pool: the wait for its first byte, and the rest of it."""
    return np.where(sequence_bytes > 0, moved_s + latency_s, moved_s)


def _back_s(sequence_bytes: Array, tier: MemoryTier) -> Array:
    moved = kv_return_time_s(
        sequence_bytes=sequence_bytes,
        link_bytes_per_s=tier.link_bytes_per_s,
        medium_bytes_per_s=tier.medium_bytes_per_s,
    )
    if tier.latency_s is None:
        return moved
    return pool_return_time_s(moved_s=moved, sequence_bytes=sequence_bytes, latency_s=tier.latency_s)


@quantity(unit="s", source=_OFFLOAD)
def turn_with_return_s(*, turn_s: Array, return_s: Array, data_parallel: Array) -> Array:
    """Time from one prompt to the next where sequences come back.

    One comes back while another is prefilled, so the slower of the two sets the pace; every replica of attention
    has its own links.
    """
    return np.maximum(turn_s, return_s / data_parallel)


@quantity(unit="1", source=_OFFLOAD, at="performance.offloaded_sequences", key=True)
def offloaded_sequences(*, capacity_bytes: Array, accelerators: Array, request_bytes: Array) -> Array:
    """Offloaded sequences per instance.

    Parameters
    ----------
    capacity_bytes : memory of the tier for each accelerator, all of it [B]
    request_bytes : what one finished request keeps in all, without the shared prefix [B]
    """
    return np.floor(capacity_bytes * accelerators / request_bytes)


@quantity(unit="s", source="definition")
def recomputing_s(*, anew_s: Array, prefill_s: Array) -> Array:
    """Prefill time of the restored tokens if they were computed again.

    That of the whole prompt less that of the other tokens.
    """
    return anew_s - prefill_s


@quantity(unit="s", source=_OFFLOAD, at="performance.saved_by_return_s", key=True)
def saved_by_return_s(*, recomputing_s: Array, return_s: Array) -> Array:
    """Time to first token saved by offloading; less than nothing where computing again is faster."""
    return recomputing_s - return_s


def kv_return_s(setting: Setting, layout: ServingLayout) -> Array | None:
    """Time in which the cached part of a prompt comes back to an instance that prefills; None: it never left."""
    if setting.tier is None:
        return None
    asked = setting.workload.requests
    if asked.sessions is not None:
        return _contexts_return_s(setting, layout)
    return _back_s(
        returned_bytes(
            returned_tokens=returned_tokens(
                input_tokens=asked.input_tokens,
                cached_share=asked.cached_share,
                shared_tokens=asked.shared_prefix_tokens,
            ),
            sequence_bytes=sequence_held_bytes(
                architecture=setting.workload.architecture,
                layout=layout,
                parts=setting.parts,
                sequence_tokens=asked.input_tokens * asked.cached_share,
                shared_tokens=asked.shared_prefix_tokens,
                assumptions=setting.assumptions,
            ),
        ),
        setting.tier,
    )


@quantity(unit="s", source=_OFFLOAD)
def mean_return_s(*, times_s: tuple[Array, ...], shares: tuple[Array, ...]) -> Array:
    """Time that contexts take to come back, mean over requests: by the tier that each is found in."""
    weighted = [time * share for time, share in zip(times_s, shares, strict=True)]
    return sum(weighted[1:], start=weighted[0])


def _contexts_return_s(setting: Setting, layout: ServingLayout) -> Array | None:
    """Of sessions: the context of a turn comes back from the tier that holds it; None where no load is known."""
    shared, tokens = setting.workload.requests.shared_prefix_tokens, setting.returned_tokens
    if tokens is None or not setting.returned:
        return None
    context = sequence_held_bytes(
        architecture=setting.workload.architecture,
        layout=layout,
        parts=setting.parts,
        sequence_tokens=tokens + shared,
        shared_tokens=shared,
        assumptions=setting.assumptions,
    )
    return mean_return_s(
        times_s=tuple(_back_s(context, tier) for tier in setting.tiers),
        shares=setting.returned,
    )


def with_return_s(turn_s: Array, load: Load, layout: ServingLayout) -> Array:
    """The time from one prompt to the next, with what comes back for each where something does."""
    if load.return_s is None:
        return turn_s
    return turn_with_return_s(turn_s=turn_s, return_s=load.return_s, data_parallel=layout.data_parallel)


def sequences_away(setting: Setting, layout: ServingLayout) -> Array | None:
    """Sequences that the other tier holds for one instance that decodes; None without one."""
    if setting.tier is None:
        return None
    asked = setting.workload.requests
    return offloaded_sequences(
        capacity_bytes=setting.tier.capacity_bytes,
        accelerators=layout.accelerators,
        request_bytes=request_bytes(
            architecture=setting.workload.architecture,
            parts=setting.parts,
            sequence_tokens=asked.input_tokens + asked.output_tokens,
            shared_tokens=asked.shared_prefix_tokens,
            assumptions=setting.assumptions,
        ),
    )


def saved_by_return(setting: Setting, layout: ServingLayout, latency: Latency) -> Array | None:
    """Time to the first token of a prompt by itself that what comes back saves; None: nothing ever left."""
    back = latency.ttft_parts_s.get(RETURN)
    if back is None:
        return None
    return saved_by_return_s(recomputing_s=recomputed_s(setting, layout, latency.prefill_s), return_s=back)


def recomputed_s(setting: Setting, layout: ServingLayout, prefill_s: Array) -> Array:
    """Prefill that what comes back saves a prompt by itself, whose own takes `prefill_s`."""
    asked = setting.workload.requests
    recomputed = prefill_over(
        tuple(
            replace(one, cached_share=one.shared_prefix_tokens / one.input_tokens) for one in asked.classes
        ),
        model=setting.model,
        parts=setting.parts,
        machine=setting.machine,
        layout=layout,
        input_tokens=asked.input_tokens,
        cached_share=asked.shared_prefix_tokens / asked.input_tokens,
        waiting=np.ones(1),
        assumptions=setting.assumptions,
    )
    return recomputing_s(anew_s=recomputed.alone_s, prefill_s=prefill_s)
