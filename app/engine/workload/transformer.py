"""How many parameters a transformer has, in all and by layer.

Dense, grouped-query, multi-query, latent (MLA), recurrent and mixture-of-experts models; biases are left out
(below 0.1 % in every model of the catalog). Layers differ (the first of a mixture of experts are
often dense), so figures "per layer" are means over all layers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array

_TRANSFORMER = "[1] Vaswani et al. 2017, arXiv 1706.03762; [2] Ainslie et al. 2023, arXiv 2305.13245 (GQA)"
_LATENT = "[1] DeepSeek-AI 2024, arXiv 2405.04434, section 2.1 (multi-head latent attention)"
_EXPERTS = (
    "[1] Shazeer et al. 2017, arXiv 1701.06538; [2] DeepSeek-AI 2024, arXiv 2401.06066 (shared experts)"
)


@quantity(unit="1", source=_LATENT)
def query_key_dim(*, head_dim: Array, latent_kv_rank: Array, nope_dim: Array, rope_dim: Array) -> Array:
    """Width of a query and key head.

    The head dimension, or d_nope + d_rope with latent attention.
    """
    return np.where(latent_kv_rank > 0, nope_dim + rope_dim, head_dim)


@quantity(unit="1", source=_LATENT)
def value_dim(*, head_dim: Array, latent_kv_rank: Array, latent_value_dim: Array) -> Array:
    """Width of a value head.

    The head dimension, or its own width with latent attention.
    """
    return np.where(latent_kv_rank > 0, latent_value_dim, head_dim)


@quantity(unit="1", source=_TRANSFORMER)
def attention_parameters(*, hidden: Array, heads: Array, kv_heads: Array, head_dim: Array) -> Array:
    """Attention parameters of a layer.

    h (a + 2 k) d for query, key and value, a d h for the output projection.

    Parameters
    ----------
    hidden : h, width of the residual stream [1]
    heads, kv_heads : a and k, query heads and key-value heads [1]
    head_dim : d [1]
    """
    return hidden * (heads + 2 * kv_heads) * head_dim + heads * head_dim * hidden


@quantity(unit="1", source=_LATENT)
def latent_attention_parameters(
    *,
    hidden: Array,
    heads: Array,
    query_rank: Array,
    kv_rank: Array,
    nope_dim: Array,
    rope_dim: Array,
    value_dim: Array,
) -> Array:
    """Attention parameters of a layer with latent attention.

    Query through its own low rank (or directly when the rank is 0), key and value through a shared
    one, plus the rotary key: h r_q + r_q a (n + r) + h (r_kv + r) + r_kv a (n + v) + a v h.
    """
    query_width = heads * (nope_dim + rope_dim)
    query = np.where(query_rank > 0, query_rank * (hidden + query_width), hidden * query_width)
    key_value = hidden * (kv_rank + rope_dim) + kv_rank * heads * (nope_dim + value_dim)
    return query + key_value + heads * value_dim * hidden


@quantity(unit="1", source="[1] Shaw et al. 2018, arXiv 1803.02155; Dai et al. 2019, arXiv 1901.02860")
def relative_position_parameters(*, hidden: Array, matrices: Array) -> Array:
    """Parameters of relative position projections in a layer.

    One h x h matrix in Transformer-XL style models, none elsewhere.
    """
    return matrices * hidden * hidden


@quantity(unit="1", source=_TRANSFORMER)
def feed_forward_parameters(*, hidden: Array, inner: Array, matrices: Array) -> Array:
    """Feed-forward parameters of one dense block or expert.

    matrices x h x inner, with 3 matrices when gated, else 2.
    """
    return matrices * hidden * inner


@quantity(unit="1", source=_EXPERTS)
def routed_expert_parameters(*, experts: Array, expert_parameters: Array) -> Array:
    """Parameters of the routed experts of an expert layer."""
    return experts * expert_parameters


@quantity(unit="1", source=_EXPERTS)
def always_used_expert_parameters(
    *, hidden: Array, experts: Array, shared_experts: Array, expert_parameters: Array
) -> Array:
    """Parameters of router and shared experts of an expert layer."""
    return hidden * experts + shared_experts * expert_parameters


@quantity(unit="1", source="definition")
def dense_parameters_per_layer(
    *,
    layers: Array,
    attention_layers: Array,
    expert_layers: Array,
    linear_layers: Array,
    attention: Array,
    linear: Array,
    feed_forward: Array,
    always_used_experts: Array,
) -> Array:
    """Mean parameters of a layer outside the routed experts.

    Attention, recurrence, dense feed-forward, router and shared experts, each in the layers that have it.
    """
    dense_layers = layers - expert_layers
    whole = attention_layers * attention + dense_layers * feed_forward + expert_layers * always_used_experts
    return (whole + linear_layers * linear) / layers


@quantity(unit="1", source="definition")
def routed_parameters_per_layer(*, layers: Array, expert_layers: Array, routed_experts: Array) -> Array:
    """Mean routed expert parameters of a layer."""
    return expert_layers * routed_experts / layers


@quantity(unit="1", source=_EXPERTS)
def active_routed_parameters_per_layer(
    *, layers: Array, expert_layers: Array, experts_per_token: Array, expert_parameters: Array
) -> Array:
    """Mean routed expert parameters of a layer that one token uses."""
    return expert_layers * experts_per_token * expert_parameters / layers


@quantity(unit="1", source=_TRANSFORMER)
def embedding_parameters(*, vocabulary: Array, hidden: Array) -> Array:
    """Parameters of the input embedding, and as many of an output head of its own."""
    return vocabulary * hidden


@quantity(unit="1", source=_TRANSFORMER, at="performance.parameters")
def total_parameters(
    *, layers: Array, dense_per_layer: Array, routed_per_layer: Array, embedding: Array, tied_embedding: Array
) -> Array:
    """Parameters.

    All layers, the input embedding, and the output head where it is not tied to the embedding.
    """
    return layers * (dense_per_layer + routed_per_layer) + embedding * (2 - tied_embedding)


@quantity(unit="1", source=_EXPERTS, at="performance.active_parameters")
def active_parameters(
    *,
    layers: Array,
    dense_per_layer: Array,
    active_routed_per_layer: Array,
    embedding: Array,
    tied_embedding: Array,
) -> Array:
    """Active parameters per token.

    As the total, with the routed experts of one token only; both embeddings are counted.
    """
    return layers * (dense_per_layer + active_routed_per_layer) + embedding * (2 - tied_embedding)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterCounts:
    """Parameters of a model; "per layer" is the mean over all layers."""

    total: Array
    active: Array
    embedding: Array
    attention: Array  # of one layer that has attention
    feed_forward: Array  # of one dense layer
    expert: Array  # of one expert
    dense_layer: Array  # of one layer without experts
    expert_layer: Array  # of one layer with experts
    active_expert_layer: Array  # the same, as one token uses it
    dense_per_layer: Array
    routed_per_layer: Array
    active_routed_per_layer: Array


def parameters(*, architecture: Architecture) -> Array:
    """All parameters of a model."""
    return parameter_counts(architecture=architecture).total


def parameter_counts(*, architecture: Architecture) -> ParameterCounts:
    """The parameters of a model by part."""
    a = architecture
    attention = _attention_parameters(a)
    feed_forward = feed_forward_parameters(
        hidden=a.hidden, inner=a.feed_forward_hidden, matrices=a.mlp_matrices
    )
    expert = feed_forward_parameters(hidden=a.hidden, inner=a.expert_hidden, matrices=a.mlp_matrices)
    routed = routed_expert_parameters(experts=a.experts, expert_parameters=expert)
    always = always_used_expert_parameters(
        hidden=a.hidden, experts=a.experts, shared_experts=a.shared_experts, expert_parameters=expert
    )
    dense_per_layer = dense_parameters_per_layer(
        layers=a.layers,
        attention_layers=a.attention_layers,
        expert_layers=a.expert_layers,
        linear_layers=a.linear_layers,
        attention=attention,
        linear=a.linear_layer_parameters,
        feed_forward=feed_forward,
        always_used_experts=always,
    )
    routed_per_layer = routed_parameters_per_layer(
        layers=a.layers, expert_layers=a.expert_layers, routed_experts=routed
    )
    active_routed = active_routed_parameters_per_layer(
        layers=a.layers,
        expert_layers=a.expert_layers,
        experts_per_token=a.experts_per_token,
        expert_parameters=expert,
    )
    embedding = embedding_parameters(vocabulary=a.vocabulary, hidden=a.hidden)
    return ParameterCounts(
        total=total_parameters(
            layers=a.layers,
            dense_per_layer=dense_per_layer,
            routed_per_layer=routed_per_layer,
            embedding=embedding,
            tied_embedding=a.tied_embedding,
        ),
        active=active_parameters(
            layers=a.layers,
            dense_per_layer=dense_per_layer,
            active_routed_per_layer=active_routed,
            embedding=embedding,
            tied_embedding=a.tied_embedding,
        ),
        embedding=embedding,
        attention=attention,
        feed_forward=feed_forward,
        expert=expert,
        dense_layer=attention + feed_forward,
        expert_layer=attention + always + routed,
        active_expert_layer=attention + always + a.experts_per_token * expert,
        dense_per_layer=dense_per_layer,
        routed_per_layer=routed_per_layer,
        active_routed_per_layer=active_routed,
    )


def _attention_parameters(a: Architecture) -> Array:
    """Which formula holds is structure: the kind of attention says it."""
    if a.attention == "mla":
        return latent_attention_parameters(
            hidden=a.hidden,
            heads=a.heads,
            query_rank=a.latent_query_rank,
            kv_rank=a.latent_kv_rank,
            nope_dim=a.latent_nope_dim,
            rope_dim=a.latent_rope_dim,
            value_dim=a.latent_value_dim,
        )
    own = attention_parameters(hidden=a.hidden, heads=a.heads, kv_heads=a.kv_heads, head_dim=a.head_dim)
    if a.attention == "mha_relative":
        return own + relative_position_parameters(hidden=a.hidden, matrices=np.ones(1))
    return own
