"""What the modules of multi-token prediction cost on the last pipeline stage, in time and in memory.

A module is a transformer layer more, costed by the same functions as the layers of the model, with a projection
before it and the output head behind it. All of it runs on the last stage, as the modules follow the model.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.ends import Ends
from app.engine.performance.hardware import Hardware
from app.engine.performance.job import Job
from app.engine.performance.layer_times import layer_times
from app.engine.performance.matmul import ONE, Matmul, timed
from app.engine.performance.recomputation import recomputed_flop
from app.engine.performance.strategy import LayerShapes, Strategy
from app.engine.quantities import quantity
from app.engine.specs import TrainingWorkload
from app.engine.trace import Array, plain

_PREDICTION = "[1] DeepSeek-AI 2024, arXiv 2412.19437, section 2.2 (multi-token prediction)"


@quantity(unit="s", source=_PREDICTION)
def projection_time_s(*, forward_s: Array) -> Array:
    """Projection of a prediction module for one micro-batch, forward and backward: 3 x forward."""
    return forward_s + 2 * forward_s


@quantity(unit="s", source=_PREDICTION)
def modules_time_s(
    *, prediction_modules: Array, layer_s: Array, projection_s: Array, embedding_s: Array, head_s: Array
) -> Array:
    """Time of all prediction modules for one micro-batch, forward and backward.

    Each: the layer with its exchange and recomputation, the projection, the embedding, the output head and its
    loss.

    Validity: the norms before the projection and the gather behind it, where tensor parallelism splits it, are
    not counted; together they are below a hundredth of a module.
    """
    return prediction_modules * (layer_s + projection_s + embedding_s + head_s)


@quantity(unit="s", source=_PREDICTION)
def stage_end_time_s(*, head_s: Array, modules_s: Array) -> Array:
    """Work of the last stage per micro-batch besides its layers: output head, prediction modules."""
    return head_s + modules_s


@quantity(
    unit="s", source=_PREDICTION, at="performance.time_breakdown_s.prediction", short="Multi-token prediction"
)
def prediction_time_s(*, micro_batches: Array, has_head: Array, modules_s: Array) -> Array:
    """Multi-token prediction.

    Micro-batches x time of the modules, where the slowest stage is the last, which has them.
    """
    return micro_batches * has_head * modules_s


@quantity(unit="B", source=_PREDICTION)
def module_activation_bytes(*, prediction_modules: Array, kept_bytes: Array, hidden_bytes: Array) -> Array:
    """Activations of all prediction modules for one micro-batch: of the layer, and the two joined vectors."""
    return prediction_modules * (kept_bytes + 2 * hidden_bytes)


@quantity(unit="B", source=_PREDICTION)
def last_stage_activation_bytes(*, layers_bytes: Array, modules_bytes: Array, fragmentation: Array) -> Array:
    """Activations of the last stage: of its layers, and of the modules for the micro-batch that is turned round.

    Fragmentation on top of both.
    """
    return layers_bytes + modules_bytes * (1 + fragmentation)


@quantity(unit="FLOP", source="[1] Chowdhery et al. 2022, arXiv 2204.02311, appendix B")
def prediction_flop_per_token(
    *, modules_forward_flop: Array, prediction_modules: Array, recomputed_flop: Array
) -> Array:
    """FLOPs of a token in prediction modules: 3 x forward, and what is done again.

    They are hardware FLOPs, not model FLOPs: the modules are dropped after training.
    """
    return modules_forward_flop + 2 * modules_forward_flop + prediction_modules * recomputed_flop


def predicts(workload: TrainingWorkload) -> bool:
    """Return whether there are prediction modules at all."""
    return bool(np.any(plain(workload.prediction_modules) > 0))


def layer_workload(job: Job) -> TrainingWorkload:
    """The workload with the layer of a module in place of its model."""
    return replace(job.workload, architecture=job.prediction.layer)


def modules_time(
    *,
    job: Job,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    ends: Ends,
    assumptions: PerformanceAssumptions,
) -> Array:
    """Time of all modules for every shape; nothing is computed where there are none."""
    if not predicts(job.workload):
        return 0 * tokens
    a, hidden = assumptions, job.workload.architecture.hidden
    layer = layer_times(
        workload=layer_workload(job),
        flops=job.prediction.layer_flops,
        hardware=hardware,
        shapes=shapes,
        tokens=tokens,
        assumptions=a,
    )
    projection = timed(
        Matmul(rows=tokens, depth=2 * hidden, columns=hidden / shapes.tensor_parallel, groups=ONE),
        flop_per_s=hardware.matmul_flop_per_s,
        element_bytes=a.matmul_element_bytes,
        hardware=hardware,
        assumptions=a,
    )
    return modules_time_s(
        prediction_modules=job.prediction.modules,
        layer_s=layer.device + layer.launch,
        projection_s=projection_time_s(forward_s=projection),
        embedding_s=ends.embedding,
        head_s=ends.head,
    )


def prediction_flop(job: Job, strategy: Strategy, assumptions: PerformanceAssumptions) -> Array:
    """FLOPs of a token that the modules take in all, forward, backward and again."""
    return prediction_flop_per_token(
        modules_forward_flop=job.prediction.forward_flop_per_token,
        prediction_modules=job.prediction.modules,
        recomputed_flop=recomputed_flop(
            architecture=job.prediction.layer,
            flops=job.prediction.layer_flops,
            recompute=strategy.recompute,
            selective_recompute=strategy.selective_recompute,
            selective_share=assumptions.selective_share,
            fused_attention=assumptions.fused_attention,
        ),
    )
