"""Weights in the memory of the host: what a decode step and a pass over prompts take for them.

They cross the link to the accelerator whenever they are used, or the processors of the host multiply them where
they lie and activations cross. An instance has as much of its hosts as its accelerators are of theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.attention_step import read_tokens
from app.engine.performance.serving.context_exchange import tokens_of_a_rank
from app.engine.performance.serving.expert_load import (
    busiest_active_experts,
    experts_in_use,
    placed_of,
    ranks_of,
)
from app.engine.performance.serving.kv_cache import kv_shards
from app.engine.performance.serving.machine import HostSide
from app.engine.performance.serving.pass_weights import HIDDEN_STATE_BYTES, roofline_s
from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout
from app.engine.trace import Array

_STREAMED = (
    "[1] Sheng et al. 2023, arXiv 2303.06865 (FlexGen); [2] vLLM documentation, OffloadConfig "
    "(https://docs.vllm.ai/en/stable/api/vllm/config/offload/)"
)
_COMPUTED = (
    "[1] KTransformers, kt-kernel (https://github.com/kvcache-ai/ktransformers): experts are multiplied by the host; "
    "[2] llama.cpp, -ngl and --n-cpu-moe"
)
_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline), with a soft corner"


@quantity(unit="s", source="definition")
def part_on_accelerator_s(*, part_s: Array, host_share: Array) -> Array:
    """A part of a pass, of the weights that lie in the accelerator's memory."""
    return part_s * (1 - host_share)


@quantity(unit="B", source="definition")
def host_dense_bytes(
    *, dense_parameters: Array, parameter_bytes: Array, tensor_parallel: Array, host_share: Array
) -> Array:
    """Weights outside the routed experts that lie in the host for one rank."""
    return host_share * dense_parameters * parameter_bytes / tensor_parallel


@quantity(unit="B", source="definition")
def host_expert_bytes(
    *, expert_layers: Array, experts: Array, expert_bytes: Array, cut: Array, host_share: Array
) -> Array:
    """Weights of so many experts of a layer that lie in the host, each cut over so many ranks."""
    return host_share * expert_layers * experts * expert_bytes / cut


@quantity(unit="s", source=_STREAMED)
def crossing_weights_s(*, weight_bytes: Array, link_bytes_per_s: Array, memory_bytes_per_s: Array) -> Array:
    """Weights on their way from the host to an accelerator: as fast as the link, or as the host reads them."""
    return weight_bytes / np.minimum(link_bytes_per_s, memory_bytes_per_s)


@quantity(unit="s", source=_STREAMED)
def crossed_multiply_s(
    *,
    dense_parameters: Array,
    expert_parameters: Array,
    dense_rate_flop_per_s: Array,
    expert_rate_flop_per_s: Array,
    tokens: Array,
    expert_tokens: Array,
) -> Array:
    """Multiplying tokens of a rank by the weights that crossed: 2 FLOP for each, on the accelerator."""
    dense = 2 * dense_parameters * tokens / dense_rate_flop_per_s
    return dense + 2 * expert_parameters * expert_tokens / expert_rate_flop_per_s


@quantity(unit="s", source=_COMPUTED)
def host_read_s(*, weight_bytes: Array, cache_bytes: Array, memory_bytes_per_s: Array) -> Array:
    """Reading weights, keys and values from the host's memory."""
    return (weight_bytes + cache_bytes) / memory_bytes_per_s


@quantity(unit="s", source=_COMPUTED)
def host_multiply_s(
    *,
    dense_parameters: Array,
    tokens: Array,
    expert_parameters: Array,
    expert_tokens: Array,
    score_flop: Array,
    flop_per_s: Array,
) -> Array:
    """Multiplying on the host, attention of its layers included; one accelerator's share of it does one rank's work."""
    flop = 2 * dense_parameters * tokens + 2 * expert_parameters * expert_tokens + score_flop
    return flop / flop_per_s


@quantity(unit="1", source=_COMPUTED)
def host_crossings(*, expert_layers: Array, expert_share: Array, dense_share: Array) -> Array:
    """Round trips to the host per pass: one for whole layers, once for each layer of its experts."""
    return np.where(dense_share > 0, 1.0, expert_layers * expert_share)


@quantity(unit="s", source=_COMPUTED)
def activation_crossing_s(
    *,
    crossings: Array,
    passes: Array,
    tokens: Array,
    hidden: Array,
    link_bytes_per_s: Array,
    crossing_s: Array,
) -> Array:
    """Hidden states of a rank's tokens to the host and back, each time with a wait for the other side."""
    moved = 2 * tokens * hidden * HIDDEN_STATE_BYTES / link_bytes_per_s
    return crossings * (moved + passes * crossing_s)


@quantity(unit="s", source=_ROOFLINE)
def host_weights_s(*, read_s: Array, multiply_s: Array, crossing_s: Array) -> Array:
    """Weights in the host: brought or read, and multiplied at the same time, with the activations that cross."""
    return roofline_s(read_s=read_s, multiply_s=multiply_s) + crossing_s


@quantity(unit="1", source="llama.cpp, common.h: n_ubatch, tokens of a physical batch")
def host_passes(*, tokens: Array, chunk_tokens: Array, pass_tokens: Array, passes: Array) -> Array:
    """Times that weights cross for one prompt: once for each of its passes, more where these are worked off in parts."""
    return np.maximum(passes, np.where(pass_tokens < chunk_tokens, tokens / pass_tokens, 0.0))


@quantity(
    unit="s",
    source="[1] llama.cpp, op offload: large batches fetch weights; [2] KTransformers, layer-wise prefill",
)
def quicker_way_s(*, crossed_s: Array, computed_s: Array) -> Array:
    """A prompt whose weights cross or are multiplied where they lie, whichever takes less."""
    return np.minimum(crossed_s, computed_s)


@quantity(unit="s", source="definition")
def once_where_it_crosses_s(*, crossing_s: Array, crossed_s: Array, computed_s: Array) -> Array:
    """Weights on their way, once for a pass; nothing where the host multiplies them."""
    return np.where(crossed_s <= computed_s, crossing_s, 0.0)


@quantity(unit="s", source="definition")
def host_token_s(*, prompt_s: Array, passes: Array, pass_s: Array) -> Array:
    """Extra time per prompt for weights on the host."""
    return np.maximum(prompt_s - passes * pass_s, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPrefill:
    """Seconds that a prompt takes for weights in the host, products by them included."""

    prompt_s: Array  # by itself
    shared_s: Array  # of the instance, where it shares passes with others
    pass_s: Array  # of those, once for each pass, however many prompts share it
    token_s: Array  # the rest, of a prompt by itself


def decode_host_s(
    model: ServedModel,
    parts: PartPrecision,
    host: HostSide,
    layout: ServingLayout,
    *,
    own: Array,
    staged: Array,
    context_tokens: Array,
    step_tokens: Array,
    a: ServingAssumptions,
) -> Array:
    """Weights in the host in one decode step; `own` sequences are of a rank, `staged` of a pipeline stage."""
    m = model.architecture
    tokens, ranks = own * step_tokens, ranks_of(layout)
    used = experts_in_use(model, layout, staged * step_tokens)
    busiest = busiest_active_experts(
        active_experts=used,
        experts=placed_of(model, layout),
        expert_parallel=layout.expert_parallel,
        spread=a.expert_spread,
    )
    work = _Work.of(model, parts, host, layout, tokens, staged * step_tokens * m.experts_per_token / ranks)
    if not host.computed:
        # A link brings what its own accelerator uses; the host as a whole multiplies what all use.
        experts = busiest / (ranks / layout.expert_parallel)
        return _crossed_s(model, parts, host, work, experts, np.ones(1), a.decode_matmul_efficiency, a)
    read = read_tokens(
        attention_layers=m.attention_layers,
        window_layers=m.window_layers,
        window_tokens=m.window_tokens,
        sparse_tokens=m.sparse_tokens,
        tokens=context_tokens,
    )
    shards = kv_shards(
        tensor_parallel=layout.tensor_parallel, kv_heads=m.kv_heads, latent_kv_rank=m.latent_kv_rank
    )
    cached = host.cache_share * own * read
    return _computed_s(
        model,
        parts,
        host,
        work,
        experts=used / ranks,
        passes=np.ones(1),
        cache_bytes=cached * model.kv_elements * parts.kv_element_bytes / shards,
        score_flop=cached * step_tokens * model.decode_score_flop / layout.tensor_parallel,
    )


def prefill_host(
    model: ServedModel,
    parts: PartPrecision,
    host: HostSide,
    layout: ServingLayout,
    *,
    tokens: Array,
    alone: Array,
    shared: Array,
    score_pairs: Array,
    a: ServingAssumptions,
) -> HostPrefill:
    """Weights in the host for one prompt of so many new tokens.

    Parameters
    ----------
    alone, shared : passes that it takes by itself and for its part of shared ones
    score_pairs : pairs of query and key of the prompt, over all layers
    """
    m, ranks = model.architecture, ranks_of(layout)
    chunk = np.minimum(np.minimum(tokens, a.chunk_tokens), host.pass_tokens)
    experts = experts_in_use(model, layout, chunk) / ranks
    pairs = host.cache_share * score_pairs * model.prefill_score_flop / layout.tensor_parallel

    def times(passes: Array) -> Array:
        return host_passes(
            tokens=tokens, chunk_tokens=a.chunk_tokens, pass_tokens=host.pass_tokens, passes=passes
        )

    def ways(passes: Array, sharing: Array) -> tuple[Array, Array]:
        """Weights crossing and multiplied by the host, with so many replicas of attention at work at once."""
        own = tokens_of_a_rank(tokens=tokens, prompts=sharing, context_parallel=layout.context_parallel)
        work = _Work.of(model, parts, host, layout, own, tokens * m.experts_per_token / ranks)
        score = pairs / sharing / layout.context_parallel
        return (
            # Attention stays where its keys and values lie.
            _crossed_s(model, parts, host, work, experts, times(passes), a.prefill_matmul_efficiency, a)
            + score / host.flop_per_s,
            _computed_s(
                model,
                parts,
                host,
                work,
                experts=experts,
                passes=passes,
                cache_bytes=np.zeros(1),
                score_flop=score,
            ),
        )

    (crossed, computed), (crossed_together, computed_together) = (
        ways(alone, np.ones(1)),
        ways(shared, layout.data_parallel),
    )
    once = (
        times(alone)
        / alone
        * crossing_weights_s(
            weight_bytes=_Work.of(model, parts, host, layout, tokens, tokens).dense_bytes
            + _expert_bytes(model, parts, host, experts),
            link_bytes_per_s=host.link_bytes_per_s,
            memory_bytes_per_s=host.memory_bytes_per_s,
        )
    )
    if not host.computed:
        prompt, together = crossed, crossed_together
    elif host.prefill_crosses:
        prompt = quicker_way_s(crossed_s=crossed, computed_s=computed)
        together = quicker_way_s(crossed_s=crossed_together, computed_s=computed_together)
        once = once_where_it_crosses_s(crossing_s=once, crossed_s=crossed, computed_s=computed)
    else:
        prompt, together, once = computed, computed_together, 0 * computed
    return HostPrefill(
        prompt_s=prompt,
        shared_s=together,
        pass_s=once,
        token_s=host_token_s(prompt_s=prompt, passes=alone, pass_s=once),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """What one rank's share of the host's part of a model has to do in a pass."""

    dense_bytes: Array
    dense_parameters: Array
    expert_parameters: Array
    tokens: Array  # of the rank
    expert_tokens: Array  # tokens times experts of each, of the rank's share

    @classmethod
    def of(
        cls,
        model: ServedModel,
        parts: PartPrecision,
        host: HostSide,
        layout: ServingLayout,
        tokens: Array,
        expert_tokens: Array,
    ) -> _Work:
        dense = host_dense_bytes(
            dense_parameters=model.dense_parameters,
            parameter_bytes=parts.dense_parameter_bytes,
            tensor_parallel=layout.tensor_parallel,
            host_share=host.dense_share,
        )
        return cls(
            dense_bytes=dense,
            dense_parameters=dense / parts.dense_parameter_bytes,
            expert_parameters=host.expert_share * model.architecture.expert_layers * model.expert_parameters,
            tokens=tokens,
            expert_tokens=expert_tokens,
        )


def _expert_bytes(model: ServedModel, parts: PartPrecision, host: HostSide, experts: Array) -> Array:
    return host_expert_bytes(
        expert_layers=model.architecture.expert_layers,
        experts=experts,
        expert_bytes=model.expert_parameters * parts.expert_parameter_bytes,
        cut=np.ones(1),
        host_share=host.expert_share,
    )


def _crossed_s(
    model: ServedModel,
    parts: PartPrecision,
    host: HostSide,
    work: _Work,
    experts: Array,
    passes: Array,
    efficiency: Array,
    a: ServingAssumptions,
) -> Array:
    """Weights that cross so often, and the products of a rank by them."""
    read = passes * crossing_weights_s(
        weight_bytes=work.dense_bytes + _expert_bytes(model, parts, host, experts),
        link_bytes_per_s=host.link_bytes_per_s,
        memory_bytes_per_s=host.memory_bytes_per_s,
    )
    multiply = crossed_multiply_s(
        dense_parameters=work.dense_parameters,
        expert_parameters=work.expert_parameters,
        dense_rate_flop_per_s=parts.dense_peak_flop_per_s * efficiency * a.dense_dequantise_ratio,
        expert_rate_flop_per_s=parts.expert_peak_flop_per_s * efficiency * a.expert_dequantise_ratio,
        tokens=work.tokens,
        expert_tokens=work.expert_tokens,
    )
    return host_weights_s(read_s=read, multiply_s=multiply, crossing_s=np.zeros(1))


def _computed_s(
    model: ServedModel,
    parts: PartPrecision,
    host: HostSide,
    work: _Work,
    *,
    experts: Array,
    passes: Array,
    cache_bytes: Array,
    score_flop: Array,
) -> Array:
    """The host's own work on a pass, and the activations that cross for it."""
    m = model.architecture
    return host_weights_s(
        read_s=host_read_s(
            weight_bytes=passes * (work.dense_bytes + _expert_bytes(model, parts, host, experts)),
            cache_bytes=cache_bytes,
            memory_bytes_per_s=host.memory_bytes_per_s,
        ),
        multiply_s=host_multiply_s(
            dense_parameters=work.dense_parameters,
            tokens=work.tokens,
            expert_parameters=work.expert_parameters,
            expert_tokens=work.expert_tokens,
            score_flop=score_flop,
            flop_per_s=host.flop_per_s,
        ),
        crossing_s=activation_crossing_s(
            crossings=host_crossings(
                expert_layers=m.expert_layers, expert_share=host.expert_share, dense_share=host.dense_share
            ),
            passes=passes,
            tokens=work.tokens,
            hidden=m.hidden,
            link_bytes_per_s=host.link_bytes_per_s,
            crossing_s=host.crossing_s,
        ),
    )
