"""Memory of one accelerator on the fullest pipeline stage, by component.

The first stage holds the most micro-batches in flight, the last one the logits: the fuller counts.
Both are taken to hold the parameters of the stage that has most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from app.engine.performance.activations import (
    activation_bytes,
    chunks_in_flight,
    kept_activation_bytes,
    last_chunks_in_flight,
    last_is_fullest,
    last_stage_logit_bytes,
    layers_in_flight,
    logit_bytes,
    scheduled,
    selective_activation_bytes,
    stage_activation_bytes,
)
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.data_parallel import held_zero_stage
from app.engine.performance.job import Job
from app.engine.performance.layer_activations import (
    attention_activation_bytes,
    feed_forward_activation_bytes,
    latent_activation_bytes,
    layer_activation_bytes,
    layer_checkpoint_bytes,
    residual_activation_bytes,
    routed_activation_bytes,
    score_activation_bytes,
)
from app.engine.performance.layer_widths import (
    attention_widths,
    head_norm_width,
    latent_norm_width,
    latent_width,
    micro_batch_tokens,
    routed_width,
    used_width,
)
from app.engine.performance.model_share import ModelShare, model_share
from app.engine.performance.model_states import (
    buffer_bytes,
    device_optimizer_bytes,
    gradient_bytes,
    optimizer_bytes,
    weight_bytes,
)
from app.engine.performance.offload import kept_layers_on_device, offloaded_per_accelerator_bytes
from app.engine.performance.pipeline import micro_batches
from app.engine.performance.prediction import (
    last_stage_activation_bytes,
    layer_workload,
    module_activation_bytes,
    predicts,
)
from app.engine.performance.strategy import LayerShapes, Strategy
from app.engine.quantities import alias, quantity
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Bytes on one accelerator."""

    memory_per_accelerator_bytes: Array
    breakdown_bytes: dict[str, Array]
    offloaded_per_accelerator_bytes: Array


reserved_bytes = alias(
    "reserved_bytes",
    "Runtime, communication library and workspaces",
    of="reserved_memory_bytes",
    at="performance.memory_breakdown_bytes.reserved",
    unit="B",
    short="Reserved",
)


@quantity(unit="B", source="definition", key=True)
def memory_per_accelerator_bytes(
    *,
    weights: Array,
    gradients: Array,
    optimizer: Array,
    activations: Array,
    logits: Array,
    buffers: Array,
    reserved: Array,
) -> Array:
    """Peak memory per accelerator."""
    return weights + gradients + optimizer + activations + logits + buffers + reserved


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerMemory:
    """Data kept by one micro-batch, by layer shape."""

    whole: Array  # activations of the mean layer, all
    kept: Array  # those that wait for the backward pass
    modules: Array  # activations of prediction modules
    logits: Array


def memory(*, job: Job, strategy: Strategy, assumptions: PerformanceAssumptions) -> Memory:
    """Memory of every layout of a strategy."""
    layer = layer_memory(job=job, shapes=strategy.shapes, assumptions=assumptions)
    share = model_share(job=job, strategy=strategy)
    return memory_of(job=job, strategy=strategy, share=share, layer=layer, assumptions=assumptions)


def layer_memory(*, job: Job, shapes: LayerShapes, assumptions: PerformanceAssumptions) -> LayerMemory:
    """Data kept by every distinct layer shape; a search computes it once."""
    a, workload = assumptions, job.workload
    m = workload.architecture
    tokens = micro_batch_tokens(
        micro_batch=shapes.micro_batch,
        sequence_length=workload.sequence_length,
        context_parallel=shapes.context_parallel,
    )
    checkpoint = layer_checkpoint_bytes(
        tokens=tokens,
        hidden=m.hidden,
        tensor_parallel=shapes.tensor_parallel,
        sequence_parallel=shapes.sequence_parallel,
    )
    layer: dict[str, Any] = {"shapes": shapes, "tokens": tokens, "assumptions": a}

    def unrecomputed(model: TrainingWorkload) -> Array:
        return layer_activations(**layer, workload=model, selective_recompute=np.zeros(1))

    def kept(model: TrainingWorkload, whole: Array) -> Array:
        named = layer_activations(**layer, workload=model, selective_recompute=shapes.selective_recompute)
        return kept_activation_bytes(
            layer_bytes=selective_activation_bytes(
                named_bytes=named,
                layer_bytes=whole,
                checkpoint_bytes=checkpoint,
                selective_recompute=shapes.selective_recompute,
                selective_share=a.selective_share,
                selective_kept_share=a.selective_kept_share,
            ),
            checkpoint_bytes=checkpoint,
            recompute=shapes.recompute,
        )

    whole = unrecomputed(workload)
    module = layer_workload(job)
    return LayerMemory(
        whole=whole,
        kept=kept(workload, whole),
        modules=module_activation_bytes(
            prediction_modules=job.prediction.modules,
            kept_bytes=kept(module, unrecomputed(module)),
            hidden_bytes=checkpoint,
        )
        if predicts(workload)
        else 0 * tokens,
        logits=last_stage_logit_bytes(
            tokens=tokens,
            vocabulary=m.vocabulary,
            tensor_parallel=shapes.tensor_parallel,
            logit_memory_bytes=a.logit_memory_bytes,
            prediction_modules=job.prediction.modules,
        ),
    )


def memory_of(
    *,
    job: Job,
    strategy: Strategy,
    share: ModelShare,
    layer: LayerMemory,
    assumptions: PerformanceAssumptions,
) -> Memory:
    """Memory of layouts whose layers and share of the model are known."""
    a, s = assumptions, strategy
    held = {
        "dense_parameters": share.dense,
        "expert_parameters": share.expert,
        "dense_shards": share.dense_shards,
        "expert_shards": share.expert_shards,
        "zero_stage": held_zero_stage(
            zero_stage=s.zero_stage, reshard=s.reshard, pipeline_parallel=s.pipeline_parallel
        ),
    }
    states = optimizer_bytes(**held, optimizer_parameter_bytes=a.optimizer_parameter_bytes)
    fullest = _fullest_stage(job.workload, s, share, layer, a)
    parts = {
        "weights": weight_bytes(**held, weight_parameter_bytes=a.weight_parameter_bytes),
        "gradients": gradient_bytes(**held, gradient_parameter_bytes=a.gradient_parameter_bytes),
        "optimizer": device_optimizer_bytes(optimizer_bytes=states, optimizer_offload=s.optimizer_offload),
        "activations": fullest.activations,
        "logits": fullest.logits,
        "buffers": buffer_bytes(
            **held,
            stage_layers=share.layers,
            pipeline_parallel=s.pipeline_parallel,
            virtual_stages=s.virtual_stages,
            weight_parameter_bytes=a.weight_parameter_bytes,
            gradient_parameter_bytes=a.gradient_parameter_bytes,
            gradient_bucket_bytes=a.gradient_bucket_bytes,
            prefetched_layers=a.shard_prefetched_layers,
        ),
        "reserved": reserved_bytes(reserved_memory_bytes=a.reserved_memory_bytes),
    }
    return Memory(
        memory_per_accelerator_bytes=memory_per_accelerator_bytes(**parts),
        breakdown_bytes=parts,
        offloaded_per_accelerator_bytes=offloaded_per_accelerator_bytes(
            optimizer_bytes=states,
            optimizer_offload=s.optimizer_offload,
            layers_in_flight=fullest.layers_in_flight,
            layers_on_device=fullest.layers_on_device,
            kept_bytes=s.of_shapes(layer.kept),
        ),
    )


class _Stage(NamedTuple):
    """Data kept by the fullest stage; layers are those of the first stage, which has most in flight."""

    activations: Array
    logits: Array
    layers_in_flight: Array
    layers_on_device: Array


def _fullest_stage(
    workload: TrainingWorkload, s: Strategy, share: ModelShare, layer: LayerMemory, a: PerformanceAssumptions
) -> _Stage:
    schedule = scheduled(
        s,
        micro_batches(
            global_batch_sequences=workload.global_batch_sequences,
            data_parallel=s.data_parallel,
            micro_batch=s.micro_batch,
        ),
    )
    stage = {
        "kept_bytes": s.of_shapes(layer.kept),
        "layer_bytes": s.of_shapes(layer.whole),
        "fragmentation": a.fragmentation,
    }
    in_flight = layers_in_flight(
        chunks_in_flight=chunks_in_flight(**schedule),
        stage_layers=share.layers,
        virtual_stages=s.virtual_stages,
    )
    in_flight_at_last = layers_in_flight(
        chunks_in_flight=last_chunks_in_flight(**schedule),
        stage_layers=share.last_layers,
        virtual_stages=s.virtual_stages,
    )
    on_device, on_device_at_last = in_flight, in_flight_at_last
    if np.any(plain(s.activation_offload) > 0):
        on_device, on_device_at_last = (
            kept_layers_on_device(layers_in_flight=layers, activation_offload=s.activation_offload)
            for layers in (in_flight, in_flight_at_last)
        )
    first = stage_activation_bytes(**stage, layers_held=on_device)
    last = last_stage_activation_bytes(
        layers_bytes=stage_activation_bytes(**stage, layers_held=on_device_at_last),
        modules_bytes=s.of_shapes(layer.modules),
        fragmentation=a.fragmentation,
    )
    logits = s.of_shapes(layer.logits)
    fullest = last_is_fullest(first_bytes=first, last_bytes=last, logit_bytes=logits)
    return _Stage(
        activations=activation_bytes(first_bytes=first, last_bytes=last, last_is_fullest=fullest),
        logits=logit_bytes(logit_bytes=logits, last_is_fullest=fullest),
        layers_in_flight=in_flight,
        layers_on_device=on_device,
    )


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
            head_norm_width=head_norm_width(
                query_key_norm=m.query_key_norm,
                attention_layers=m.attention_layers,
                layers=m.layers,
                query=query,
                key=key,
            ),
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
