"""The one step-time function: one layout, a search over many, and sampling.

Equations in closed form, one pass. Layer costs are computed on the distinct layer shapes (s, u) and
gathered on the last axis into (s, n).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.performance import breakdown
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.data_parallel import (
    data_parallel_time_s,
    gradient_reductions,
    held_zero_stage,
    hiding_micro_batches,
    optimizer_time_s,
)
from app.engine.performance.groups import stages_share_domain
from app.engine.performance.hardware import Hardware
from app.engine.performance.job import Job
from app.engine.performance.layer_costs import LayerCosts, layer_costs
from app.engine.performance.model_share import ModelShare, model_share
from app.engine.performance.offload import (
    away_parameter_time_s,
    exposed_offload_time_s,
    layer_offload_time_s,
    offload_time_s,
)
from app.engine.performance.pipeline import (
    head_on_slowest_stage,
    micro_batches,
    pipeline_transfer_time_s,
    slowest_stage_layers,
)
from app.engine.performance.prediction import prediction_time_s, stage_end_time_s
from app.engine.performance.replica_exchange import exchange_time_s
from app.engine.performance.schedule_times import schedule_times, steady_layer_time_s
from app.engine.performance.stage_transfer import stage_transfer_time_s
from app.engine.performance.strategy import Strategy
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """Step time and its parts, exposed seconds on the slowest pipeline stage."""

    step_time_s: Array
    breakdown_s: dict[str, Array]


def step_time(
    *, job: Job, hardware: Hardware, strategy: Strategy, assumptions: PerformanceAssumptions
) -> StepTime:
    """Step time of every layout of a strategy.

    Parameters
    ----------
    job : the workload with its parameter and FLOP counts
    hardware : sustained rates, see `hardware_of`
    strategy : n layouts
    assumptions : of this room

    Validity: layers are taken as equal to their mean; a stage of costlier layers is not found.
    """
    costs = layer_costs(job=job, hardware=hardware, shapes=strategy.shapes, assumptions=assumptions)
    share = model_share(job=job, strategy=strategy)
    return step_time_of(
        job=job, hardware=hardware, strategy=strategy, share=share, costs=costs, assumptions=assumptions
    )


def step_time_of(
    *,
    job: Job,
    hardware: Hardware,
    strategy: Strategy,
    share: ModelShare,
    costs: LayerCosts,
    assumptions: PerformanceAssumptions,
    replicas_exchange: bool = True,
) -> StepTime:
    """Step time of layouts whose layer costs and share of the model are known.

    Without the exchange of replicas, which takes longest to compute, it is a lower bound.
    """
    m, s, a = job.workload.architecture, strategy, assumptions
    tier = hardware.tiers.of(s.offload_tier)
    compute, exchange = costs.layer.compute, costs.layer.exchange

    expert, paired_expert = s.of_shapes(exchange.expert), s.of_shapes(exchange.paired_expert)
    device, launch = s.of_shapes(costs.layer.device), s.of_shapes(costs.layer.launch)
    head, embedding = s.of_shapes(costs.ends.head), s.of_shapes(costs.ends.embedding)
    modules = s.of_shapes(costs.modules)
    end = stage_end_time_s(head_s=head, modules_s=modules)
    count = micro_batches(
        global_batch_sequences=job.workload.global_batch_sequences,
        data_parallel=s.data_parallel,
        micro_batch=s.micro_batch,
    )
    longest, last = share.layers, share.last_layers
    has_head = head_on_slowest_stage(
        pipeline_parallel=s.pipeline_parallel,
        longest_layers=longest,
        last_layers=last,
        layer_s=steady_layer_time_s(
            device_s=device,
            launch_s=launch,
            expert_s=expert,
            paired_expert_s=paired_expert,
            schedule=s.schedule,
        ),
        end_s=end,
        schedule=s.schedule,
    )
    stage_layers = slowest_stage_layers(head_on_slowest=has_head, longest_layers=longest, last_layers=last)
    stage: dict[str, Any] = {"micro_batches": count, "stage_layers": stage_layers}
    schedule: dict[str, Any] = {
        "pipeline_parallel": s.pipeline_parallel,
        "virtual_stages": s.virtual_stages,
        "micro_batches": count,
    }
    pairs, bubble = schedule_times(layers=m.layers, strategy=s, micro_batches=count, costs=costs)
    reductions = gradient_reductions(
        zero_stage=held_zero_stage(
            zero_stage=s.zero_stage, reshard=s.reshard, pipeline_parallel=s.pipeline_parallel
        ),
        **schedule,
    )
    exchanged: Array = np.zeros(1)
    if replicas_exchange:
        exchanged = data_parallel_time_s(
            exchange_s=exchange_time_s(
                share=share,
                strategy=s,
                micro_batches=count,
                reductions=reductions,
                hardware=hardware,
                assumptions=a,
            ),
            stage_s=breakdown.stage_time_s(
                stage_layers=stage_layers, layer_s=device + launch, end_s=end, has_head=has_head
            ),
            hiding_micro_batches=hiding_micro_batches(reductions=reductions, **schedule),
            data_overlap=s.data_overlap,
            overlap=a.data_parallel_overlap,
            never_hidden=a.data_parallel_never_hidden,
            zero_stage=s.zero_stage,
            prefetched_layers=a.shard_prefetched_layers,
        )
    parts = {
        "gemm": breakdown.gemm_time_s(
            **stage,
            layer_s=s.of_shapes(compute.matmul),
            head_s=head,
            has_head=has_head,
            embedding_s=embedding,
            pipeline_parallel=s.pipeline_parallel,
        ),
        "attention": breakdown.attention_time_s(**stage, layer_s=s.of_shapes(compute.attention)),
        "memory_bound": breakdown.memory_bound_time_s(**stage, layer_s=s.of_shapes(compute.memory)),
        "prediction": prediction_time_s(micro_batches=count, has_head=has_head, modules_s=modules),
        "recompute": breakdown.recompute_time_s(**stage, layer_s=s.of_shapes(compute.recompute)),
        "tp": breakdown.tensor_parallel_time_s(**stage, layer_s=s.of_shapes(exchange.tensor)),
        "cp": breakdown.context_parallel_time_s(**stage, layer_s=s.of_shapes(exchange.context)),
        "ep": breakdown.expert_parallel_time_s(
            **stage,
            layer_s=expert,
            paired_layer_s=paired_expert,
            paired_micro_batches=pairs,
        ),
        "pp_transfer": pipeline_transfer_time_s(
            **schedule,
            transfer_s=stage_transfer_time_s(
                share_domain=stages_share_domain(
                    stage_ranks=share.stage_ranks,
                    pipeline_parallel=s.pipeline_parallel,
                    pipeline_inside=s.pipeline_inside,
                    accelerators_used=hardware.accelerators_used,
                    domain_accelerators=hardware.domain_accelerators,
                ),
                inside_s=s.of_shapes(costs.transfer.inside),
                outside_s=s.of_shapes(costs.transfer.outside),
            ),
            exposed=a.pipeline_transfer_exposed,
        ),
        "pp_bubble": bubble,
        "dp": exchanged,
        "offload": offload_time_s(
            **stage,
            layer_s=exposed_offload_time_s(
                activation_offload=s.activation_offload,
                link_s=layer_offload_time_s(
                    kept_bytes=s.of_shapes(costs.kept_bytes),
                    link_bytes_per_s=tier.link_bytes_per_s,
                    medium_bytes_per_s=tier.medium_bytes_per_s,
                ),
                layer_s=device,
            ),
        ),
        "optimizer": optimizer_time_s(
            dense_parameters=share.dense,
            expert_parameters=share.expert,
            dense_shards=share.dense_shards,
            expert_shards=share.expert_shards,
            zero_stage=s.zero_stage,
            optimizer_offload=s.optimizer_offload,
            traffic_parameter_bytes=a.optimizer_traffic_parameter_bytes,
            memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
            away_parameter_time_s=away_parameter_time_s(
                traffic_parameter_bytes=a.optimizer_traffic_parameter_bytes,
                gradient_parameter_bytes=a.gradient_parameter_bytes,
                weight_parameter_bytes=a.weight_parameter_bytes,
                link_bytes_per_s=tier.link_bytes_per_s,
                medium_bytes_per_s=tier.medium_bytes_per_s,
            ),
        ),
        "launch": breakdown.launch_time_s(**stage, layer_s=launch, step_overhead_s=a.step_overhead_s),
    }
    even = breakdown.time_without_stragglers_s(**parts)
    straggler = breakdown.straggler_time_s(
        other_s=even, nodes_used=hardware.nodes_used, straggler_per_decade=a.straggler_per_decade
    )
    predicted: dict[str, Any] = {"time_without_stragglers_s": even, "straggler": straggler}
    calibration = breakdown.calibration_time_s(
        **predicted, measured_over_predicted=job.workload.measured_over_predicted
    )
    return StepTime(
        step_time_s=breakdown.step_time_s(**predicted, calibration=calibration),
        breakdown_s=parts | {"straggler": straggler, "calibration": calibration},
    )
