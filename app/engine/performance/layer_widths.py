"""How wide a layer is for one token, and how many tokens of a micro-batch it sees."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array

_MEGATRON = "[1] Shoeybi et al. 2019, arXiv 1909.08053; [2] Korthikanti et al. 2022, arXiv 2205.05198"
_LATENT = "[1] DeepSeek-AI 2024, arXiv 2405.04434, section 2.1 (multi-head latent attention)"
_FOLDING = "[1] Liu et al. 2025, arXiv 2504.14960 (MoE parallel folding)"


@quantity(unit="tokens", source="definition")
def micro_batch_tokens(*, micro_batch: Array, sequence_length: Array, context_parallel: Array) -> Array:
    """Tokens of a micro-batch on one context-parallel rank."""
    return micro_batch * sequence_length / context_parallel


@quantity(unit="1", source=_FOLDING)
def expert_tensor_parallel(
    *, tensor_parallel: Array, expert_parallel: Array, expert_tensor_ranks: Array
) -> Array:
    """Ranks that share the matrices of one expert.

    As many as the layout states. Where it states none, the tensor-parallel group while experts are not spread, else 1:
    each expert is whole on one rank.
    """
    usual = np.where(expert_parallel > 1, 1.0, tensor_parallel)
    return np.where(expert_tensor_ranks > 0, expert_tensor_ranks, usual)


@quantity(unit="tokens", source=_FOLDING)
def tokens_per_expert(
    *,
    tokens: Array,
    experts: Array,
    experts_per_token: Array,
    expert_parallel: Array,
    tensor_parallel: Array,
    expert_tensor_parallel: Array,
) -> Array:
    """Tokens that an expert sees of a micro-batch, routing being balanced.

    Every rank of the expert group brings T etp / tp tokens, each to k experts of E.
    """
    own = tokens * expert_tensor_parallel / tensor_parallel
    return own * experts_per_token * expert_parallel / np.maximum(experts, 1)


@quantity(unit="1", source="definition")
def feed_forward_width(
    *,
    layers: Array,
    expert_layers: Array,
    feed_forward_hidden: Array,
    expert_hidden: Array,
    experts_per_token: Array,
    shared_experts: Array,
) -> Array:
    """Inner feed-forward width that a token uses, mean over layers."""
    expert_width = (experts_per_token + shared_experts) * expert_hidden
    return ((layers - expert_layers) * feed_forward_hidden + expert_layers * expert_width) / layers


@quantity(unit="1", source="definition")
def routed_width(*, layers: Array, expert_layers: Array, experts_per_token: Array, hidden: Array) -> Array:
    """Width of the copies of a token that go to experts, mean over layers."""
    return expert_layers * experts_per_token * hidden / layers


@quantity(
    unit="1",
    source="[1] Wang et al. 2024, arXiv 2408.15664, section 2 (load of the busiest expert over the mean)",
)
def busiest_routed_width(*, routed_width: Array, expert_imbalance: Array) -> Array:
    """Width of the copies of a token that go to the experts of the busiest rank, mean over layers."""
    return routed_width * expert_imbalance


@quantity(unit="1", source=_MEGATRON)
def projection_width(
    *,
    attention_layers: Array,
    layers: Array,
    query: Array,
    key: Array,
    value: Array,
    linear_layers: Array,
    linear_layer_parameters: Array,
    hidden: Array,
) -> Array:
    """Width of query, key and value together, mean over layers; of linear attention all that it projects to."""
    linear = linear_layer_parameters / hidden
    return (attention_layers * (query + key + value) + linear_layers * linear) / layers


@quantity(unit="1", source=_LATENT)
def latent_width(*, kv_rank: Array, query_rank: Array, rope_dim: Array) -> Array:
    """Width of what latent attention projects down to: both latents and the rotary part of the keys."""
    return kv_rank + query_rank + rope_dim


@quantity(unit="1", source=_LATENT)
def latent_norm_width(*, kv_rank: Array, query_rank: Array) -> Array:
    """Width of the latents that are normed and projected up."""
    return kv_rank + query_rank


def used_width(m: Architecture) -> Array:
    """Inner feed-forward width that a token uses."""
    return feed_forward_width(
        layers=m.layers,
        expert_layers=m.expert_layers,
        feed_forward_hidden=m.feed_forward_hidden,
        expert_hidden=m.expert_hidden,
        experts_per_token=m.experts_per_token,
        shared_experts=m.shared_experts,
    )


@quantity(
    unit="1",
    source="[1] Dehghani et al. 2023, arXiv 2302.05442 (queries and keys are normed before they meet)",
)
def head_norm_width(
    *, query_key_norm: Array, attention_layers: Array, layers: Array, query: Array, key: Array
) -> Array:
    """Width of the queries and keys that are normed in each head, mean over the layers.

    0 without such norms.
    """
    return np.where(query_key_norm > 0, attention_layers / layers * (query + key), 0.0)


def attention_widths(m: Architecture) -> tuple[Array, Array, Array]:
    """Widths of query, key and value as attention reads them."""
    if m.attention == "mla":
        score_width = m.heads * (m.latent_nope_dim + m.latent_rope_dim)
        return score_width, score_width, m.heads * m.latent_value_dim
    return m.heads * m.head_dim, m.kv_heads * m.head_dim, m.kv_heads * m.head_dim
