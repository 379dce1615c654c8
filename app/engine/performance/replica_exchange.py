"""The data-parallel exchange of a step: each group of replicas on its part of the network."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.engine.fabric.collectives.network import Group
from app.engine.fabric.collectives.times import ONCE, TWICE, Pace, ring_pace, time_s
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.data_parallel import (
    bucketed_exchange_time_s,
    exchange_buckets,
    gathered_bytes,
    gradient_bucket_bytes,
    hybrid_reduction_time_s,
    reduced_bytes,
    reduced_unit_bytes,
    replica_exchange_time_s,
    shard_copies,
    shard_handling_time_s,
    weight_gathers,
)
from app.engine.performance.groups import domains_spanned, group_network, replicas_in_domain
from app.engine.performance.hardware import Hardware
from app.engine.performance.model_share import ModelShare
from app.engine.performance.strategy import Strategy
from app.engine.trace import Array, plain


def exchange_time_s(
    *,
    share: ModelShare,
    strategy: Strategy,
    micro_batches: Array,
    reductions: Array,
    hardware: Hardware,
    assumptions: PerformanceAssumptions,
) -> Array:
    """All data-parallel exchange of a step, of dense parameters and of experts in their own groups."""
    dense, expert = replicas_of(share)
    groups = [dense, expert] if np.any(plain(share.expert) != 0) else [dense]
    times = [
        _group_exchange_time_s(group, share, strategy, micro_batches, reductions, hardware, assumptions)
        for group in groups
    ]
    return times[0] + times[1] if len(times) > 1 else times[0]


class Replicas(NamedTuple):
    """Parameters, the ranks that hold the same ones, and those that ZeRO shards them over."""

    parameters: Array
    ranks: Array
    shards: Array
    inner_ranks: Array


def replicas_of(share: ModelShare) -> tuple[Replicas, Replicas]:
    """Those of dense parameters, and those of experts."""
    return (
        Replicas(share.dense, share.dense_replicas, share.dense_shards, share.dense_inner_ranks),
        Replicas(share.expert, share.expert_replicas, share.expert_shards, share.expert_inner_ranks),
    )


def replica_group(
    ranks: Array, inner_ranks: Array, share: ModelShare, strategy: Strategy, hardware: Hardware
) -> Group:
    """A group of replicas over the scale-up domains that it spans."""
    inside = replicas_in_domain(
        ranks=ranks,
        inner_ranks=inner_ranks,
        stage_ranks=share.stage_ranks,
        pipeline_parallel=strategy.pipeline_parallel,
        pipeline_inside=strategy.pipeline_inside,
        domain_accelerators=hardware.domain_accelerators,
    )
    return Group(domain_ranks=inside, domains=domains_spanned(ranks=ranks, domain_ranks=inside))


def _group_exchange_time_s(
    held: Replicas,
    share: ModelShare,
    strategy: Strategy,
    micro_batches: Array,
    reductions: Array,
    hardware: Hardware,
    a: PerformanceAssumptions,
) -> Array:
    zero_stage = strategy.zero_stage

    def ring(passes: Array, ranks: Array, inner_ranks: Array) -> Pace:
        group = replica_group(ranks, inner_ranks, share, strategy, hardware)
        return ring_pace(
            passes,
            group,
            group_network("ring", group=group, inner_ranks=inner_ranks, hardware=hardware, a=a),
        )

    # ZeRO 3 exchanges layer by layer or tensor by tensor, the other stages by buckets.
    bucket = np.where(
        zero_stage >= 3,
        reduced_unit_bytes(
            parameters=held.parameters,
            gradient_parameter_bytes=a.gradient_parameter_bytes,
            layers=share.layers,
            units_per_layer=a.shard_units_per_layer,
        ),
        gradient_bucket_bytes(
            replicas=held.ranks,
            least_bytes=a.gradient_bucket_bytes,
            replica_bytes=a.gradient_bucket_replica_bytes,
        ),
    )

    def exchange(message: Array, pace: Pace, ranks: Array) -> Array:
        buckets = exchange_buckets(message_bytes=message, bucket_bytes=bucket)
        handled = shard_handling_time_s(zero_stage=zero_stage, ranks=ranks, shard_rank_s=a.shard_rank_s)
        return bucketed_exchange_time_s(
            buckets=buckets, bucket_s=time_s(message / buckets, pace), handling_s=handled
        )

    # A reduce-scatter moves the same bytes over the same ring as an all-gather.
    once = ring(ONCE, held.shards, held.inner_ranks)
    gradients = reduced_bytes(parameters=held.parameters, gradient_parameter_bytes=a.gradient_parameter_bytes)
    reduce_s = exchange(gradients, once, held.shards)
    if np.any(plain(strategy.shard_ranks) > 0):
        copies = shard_copies(replicas=held.ranks, shards=held.shards)
        between = ring(TWICE, copies, held.inner_ranks * held.shards)
        reduce_s = hybrid_reduction_time_s(
            in_group_s=reduce_s, between_groups_s=exchange(gradients / held.shards, between, copies)
        )
    return replica_exchange_time_s(
        reductions=reductions,
        reduce_s=reduce_s,
        gathers=weight_gathers(
            zero_stage=zero_stage,
            reshard=strategy.reshard,
            pipeline_parallel=strategy.pipeline_parallel,
            micro_batches=micro_batches,
        ),
        gather_s=exchange(
            gathered_bytes(
                parameters=held.parameters,
                zero_stage=zero_stage,
                gradient_parameter_bytes=a.gradient_parameter_bytes,
                weight_parameter_bytes=a.weight_parameter_bytes,
            ),
            once,
            held.shards,
        ),
    )
