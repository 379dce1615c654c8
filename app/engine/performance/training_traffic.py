"""Bytes that training exchanges in a step: tensor, context, expert, pipeline and data parallelism.

A mean layer and the fullest pipeline stage stand for all. All-reduces are counted as rings; a switch that reduces
saves up to half of their scale-up bytes. Modules of multi-token prediction are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.collectives.expert_traffic import token_bytes
from app.engine.fabric.collectives.network import Group
from app.engine.fabric.collectives.times import ONCE, TWICE
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.context_exchange import sent_context_bytes
from app.engine.performance.data_parallel import (
    gathered_bytes,
    gradient_reductions,
    held_zero_stage,
    reduced_bytes,
    shard_copies,
    weight_gathers,
)
from app.engine.performance.expert_exchange import COMBINE_ELEMENT_BYTES, copies_of_token, rank_tokens
from app.engine.performance.groups import group_of, stages_share_domain
from app.engine.performance.hardware import Hardware
from app.engine.performance.job import Job
from app.engine.performance.layer_widths import expert_tensor_parallel, micro_batch_tokens
from app.engine.performance.model_share import ModelShare, model_share
from app.engine.performance.pipeline import micro_batches, stage_message_bytes
from app.engine.performance.replica_exchange import replica_group, replicas_of
from app.engine.performance.strategy import Strategy
from app.engine.performance.tensor_exchange import residual_bytes, tensor_exchanges
from app.engine.performance.traffic import (
    ALL_TO_ALL,
    RING,
    STAGES,
    Traffic,
    layer_expert_bytes,
    layer_ring_bytes,
    layers_traffic_bytes,
    replicas_traffic_bytes,
    ring_shares,
    stages_traffic_bytes,
)
from app.engine.specs import Architecture
from app.engine.trace import Array

NEIGHBOURING = np.ones(1)  # one rank of a group stands next to another


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A layout at work."""

    model: Architecture
    hardware: Hardware
    strategy: Strategy
    share: ModelShare
    tokens: Array  # of a micro-batch on a rank
    micro_batches: Array
    assumptions: PerformanceAssumptions

    @property
    def message_bytes(self) -> Array:
        return residual_bytes(tokens=self.tokens, hidden=self.model.hidden)

    def group(self, ranks: Array, inner_ranks: Array) -> Group:
        domain = self.hardware.domain_accelerators
        return group_of(ranks=ranks, inner_ranks=inner_ranks, domain_accelerators=domain)


def training_traffic(
    *, job: Job, hardware: Hardware, strategy: Strategy, assumptions: PerformanceAssumptions
) -> tuple[Traffic, ...]:
    """All that a layout exchanges in a step."""
    step = _Step(
        model=job.workload.architecture,
        hardware=hardware,
        strategy=strategy,
        share=model_share(job=job, strategy=strategy),
        tokens=micro_batch_tokens(
            micro_batch=strategy.micro_batch,
            sequence_length=job.workload.sequence_length,
            context_parallel=strategy.context_parallel,
        ),
        micro_batches=micro_batches(
            global_batch_sequences=job.workload.global_batch_sequences,
            data_parallel=strategy.data_parallel,
            micro_batch=strategy.micro_batch,
        ),
        assumptions=assumptions,
    )
    return (_tensor(step), _context(step), _experts(step), _stages(step), *_replicas(step))


def _tensor(step: _Step) -> Traffic:
    m, s = step.model, step.strategy
    group = step.group(s.tensor_parallel, NEIGHBOURING)
    exchanges = tensor_exchanges(
        layers=m.layers,
        expert_layers=m.expert_layers,
        expert_parallel=s.expert_parallel,
        recompute=s.recompute,
    )
    up, out = (
        layer_ring_bytes(exchanges=exchanges, message_bytes=step.message_bytes, link_share=link_share)
        for link_share in ring_shares(TWICE, group)
    )
    return _of_layers(step, "tp", RING, (up, out), group, NEIGHBOURING)


def _context(step: _Step) -> Traffic:
    s = step.strategy
    group = step.group(s.context_parallel, s.tensor_parallel)
    sent = sent_context_bytes(step.model, s.shapes, step.tokens)
    # Of the ranks of a domain one passes on to the next domain, and the others to each other.
    crosses = np.where(group.domains > 1, 1 / group.domain_ranks, 0.0)
    up, out = (
        layer_ring_bytes(exchanges=ONCE, message_bytes=sent, link_share=link_share)
        for link_share in (1 - crosses, crosses)
    )
    return _of_layers(step, "cp", RING, (up, out), group, s.tensor_parallel)


def _experts(step: _Step) -> Traffic:
    m, s, a = step.model, step.strategy, step.assumptions
    inner = expert_tensor_parallel(
        tensor_parallel=s.tensor_parallel,
        expert_parallel=s.expert_parallel,
        expert_tensor_ranks=s.expert_tensor_ranks,
    )
    group = step.group(s.expert_parallel, inner)
    up, out = (
        layer_expert_bytes(
            layers=m.layers,
            expert_layers=m.expert_layers,
            tokens=rank_tokens(tokens=step.tokens, tensor_parallel=s.tensor_parallel),
            copies=copies,
            dispatch_bytes=token_bytes(hidden=m.hidden, element_bytes=a.dispatch_element_bytes),
            combine_bytes=token_bytes(hidden=m.hidden, element_bytes=COMBINE_ELEMENT_BYTES),
        )
        for copies in copies_of_token(
            m, expert_parallel=s.expert_parallel, group=group, routing_domains=a.routing_domains
        )
    )
    return _of_layers(step, "ep", ALL_TO_ALL, (up, out), group, inner)


def _of_layers(
    step: _Step, kind: str, pattern: str, layer_bytes: tuple[Array, Array], group: Group, inner_ranks: Array
) -> Traffic:
    """Traffic of all layers, of what the mean layer sends over its scale-up link and its NIC."""
    up, out = (
        layers_traffic_bytes(
            layer_bytes=each, stage_layers=step.share.layers, micro_batches=step.micro_batches
        )
        for each in layer_bytes
    )
    return Traffic(
        kind=kind,
        pattern=pattern,
        scale_up_bytes=up,
        scale_out_bytes=out,
        domains=group.domains,
        inner_ranks=inner_ranks,
    )


def _stages(step: _Step) -> Traffic:
    s, used = step.strategy, step.hardware.accelerators_used
    inside = stages_share_domain(
        stage_ranks=step.share.stage_ranks,
        pipeline_parallel=s.pipeline_parallel,
        pipeline_inside=s.pipeline_inside,
        accelerators_used=used,
        domain_accelerators=step.hardware.domain_accelerators,
    )
    message = stage_message_bytes(residual_bytes=step.message_bytes, tensor_parallel=s.tensor_parallel)
    up, out = (
        stages_traffic_bytes(
            pipeline_parallel=s.pipeline_parallel,
            virtual_stages=s.virtual_stages,
            micro_batches=step.micro_batches,
            message_bytes=message,
            on_link=on_link,
        )
        for on_link in (inside, 1 - inside)
    )
    return Traffic(
        kind="pp",
        pattern=STAGES,
        scale_up_bytes=up,
        scale_out_bytes=out,
        domains=np.where(inside > 0, 1.0, s.pipeline_parallel),
        inner_ranks=np.where(s.pipeline_inside > 0, step.share.stage_ranks, used / s.pipeline_parallel),
    )


def _replicas(step: _Step) -> Iterator[Traffic]:
    """Dense parameters and experts, each once round its shards and twice between the copies of a shard."""
    s, a = step.strategy, step.assumptions
    for held in replicas_of(step.share):
        gradients = reduced_bytes(
            parameters=held.parameters, gradient_parameter_bytes=a.gradient_parameter_bytes
        )
        gathered = gathered_bytes(
            parameters=held.parameters,
            zero_stage=s.zero_stage,
            gradient_parameter_bytes=a.gradient_parameter_bytes,
            weight_parameter_bytes=a.weight_parameter_bytes,
        )
        copies = shard_copies(replicas=held.ranks, shards=held.shards)
        apart = held.inner_ranks * held.shards
        yield _ring_of_replicas(step, ONCE, held.shards, held.inner_ranks, gradients, gathered)
        yield _ring_of_replicas(step, TWICE, copies, apart, gradients / held.shards, 0 * gathered)


def _ring_of_replicas(
    step: _Step, passes: Array, ranks: Array, inner_ranks: Array, reduced: Array, gathered: Array
) -> Traffic:
    s = step.strategy
    group = replica_group(ranks, inner_ranks, step.share, s, step.hardware)
    up, out = (
        replicas_traffic_bytes(
            reductions=gradient_reductions(
                zero_stage=held_zero_stage(
                    zero_stage=s.zero_stage, reshard=s.reshard, pipeline_parallel=s.pipeline_parallel
                ),
                pipeline_parallel=s.pipeline_parallel,
                virtual_stages=s.virtual_stages,
                micro_batches=step.micro_batches,
            ),
            reduced_bytes=reduced,
            gathers=weight_gathers(
                zero_stage=s.zero_stage,
                reshard=s.reshard,
                pipeline_parallel=s.pipeline_parallel,
                micro_batches=step.micro_batches,
            ),
            gathered_bytes=gathered,
            link_share=link_share,
        )
        for link_share in ring_shares(passes, group)
    )
    return Traffic(
        kind="dp",
        pattern=RING,
        scale_up_bytes=up,
        scale_out_bytes=out,
        domains=group.domains,
        inner_ranks=inner_ranks,
    )
