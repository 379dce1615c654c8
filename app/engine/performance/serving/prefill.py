"""Time of the prefill of prompts: bound by arithmetic, unless the host cannot start kernels fast enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.performance.serving.adapters import LOAD, adapter_kernels, load_s_of, prefill_adapters_s
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.attention_step import index_score_s, prefill_score_s, prompt_pairs
from app.engine.performance.serving.context_exchange import gathered_keys_s, prompt_ranks, tokens_of_a_rank
from app.engine.performance.serving.encoder import PART as ENCODER
from app.engine.performance.serving.encoder import encoder_s_of
from app.engine.performance.serving.exchange import exchange, expert_slices
from app.engine.performance.serving.expert_load import busiest_of, copies_of_attention, ranks_of
from app.engine.performance.serving.host_weights import HostPrefill, part_on_accelerator_s, prefill_host
from app.engine.performance.serving.kernels import kernels_of
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.pass_weights import (
    exchange_left_s,
    overlaps,
    permute_s,
    permute_sharing,
    slice_efficiency,
    weight_read_s,
    weights_of_a_pass,
)
from app.engine.performance.serving.pipeline import (
    chunks_handed_over,
    handed_over_s,
    prompt_through_stages_s,
    stage_cost_s,
    stage_share_of,
)
from app.engine.performance.serving.request_mix import mean_tokens
from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout
from app.engine.specs.serving import RequestClass
from app.engine.trace import Array, plain

_CHUNKED = "[1] Agrawal et al. 2024, arXiv 2403.02310 (chunked prefill)"
_REPLICAS = "[1] vLLM documentation, data parallel deployment: each replica of attention fills its own batch"
_LAUNCH = "prefill is not captured in graphs: the host starts each kernel; constants fitted to measured runs"

ALONE, IN_PASSING = np.ones(1), np.full(1, 0.5)
"""Reads of all weights that a pass adds: whole for a prompt by itself, half where decoding reads them too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTimes:
    """What a pass that holds prompts takes of a pipeline stage: for each prompt, and for the pass."""

    own_s: Array  # of one prompt, that only the replica of attention with the prompt works on
    shared_s: Array  # of one prompt, that all ranks work on together
    weights_s: Array  # of the pass: reading weights beyond what decoding reads
    host_s: Array  # of the pass: starting kernels
    tokens: Array  # of a prompt that are not cached
    chunk_tokens: Array  # most of a pass, of each replica of attention


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefill:
    """Seconds for one prompt."""

    alone_s: Array  # from its start to its end, by itself
    before_s: dict[
        str, Array
    ]  # that the accelerators take for it before, by part of the time to the first token
    cost_s: (
        Array  # that the instance is kept from other work, `before_s` included, prompts of one pass together
    )
    passes: PassTimes
    class_passes: tuple[PassTimes, ...] = ()  # of each class, where there are several


@quantity(unit="tokens", source="definition")
def new_tokens(*, input_tokens: Array, cached_share: Array) -> Array:
    """Input that is not found in the prefix cache."""
    return input_tokens * (1 - cached_share)


@quantity(unit="s", source="definition")
def prefill_multiply_s(
    *,
    parameters: Array,
    tokens: Array,
    ranks: Array,
    peak_flop_per_s: Array,
    efficiency: Array,
    format_ratio: Array,
) -> Array:
    """Multiplying the tokens of a prompt by weights: 2 FLOP for each, over the ranks that share it."""
    return 2 * parameters * tokens / ranks / (peak_flop_per_s * efficiency * format_ratio)


@quantity(unit="s", source=_LAUNCH)
def host_s(*, kernels: Array, kernel_time_s: Array) -> Array:
    """Time in which the host starts the kernels of one pass."""
    return kernels * kernel_time_s


@quantity(unit="s", source="constants fitted to measured runs; host and accelerator work at the same time")
def prefill_time_s(
    *, accelerator_s: Array, weights_s: Array, host_s: Array, passes: Array, reads: Array
) -> Array:
    """The longer of accelerator and host, with a soft corner: sqrt(a^2 + h^2).

    Parameters
    ----------
    weights_s, host_s : of one pass [s]
    reads : of all weights, that a pass adds to those of decoding
    """
    return np.sqrt((accelerator_s + reads * weights_s * passes) ** 2 + (host_s * passes) ** 2)


@quantity(unit="s", source=_REPLICAS)
def own_prompt_s(*, alone_s: Array, together_s: Array, data_parallel: Array) -> Array:
    """Work on a prompt that only its replica of attention does.

    A prompt by itself takes o + s, and as many as there are replicas o / d + s each, s the work of all ranks.
    """
    replicas = np.maximum(data_parallel, 2.0)
    own = (alone_s - together_s) * replicas / (replicas - 1)
    return np.where(data_parallel > 1, np.clip(own, 0.0, alone_s), alone_s)


@quantity(unit="1", source=_CHUNKED)
def passes_alone(*, tokens: Array, chunk_tokens: Array) -> Array:
    """Passes that a prompt by itself takes: at most so many tokens a pass."""
    return np.ceil(tokens / chunk_tokens)


@quantity(unit="1", source=_CHUNKED)
def passes_shared(*, tokens: Array, chunk_tokens: Array, waiting: Array) -> Array:
    """Passes for each prompt where so many wait and share a pass as far as its tokens reach."""
    together = np.maximum(np.minimum(waiting, chunk_tokens / tokens), 1.0)
    return np.maximum(tokens / chunk_tokens, 1 / together)


@quantity(unit="1", source=_REPLICAS)
def waiting_on_each(*, waiting: Array, data_parallel: Array) -> Array:
    """Prompts that wait on each replica of data-parallel attention that has any."""
    return np.maximum(waiting / data_parallel, 1.0)


@quantity(unit="1", source=_REPLICAS)
def passes_of_replicas(*, passes: Array, waiting: Array, data_parallel: Array) -> Array:
    """Passes of the instance for each prompt: replicas that have prompts pass them at the same time."""
    return passes / np.clip(waiting, 1.0, data_parallel)


@quantity(unit="s", source="definition")
def accelerator_s(*, parts_s: tuple[Array, ...]) -> Array:
    """Time of the accelerators for one prompt."""
    return sum(parts_s[1:], start=parts_s[0])


@quantity(unit="s", source="definition: mean of a mixture")
def mean_prefill_s(*, times_s: tuple[Array, ...], shares: tuple[Array, ...]) -> Array:
    """Prefill of a prompt, mean over classes of requests."""
    weighted = [time * share for time, share in zip(times_s, shares, strict=True)]
    return sum(weighted[1:], start=weighted[0])


@quantity(unit="s", source="definition")
def with_host_s(*, on_accelerator_s: Array, host_s: Array) -> Array:
    """Time of a prompt with what weights in the memory of the host take: layers are passed one after another."""
    return on_accelerator_s + host_s


def passes_together(layout: ServingLayout, tokens: Array, chunk_tokens: Array, waiting: Array) -> Array:
    """Passes for each prompt where so many wait on an instance; each replica of attention has a chunk of its own."""
    own = passes_shared(
        tokens=tokens,
        chunk_tokens=chunk_tokens,
        waiting=waiting_on_each(waiting=waiting, data_parallel=layout.data_parallel),
    )
    return passes_of_replicas(passes=own, waiting=waiting, data_parallel=layout.data_parallel)


def prefill_of(
    *,
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    layout: ServingLayout,
    input_tokens: Array,
    cached_share: Array,
    waiting: Array,
    assumptions: ServingAssumptions,
) -> Prefill:
    """Prefill of one prompt on an instance where so many requests may wait together."""
    a = assumptions
    tokens = np.maximum(new_tokens(input_tokens=input_tokens, cached_share=cached_share), 1.0)
    ranks = ranks_of(layout)
    weights = weight_read_s(
        weight_bytes=weights_of_a_pass(
            model, parts, layout, np.minimum(tokens, a.chunk_tokens), machine.host
        ),
        bandwidth_bytes_per_s=machine.memory_bandwidth_bytes_per_s,
        efficiency=a.weight_read_efficiency,
    )
    host = host_s(kernels=_kernels(model, a), kernel_time_s=a.prefill_kernel_time_s)
    common = (model, parts, machine, layout, tokens, input_tokens * cached_share)
    alone = passes_alone(tokens=tokens, chunk_tokens=a.chunk_tokens)
    shared = passes_together(layout, tokens, a.chunk_tokens, waiting)
    by_itself = _accelerator(*common, prompt_ranks(layout), 1.0 + 0 * ranks, a)
    together = _accelerator(*common, ranks, layout.data_parallel, a)
    own = own_prompt_s(alone_s=by_itself, together_s=together, data_parallel=layout.data_parallel)
    shared_s, of_a_pass = by_itself - own, IN_PASSING * weights
    if machine.host is not None:
        away = _host(*common, alone, shared, a)
        by_itself = with_host_s(on_accelerator_s=by_itself, host_s=away.prompt_s)
        together = with_host_s(on_accelerator_s=together, host_s=away.shared_s)
        shared_s = with_host_s(on_accelerator_s=shared_s, host_s=away.token_s)
        of_a_pass = with_host_s(on_accelerator_s=of_a_pass, host_s=away.pass_s)
    staged = {"stage_share": stage_share_of(model.architecture.layers, layout)}
    before = _before(model, machine, layout, cached_share, a)
    serial = prefill_time_s(
        accelerator_s=by_itself,
        weights_s=weights,
        host_s=host,
        passes=alone,
        reads=ALONE,
    )
    return Prefill(
        alone_s=serial
        if not np.any(plain(layout.pipeline_parallel) > 1)
        else _through_stages(model, machine, layout, serial, tokens, alone, a),
        before_s=before,
        cost_s=_with_before(
            stage_cost_s(
                prefill_s=prefill_time_s(
                    accelerator_s=together,
                    weights_s=weights,
                    host_s=host,
                    passes=shared,
                    reads=IN_PASSING,
                ),
                **staged,
            ),
            before,
        ),
        passes=PassTimes(
            own_s=stage_cost_s(prefill_s=own, **staged),
            shared_s=_with_before(stage_cost_s(prefill_s=shared_s, **staged), before),
            weights_s=stage_cost_s(prefill_s=of_a_pass, **staged),
            host_s=stage_cost_s(prefill_s=host, **staged),
            tokens=tokens,
            chunk_tokens=a.chunk_tokens,
        ),
    )


def _through_stages(
    model: ServedModel,
    machine: ServingMachine,
    layout: ServingLayout,
    serial_s: Array,
    tokens: Array,
    passes: Array,
    a: ServingAssumptions,
) -> Array:
    """A prompt by itself, whose chunks go through pipeline stages; only one is on its way where they
    follow."""
    follow = a.prompt_chunks_follow
    sent = chunks_handed_over(passes=passes, chunks_follow=follow)
    handed, _ = handed_over_s(layout, machine, model.architecture.hidden, tokens * sent / passes, sent, a)
    return handed + prompt_through_stages_s(
        prefill_s=serial_s,
        passes=passes,
        stage_share=stage_share_of(model.architecture.layers, layout),
        chunks_follow=follow,
    )


def prefill_over(
    classes: tuple[RequestClass, ...], *, input_tokens: Array, cached_share: Array, **common: Any
) -> Prefill:
    """Prefill of a prompt of mean length; of several classes the mean over them, each at its own length.

    Attention grows with the square of a prompt, so that a mix takes more than prompts of its mean length.
    """
    if not classes:
        return prefill_of(input_tokens=input_tokens, cached_share=cached_share, **common)
    shares = tuple(one.share for one in classes)
    each = [
        prefill_of(input_tokens=one.input_tokens, cached_share=one.cached_share, **common) for one in classes
    ]
    passes = [one.passes for one in each]

    def mean(parts: list[Any], name: str) -> Array:
        return mean_prefill_s(times_s=tuple(getattr(part, name) for part in parts), shares=shares)

    return Prefill(
        alone_s=mean(each, "alone_s"),
        before_s={
            part: mean_prefill_s(times_s=tuple(one.before_s[part] for one in each), shares=shares)
            for part in each[0].before_s
        },
        cost_s=mean(each, "cost_s"),
        passes=PassTimes(
            **{name: mean(passes, name) for name in ("own_s", "shared_s", "weights_s", "host_s")},
            tokens=mean_tokens(tokens=tuple(part.tokens for part in passes), shares=shares),
            chunk_tokens=passes[0].chunk_tokens,
        ),
        class_passes=tuple(passes),
    )


def _accelerator(
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    layout: ServingLayout,
    tokens: Array,
    cached_tokens: Array,
    attention_ranks: Array,
    sharing: Array,
    a: ServingAssumptions,
) -> Array:
    """`attention_ranks` share attention and what is dense; `sharing` replicas of attention work on prompts at once."""
    m = model.architecture
    ranks = ranks_of(layout)
    reduce, dispatch = exchange(
        model=model,
        parts=parts,
        layout=layout,
        machine=machine,
        reduced_tokens=tokens_of_a_rank(
            tokens=tokens, prompts=sharing, context_parallel=layout.context_parallel
        ),
        dispatched_tokens=tokens_of_a_rank(
            tokens=tokens, prompts=sharing, context_parallel=layout.context_parallel
        ),
        speedup=np.ones(1),
        decoding=False,
        assumptions=a,
    )
    dense = prefill_multiply_s(
        parameters=model.dense_parameters,
        tokens=tokens,
        ranks=attention_ranks,
        peak_flop_per_s=parts.dense_peak_flop_per_s,
        efficiency=a.prefill_matmul_efficiency * a.dense_dequantise_ratio,
        format_ratio=a.prefill_dense_format_ratio,
    )
    busiest = busiest_of(
        model, layout, tokens * sharing, spread=a.expert_spread, popularity=a.expert_popularity
    )
    experts = prefill_multiply_s(
        parameters=m.expert_layers * model.expert_parameters,
        tokens=tokens * m.experts_per_token * busiest,
        ranks=ranks,
        peak_flop_per_s=parts.expert_peak_flop_per_s,
        efficiency=slice_efficiency(
            efficiency=a.prefill_expert_efficiency * a.expert_dequantise_ratio,
            expert_hidden=m.expert_hidden,
            slices=expert_slices(ranks=ranks, expert_parallel=layout.expert_parallel),
            half_width=a.expert_half_width,
        ),
        format_ratio=a.prefill_expert_format_ratio,
    )
    permute = permute_s(
        expert_layers=m.expert_layers,
        tokens=tokens,
        experts_per_token=m.experts_per_token,
        hidden=m.hidden,
        passes=a.permute_passes,
        sharing=permute_sharing(
            ranks=ranks, data_parallel=copies_of_attention(layout), expert_parallel=layout.expert_parallel
        ),
        bandwidth_bytes_per_s=machine.memory_bandwidth_bytes_per_s,
    )
    scored, indexed = prompt_pairs(model, tokens, cached_tokens)
    score = prefill_score_s(
        pairs=scored,
        score_flop=model.prefill_score_flop,
        ranks=attention_ranks,
        peak_16_bit_flop_per_s=machine.peak_16_bit_flop_per_s,
        efficiency=a.prefill_attention_efficiency,
    )
    index = index_score_s(
        pairs=indexed,
        index_flop=model.index_flop,
        replicas=attention_ranks / layout.tensor_parallel,
        peak_flop_per_s=parts.dense_peak_flop_per_s,
        efficiency=a.prefill_attention_efficiency,
    )
    gathered = gathered_keys_s(model, machine, layout, tokens, sharing, a)
    if machine.host is not None:
        host = machine.host
        dense, experts, score = (
            part_on_accelerator_s(part_s=part, host_share=share)
            for part, share in (
                (dense, host.dense_share),
                (experts, host.expert_share),
                (score, host.cache_share),
            )
        )
    computed: tuple[Array, ...] = (dense, experts, permute, score, index, reduce, gathered)
    if model.adapters is not None:
        computed = (
            *computed,
            prefill_adapters_s(
                model.adapters,
                layout,
                tokens=tokens,
                sharing=sharing,
                peak_16_bit_flop_per_s=machine.peak_16_bit_flop_per_s,
                efficiency=a.prefill_matmul_efficiency,
            ),
        )
    left = exchange_left_s(
        exchange_s=dispatch,
        computed_s=accelerator_s(parts_s=computed),
        overlap=overlaps(
            two_batch_overlap=a.two_batch_overlap, ranks=ranks, data_parallel=copies_of_attention(layout)
        ),
    )
    return accelerator_s(parts_s=(*computed, left))


def _kernels(model: ServedModel, a: ServingAssumptions) -> Array:
    """Kernels of a pass over prompts."""
    own = kernels_of(model, a, ratio=np.ones(1))
    if model.adapters is None:
        return own
    return own + adapter_kernels(changed_products=model.adapters.changed_products)


def _before(
    model: ServedModel,
    machine: ServingMachine,
    layout: ServingLayout,
    cached_share: Array,
    a: ServingAssumptions,
) -> dict[str, Array]:
    """What the accelerators do for a prompt before its prefill, while no other work goes on."""
    found = {} if model.adapters is None else {LOAD: load_s_of(model.adapters, layout)}
    if model.encoder is not None:
        found[ENCODER] = encoder_s_of(model.encoder, layout, machine, cached_share, a)
    return found


def _with_before(time_s: Array, before_s: dict[str, Array]) -> Array:
    return sum(before_s.values(), start=time_s)


def _host(
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    layout: ServingLayout,
    tokens: Array,
    cached_tokens: Array,
    alone: Array,
    shared: Array,
    a: ServingAssumptions,
) -> HostPrefill:
    """What a prompt takes for weights in the host."""
    assert machine.host is not None
    return prefill_host(
        model,
        parts,
        machine.host,
        layout,
        tokens=tokens,
        alone=alone,
        shared=shared,
        score_pairs=prompt_pairs(model, tokens, cached_tokens)[0],
        a=a,
    )
