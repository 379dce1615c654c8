"""A model as a forward pass meets it: what is read, multiplied and kept, layer kinds added up.

Everything is arithmetic on arrays, so that one call may hold many models at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.engine.performance.serving.kv_cache import kv_elements_per_token
from app.engine.quantities import quantity
from app.engine.specs import Architecture, Encoder
from app.engine.trace import Array
from app.engine.workload.transformer import (
    always_used_expert_parameters,
    attention_parameters,
    dense_parameters_per_layer,
    embedding_parameters,
    feed_forward_parameters,
    latent_attention_parameters,
)

if TYPE_CHECKING:
    from app.engine.performance.serving.adapters import AdapterSet

_LATENT = "[1] DeepSeek-AI 2024, arXiv 2405.04434, section 2.1 (latent attention, absorbed while decoding)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedModel:
    """Sums over all layers where not said otherwise."""

    architecture: Architecture
    dense_parameters: Array  # outside routed experts and embeddings
    head_parameters: Array  # of the output head
    expert_parameters: Array  # of one routed expert
    expert_share: Array  # of the experts that one token uses
    kv_elements: Array  # of one token and layer
    decode_score_flop: Array  # of one query, one key and one layer
    prefill_score_flop: Array
    index_flop: Array  # of one token and one earlier token in the index of sparse attention, and one layer
    adapters: AdapterSet | None = None  # None: it has none
    bidirectional: bool = False  # tokens of a prompt see all others
    encoder: Encoder | None = None  # None: prompts are text


@quantity(unit="1", source=_LATENT)
def mixer_parameters(*, latent_kv_rank: Array, with_heads: Array, latent: Array) -> Array:
    """Attention parameters of a layer: with heads of its own, or latent."""
    return np.where(latent_kv_rank > 0, latent, with_heads)


@quantity(unit="1", source="definition")
def dense_parameters_in_all(*, layers: Array, dense_per_layer: Array) -> Array:
    """Parameters that every token uses, outside the embeddings."""
    return layers * dense_per_layer


@quantity(unit="1", source="[1] Shazeer et al. 2017, arXiv 1701.06538")
def expert_share(*, experts: Array, experts_per_token: Array) -> Array:
    """Share of the experts that one token uses; 0 without experts."""
    return np.where(experts > 0, experts_per_token / np.maximum(experts, 1), 0.0)


@quantity(unit="FLOP", source=_LATENT)
def decode_score_flop(*, heads: Array, head_dim: Array, latent_kv_rank: Array, rope_dim: Array) -> Array:
    """Attention arithmetic of one query, one key and one layer while decoding.

    4 a d: a product for the score, one for the sum. Latent attention works on the latent itself: 2 a (2 r + r_rope).
    """
    return np.where(latent_kv_rank > 0, 2 * heads * (2 * latent_kv_rank + rope_dim), 4 * heads * head_dim)


@quantity(unit="FLOP", source=_LATENT)
def prefill_score_flop(
    *,
    heads: Array,
    head_dim: Array,
    latent_kv_rank: Array,
    nope_dim: Array,
    rope_dim: Array,
    value_dim: Array,
) -> Array:
    """Attention arithmetic of one query, one key and one layer in prefill, where the latent is expanded."""
    return np.where(latent_kv_rank > 0, 2 * heads * (nope_dim + rope_dim + value_dim), 4 * heads * head_dim)


@quantity(unit="FLOP", source="[1] DeepSeek-AI 2025, arXiv 2512.02556 (lightning indexer)")
def index_flop(*, index_heads: Array, index_elements: Array) -> Array:
    """Arithmetic by which the index of sparse attention scores one earlier token for one token of one layer.

    2 h d: a product of each of its heads with the one key; 0 where the heads are not known.
    """
    return 2 * index_heads * index_elements


def served_model(architecture: Architecture) -> ServedModel:
    """A model as a forward pass meets it."""
    a = architecture
    mixer = mixer_parameters(
        latent_kv_rank=a.latent_kv_rank,
        with_heads=attention_parameters(
            hidden=a.hidden, heads=a.heads, kv_heads=a.kv_heads, head_dim=a.head_dim
        ),
        latent=latent_attention_parameters(
            hidden=a.hidden,
            heads=a.heads,
            query_rank=a.latent_query_rank,
            kv_rank=a.latent_kv_rank,
            nope_dim=a.latent_nope_dim,
            rope_dim=a.latent_rope_dim,
            value_dim=a.latent_value_dim,
        ),
    )
    feed_forward = feed_forward_parameters(
        hidden=a.hidden, inner=a.feed_forward_hidden, matrices=a.mlp_matrices
    )
    expert = feed_forward_parameters(hidden=a.hidden, inner=a.expert_hidden, matrices=a.mlp_matrices)
    per_layer = dense_parameters_per_layer(
        layers=a.layers,
        attention_layers=a.attention_layers,
        expert_layers=a.expert_layers,
        linear_layers=a.linear_layers,
        attention=mixer,
        linear=a.linear_layer_parameters,
        feed_forward=feed_forward,
        always_used_experts=always_used_expert_parameters(
            hidden=a.hidden, experts=a.experts, shared_experts=a.shared_experts, expert_parameters=expert
        ),
    )
    return ServedModel(
        architecture=a,
        dense_parameters=dense_parameters_in_all(layers=a.layers, dense_per_layer=per_layer),
        head_parameters=embedding_parameters(vocabulary=a.vocabulary, hidden=a.hidden),
        expert_parameters=expert,
        expert_share=expert_share(experts=a.experts, experts_per_token=a.experts_per_token),
        kv_elements=kv_elements_per_token(
            kv_heads=a.kv_heads,
            head_dim=a.head_dim,
            latent_kv_rank=a.latent_kv_rank,
            rope_dim=a.latent_rope_dim,
        ),
        decode_score_flop=decode_score_flop(
            heads=a.heads,
            head_dim=a.head_dim,
            latent_kv_rank=a.latent_kv_rank,
            rope_dim=a.latent_rope_dim,
        ),
        index_flop=index_flop(index_heads=a.index_heads, index_elements=a.index_elements),
        prefill_score_flop=prefill_score_flop(
            heads=a.heads,
            head_dim=a.head_dim,
            latent_kv_rank=a.latent_kv_rank,
            nope_dim=a.latent_nope_dim,
            rope_dim=a.latent_rope_dim,
            value_dim=a.latent_value_dim,
        ),
    )
