"""What the mean layer computes for one micro-batch, on one accelerator of a tensor-parallel group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.context_exchange import ring_of, ring_tile_ratio
from app.engine.performance.hardware import Hardware
from app.engine.performance.layer_matmuls import matmul_forward_time_s, up_projection_forward_time_s
from app.engine.performance.layer_widths import (
    attention_widths,
    busiest_routed_width,
    head_norm_width,
    projection_width,
    routed_width,
    used_width,
)
from app.engine.performance.recomputation import (
    layer_recompute_time_s,
    recomputed_elementwise_bytes,
    selective_recompute_time_s,
)
from app.engine.performance.strategy import LayerShapes
from app.engine.quantities import quantity
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array, plain
from app.engine.workload.flops import FlopCounts

_FORMATS = "[1] Micikevicius et al. 2022, arXiv 2209.05433 (FP8); [2] NVIDIA 2025, arXiv 2509.25149 (NVFP4 with layers in BF16)"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCompute:
    """Seconds of the mean layer for one micro-batch, forward and backward."""

    matmul: Array
    attention: Array
    memory: Array
    recompute: Array
    forward: Array  # the forward pass of the first three
    weight_gradient: Array  # the part of the matmuls that no other stage waits for


@quantity(unit="s", source="definition")
def layer_forward_time_s(*, matmul_s: Array, attention_s: Array, memory_s: Array) -> Array:
    """Compute time of the mean layer, forward."""
    return matmul_s + attention_s + memory_s


@quantity(unit="s", source=_FORMATS)
def pass_matmul_time_s(
    *, recipe_s: Array, sixteen_bit_s: Array, kept_16_bit_share: Array, pass_16_bit: Array
) -> Array:
    """Matmul time of one pass of the mean layer, in the format that the recipe gives the pass.

    Gradients of inputs and of weights are matmuls of the size of the forward ones; layers that stay in 16 bit and
    passes that do take the time of 16-bit matmuls.
    """
    kept = np.maximum(kept_16_bit_share, pass_16_bit)
    return (1 - kept) * recipe_s + kept * sixteen_bit_s


@quantity(unit="s", source="[1] Kaplan et al. 2020, arXiv 2001.08361 (backward twice the forward)")
def layer_matmul_time_s(*, forward_s: Array, input_gradient_s: Array, weight_gradient_s: Array) -> Array:
    """Matmul time of the mean layer, forward and backward."""
    return forward_s + input_gradient_s + weight_gradient_s


def layer_compute(
    *,
    workload: TrainingWorkload,
    flops: FlopCounts,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    assumptions: PerformanceAssumptions,
) -> LayerCompute:
    """Compute time of the mean layer for every shape."""
    a, m = assumptions, workload.architecture
    recipe = sixteen = matmul_forward_time_s(m, hardware, shapes, tokens, a)
    stays = (a.kept_16_bit_share, a.input_gradient_16_bit, a.weight_gradient_16_bit)
    if any(np.any(plain(share) > 0) for share in stays):
        sixteen = matmul_forward_time_s(m, hardware, shapes, tokens, a, sixteen_bit=True)
    matmul, input_gradient, weight_gradient = (
        pass_matmul_time_s(
            recipe_s=recipe,
            sixteen_bit_s=sixteen,
            kept_16_bit_share=a.kept_16_bit_share,
            pass_16_bit=in_16_bit,
        )
        for in_16_bit in (np.zeros(1), a.input_gradient_16_bit, a.weight_gradient_16_bit)
    )
    padded = flops.attention_forward_per_layer
    if m.attention != "mla":  # latent attention has kernels made for its heads of 128 + 64
        padded = padded_attention_flop(flop_per_token_and_layer=padded, head_dim=m.head_dim)
    attention = attention_forward_time_s(
        layers=m.layers,
        attention_layers=m.attention_layers,
        heads=m.heads,
        tokens=tokens,
        sequence_length=workload.sequence_length,
        tensor_parallel=shapes.tensor_parallel,
        flop_per_token_and_layer=flops.attention_forward_per_layer,
        fused_flop_per_token_and_layer=padded,
        fused=a.fused_attention,
        fused_flop_per_s=hardware.attention_flop_per_s,
        matmul_flop_per_s=hardware.matmul_16_bit_flop_per_s,
        memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
        score_passes=a.attention_score_passes,
    )
    if np.any(plain(shapes.context_parallel) > 1):
        attention = attention * ring_tile_ratio(
            sequence_length=workload.sequence_length,
            ring_ranks=ring_of(m, shapes)[0],
            saturation_tokens=a.attention_saturation_tokens,
        )
    if np.any(plain(m.linear_layers) > 0):
        attention = attention + linear_attention_forward_time_s(
            layers=m.layers,
            linear_layers=m.linear_layers,
            state_elements=m.linear_state_elements,
            tokens=tokens,
            tensor_parallel=shapes.tensor_parallel,
            fused_flop_per_s=hardware.attention_flop_per_s,
        )
    query, key, value = attention_widths(m)
    projected = projection_width(
        attention_layers=m.attention_layers,
        layers=m.layers,
        query=query,
        key=key,
        value=value,
        linear_layers=m.linear_layers,
        linear_layer_parameters=m.linear_layer_parameters,
        hidden=m.hidden,
    )
    traffic: dict[str, Any] = {
        "tokens": tokens,
        "hidden": m.hidden,
        "feed_forward_width": used_width(m),
        "tensor_parallel": shapes.tensor_parallel,
        "sequence_parallel": shapes.sequence_parallel,
        "projection_passes": a.projection_passes,
        "activation_passes": a.activation_passes,
        "quantise_element_bytes": a.quantise_element_bytes,
    }
    memory = elementwise_time_s(
        moved_bytes=elementwise_bytes(
            **traffic,
            projection_width=projected,
            head_norm_width=head_norm_width(
                query_key_norm=m.query_key_norm,
                attention_layers=m.attention_layers,
                layers=m.layers,
                query=query,
                key=key,
            ),
            norm_passes=a.norm_passes,
            routed_width=busiest_routed_width(
                routed_width=routed_width(
                    layers=m.layers,
                    expert_layers=m.expert_layers,
                    experts_per_token=m.experts_per_token,
                    hidden=m.hidden,
                ),
                expert_imbalance=a.expert_imbalance,
            ),
            residual_passes=a.residual_passes,
            permute_passes=a.permute_passes,
        ),
        memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
    )
    again = elementwise_time_s(
        moved_bytes=recomputed_elementwise_bytes(
            **traffic,
            up_projected_width=projected if m.attention == "mla" else 0 * projected,
            norm_passes=a.norm_passes,
        ),
        memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
    )
    return LayerCompute(
        matmul=layer_matmul_time_s(
            forward_s=matmul, input_gradient_s=input_gradient, weight_gradient_s=weight_gradient
        ),
        attention=layer_attention_time_s(
            forward_s=attention, fused=a.fused_attention, backward_ratio=a.attention_backward_ratio
        ),
        memory=layer_elementwise_time_s(forward_s=memory, elementwise_ratio=a.elementwise_ratio),
        forward=layer_forward_time_s(matmul_s=matmul, attention_s=attention, memory_s=memory),
        weight_gradient=weight_gradient,
        recompute=layer_recompute_time_s(
            recompute=shapes.recompute,
            selective_recompute=shapes.selective_recompute,
            matmul_forward_s=matmul,
            attention_forward_s=attention,
            memory_forward_s=memory,
            selective_share=a.selective_share,
            selective_s=selective_recompute_time_s(
                up_projection_s=up_projection_forward_time_s(m, hardware, shapes, tokens, a),
                elementwise_s=again,
                attention_forward_s=attention,
                fused_attention=a.fused_attention,
            ),
        ),
    )


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

    10 FLOPs per token and state element at the rate of fused attention: state read and written (4), and
    scores, their inverse and weighted values within chunks of half a head's width (6).
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


_MEGATRON = "[1] Shoeybi et al. 2019, arXiv 1909.08053; [2] Korthikanti et al. 2022, arXiv 2205.05198"


@quantity(unit="B", source=_MEGATRON)
def elementwise_bytes(
    *,
    tokens: Array,
    hidden: Array,
    projection_width: Array,
    head_norm_width: Array,
    feed_forward_width: Array,
    routed_width: Array,
    tensor_parallel: Array,
    sequence_parallel: Array,
    residual_passes: Array,
    norm_passes: Array,
    projection_passes: Array,
    activation_passes: Array,
    permute_passes: Array,
    quantise_element_bytes: Array,
) -> Array:
    """Bytes moved by everything between the matmuls of the mean layer, forward.

    16-bit elements of norms and residuals (over tp only with sequence parallelism), of query, key and
    value, of norms of query and key in each head, of the activation, of routed tokens; in 8 and 4 bit also
    the quantisation of matmul inputs, those of experts among them.

    Parameters
    ----------
    tokens : T [tokens]
    hidden, projection_width, feed_forward_width : h, (a + 2 k) d, inner width used by a token [1]
    routed_width : experts per token x h in layers with experts, mean over layers [1]
    tensor_parallel, sequence_parallel : tp, on or off [1]
    head_norm_width : of queries and keys that are normed in each head [1]
    residual_passes, projection_passes, activation_passes, permute_passes : times moved [1]
    norm_passes : of both norms of a layer; one norm takes half [1]
    quantise_element_bytes : per matmul input element [B]
    """
    residual_share = np.where(sequence_parallel > 0, tensor_parallel, 1.0)
    residual = residual_passes * hidden / residual_share
    inner = projection_passes * projection_width + activation_passes * feed_forward_width
    inner = inner + norm_passes / 2 * head_norm_width
    routed = permute_passes * routed_width
    cast = 2 * hidden + projection_width + feed_forward_width + routed_width
    quantised = cast * quantise_element_bytes
    return tokens * (2 * residual + (2 * inner + 2 * routed + quantised) / tensor_parallel)


@quantity(unit="s", source="[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline)")
def elementwise_time_s(*, moved_bytes: Array, memory_bandwidth_bytes_per_s: Array) -> Array:
    """Memory-bound time of the mean layer, forward."""
    return moved_bytes / memory_bandwidth_bytes_per_s


@quantity(unit="s", source=_MEGATRON)
def layer_elementwise_time_s(*, forward_s: Array, elementwise_ratio: Array) -> Array:
    """Memory-bound time of the mean layer, forward and backward."""
    return forward_s * elementwise_ratio
