"""What the mean layer keeps for its backward pass, put together for every layout."""

from __future__ import annotations

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.layer_activations import (
    attention_activation_bytes,
    feed_forward_activation_bytes,
    latent_activation_bytes,
    layer_activation_bytes,
    residual_activation_bytes,
    routed_activation_bytes,
    score_activation_bytes,
)
from app.engine.performance.layer_widths import (
    attention_widths,
    latent_norm_width,
    latent_width,
    routed_width,
    used_width,
)
from app.engine.performance.strategy import LayerShapes
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array


def layer_activations(
    *,
    workload: TrainingWorkload,
    shapes: LayerShapes,
    tokens: Array,
    selective_recompute: Array,
    assumptions: PerformanceAssumptions,
) -> Array:
    """Activations of the mean layer, of all its parts, with or without selective recomputation."""
    a, s, m = assumptions, shapes, workload.architecture
    query, key, value = attention_widths(m)
    attention = {"tokens": tokens, "layers": m.layers, "attention_layers": m.attention_layers}
    split = {"tensor_parallel": s.tensor_parallel, "selective_recompute": selective_recompute}
    whole = split | {"sequence_parallel": s.sequence_parallel}
    matmul = {"matmul_element_bytes": a.matmul_element_bytes}
    width = latent_width(kv_rank=m.latent_kv_rank, query_rank=m.latent_query_rank, rope_dim=m.latent_rope_dim)
    return layer_activation_bytes(
        residual_bytes=residual_activation_bytes(
            **whole, **matmul, tokens=tokens, hidden=m.hidden, dropout_mask_bytes=a.dropout_mask_bytes
        ),
        latent_bytes=latent_activation_bytes(
            **whole,
            **matmul,
            **attention,
            latent_width=width,
            latent_norm_width=latent_norm_width(kv_rank=m.latent_kv_rank, query_rank=m.latent_query_rank),
        ),
        attention_bytes=attention_activation_bytes(
            **split,
            **matmul,
            **attention,
            query_key_value_width=query + key + value,
            output_width=query if m.attention != "mla" else value,
            latent_width=width,
            fused_attention=a.fused_attention,
        ),
        score_bytes=score_activation_bytes(
            **split,
            **attention,
            sequence_length=workload.sequence_length,
            heads=m.heads,
            fused_attention=a.fused_attention,
            dropout_mask_bytes=a.dropout_mask_bytes,
        ),
        feed_forward_bytes=feed_forward_activation_bytes(
            **split,
            **matmul,
            tokens=tokens,
            feed_forward_width=used_width(m),
            mlp_matrices=m.mlp_matrices,
            selective_activation_element_bytes=a.selective_activation_element_bytes,
        ),
        routed_bytes=routed_activation_bytes(
            **split,
            **matmul,
            tokens=tokens,
            routed_width=routed_width(
                layers=m.layers,
                expert_layers=m.expert_layers,
                experts_per_token=m.experts_per_token,
                hidden=m.hidden,
            ),
        ),
    )
