"""What a layer, the ends of the model and a stage transfer cost, once for each distinct layer shape."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.ends import Ends, ends
from app.engine.performance.hardware import Hardware
from app.engine.performance.job import Job
from app.engine.performance.layer_times import LayerTimes, layer_times
from app.engine.performance.layer_widths import micro_batch_tokens
from app.engine.performance.memory import layer_memory
from app.engine.performance.pipeline import stage_message_bytes
from app.engine.performance.prediction import modules_time
from app.engine.performance.stage_transfer import StageTransfer, stage_transfer
from app.engine.performance.strategy import LayerShapes
from app.engine.performance.tensor_exchange import residual_bytes
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCosts:
    """What a layer, the ends of the model and a stage transfer cost for one micro-batch, by layer shape."""

    kept_bytes: Array  # of the mean layer, until its backward pass
    layer: LayerTimes
    ends: Ends
    modules: Array  # of multi-token prediction
    transfer: StageTransfer


def layer_costs(
    *, job: Job, hardware: Hardware, shapes: LayerShapes, assumptions: PerformanceAssumptions
) -> LayerCosts:
    """Costs of every distinct layer shape; a search computes them once."""
    m, a = job.workload.architecture, assumptions
    tokens = micro_batch_tokens(
        micro_batch=shapes.micro_batch,
        sequence_length=job.workload.sequence_length,
        context_parallel=shapes.context_parallel,
    )
    beside = ends(architecture=m, hardware=hardware, shapes=shapes, tokens=tokens, assumptions=a)
    return LayerCosts(
        kept_bytes=layer_memory(job=job, shapes=shapes, assumptions=a).kept,
        layer=layer_times(
            workload=job.workload,
            flops=job.flops,
            hardware=hardware,
            shapes=shapes,
            tokens=tokens,
            assumptions=a,
        ),
        ends=beside,
        modules=modules_time(
            job=job, hardware=hardware, shapes=shapes, tokens=tokens, ends=beside, assumptions=a
        ),
        transfer=stage_transfer(
            message_bytes=stage_message_bytes(
                residual_bytes=residual_bytes(tokens=tokens, hidden=m.hidden),
                tensor_parallel=shapes.tensor_parallel,
            ),
            hardware=hardware,
            a=a,
        ),
    )
