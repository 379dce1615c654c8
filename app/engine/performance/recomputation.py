"""What selective recomputation does again in the backward pass, in seconds and in FLOPs.

It computes again what is cheap to compute and large to keep: the outputs of norms and of the
feed-forward activation, query, key and value of latent attention from their latents, and the scores of
unfused attention (fused attention does that in its own backward pass, recomputation or not).
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.layer_widths import attention_widths
from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array
from app.engine.workload.flops import FlopCounts

_SELECTIVE = (
    "[1] Korthikanti et al. 2022, arXiv 2205.05198, section 5; [2] DeepSeek-AI 2024, arXiv 2412.19437, "
    "section 3.2.3; [3] NVIDIA Megatron-Core, recompute_modules layernorm, moe_act, mla_up_proj, core_attn"
)
_MEGATRON = "[1] Shoeybi et al. 2019, arXiv 1909.08053; [2] Korthikanti et al. 2022, arXiv 2205.05198"


@quantity(unit="B", source=_SELECTIVE)
def recomputed_elementwise_bytes(
    *,
    tokens: Array,
    hidden: Array,
    up_projected_width: Array,
    feed_forward_width: Array,
    tensor_parallel: Array,
    sequence_parallel: Array,
    norm_passes: Array,
    projection_passes: Array,
    activation_passes: Array,
    quantise_element_bytes: Array,
) -> Array:
    """Bytes moved by the norms and activations of the mean layer that are done again.

    The norms' part of the residual traffic, the activation, the rotary embedding and layout of query,
    key and value that come from latents; in 8 and 4 bit the quantisation of what feeds matmuls.
    """
    norms = norm_passes * hidden / np.where(sequence_parallel > 0, tensor_parallel, 1.0)
    inner = activation_passes * feed_forward_width + projection_passes * up_projected_width
    quantised = (2 * hidden + feed_forward_width) * quantise_element_bytes
    return tokens * (2 * norms + (2 * inner + quantised) / tensor_parallel)


@quantity(unit="s", source=_SELECTIVE)
def latent_up_projection_time_s(*, layers: Array, attention_layers: Array, matmuls_s: Array) -> Array:
    """Time of the up-projections of latent attention in the mean layer, forward."""
    return attention_layers / layers * matmuls_s


@quantity(unit="s", source=_SELECTIVE)
def selective_recompute_time_s(
    *, up_projection_s: Array, elementwise_s: Array, attention_forward_s: Array, fused_attention: Array
) -> Array:
    """Time of what selective recomputation does again in the mean layer.

    Up-projections of latent attention, norms and activations, and attention unless it is fused.
    """
    scores = np.where(fused_attention > 0, 0.0, attention_forward_s)
    return up_projection_s + elementwise_s + scores


@quantity(unit="s", source=_MEGATRON)
def layer_recompute_time_s(
    *,
    recompute: Array,
    selective_recompute: Array,
    matmul_forward_s: Array,
    attention_forward_s: Array,
    memory_forward_s: Array,
    selective_share: Array,
    selective_s: Array,
) -> Array:
    """Time of the forward work that a layer does again in the backward pass.

    A share of the whole forward pass, and of the rest what selective recomputation does again: what
    it names, or the share of the forward pass that the policy of the framework comes to.
    """
    forward = matmul_forward_s + attention_forward_s + memory_forward_s
    part = np.where(selective_share > 0, selective_share * forward, selective_s)
    return recompute * forward + (1 - recompute) * selective_recompute * part


@quantity(unit="FLOP", source=_SELECTIVE)
def latent_up_projection_flop_per_token(
    *, attention_layers: Array, query_depth: Array, query: Array, kv_rank: Array, key_value: Array
) -> Array:
    """Forward FLOPs of a token in the up-projections of latent attention.

    2 for each weight, of queries and of keys and values.
    """
    return 2 * attention_layers * (query_depth * query + kv_rank * key_value)


@quantity(unit="FLOP", source=_SELECTIVE)
def selective_flop_per_token(
    *,
    up_projection_flop: Array,
    attention_layers: Array,
    attention_flop_per_layer: Array,
    fused_attention: Array,
) -> Array:
    """FLOPs of a token that selective recomputation does again.

    Matmuls and unfused attention; those of norms and activations are not counted, as in model FLOPs.
    """
    scores = np.where(fused_attention > 0, 0.0, attention_layers * attention_flop_per_layer)
    return up_projection_flop + scores


@quantity(unit="FLOP", source="[1] Chowdhery et al. 2022, arXiv 2204.02311, appendix B")
def recomputed_flop_per_token(
    *,
    recompute: Array,
    selective_recompute: Array,
    forward_flop_per_token: Array,
    selective_share: Array,
    selective_flop_per_token: Array,
) -> Array:
    """FLOPs of a token that are done again in the backward pass."""
    chosen = np.where(selective_share > 0, selective_share * forward_flop_per_token, selective_flop_per_token)
    part = selective_recompute * chosen
    return recompute * forward_flop_per_token + (1 - recompute) * part


def recomputed_flop(
    *,
    architecture: Architecture,
    flops: FlopCounts,
    recompute: Array,
    selective_recompute: Array,
    selective_share: Array,
    fused_attention: Array,
) -> Array:
    """FLOPs of a token that a layout does again in the backward pass."""
    m = architecture
    up_projection = 0 * m.layers
    if m.attention == "mla":
        query, _, _ = attention_widths(m)
        up_projection = latent_up_projection_flop_per_token(
            attention_layers=m.attention_layers,
            # Without a latent of its own the query is projected from the residual stream.
            query_depth=np.where(m.latent_query_rank > 0, m.latent_query_rank, m.hidden),
            query=query,
            kv_rank=m.latent_kv_rank,
            key_value=m.heads * (m.latent_nope_dim + m.latent_value_dim),
        )
    return recomputed_flop_per_token(
        recompute=recompute,
        selective_recompute=selective_recompute,
        forward_flop_per_token=flops.forward,
        selective_share=selective_share,
        selective_flop_per_token=selective_flop_per_token(
            up_projection_flop=up_projection,
            attention_layers=m.attention_layers,
            attention_flop_per_layer=flops.attention_forward_per_layer,
            fused_attention=fused_attention,
        ),
    )
