"""What ranks of an instance send each other: all-reduce of tensor parallelism, dispatch and combine to experts.

Tokens go to experts over two networks. Prefill sends a token once to each other scale-up domain with any of its
experts and forwards it there (normal kernels of DeepEP); decoding sends it straight to every rank (low-latency
kernels, which use the scale-up network within a domain since `allow_nvlink_for_low_latency_mode`). Either way the
exchange handles every copy at the rate that it reaches within a domain, and those that leave it at that of the
scale-out link too, both at the same time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.collectives.shared_links import Pattern
from app.engine.performance.groups import domains_spanned
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.expert_load import copies_of_attention, ranks_of
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout
from app.engine.trace import Array

_ONE_SHOT = (
    "[1] TensorRT-LLM and SGLang custom all-reduce (one-shot, two-shot); constants fitted to measured runs"
)
_DISPATCH = "[1] DeepEP, https://github.com/deepseek-ai/DeepEP (dispatch and combine); constants fitted to measured runs"
_NORMAL = "[1] DeepEP, csrc/kernels/internode.cu (normal kernels: over RDMA once a node, then forwarded over NVLink)"
_DIRECT = (
    "[1] DeepEP, csrc/kernels/internode_ll.cu (low-latency kernels: straight to the rank of each expert)"
)

RESULT_BYTES = 2.0
"""Activations between layers, and what experts send back, are in 16 bit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A group of ranks and the scale-up domains that it lies in."""

    ranks: Array
    across: Array  # 1 where the group is wider than a scale-up domain
    domains: Array  # whole ones
    domain_ranks: Array  # of the group in the domain with fewest


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies:
    """Of a token, that its rank sends on average, or passes on for others."""

    all: Array  # within the domain and beyond, its own rank included
    across: Array  # over the scale-out link


@quantity(unit="1", source="definition")
def reaches_across(*, ranks: Array, domain_accelerators: Array) -> Array:
    """Whether a group of ranks is wider than a scale-up domain: 1, else 0."""
    return np.where(ranks > domain_accelerators, 1.0, 0.0)


@quantity(unit="1", source="definition")
def fewest_in_domain(*, ranks: Array, domains: Array) -> Array:
    """Ranks of a group in the domain with fewest of them, where domains have as even a part as they can."""
    return np.floor(ranks / domains)


@quantity(unit="1", source="definition")
def expert_slices(*, ranks: Array, expert_parallel: Array) -> Array:
    """Ranks that an expert is cut over: each needs the token, and sends back a partial sum."""
    return ranks / expert_parallel


@quantity(unit="1", source="even routing: 1 - (1 - 1/g)^k")
def chance_reached(*, groups: Array, experts_per_token: Array) -> Array:
    """Chance that one of several groups of experts has any of those that a token goes to."""
    return 1 - (1 - 1 / groups) ** experts_per_token


@quantity(unit="1", source=_DIRECT)
def direct_copies(*, experts_per_token: Array, expert_parallel: Array, slices: Array) -> Array:
    """Copies of a token that is sent straight to all slices of its experts, at most one to each rank."""
    return np.minimum(experts_per_token, expert_parallel) * slices


@quantity(unit="1", source="definition")
def direct_copies_across(*, copies: Array, ranks: Array, domain_ranks: Array) -> Array:
    """Of copies to ranks anywhere in the group, those to ranks of other domains."""
    return copies * (ranks - domain_ranks) / ranks


@quantity(unit="1", source=_NORMAL)
def forwarded_copies(*, ranks: Array, chance: Array) -> Array:
    """Copies of a token over the scale-up network: to every rank with any of its experts.

    Those that domains pass on are handled by ranks there, which on average have as many as they send.
    """
    return ranks * chance


@quantity(unit="1", source="definition")
def expert_blocks(*, domains: Array, expert_parallel: Array) -> Array:
    """Parts of the group that have different experts, at most one a domain: slices may lie in several domains."""
    return np.minimum(domains, expert_parallel)


@quantity(unit="1", source=_NORMAL)
def forwarded_copies_across(*, domains: Array, chance: Array) -> Array:
    """Copies of a token over the scale-out link: one to each other domain with any of its experts."""
    return (domains - 1) * chance


@quantity(unit="1", source="definition")
def exchanging_copies(*, experts: Array, copies: Array) -> Array:
    """Copies of attention that exchange tokens with experts in place of an all-reduce; one of a model without experts."""
    return np.where(experts > 0, copies, 1.0)


@quantity(unit="1", source="definition")
def all_reduces(
    *, layers: Array, query_key_norm: Array, tensor_parallel: Array, data_parallel: Array
) -> Array:
    """All-reduces of one pass.

    After attention and after the feed-forward of every layer, experts cut or dealt over the ranks included; one more
    where norms reach over all heads. With data-parallel attention the experts exchange tokens in place of the second.
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
    bytes_per_s: Array,
) -> Array:
    """All-reduces of one pass of a rank's tokens.

    Each takes a latency that grows with the logarithm of the ranks, and its bytes both ways:
    2 (t - 1) / t x tokens x hidden x 2 B.
    """
    steps = latency_s * (1 + growth * np.log2(tensor_parallel)) + across * across_latency_s
    moved = 2 * (tensor_parallel - 1) / tensor_parallel * tokens * hidden * RESULT_BYTES
    return np.where(tensor_parallel > 1, all_reduces * (steps + moved / bytes_per_s), 0.0)


@quantity(unit="B/s", source="definition")
def reached_bytes_per_s(*, bandwidth_bytes_per_s: Array, share: Array) -> Array:
    """Rate that an exchange reaches on a link."""
    return bandwidth_bytes_per_s * share


@quantity(unit="B/s", source="definition")
def slower_bytes_per_s(*, across: Array, within: Array, beyond: Array) -> Array:
    """Rate of an exchange that goes over both networks, where a group is wider than a domain: that of the slower."""
    return np.where(across > 0, np.minimum(within, beyond), within)


@quantity(unit="B", source="definition")
def token_bytes(*, hidden: Array, sent_element_bytes: Array) -> Array:
    """Bytes of a token on its way to an expert, and of what the expert, or a slice of it, sends back."""
    return hidden * (sent_element_bytes + RESULT_BYTES)


@quantity(
    unit="1",
    source="[1] vLLM, ParallelConfig.use_sequence_parallel_moe; [2] SGLang, scattered tokens before DeepEP",
)
def sent_tokens(*, tokens: Array, tensor_parallel: Array) -> Array:
    """Tokens that a rank sends to experts: those of its replica of attention, dealt out over its tensor ranks."""
    return tokens / tensor_parallel


@quantity(unit="s", source=_DISPATCH)
def sending_s(
    *,
    tokens: Array,
    token_bytes: Array,
    copies: Array,
    copies_across: Array,
    across: Array,
    within_bytes_per_s: Array,
    across_bytes_per_s: Array,
    exposed: Array,
) -> Array:
    """Tokens of a rank to their experts of one layer and back, by the busiest link.

    Every copy is handled at the rate reached within a domain; those that leave it go over the scale-out link at the
    same time, of which `exposed` is the share that no other batch hides.
    """
    near = tokens * token_bytes * copies / within_bytes_per_s
    far = exposed * tokens * token_bytes * copies_across / across_bytes_per_s
    return np.where(across > 0, np.maximum(near, far), near)


@quantity(unit="s", source=_DISPATCH)
def expert_dispatch_s(
    *,
    expert_layers: Array,
    data_parallel: Array,
    latency_s: Array,
    across_latency_s: Array,
    across: Array,
    sending_s: Array,
) -> Array:
    """Tokens to their experts and back, in one pass of a rank's tokens.

    Only with data-parallel attention, whose ranks hold tokens of their own.
    """
    each = 2 * (latency_s + across * across_latency_s) + sending_s
    return np.where(data_parallel > 1, expert_layers * each, 0.0)


@quantity(unit="s", source="definition")
def paid_latency_s(*, latency_s: Array, share: Array, speedup: Array) -> Array:
    """Latency of an exchange, as far as a pass pays it, of a newer engine less."""
    return share * latency_s * speedup


def reach_of(ranks: Array, machine: ServingMachine) -> Reach:
    """The domains of a group of ranks; neighbours lie in one scale-up domain as far as it reaches."""
    domains = domains_spanned(ranks=ranks, domain_ranks=machine.domain_accelerators)
    return Reach(
        ranks=ranks,
        across=reaches_across(ranks=ranks, domain_accelerators=machine.domain_accelerators),
        domains=domains,
        domain_ranks=fewest_in_domain(ranks=ranks, domains=domains),
    )


def copies_of(model: ServedModel, layout: ServingLayout, reach: Reach, *, forwarded: bool) -> Copies:
    """Copies of a token, sent straight to each rank or forwarded by one rank of each domain."""
    k, over = model.architecture.experts_per_token, layout.expert_parallel
    if forwarded:
        blocks = expert_blocks(domains=reach.domains, expert_parallel=over)
        return Copies(
            all=forwarded_copies(ranks=reach.ranks, chance=chance_reached(groups=over, experts_per_token=k)),
            across=forwarded_copies_across(
                domains=reach.domains, chance=chance_reached(groups=blocks, experts_per_token=k)
            ),
        )
    copies = direct_copies(
        experts_per_token=k,
        expert_parallel=over,
        slices=expert_slices(ranks=reach.ranks, expert_parallel=over),
    )
    return Copies(
        all=copies,
        across=direct_copies_across(copies=copies, ranks=reach.ranks, domain_ranks=reach.domain_ranks),
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
    decoding: bool,
    assumptions: ServingAssumptions,
) -> tuple[Array, Array]:
    """Seconds of all-reduce and of expert exchange in one pass.

    Parameters
    ----------
    dispatched_tokens : of one copy of attention, as `reduced_tokens`
    decoding : whether each exchange pays its latency and sends straight to each rank; in prefill, whose exchanges are
        long, only bytes count and other domains forward
    """
    m, a = model.architecture, assumptions
    near, far = reach_of(layout.tensor_parallel, machine), reach_of(ranks_of(layout), machine)
    paid = np.full(1, float(decoding))
    beyond = paid_latency_s(latency_s=a.across_domain_latency_s, share=paid, speedup=np.ones(1))

    def beyond_domain(ranks: Array, pattern: Pattern) -> Array:
        return reached_bytes_per_s(
            bandwidth_bytes_per_s=machine.scale_out_of(ranks, pattern), share=a.across_bandwidth_share
        )

    def within(share: Array) -> Array:
        return reached_bytes_per_s(bandwidth_bytes_per_s=machine.scale_up_bandwidth_bytes_per_s, share=share)

    reduce = all_reduce_s(
        all_reduces=all_reduces(
            layers=m.layers,
            query_key_norm=m.query_key_norm,
            tensor_parallel=layout.tensor_parallel,
            data_parallel=exchanging_copies(experts=m.experts, copies=copies_of_attention(layout)),
        ),
        tokens=reduced_tokens,
        tensor_parallel=layout.tensor_parallel,
        latency_s=paid_latency_s(latency_s=a.all_reduce_latency_s, share=paid, speedup=speedup),
        growth=a.all_reduce_growth,
        across_latency_s=beyond,
        hidden=m.hidden,
        across=near.across,
        bytes_per_s=slower_bytes_per_s(
            across=near.across,
            within=within(a.all_reduce_bandwidth_share),
            beyond=beyond_domain(near.ranks, "ring"),
        ),
    )
    copies = copies_of(model, layout, far, forwarded=not decoding)
    with np.errstate(
        invalid="ignore", divide="ignore"
    ):  # nothing leaves a domain that has no links beyond it
        sending = sending_s(
            tokens=sent_tokens(tokens=dispatched_tokens, tensor_parallel=layout.tensor_parallel),
            token_bytes=token_bytes(hidden=m.hidden, sent_element_bytes=parts.exchange_element_bytes),
            copies=copies.all,
            copies_across=copies.across,
            across=far.across,
            within_bytes_per_s=within(a.dispatch_bandwidth_share if decoding else a.forward_bandwidth_share),
            across_bytes_per_s=beyond_domain(far.ranks, "all_to_all"),
            exposed=a.across_exposed,
        )
    dispatch = expert_dispatch_s(
        expert_layers=m.expert_layers,
        data_parallel=copies_of_attention(layout),
        latency_s=paid_latency_s(latency_s=a.dispatch_latency_s, share=paid, speedup=np.ones(1)),
        across_latency_s=beyond,
        across=far.across,
        sending_s=sending,
    )
    return reduce, dispatch
