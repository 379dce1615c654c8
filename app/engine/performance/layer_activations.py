"""What the mean layer keeps of one micro-batch for its backward pass, part by part.

Inputs of matmuls are kept in the format of the matmul (8-bit training keeps the 8-bit copy for the
gradient of the weights); everything else in 16 bit. With selective recomputation the outputs of norms
and of the feed-forward activation are computed again, as are query, key and value from the latents of
latent attention and the scores of unfused attention.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_KORTHIKANTI = "[1] Korthikanti et al. 2022, arXiv 2205.05198, section 4.1"
_SELECTIVE = (
    _KORTHIKANTI + "; [2] DeepSeek-AI 2024, arXiv 2412.19437, sections 3.2.3 and 3.3.3; "
    "[3] NVIDIA Megatron-Core, recompute_modules layernorm, moe_act, mla_up_proj, core_attn"
)


@quantity(unit="B", source=_SELECTIVE)
def residual_activation_bytes(
    *,
    tokens: Array,
    hidden: Array,
    tensor_parallel: Array,
    sequence_parallel: Array,
    matmul_element_bytes: Array,
    dropout_mask_bytes: Array,
    selective_recompute: Array,
) -> Array:
    """Activations of residual stream and norms, of the mean layer.

    Inputs of both norms in 16 bit; their outputs, which feed matmuls, unless they are computed again;
    the masks of both block outputs with dropout. Split over tp only with sequence parallelism.
    """
    outputs = 2 * matmul_element_bytes * (1 - selective_recompute)
    share = np.where(sequence_parallel > 0, tensor_parallel, 1.0)
    return tokens * hidden * (2 * 2 + outputs + 2 * dropout_mask_bytes) / share


@quantity(unit="B", source=_SELECTIVE)
def latent_activation_bytes(
    *,
    tokens: Array,
    layers: Array,
    attention_layers: Array,
    latent_width: Array,
    latent_norm_width: Array,
    tensor_parallel: Array,
    sequence_parallel: Array,
    matmul_element_bytes: Array,
    selective_recompute: Array,
) -> Array:
    """Activations of the latents of latent attention, of the mean layer.

    The latents as they come out of the down-projection in 16 bit, and normed as the up-projection reads
    them unless that is computed again. Not split over heads: over tp only with sequence parallelism.
    """
    kept = 2 * latent_width + matmul_element_bytes * latent_norm_width * (1 - selective_recompute)
    share = np.where(sequence_parallel > 0, tensor_parallel, 1.0)
    return attention_layers / layers * tokens * kept / share


@quantity(unit="B", source=_SELECTIVE)
def attention_activation_bytes(
    *,
    tokens: Array,
    layers: Array,
    attention_layers: Array,
    query_key_value_width: Array,
    head_norm_width: Array,
    output_width: Array,
    latent_width: Array,
    tensor_parallel: Array,
    fused_attention: Array,
    matmul_element_bytes: Array,
    selective_recompute: Array,
) -> Array:
    """Activations of query, key, value and the attention output, of the mean layer.

    Query, key and value in 16 bit, unless they come from latents and are computed again; queries and keys
    once more as they were before a norm in each head. The output in 16 bit where fused attention reads it
    once more in its backward pass, else as the matmul reads it.
    """
    again = selective_recompute * np.where(latent_width > 0, 1.0, 0.0)
    output = output_width * np.where(fused_attention > 0, 2.0, matmul_element_bytes)
    kept = 2 * query_key_value_width * (1 - again) + output
    before_norm = 2 * head_norm_width * (1 - selective_recompute)
    return tokens * (attention_layers / layers * kept + before_norm) / tensor_parallel


@quantity(unit="B", source=_SELECTIVE)
def score_activation_bytes(
    *,
    tokens: Array,
    sequence_length: Array,
    layers: Array,
    attention_layers: Array,
    heads: Array,
    tensor_parallel: Array,
    fused_attention: Array,
    dropout_mask_bytes: Array,
    selective_recompute: Array,
) -> Array:
    """Activations of the attention scores, of the mean layer.

    None with fused attention, which computes them again by itself. Unfused: the softmax output in
    16 bit; with dropout also its mask and what passes it, 5 bytes a score.
    """
    score_bytes = np.where(dropout_mask_bytes > 0, 2 * 2 + dropout_mask_bytes, 2.0)
    kept = np.where(fused_attention > 0, 0.0, 1 - selective_recompute)
    scores = attention_layers / layers * heads * tokens * sequence_length / tensor_parallel
    return scores * score_bytes * kept


@quantity(unit="B", source=_SELECTIVE)
def feed_forward_activation_bytes(
    *,
    tokens: Array,
    feed_forward_width: Array,
    mlp_matrices: Array,
    tensor_parallel: Array,
    matmul_element_bytes: Array,
    selective_activation_element_bytes: Array,
    selective_recompute: Array,
) -> Array:
    """Activations of the feed-forward block, of the mean layer.

    What the activation reads (two tensors of the inner width when gated, else one), and what it puts
    out for the next matmul unless that is computed again.

    Parameters
    ----------
    tokens : of a micro-batch on a rank [tokens]
    feed_forward_width : inner width that a token uses, of experts too [1]
    mlp_matrices : 3 gated, else 2 [1]
    tensor_parallel : tp [1]
    matmul_element_bytes : of a matmul input [B]
    selective_activation_element_bytes : of an activation input when its output is recomputed [B]
    selective_recompute : on or off [1]
    """
    read = np.where(selective_recompute > 0, selective_activation_element_bytes, 2.0)
    put_out = matmul_element_bytes * (1 - selective_recompute)
    return tokens * feed_forward_width * ((mlp_matrices - 1) * read + put_out) / tensor_parallel


@quantity(unit="B", source=_SELECTIVE)
def routed_activation_bytes(
    *,
    tokens: Array,
    routed_width: Array,
    tensor_parallel: Array,
    matmul_element_bytes: Array,
    selective_recompute: Array,
) -> Array:
    """Activations of the copies of tokens that go to experts, of the mean layer.

    As the experts read them; and as they come back, in 16 bit, for the gradient of the router, unless
    the router's weights are applied inside the activation that is computed again.
    """
    return tokens * routed_width * (matmul_element_bytes + 2 * (1 - selective_recompute)) / tensor_parallel


@quantity(unit="B", source=_KORTHIKANTI)
def layer_activation_bytes(
    *,
    residual_bytes: Array,
    latent_bytes: Array,
    attention_bytes: Array,
    score_bytes: Array,
    feed_forward_bytes: Array,
    routed_bytes: Array,
) -> Array:
    """Activations of the mean layer for one micro-batch.

    For GPT in 16 bit with nothing recomputed it is T (10 h + 24 h / tp + 5 a s / tp); the last term only
    with unfused attention, and without dropout 2 h (and 3 a s / tp of the scores) less.
    """
    attention = latent_bytes + attention_bytes + score_bytes
    return residual_bytes + attention + feed_forward_bytes + routed_bytes


@quantity(unit="B", source=_KORTHIKANTI)
def layer_checkpoint_bytes(
    *, tokens: Array, hidden: Array, tensor_parallel: Array, sequence_parallel: Array
) -> Array:
    """Input of a layer, which is all that full recomputation keeps, 16 bit."""
    return 2 * tokens * hidden / np.where(sequence_parallel > 0, tensor_parallel, 1.0)
