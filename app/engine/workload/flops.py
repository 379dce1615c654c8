"""How many floating-point operations a token costs.

One convention throughout: causal attention is halved, the output head is counted, the input
embedding is not (a look-up multiplies nothing). The backward pass costs twice the forward pass.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array, plain
from app.engine.workload.transformer import ParameterCounts, query_key_dim, value_dim

_CHINCHILLA = "[1] Hoffmann et al. 2022, arXiv 2203.15556, appendix F; causal attention halved"
_SIX = "[1] Kaplan et al. 2020, arXiv 2001.08361, table 1 (6 N D)"


@quantity(unit="tokens", source="[1] Beltagy et al. 2020, arXiv 2004.05150 (sliding window)")
def attended_tokens(*, sequence_length: Array, window_tokens: Array) -> Array:
    """Mean number of tokens that a token attends to.

    s / 2 under a causal mask; w (1 - w / 2 s) with a window of w tokens, the same for w = s. Sparse attention
    that chooses w tokens reads as many as a window of w does.

    Parameters
    ----------
    sequence_length : s [tokens]
    window_tokens : w, of a window or a choice; 0 for neither [tokens]
    """
    reach = np.where(window_tokens > 0, np.minimum(window_tokens, sequence_length), sequence_length)
    return reach * (1 - reach / (2 * sequence_length))


@quantity(unit="tokens", source="definition")
def mean_attended_tokens(
    *, attention_layers: Array, window_layers: Array, full_attended: Array, window_attended: Array
) -> Array:
    """Tokens attended to, mean over the layers with attention."""
    full_layers = attention_layers - window_layers
    # A model without attention layers attends to nothing.
    return (full_layers * full_attended + window_layers * window_attended) / np.maximum(attention_layers, 1)


@quantity(unit="FLOP", source=_CHINCHILLA)
def attention_flop_per_token_and_layer(
    *, heads: Array, query_key_dim: Array, value_dim: Array, attended: Array
) -> Array:
    """Forward attention FLOPs of a token in a layer.

    2 a (d_qk + d_v) x attended tokens: scores and weighted values.
    """
    return 2 * heads * (query_key_dim + value_dim) * attended


@quantity(unit="FLOP", source=_CHINCHILLA)
def matmul_flop_per_token(
    *, layers: Array, dense_per_layer: Array, active_routed_per_layer: Array, embedding: Array
) -> Array:
    """Forward matrix FLOPs of a token.

    2 for each weight that multiplies it: all layers and the output head.
    """
    return 2 * (layers * (dense_per_layer + active_routed_per_layer) + embedding)


@quantity(unit="FLOP", source=_CHINCHILLA)
def forward_flop_per_token(*, matmul_flop: Array, attention_flop: Array, attention_layers: Array) -> Array:
    """Forward FLOPs of a token, attention included."""
    return matmul_flop + attention_layers * attention_flop


@quantity(unit="FLOP", source=_CHINCHILLA, at="performance.model_flop_per_token")
def model_flop_per_token(*, forward_flop: Array) -> Array:
    """Model FLOPs of a token, forward and backward.

    3 x forward: the backward pass needs the gradient of inputs and of weights. Causal attention is
    halved, the output head counted, the input embedding not; recomputation is not a model FLOP.
    """
    return forward_flop + 2 * forward_flop


@quantity(unit="days", source=_SIX)
def training_accelerator_days(*, parameters: Array, tokens: Array, achieved_flop_per_s: Array) -> Array:
    """Accelerator-days of a training run by the 6 N D rule.

    6 N D / rate.

    Parameters
    ----------
    parameters : N, active parameters [1]
    tokens : D [tokens]
    achieved_flop_per_s : rate of one accelerator, model FLOPs [FLOP/s]

    Validity: attention is not counted, which is fair for sequences well below 6 h tokens.

    >>> import numpy as np
    >>> one = lambda value: np.array([value])
    >>> training_accelerator_days(
    ...     parameters=one(7e9), tokens=one(1e12), achieved_flop_per_s=one(300e12)
    ... ).round()
    array([1620.])
    """
    return 6 * parameters * tokens / achieved_flop_per_s / (24 * 3600)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlopCounts:
    """FLOPs of one token."""

    attention_forward_per_layer: Array
    forward: Array
    model: Array


@quantity(
    unit="FLOP",
    source="[1] DeepSeek-AI 2025, arXiv 2512.02556 (lightning indexer: every earlier token is scored, then few are read)",
)
def index_flop_per_token_and_layer(
    *, index_heads: Array, index_elements: Array, sequence_length: Array
) -> Array:
    """Forward FLOPs by which the index of sparse attention chooses for a token in a layer.

    2 h d x s / 2: each of its heads scores all earlier tokens, however few are chosen; 0 where the heads are
    not known.
    """
    return 2 * index_heads * index_elements * sequence_length / 2


@quantity(unit="FLOP", source=_CHINCHILLA)
def chosen_attention_flop_per_layer(*, attention_flop: Array, index_flop: Array) -> Array:
    """Forward attention FLOPs of a token in a layer, including the index of sparse attention."""
    return attention_flop + index_flop


def attention_flop(architecture: Architecture, attended: Array) -> Array:
    """Attention of a token over so many others, in one layer."""
    a = architecture
    return attention_flop_per_token_and_layer(
        heads=a.heads,
        query_key_dim=query_key_dim(
            head_dim=a.head_dim,
            latent_kv_rank=a.latent_kv_rank,
            nope_dim=a.latent_nope_dim,
            rope_dim=a.latent_rope_dim,
        ),
        value_dim=value_dim(
            head_dim=a.head_dim, latent_kv_rank=a.latent_kv_rank, latent_value_dim=a.latent_value_dim
        ),
        attended=attended,
    )


def matmul_flop(architecture: Architecture, counts: ParameterCounts) -> Array:
    """Weights that multiply a token."""
    return matmul_flop_per_token(
        layers=architecture.layers,
        dense_per_layer=counts.dense_per_layer,
        active_routed_per_layer=counts.active_routed_per_layer,
        embedding=counts.embedding,
    )


def flop_counts(*, architecture: Architecture, counts: ParameterCounts, sequence_length: Array) -> FlopCounts:
    """The FLOPs of one token at a sequence length."""
    a = architecture
    attended = mean_attended_tokens(
        attention_layers=a.attention_layers,
        window_layers=a.window_layers,
        full_attended=attended_tokens(sequence_length=sequence_length, window_tokens=a.sparse_tokens),
        window_attended=attended_tokens(sequence_length=sequence_length, window_tokens=a.window_tokens),
    )
    attention = attention_flop(a, attended)
    if np.any(plain(a.sparse_tokens) > 0):
        attention = chosen_attention_flop_per_layer(
            attention_flop=attention,
            index_flop=index_flop_per_token_and_layer(
                index_heads=a.index_heads, index_elements=a.index_elements, sequence_length=sequence_length
            ),
        )
    forward = forward_flop_per_token(
        matmul_flop=matmul_flop(a, counts),
        attention_flop=attention,
        attention_layers=a.attention_layers,
    )
    return FlopCounts(
        attention_forward_per_layer=attention,
        forward=forward,
        model=model_flop_per_token(forward_flop=forward),
    )
