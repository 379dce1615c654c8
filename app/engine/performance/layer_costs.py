"""What a layer, the ends of the model and a stage transfer cost, once for each distinct layer shape."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.performance import breakdown
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.ends import Ends, ends
from app.engine.performance.hardware import Hardware
from app.engine.performance.job import Job
from app.engine.performance.layer import LayerCompute, layer_compute
from app.engine.performance.layer_communication import LayerExchange, layer_exchange
from app.engine.performance.layer_widths import micro_batch_tokens
from app.engine.performance.memory import layer_memory
from app.engine.performance.offload import layer_offload_time_s
from app.engine.performance.pipeline import stage_message_bytes
from app.engine.performance.stage_transfer import StageTransfer, stage_transfer
from app.engine.performance.strategy import LayerShapes
from app.engine.performance.tensor_exchange import residual_bytes
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerCosts:
    """What a layer, the ends of the model and a stage transfer cost for one micro-batch, by layer shape."""

    offload: Array
    compute: LayerCompute
    exchange: LayerExchange
    device: Array
    launch: Array
    ends: Ends
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
    compute = layer_compute(
        workload=job.workload, flops=job.flops, hardware=hardware, shapes=shapes, tokens=tokens, assumptions=a
    )
    exchange = layer_exchange(
        workload=job.workload,
        hardware=hardware,
        shapes=shapes,
        tokens=tokens,
        compute=compute,
        assumptions=a,
    )
    device = breakdown.device_time_per_layer_s(
        matmul_s=compute.matmul,
        attention_s=compute.attention,
        memory_s=compute.memory,
        recompute_s=compute.recompute,
        tensor_s=exchange.tensor,
        context_s=exchange.context,
        expert_s=exchange.expert,
    )
    launch = breakdown.exposed_launch_time_s(
        launch_s=breakdown.launch_time_per_layer_s(
            layers=m.layers,
            expert_layers=m.expert_layers,
            experts=m.experts,
            expert_parallel=shapes.expert_parallel,
            launch_s=a.launch_time_per_layer_s,
            expert_launch_s=a.launch_time_per_expert_layer_s,
            local_expert_launch_s=a.launch_time_per_local_expert_s,
        ),
        device_s=device,
    )
    return LayerCosts(
        offload=layer_offload_time_s(
            kept_bytes=layer_memory(workload=job.workload, shapes=shapes, assumptions=a).kept,
            host_link_bytes_per_s=a.host_link_bytes_per_s,
        ),
        compute=compute,
        exchange=exchange,
        device=device,
        launch=launch,
        ends=ends(architecture=m, hardware=hardware, shapes=shapes, tokens=tokens, assumptions=a),
        transfer=stage_transfer(
            message_bytes=stage_message_bytes(
                residual_bytes=residual_bytes(tokens=tokens, hidden=m.hidden),
                tensor_parallel=shapes.tensor_parallel,
            ),
            hardware=hardware,
            a=a,
        ),
    )
