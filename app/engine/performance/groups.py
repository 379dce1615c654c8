"""Where a group of ranks lies: how many share a scale-up domain, how many domains it spans."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.collectives.network import (
    Group,
    Network,
    shared_link_bandwidth_bytes_per_s,
    torus_dimensions,
)
from app.engine.fabric.collectives.shared_links import Pattern
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware, group_bandwidth_bytes_per_s, scale_out_of
from app.engine.quantities import quantity
from app.engine.trace import Array, plain


@quantity(unit="1", source="definition")
def ranks_in_domain(*, ranks: Array, inner_ranks: Array, domain_accelerators: Array) -> Array:
    """Ranks of a group that share a scale-up domain.

    What the domain holds beside the ranks of groups laid out further in, at least one.
    """
    return np.minimum(ranks, np.maximum(np.floor(domain_accelerators / inner_ranks), 1))


@quantity(unit="1", source="definition")
def stage_inner_ranks(*, tensor_parallel: Array, context_parallel: Array, expert_ranks: Array) -> Array:
    """Ranks of a pipeline stage that lie side by side wherever the stages are.

    Those of tensor and context parallelism, or those that share the experts, whichever are more.
    """
    return np.maximum(tensor_parallel * context_parallel, expert_ranks)


@quantity(unit="1", source="definition")
def replicas_in_domain(
    *,
    ranks: Array,
    inner_ranks: Array,
    stage_ranks: Array,
    pipeline_parallel: Array,
    pipeline_inside: Array,
    domain_accelerators: Array,
) -> Array:
    """Replicas that share a scale-up domain.

    What the domain holds beside the ranks laid out further in, at least one. Where pipeline stages come
    before replicas, those of a stage's inner ranks and of whole pipelines.

    Parameters
    ----------
    ranks : that hold the same parameters [1]
    inner_ranks : accelerators from one of these ranks to the next [1]
    stage_ranks : of a stage that lie side by side wherever the stages are [1]
    pipeline_inside : 1 where stages share the domain before replicas do [1]
    """
    plain_order = np.maximum(np.floor(domain_accelerators / inner_ranks), 1)
    near = np.maximum(np.floor(np.minimum(domain_accelerators, stage_ranks) / inner_ranks), 1)
    pipelines = np.maximum(np.floor(domain_accelerators / (stage_ranks * pipeline_parallel)), 1)
    return np.minimum(ranks, np.where(pipeline_inside > 0, near * pipelines, plain_order))


@quantity(unit="1", source="definition")
def stages_share_domain(
    *,
    stage_ranks: Array,
    pipeline_parallel: Array,
    pipeline_inside: Array,
    accelerators_used: Array,
    domain_accelerators: Array,
) -> Array:
    """All stages of a pipeline in one scale-up domain.


    A pipeline that leaves the domain anywhere goes at the pace of that crossing.
    """
    whole_job = accelerators_used <= domain_accelerators
    pipeline = (pipeline_inside > 0) & (stage_ranks * pipeline_parallel <= domain_accelerators)
    return np.where(whole_job | pipeline, 1.0, 0.0)


@quantity(unit="1", source="definition")
def domains_spanned(*, ranks: Array, domain_ranks: Array) -> Array:
    """Scale-up domains that a group spans."""
    return np.ceil(ranks / domain_ranks)


def group_of(*, ranks: Array, inner_ranks: Array, domain_accelerators: Array) -> Group:
    """A group over the scale-up domains that it spans; `inner_ranks` from one of its ranks to the next."""
    inside = ranks_in_domain(ranks=ranks, inner_ranks=inner_ranks, domain_accelerators=domain_accelerators)
    return Group(domain_ranks=inside, domains=domains_spanned(ranks=ranks, domain_ranks=inside))


def group_network(
    pattern: Pattern,
    *,
    group: Group,
    inner_ranks: Array,
    hardware: Hardware,
    a: PerformanceAssumptions,
) -> Network:
    """What a group communicates over in an exchange of a kind; `inner_ranks` from one of its ranks to the next."""
    domain_ranks = group.domain_ranks
    dimensions, in_switch = np.ones(1), a.in_switch_efficiency
    if hardware.scale_up_topology == "torus":
        dimensions = torus_dimensions(
            full_bandwidth_bytes_per_s=hardware.scale_up_bandwidth_bytes_per_s,
            pair_bandwidth_bytes_per_s=hardware.scale_up_pair_bandwidth_bytes_per_s,
        )
    if hardware.scale_up_topology != "switched":
        in_switch = np.zeros(1)
    link = group_bandwidth_bytes_per_s(ranks=domain_ranks, hardware=hardware)
    if np.any(plain(a.link_sharers) != 1) or np.any(plain(a.host_staging_bytes_per_s) != 0):
        link = shared_link_bandwidth_bytes_per_s(
            ranks=domain_ranks,
            link_bandwidth_bytes_per_s=link,
            link_sharers=a.link_sharers,
            host_staging_bytes_per_s=a.host_staging_bytes_per_s,
        )
    return Network(
        scale_up_bandwidth_bytes_per_s=link,
        scale_out_bandwidth_bytes_per_s=scale_out_of(
            pattern, hardware, members=group.domains, inner_ranks=inner_ranks
        ),
        rails_apart=hardware.shared_links.rails_apart,
        forward_overlap=a.forward_overlap,
        in_switch_efficiency=in_switch,
        in_switch_ranks=a.in_switch_reduction_ranks,
        launch_s=a.collective_launch_s,
        dimensions=dimensions,
        scale_up_hop_s=a.scale_up_hop_s,
        scale_out_hop_s=a.scale_out_hop_s,
        full_pipeline_s=a.collective_full_pipeline_s,
        own_part=a.own_part,
        domain_nics=a.domain_nics,
        level_overlap=a.level_overlap,
    )
