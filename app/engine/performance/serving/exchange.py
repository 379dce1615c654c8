"""What ranks of an instance send each other: all-reduce of tensor parallelism, dispatch and combine to experts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.ranks import ranks_of
from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout
from app.engine.trace import Array

_ONE_SHOT = (
    "[1] TensorRT-LLM and SGLang custom all-reduce (one-shot, two-shot); constants fitted to measured runs"
)
_DISPATCH = "[1] DeepEP, https://github.com/deepseek-ai/DeepEP (dispatch and combine); constants fitted to measured runs"

RESULT_BYTES = 2.0
"""Activations between layers, and what experts send back, are in 16 bit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """The links that a group of ranks talks over."""

    bandwidth_bytes_per_s: Array
    across: Array  # 1 where the group is wider than a scale-up domain
    domain_accelerators: Array


@quantity(unit="1", source="definition")
def reaches_across(*, ranks: Array, domain_accelerators: Array) -> Array:
    """Whether a group of ranks is wider than a scale-up domain: 1, else 0."""
    return np.where(ranks > domain_accelerators, 1.0, 0.0)


@quantity(unit="B/s", source="definition")
def link_bandwidth_bytes_per_s(*, across: Array, scale_up: Array, scale_out: Array) -> Array:
    """Bandwidth of one rank to the others of its instance: that of the slower network it needs."""
    return np.where(across > 0, scale_out, scale_up)


@quantity(unit="1", source="definition")
def all_reduces(
    *, layers: Array, query_key_norm: Array, tensor_parallel: Array, data_parallel: Array
) -> Array:
    """All-reduces of one pass.

    After attention and after the feed-forward of every layer, one more where norms reach over all heads; with
    data-parallel attention the experts exchange tokens in place of the second.
    """
    each = np.where(data_parallel > 1, 1.0, 2.0) + 1.0 * (query_key_norm > 1)
    return np.where(tensor_parallel > 1, layers * each, 0.0)


@quantity(unit="s", source=_ONE_SHOT)
def all_reduce_s(
    *,
    all_reduces: Array,
    tokens: Array,
    hidden: Array,
    tensor_parallel: Array,
    latency_s: Array,
    growth: Array,
    across_latency_s: Array,
    across: Array,
    bandwidth_bytes_per_s: Array,
    bandwidth_share: Array,
) -> Array:
    """All-reduces of one pass of a rank's tokens.

    Each takes a latency that grows with the logarithm of the ranks, and its bytes both ways:
    2 (t - 1) / t x tokens x hidden x 2 B.
    """
    steps = latency_s * (1 + growth * np.log2(tensor_parallel)) + across * across_latency_s
    moved = 2 * (tensor_parallel - 1) / tensor_parallel * tokens * hidden * RESULT_BYTES
    each = steps + moved / (bandwidth_bytes_per_s * bandwidth_share)
    return np.where(tensor_parallel > 1, all_reduces * each, 0.0)


@quantity(unit="s", source=_DISPATCH)
def expert_dispatch_s(
    *,
    expert_layers: Array,
    tokens: Array,
    hidden: Array,
    data_parallel: Array,
    sent_element_bytes: Array,
    latency_s: Array,
    across_latency_s: Array,
    across: Array,
    copies: Array,
    bandwidth_bytes_per_s: Array,
    bandwidth_share: Array,
    exposed: Array,
) -> Array:
    """Tokens to their experts and back, in one pass of a rank's tokens.

    Only with data-parallel attention, whose ranks hold tokens of their own.
    """
    moved = tokens * hidden * copies * (sent_element_bytes + RESULT_BYTES)
    sending = moved / (bandwidth_bytes_per_s * bandwidth_share)
    each = 2 * (latency_s + across * across_latency_s) + exposed * sending
    return np.where(data_parallel > 1, expert_layers * each, 0.0)


@quantity(unit="1", source=_DISPATCH)
def dispatched_copies(
    *, experts_per_token: Array, ranks: Array, domain_accelerators: Array, across: Array, once_a_domain: Array
) -> Array:
    """Copies of a token that its rank sends.

    One for each of its experts, at most one for each rank. Exchange of long prompts sends one for each other domain
    that has any of them, D - 1 of D domains with a chance of 1 - (1 - 1/D)^k each, and spreads it there.
    """
    direct = np.minimum(experts_per_token, ranks)
    domains = np.maximum(ranks / domain_accelerators, 1.0)
    once = (domains - 1) * (1 - (1 - 1 / domains) ** experts_per_token)
    return np.where((across > 0) & (once_a_domain > 0), once, direct)


@quantity(unit="s", source="definition")
def paid_latency_s(*, latency_s: Array, share: Array, speedup: Array) -> Array:
    """Latency of an exchange, as far as a pass pays it, of a newer engine less."""
    return share * latency_s * speedup


@quantity(unit="1", source=_DISPATCH)
def by_reach(*, across: Array, within: Array, beyond: Array) -> Array:
    """A constant of the network that an exchange goes over: of the scale-up domain, or beyond it."""
    return np.where(across > 0, beyond, within)


def links_of(ranks: Array, machine: ServingMachine) -> Links:
    """The links of a group of ranks; neighbours lie in one scale-up domain as far as it reaches."""
    across = reaches_across(ranks=ranks, domain_accelerators=machine.domain_accelerators)
    return Links(
        across=across,
        domain_accelerators=machine.domain_accelerators,
        bandwidth_bytes_per_s=link_bandwidth_bytes_per_s(
            across=across,
            scale_up=machine.scale_up_bandwidth_bytes_per_s,
            scale_out=machine.scale_out_bandwidth_bytes_per_s,
        ),
    )


def exchange(
    *,
    model: ServedModel,
    parts: PartPrecision,
    layout: ServingLayout,
    machine: ServingMachine,
    reduced_tokens: Array,
    dispatched_tokens: Array,
    speedup: Array,
    latency: Array,
    assumptions: ServingAssumptions,
) -> tuple[Array, Array]:
    """Seconds of all-reduce and of expert exchange in one pass.

    `latency` is 1 where each exchange of the pass pays its latency, 0 where only bytes count (as in prefill,
    whose exchanges are long).
    """
    m, a = model.architecture, assumptions
    ranks = ranks_of(layout)
    near, far = links_of(layout.tensor_parallel, machine), links_of(ranks, machine)
    beyond = paid_latency_s(latency_s=a.across_domain_latency_s, share=latency, speedup=np.ones(1))
    reduce = all_reduce_s(
        all_reduces=all_reduces(
            layers=m.layers,
            query_key_norm=m.query_key_norm,
            tensor_parallel=layout.tensor_parallel,
            data_parallel=layout.data_parallel,
        ),
        tokens=reduced_tokens,
        tensor_parallel=layout.tensor_parallel,
        latency_s=paid_latency_s(latency_s=a.all_reduce_latency_s, share=latency, speedup=speedup),
        growth=a.all_reduce_growth,
        across_latency_s=beyond,
        bandwidth_share=by_reach(
            across=near.across, within=a.all_reduce_bandwidth_share, beyond=a.across_bandwidth_share
        ),
        hidden=m.hidden,
        across=near.across,
        bandwidth_bytes_per_s=near.bandwidth_bytes_per_s,
    )
    dispatch = expert_dispatch_s(
        expert_layers=m.expert_layers,
        tokens=dispatched_tokens,
        copies=dispatched_copies(
            experts_per_token=m.experts_per_token,
            ranks=ranks,
            domain_accelerators=far.domain_accelerators,
            across=far.across,
            once_a_domain=1 - latency,
        ),
        data_parallel=layout.data_parallel,
        sent_element_bytes=parts.exchange_element_bytes,
        latency_s=paid_latency_s(latency_s=a.dispatch_latency_s, share=latency, speedup=np.ones(1)),
        across_latency_s=beyond,
        bandwidth_share=by_reach(
            across=far.across, within=a.dispatch_bandwidth_share, beyond=a.across_bandwidth_share
        ),
        exposed=by_reach(across=far.across, within=np.ones(1), beyond=a.across_exposed),
        hidden=m.hidden,
        across=far.across,
        bandwidth_bytes_per_s=far.bandwidth_bytes_per_s,
    )
    return reduce, dispatch
