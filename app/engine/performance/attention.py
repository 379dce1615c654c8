"""Time of attention scores and values, fused and unfused."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_FLASH = "[1] Dao et al. 2022, arXiv 2205.14135; [2] Dao 2023, arXiv 2307.08691"


@quantity(unit="FLOP", source="[1] Dao-AILab, flash-attention (kernels for head widths 64, 128 and 256)")
def padded_attention_flop(*, flop_per_token_and_layer: Array, head_dim: Array) -> Array:
    """FLOPs that a fused kernel does for a token in a layer.

    Heads are padded: to 64, or to the next multiple of 128.
    """
    padded = np.where(head_dim <= 64, 64.0, 128 * np.ceil(head_dim / 128))
    return flop_per_token_and_layer * padded / head_dim


@quantity(unit="s", source=_FLASH)
def attention_forward_time_s(
    *,
    layers: Array,
    attention_layers: Array,
    heads: Array,
    tokens: Array,
    sequence_length: Array,
    tensor_parallel: Array,
    flop_per_token_and_layer: Array,
    fused_flop_per_token_and_layer: Array,
    fused: Array,
    fused_flop_per_s: Array,
    matmul_flop_per_s: Array,
    memory_bandwidth_bytes_per_s: Array,
    score_passes: Array,
) -> Array:
    """Attention time of the mean layer, forward.

    Fused: causal FLOPs, heads padded, at the fused rate. Unfused: the full square at the matmul rate, and every
    score (16 bit) through memory `score_passes` times.

    Parameters
    ----------
    layers, attention_layers : of the model [1]
    heads, tokens, sequence_length, tensor_parallel : a, T, s, tp [1]
    flop_per_token_and_layer : causal, forward [FLOP]
    fused_flop_per_token_and_layer : the same with heads padded [FLOP]
    fused : 1 fused, 0 unfused [1]
    fused_flop_per_s, matmul_flop_per_s : sustained rates [FLOP/s]
    memory_bandwidth_bytes_per_s : sustained [B/s]
    score_passes : times that unfused attention moves the scores [1]
    """
    share = attention_layers / layers
    sharded = share * tokens / tensor_parallel
    scores = share * heads * tokens * sequence_length / tensor_parallel
    unfused = 2 * sharded * flop_per_token_and_layer / matmul_flop_per_s
    unfused = unfused + 2 * score_passes * scores / memory_bandwidth_bytes_per_s
    return np.where(fused > 0, sharded * fused_flop_per_token_and_layer / fused_flop_per_s, unfused)


@quantity(unit="s", source="[1] Yang et al. 2024, arXiv 2412.06464, section 3 (gated delta rule in chunks)")
def linear_attention_forward_time_s(
    *,
    layers: Array,
    linear_layers: Array,
    state_elements: Array,
    tokens: Array,
    tensor_parallel: Array,
    fused_flop_per_s: Array,
) -> Array:
    """Time of linear attention in the mean layer, forward, in chunks of tokens.

    10 FLOPs a token and state element at the rate of fused attention: state read and written (4), and scores, their
    inverse and weighted values within chunks of half a head's width (6).
    """
    done = 10 * linear_layers / layers * tokens * state_elements / tensor_parallel
    return done / fused_flop_per_s


@quantity(unit="s", source=_FLASH)
def layer_attention_time_s(*, forward_s: Array, fused: Array, backward_ratio: Array) -> Array:
    """Attention time of the mean layer, forward and backward.

    Fused attention computes the scores again in the backward pass; unfused costs twice the forward.
    """
    ratio: Array = np.where(fused > 0, backward_ratio, 2.0)
    return forward_s + ratio * forward_s
