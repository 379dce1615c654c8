"""LoRA adapters of a served model: their memory, their work in a pass, and how often one must be loaded first.

An adapter has two thin matrices for each matrix that it changes. As engines cut them by default, the side of the hidden
state is whole on every tensor-parallel rank and the other is cut, as the matrix is. Requests choose adapters by a Zipf law.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.serving.context_exchange import tokens_of_a_rank
from app.engine.performance.serving.expert_load import active_experts, ranks_of
from app.engine.performance.serving.pass_weights import roofline_s, weight_read_s
from app.engine.quantities import quantity
from app.engine.specs import Adapters, Architecture, ServingLayout
from app.engine.trace import Array

_LORA = "[1] Hu et al. 2021, arXiv 2106.09685 (LoRA)"
_MLA = "[2] DeepSeek-AI 2024, arXiv 2405.04434, section 2.1 (latent attention)"
_SHARDED = (
    "[1] vLLM documentation, LoRAConfig.fully_sharded_loras: by default half of an adapter is cut over tensor-parallel ranks "
    "(https://docs.vllm.ai/en/stable/api/vllm/config/lora/)"
)
_BATCHED = (
    "[1] Chen et al. 2023, arXiv 2310.18547 (Punica, SGMV); [2] Sheng et al. 2023, arXiv 2311.03285 (S-LoRA)"
)
_ZIPF = "[1] Sheng et al. 2023, arXiv 2311.03285 (S-LoRA): requests choose adapters by a power law"
_CHE = "[1] Che, Tung, Wang 2002, IEEE JSAC 20(7) 1305-1314 (least recently used cache)"

LOAD = "adapter_load"
"""The part of the time to first token in which an adapter comes from the memory of the host."""
ELEMENT_BYTES = 2.0
"""Adapters are kept and multiplied in 16 bit."""
MOST_ADAPTERS = 10_000
EVERY_RANK, RATIO = 64, 1.1
"""Adapters that are looked at one by one, and how far places reach of which the others are taken together."""
HALVINGS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterSet:
    """Adapters as a forward pass of a model meets them. Sums over all layers, of one adapter, for each rank of it."""

    asked: Adapters
    whole_parameters: Array  # on every tensor-parallel rank
    cut_parameters: Array  # over tensor-parallel ranks
    expert_parameters: Array  # of one routed expert
    expert_layers: Array
    experts: Array
    experts_per_token: Array
    changed_products: Array  # products that it adds to, fused ones counted once
    load_bytes_per_s: Array  # from the memory of the host


def adapter_set(asked: Adapters, m: Architecture, load_bytes_per_s: Array) -> AdapterSet:
    """Adapters of a model, by which of its matrices they change."""
    latent = {
        "latent_kv_rank": m.latent_kv_rank, "nope_dim": m.latent_nope_dim, "value_dim": m.latent_value_dim,
        "rope_dim": m.latent_rope_dim,
    }  # fmt: skip
    blocks: dict[str, Array] = {
        "everywhere": np.full(1, float(asked.everywhere)),
        "layers": m.layers,
        "expert_layers": m.expert_layers,
        "shared_experts": m.shared_experts,
        "mlp_matrices": m.mlp_matrices,
    }
    return AdapterSet(
        asked=asked,
        whole_parameters=adapted_sides(
            attention_layers=m.attention_layers,
            attention=attention_whole_side(
                hidden=m.hidden,
                latent_query_rank=m.latent_query_rank,
                latent_kv_rank=m.latent_kv_rank,
                rope_dim=m.latent_rope_dim,
            ),
            linear_layers=m.linear_layers,
            linear=2 * m.hidden,
            feed_forward=feed_forward_sides(width=m.hidden, expert_width=m.hidden, **blocks),
        ),
        cut_parameters=adapted_sides(
            attention_layers=m.attention_layers,
            attention=attention_cut_side(heads=m.heads, kv_heads=m.kv_heads, head_dim=m.head_dim, **latent),
            linear_layers=m.linear_layers,
            linear=m.linear_layer_parameters / m.hidden,
            feed_forward=feed_forward_sides(
                width=m.feed_forward_hidden, expert_width=m.expert_hidden, **blocks
            ),
        ),
        expert_parameters=routed_sides(
            everywhere=blocks["everywhere"],
            experts=m.experts,
            mlp_matrices=m.mlp_matrices,
            hidden=m.hidden,
            expert_hidden=m.expert_hidden,
        ),
        expert_layers=m.expert_layers,
        experts=m.experts,
        experts_per_token=m.experts_per_token,
        changed_products=changed_products(
            attention_layers=m.attention_layers,
            latent_kv_rank=m.latent_kv_rank,
            linear_layers=m.linear_layers,
            everywhere=blocks["everywhere"],
            layers=m.layers,
            expert_layers=m.expert_layers,
            shared_experts=m.shared_experts,
        ),
        load_bytes_per_s=load_bytes_per_s,
    )


@quantity(unit="1", source=f"{_LORA}; {_MLA}")
def attention_whole_side(
    *, hidden: Array, latent_query_rank: Array, latent_kv_rank: Array, rope_dim: Array
) -> Array:
    """Elements of an attention layer that every tensor-parallel rank has, for each rank of an adapter.

    The side of the hidden state of four matrices; with latent attention of three, and both sides of those down to latents.
    """
    latent = 3 * hidden + 2 * latent_query_rank + 2 * latent_kv_rank + rope_dim
    return np.where(latent_kv_rank > 0, latent, 4 * hidden)


@quantity(unit="1", source=f"{_LORA}; {_MLA}")
def attention_cut_side(
    *,
    heads: Array,
    kv_heads: Array,
    head_dim: Array,
    latent_kv_rank: Array,
    nope_dim: Array,
    rope_dim: Array,
    value_dim: Array,
) -> Array:
    """Elements of an attention layer that are cut by heads, for each rank of an adapter."""
    latent = heads * (2 * nope_dim + rope_dim + 2 * value_dim)
    return np.where(latent_kv_rank > 0, latent, 2 * (heads + kv_heads) * head_dim)


@quantity(unit="1", source=_LORA)
def feed_forward_sides(
    *,
    everywhere: Array,
    layers: Array,
    expert_layers: Array,
    shared_experts: Array,
    mlp_matrices: Array,
    width: Array,
    expert_width: Array,
) -> Array:
    """Elements on one side of dense feed-forward blocks and shared experts, for each rank of an adapter."""
    dense = np.maximum(layers - expert_layers, 0.0) * width
    return everywhere * mlp_matrices * (dense + expert_layers * shared_experts * expert_width)


@quantity(unit="1", source=_LORA)
def routed_sides(
    *, everywhere: Array, experts: Array, mlp_matrices: Array, hidden: Array, expert_hidden: Array
) -> Array:
    """Elements of one routed expert, for each rank of an adapter; 0 without experts."""
    return np.where(experts > 0, everywhere * mlp_matrices * (hidden + expert_hidden), 0.0)


@quantity(unit="1", source=_LORA)
def adapted_sides(
    *, attention_layers: Array, attention: Array, linear_layers: Array, linear: Array, feed_forward: Array
) -> Array:
    """Elements on one side of all matrices that an adapter changes, for each rank of it."""
    return attention_layers * attention + linear_layers * linear + feed_forward


@quantity(
    unit="1",
    source="counted in the model code of vLLM: products that are fused (query, key and value; gate and up) count once",
)
def changed_products(
    *,
    attention_layers: Array,
    latent_kv_rank: Array,
    linear_layers: Array,
    everywhere: Array,
    layers: Array,
    expert_layers: Array,
    shared_experts: Array,
) -> Array:
    """Matrix products of a pass that an adapter adds to."""
    attention = attention_layers * np.where(latent_kv_rank > 0, 5.0, 2.0)
    blocks = everywhere * (layers + np.where(shared_experts > 0, expert_layers, 0.0))
    return attention + 2 * (linear_layers + blocks)


@quantity(unit="B", source=_SHARDED)
def adapter_bytes(
    *,
    rank: Array,
    whole_parameters: Array,
    cut_parameters: Array,
    expert_parameters: Array,
    experts: Array,
    tensor_parallel: Array,
    ranks: Array,
) -> Array:
    """One adapter on one accelerator, those of routed experts spread as the experts are."""
    each = whole_parameters + cut_parameters / tensor_parallel + expert_parameters * experts / ranks
    return ELEMENT_BYTES * rank * each


@quantity(
    unit="B",
    source="[1] vLLM documentation, LoRAConfig.max_loras: slots that are kept",
    at="performance.memory_breakdown_bytes.adapters",
    short="Adapters",
)
def adapter_slots_bytes(*, slots: Array, adapter_bytes: Array, stage_share: Array) -> Array:
    """Adapters on an accelerator: room for all that may be there at once."""
    return slots * adapter_bytes * stage_share


@quantity(unit="1", source=_ZIPF, leaf=True)
def distinct_adapters(
    *, sequences: Array, share: Array, count: Array, popularity: Array, slots: Array
) -> Array:
    """Different adapters among the running sequences, mean: sum of 1 - (1 - p_i)^n, and no more than there are slots."""
    chances, many = _law(count, popularity)
    used = 1 - (1 - np.minimum(share[..., None] * chances, 1.0)) ** sequences[..., None]
    found: Array = np.minimum((many * used).sum(axis=-1), slots)
    return found


@quantity(unit="1", source=_ZIPF, leaf=True)
def sequences_of_slots(*, share: Array, count: Array, popularity: Array, slots: Array) -> Array:
    """Sequences of a replica of attention whose different adapters fill the slots, mean; more wait for a slot."""
    chances, many = _law(count, popularity)
    chances = np.minimum(share[..., None] * chances, 1.0)
    low, high = np.zeros(1) + 0 * slots, np.full(1, np.log(1e9)) + 0 * slots
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        used = (many * (1 - (1 - chances) ** np.exp(middle)[..., None])).sum(axis=-1)
        fits = used <= slots * (1 + 1e-9)
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    return np.where(slots >= count, np.inf, np.maximum(np.floor(np.exp(low) * (1 + 1e-9)), 1.0))


@quantity(unit="1", percent=True, source=_CHE, at="performance.adapter_hit_share", leaf=True, key=True)
def adapter_hit_share(*, count: Array, popularity: Array, slots: Array) -> Array:
    """Adapter hit rate.

    The least recently used one leaves: sum of p_i (1 - e^(-p_i T)), with T such that as many as there are slots were
    asked for in it.
    """
    chances, many = _law(count, popularity)
    held = np.minimum(slots, count * (1 - 1e-9))
    low, high = np.full(1, -5.0) + 0 * held, np.full(1, 60.0) + 0 * held
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        seen = (many * -np.expm1(-chances * np.exp(middle)[..., None])).sum(axis=-1)
        low, high = np.where(seen <= held, middle, low), np.where(seen <= held, high, middle)
    found = (many * chances * -np.expm1(-chances * np.exp(low)[..., None])).sum(axis=-1)
    return np.where(slots >= count, 1.0, found)


@quantity(unit="B/s", source="definition")
def load_bytes_per_s(*, link_bytes_per_s: Array, memory_bytes_per_s: Array) -> Array:
    """Rate at which an accelerator loads from the host: the slower of its link and of the memory there."""
    return np.minimum(link_bytes_per_s, memory_bytes_per_s)


@quantity(unit="s", source=_BATCHED)
def adapter_load_s(*, share: Array, hit_share: Array, adapter_bytes: Array, load_bytes_per_s: Array) -> Array:
    """Loading the adapter of a request from the memory of the host, mean over requests.

    Each accelerator loads its part over its own link.
    """
    return share * (1 - hit_share) * adapter_bytes / load_bytes_per_s


@quantity(unit="B", source=_BATCHED)
def adapters_read_bytes(
    *,
    distinct: Array,
    rank: Array,
    whole_parameters: Array,
    cut_parameters: Array,
    tensor_parallel: Array,
    expert_parameters: Array,
    expert_layers: Array,
    active_experts: Array,
    ranks: Array,
) -> Array:
    """Adapters that a rank reads in a step: each in use once, of routed experts those that its tokens use."""
    each = whole_parameters + cut_parameters / tensor_parallel
    routed = expert_layers * expert_parameters * active_experts / ranks
    return ELEMENT_BYTES * rank * distinct * (each + routed)


@quantity(unit="s", source=_BATCHED)
def adapters_multiply_s(
    *,
    tokens: Array,
    expert_tokens: Array,
    rank: Array,
    whole_parameters: Array,
    cut_parameters: Array,
    tensor_parallel: Array,
    expert_parameters: Array,
    expert_layers: Array,
    peak_16_bit_flop_per_s: Array,
    efficiency: Array,
) -> Array:
    """Multiplying tokens of a rank by their adapters: 2 FLOP for each element, in 16 bit."""
    dense = tokens * (whole_parameters + cut_parameters / tensor_parallel)
    routed = expert_tokens * expert_layers * expert_parameters
    return 2 * rank * (dense + routed) / (peak_16_bit_flop_per_s * efficiency)


@quantity(unit="s", source=_BATCHED)
def adapters_s(*, read_s: Array, multiply_s: Array, launch_s: Array) -> Array:
    """Adapters in a step: reading and multiplying at the same time, and starting their kernels."""
    return roofline_s(read_s=read_s, multiply_s=multiply_s) + launch_s


@quantity(unit="1", source="[1] vLLM, punica_wrapper: add_shrink and add_expand for each product")
def adapter_kernels(*, changed_products: Array) -> Array:
    """Kernels of a pass for adapters; one graph serves all batches, so each batch starts them."""
    return 2 * changed_products


def adapter_bytes_each(own: AdapterSet, layout: ServingLayout) -> Array:
    """One adapter on one accelerator of a layout, of all layers."""
    return adapter_bytes(
        rank=own.asked.rank,
        whole_parameters=own.whole_parameters,
        cut_parameters=own.cut_parameters,
        expert_parameters=own.expert_parameters * own.expert_layers,
        experts=own.experts,
        tensor_parallel=layout.tensor_parallel,
        ranks=ranks_of(layout),
    )


def decode_adapters_s(
    own: AdapterSet,
    layout: ServingLayout,
    *,
    sequences: Array,
    step_tokens: Array,
    bandwidth_bytes_per_s: Array,
    read_efficiency: Array,
    peak_16_bit_flop_per_s: Array,
    multiply_efficiency: Array,
    launch_s: Array,
) -> Array:
    """Adapters in one decode step of a rank with so many sequences."""
    asked, ranks = own.asked, ranks_of(layout)
    distinct = distinct_adapters(
        sequences=sequences,
        share=asked.share,
        count=asked.count,
        popularity=asked.popularity,
        slots=asked.slots,
    )
    with_one = asked.share * sequences * step_tokens
    replicas = layout.data_parallel
    used = active_experts(
        tokens=with_one * replicas / np.maximum(distinct, 1.0),
        experts=own.experts,
        expert_share=own.experts_per_token / np.maximum(own.experts, 1.0),
    )
    common = {
        "rank": asked.rank,
        "whole_parameters": own.whole_parameters,
        "cut_parameters": own.cut_parameters,
        "tensor_parallel": layout.tensor_parallel,
        "expert_parameters": own.expert_parameters,
        "expert_layers": own.expert_layers,
    }
    return adapters_s(
        read_s=weight_read_s(
            weight_bytes=adapters_read_bytes(distinct=distinct, active_experts=used, ranks=ranks, **common),
            bandwidth_bytes_per_s=bandwidth_bytes_per_s,
            efficiency=read_efficiency,
        ),
        multiply_s=adapters_multiply_s(
            tokens=with_one,
            expert_tokens=with_one * replicas * own.experts_per_token / ranks,
            peak_16_bit_flop_per_s=peak_16_bit_flop_per_s,
            efficiency=multiply_efficiency,
            **common,
        ),
        launch_s=launch_s,
    )


def prefill_adapters_s(
    own: AdapterSet,
    layout: ServingLayout,
    *,
    tokens: Array,
    sharing: Array,
    peak_16_bit_flop_per_s: Array,
    efficiency: Array,
) -> Array:
    """Adapters in the prefill of one prompt, mean over prompts, with so many replicas of attention at work at once."""
    with_one = own.asked.share * tokens
    return adapters_multiply_s(
        tokens=tokens_of_a_rank(tokens=with_one, prompts=sharing, context_parallel=layout.context_parallel),
        expert_tokens=with_one * own.experts_per_token / ranks_of(layout),
        rank=own.asked.rank,
        whole_parameters=own.whole_parameters,
        cut_parameters=own.cut_parameters,
        tensor_parallel=layout.tensor_parallel,
        expert_parameters=own.expert_parameters,
        expert_layers=own.expert_layers,
        peak_16_bit_flop_per_s=peak_16_bit_flop_per_s,
        efficiency=efficiency,
    )


def hit_share_of(asked: Adapters) -> Array:
    """Requests for an adapter that find it on the accelerators."""
    return adapter_hit_share(count=asked.count, popularity=asked.popularity, slots=asked.slots)


def load_s_of(own: AdapterSet, layout: ServingLayout) -> Array:
    """Loading the adapter of a request where it is not there, mean over requests."""
    return adapter_load_s(
        share=own.asked.share,
        hit_share=hit_share_of(own.asked),
        adapter_bytes=adapter_bytes_each(own, layout),
        load_bytes_per_s=own.load_bytes_per_s,
    )


def slot_limit_of(asked: Adapters) -> Array:
    """Sequences that a replica of attention runs at once before its slots are taken."""
    return sequences_of_slots(
        share=asked.share, count=asked.count, popularity=asked.popularity, slots=asked.slots
    )


def _law(count: Array, popularity: Array) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The Zipf law of the adapters of one place or span of places, on a last axis: chance of each, and how many."""
    low, high = PLACES
    many = np.clip(np.minimum(high, count[..., None]) - low + 1, 0.0, None)
    weight = np.sqrt(low * np.minimum(high, np.maximum(count[..., None], low))) ** -popularity[..., None]
    chances: NDArray[np.float64] = weight / (many * weight).sum(axis=-1, keepdims=True)
    return chances, many


def _spans() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """First and last of each span of places that are taken together; the first ones are by themselves."""
    starts = [float(place) for place in range(1, EVERY_RANK + 1)]
    while starts[-1] < MOST_ADAPTERS:
        starts.append(
            float(np.ceil((starts[-1] + 1) * RATIO)) if len(starts) > EVERY_RANK else starts[-1] + 1
        )
    low = np.array(starts)
    return low, np.append(low[1:] - 1, MOST_ADAPTERS)


PLACES = _spans()
