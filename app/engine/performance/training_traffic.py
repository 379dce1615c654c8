"""Bytes that training exchanges in a step: tensor, context, expert, pipeline and data parallelism.

A mean layer and the fullest pipeline stage stand for all. All-reduces are counted as rings; a switch that reduces
saves up to half of their scale-up bytes. Modules of multi-token prediction are not counted.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.collectives.expert_traffic import copies_sent, places_reached, token_bytes
from app.engine.fabric.collectives.network import Group
from app.engine.fabric.collectives.times import ONCE, TWICE
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.context_exchange import sent_context_bytes
from app.engine.performance.data_parallel import (
    gathered_bytes,
    gradient_reductions,
    reduced_bytes,
    shard_copies,
)
from app.engine.performance.expert_exchange import COMBINE_ELEMENT_BYTES, rank_tokens
from app.engine.performance.groups import (
    domains_spanned,
    ranks_in_domain,
    replicas_in_domain,
    stages_share_domain,
)
from app.engine.performance.hardware import Hardware
from app.engine.performance.job import Job
from app.engine.performance.layer_widths import expert_tensor_parallel, micro_batch_tokens
from app.engine.performance.model_share import ModelShare, model_share
from app.engine.performance.pipeline import micro_batches, stage_message_bytes
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
from app.engine.trace import Array


def training_traffic(
    *, job: Job, hardware: Hardware, strategy: Strategy, assumptions: PerformanceAssumptions
) -> tuple[Traffic, ...]:
    """All that a layout exchanges in a step."""
    share = model_share(job=job, strategy=strategy)
    count = micro_batches(
        global_batch_sequences=job.workload.global_batch_sequences,
        data_parallel=strategy.data_parallel,
        micro_batch=strategy.micro_batch,
    )
    tokens = micro_batch_tokens(
        micro_batch=strategy.micro_batch,
        sequence_length=job.workload.sequence_length,
        context_parallel=strategy.context_parallel,
    )
    return (
        _tensor(job, hardware, strategy, share, tokens, count),
        _context(job, hardware, strategy, share, tokens, count),
        _experts(job, hardware, strategy, share, tokens, count, assumptions),
        _stages(job, hardware, strategy, share, tokens, count),
        *_replicas(hardware, strategy, share, count, assumptions),
    )


def _group(ranks: Array, inner_ranks: Array, hardware: Hardware) -> Group:
    inside = ranks_in_domain(
        ranks=ranks, inner_ranks=inner_ranks, domain_accelerators=hardware.domain_accelerators
    )
    return Group(domain_ranks=inside, domains=domains_spanned(ranks=ranks, domain_ranks=inside))


def _tensor(
    job: Job, hardware: Hardware, s: Strategy, share: ModelShare, tokens: Array, count: Array
) -> Traffic:
    m, group = job.workload.architecture, _group(s.tensor_parallel, np.ones(1), hardware)
    exchanges = tensor_exchanges(
        layers=m.layers,
        expert_layers=m.expert_layers,
        expert_parallel=s.expert_parallel,
        recompute=s.recompute,
    )
    up, out = (
        layers_traffic_bytes(
            layer_bytes=layer_ring_bytes(
                exchanges=exchanges,
                message_bytes=residual_bytes(tokens=tokens, hidden=m.hidden),
                link_share=link_share,
            ),
            stage_layers=share.layers,
            micro_batches=count,
        )
        for link_share in ring_shares(TWICE, group)
    )
    return Traffic(
        kind="tp", pattern=RING, scale_up_bytes=up, scale_out_bytes=out, domains=group.domains, inner_ranks=np.ones(1)
    )  # fmt: skip


def _context(
    job: Job, hardware: Hardware, s: Strategy, share: ModelShare, tokens: Array, count: Array
) -> Traffic:
    group = _group(s.context_parallel, s.tensor_parallel, hardware)
    sent = sent_context_bytes(job.workload.architecture, s.tensor_parallel, s.context_parallel, tokens)
    # Of the ranks of a domain one passes on to the next domain, and the others to each other.
    crosses = np.where(group.domains > 1, 1 / group.domain_ranks, 0.0)
    up, out = (
        layers_traffic_bytes(
            layer_bytes=layer_ring_bytes(exchanges=np.ones(1), message_bytes=sent, link_share=link_share),
            stage_layers=share.layers,
            micro_batches=count,
        )
        for link_share in (1 - crosses, crosses)
    )
    return Traffic(
        kind="cp",
        pattern=RING,
        scale_up_bytes=up,
        scale_out_bytes=out,
        domains=group.domains,
        inner_ranks=s.tensor_parallel,
    )


def _experts(
    job: Job,
    hardware: Hardware,
    s: Strategy,
    share: ModelShare,
    tokens: Array,
    count: Array,
    a: PerformanceAssumptions,
) -> Traffic:
    m = job.workload.architecture
    inner = expert_tensor_parallel(tensor_parallel=s.tensor_parallel, expert_parallel=s.expert_parallel)
    group = _group(s.expert_parallel, inner, hardware)
    reached = places_reached(
        places=group.domains, experts_per_token=m.experts_per_token, most=a.routing_domains
    )
    ranks = places_reached(
        places=s.expert_parallel, experts_per_token=m.experts_per_token, most=m.experts_per_token
    )
    up, out = (
        layers_traffic_bytes(
            layer_bytes=layer_expert_bytes(
                layers=m.layers,
                expert_layers=m.expert_layers,
                tokens=rank_tokens(tokens=tokens, tensor_parallel=s.tensor_parallel),
                copies=copies,
                dispatch_bytes=token_bytes(hidden=m.hidden, element_bytes=a.dispatch_element_bytes),
                combine_bytes=token_bytes(hidden=m.hidden, element_bytes=COMBINE_ELEMENT_BYTES),
            ),
            stage_layers=share.layers,
            micro_batches=count,
        )
        for copies in (
            copies_sent(places=group.domain_ranks, copies=ranks),
            copies_sent(places=group.domains, copies=reached),
        )
    )
    return Traffic(
        kind="ep",
        pattern=ALL_TO_ALL,
        scale_up_bytes=up,
        scale_out_bytes=out,
        domains=group.domains,
        inner_ranks=inner,
    )


def _stages(
    job: Job, hardware: Hardware, s: Strategy, share: ModelShare, tokens: Array, count: Array
) -> Traffic:
    inside = stages_share_domain(
        stage_ranks=share.stage_ranks,
        pipeline_parallel=s.pipeline_parallel,
        pipeline_inside=s.pipeline_inside,
        accelerators_used=hardware.accelerators_used,
        domain_accelerators=hardware.domain_accelerators,
    )
    message = stage_message_bytes(
        residual_bytes=residual_bytes(tokens=tokens, hidden=job.workload.architecture.hidden),
        tensor_parallel=s.tensor_parallel,
    )
    up, out = (
        stages_traffic_bytes(
            pipeline_parallel=s.pipeline_parallel,
            virtual_stages=s.virtual_stages,
            micro_batches=count,
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
        inner_ranks=np.where(
            s.pipeline_inside > 0, share.stage_ranks, hardware.accelerators_used / s.pipeline_parallel
        ),
    )


def _replicas(
    hardware: Hardware, s: Strategy, share: ModelShare, count: Array, a: PerformanceAssumptions
) -> tuple[Traffic, ...]:
    reductions = gradient_reductions(
        zero_stage=s.zero_stage,
        pipeline_parallel=s.pipeline_parallel,
        virtual_stages=s.virtual_stages,
        micro_batches=count,
    )
    held = (
        (share.dense, share.dense_replicas, share.dense_shards, share.dense_inner_ranks),
        (share.expert, share.expert_replicas, share.expert_shards, share.expert_inner_ranks),
    )
    found = []
    for parameters, ranks, shards, inner in held:
        gradients = reduced_bytes(parameters=parameters, gradient_parameter_bytes=a.gradient_parameter_bytes)
        gathered = gathered_bytes(
            parameters=parameters,
            zero_stage=s.zero_stage,
            gradient_parameter_bytes=a.gradient_parameter_bytes,
            weight_parameter_bytes=a.weight_parameter_bytes,
        )
        copies = shard_copies(replicas=ranks, shards=shards)
        # Once round the group of the shards, and twice between the groups where shards have copies.
        for members, inner_ranks, passes, sent, fetched in (
            (shards, inner, ONCE, gradients, gathered),
            (copies, inner * shards, TWICE, gradients / shards, 0 * gathered),
        ):
            group = _replica_group(members, inner_ranks, s, share, hardware)
            up, out = (
                replicas_traffic_bytes(
                    reductions=reductions,
                    reduced_bytes=sent,
                    zero_stage=s.zero_stage,
                    micro_batches=count,
                    gathered_bytes=fetched,
                    link_share=link_share,
                )
                for link_share in ring_shares(passes, group)
            )
            found.append(
                Traffic(
                    kind="dp",
                    pattern=RING,
                    scale_up_bytes=up,
                    scale_out_bytes=out,
                    domains=group.domains,
                    inner_ranks=inner_ranks,
                )
            )
    return tuple(found)


def _replica_group(
    ranks: Array, inner_ranks: Array, s: Strategy, share: ModelShare, hardware: Hardware
) -> Group:
    inside = replicas_in_domain(
        ranks=ranks,
        inner_ranks=inner_ranks,
        stage_ranks=share.stage_ranks,
        pipeline_parallel=s.pipeline_parallel,
        pipeline_inside=s.pipeline_inside,
        domain_accelerators=hardware.domain_accelerators,
    )
    return Group(domain_ranks=inside, domains=domains_spanned(ranks=ranks, domain_ranks=inside))
