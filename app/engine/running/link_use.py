"""How busy the links of a pod are under its workload: the bytes of a step, on every link of every tier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.design import performance_of
from app.engine.fabric.faults.failed import nothing_failed
from app.engine.fabric.graph.graph import HOST, FabricGraph
from app.engine.fabric.sharing.demand import (
    AllToAll,
    Demand,
    Layout,
    all_to_all_between_domains,
    ring_between_domains,
    stages_between_domains,
)
from app.engine.fabric.sharing.ways import spread_load
from app.engine.performance.hardware import hardware_of, working
from app.engine.performance.job import job_of
from app.engine.performance.strategy import strategy_of
from app.engine.performance.traffic import (
    ALL_TO_ALL,
    STAGES,
    Traffic,
    generic_traffic,
    link_utilisation,
    scale_out_traffic_bytes,
    scale_up_traffic_bytes,
)
from app.engine.performance.training_traffic import training_traffic
from app.engine.running.job import Running
from app.engine.specs import Design, GenericWorkload, ServingWorkload
from app.engine.trace import Array, first_of

BREAKDOWN = {"pp": "pp_transfer"}
"""Kinds of traffic that the time breakdown calls otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTraffic:
    """What one accelerator sends in a step, and for how long its links are busy with it."""

    parts: tuple[Traffic, ...]
    step_time_s: Array
    scale_up_bytes: Array
    scale_out_bytes: Array
    scale_up_utilisation: Array
    scale_out_utilisation: Array  # of a NIC


@dataclass(frozen=True, slots=True, kw_only=True)
class TierUse:
    """The links of a tier, both ways of each."""

    tier: str
    mean: float
    peak: float
    bytes_per_step: float  # of all links together


def step_traffic(job: Running) -> StepTraffic:
    """The traffic of a job's step, by purpose."""
    design, fabric = job.design, job.fabric
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        parts = _parts(job)
        step = performance_of(design, fabric, job.kinds).step_time_s
        zero = (np.zeros(1),)  # of a job that exchanges nothing
        up = scale_up_traffic_bytes(parts_bytes=zero + tuple(part.scale_up_bytes for part in parts))
        out = scale_out_traffic_bytes(parts_bytes=zero + tuple(part.scale_out_bytes for part in parts))
        return StepTraffic(
            parts=parts,
            step_time_s=step,
            scale_up_bytes=up,
            scale_out_bytes=out,
            scale_up_utilisation=link_utilisation(
                traffic_bytes=up,
                bandwidth_bytes_per_s=fabric.scale_up_bandwidth_bytes_per_s,
                step_time_s=step,
            ),
            scale_out_utilisation=link_utilisation(
                traffic_bytes=out,
                bandwidth_bytes_per_s=fabric.scale_out_bandwidth_bytes_per_s,
                step_time_s=step,
            ),
        )


def exposed_scale_out_share(job: Running) -> float | None:
    """Share of a step that waits for communication over the scale-out fabric; None where it is unknown.

    It is for a pod that serves, whose replicas do not step together.
    """
    if isinstance(job.design.workload, ServingWorkload):
        return None
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        found = performance_of(job.design, job.fabric, job.kinds)
        crossing = dict.fromkeys(part.kind for part in _parts(job) if first_of(part.scale_out_bytes) > 0)
        waits = sum(first_of(found.time_breakdown_s[BREAKDOWN.get(kind, kind)]) for kind in crossing)
        share = waits / first_of(found.step_time_s)
    return share if np.isfinite(share) else None


def _parts(job: Running) -> tuple[Traffic, ...]:
    design = job.design
    if isinstance(design.workload, ServingWorkload):
        raise TypeError(f"{design.name} serves: it has no step that all its accelerators take together")
    a = design.assumptions.rooms["performance"]
    hardware = hardware_of(
        workload=design.workload,
        supernode=design.supernode,
        pod=design.pod,
        fabric=job.fabric,
        assumptions=a,
    )
    if isinstance(design.workload, GenericWorkload):
        return generic_traffic(workload=design.workload, supernode=design.supernode, hardware=hardware)
    assert design.layout is not None  # `running` has found one
    strategy = strategy_of(layout=design.layout, accelerators_used=design.pod.accelerators_used)
    return training_traffic(job=job_of(design.workload), hardware=hardware, strategy=strategy, assumptions=a)


def link_use(design: Design, graph: FabricGraph, traffic: StepTraffic) -> tuple[TierUse, ...]:
    """Every tier of the scale-out fabric, with the job on the first hosts and its traffic on all shortest paths."""
    step_s = first_of(traffic.step_time_s)
    if graph.link_count == 0 or not np.isfinite(step_s):
        return ()
    alive = nothing_failed(graph).alive_links(graph)
    demands = [demand for part in traffic.parts for demand in _demands(design, graph, part)]
    load = spread_load(graph, alive, *demands)
    tier = np.tile(graph.links.tier, 2)
    used = []
    for at, name in enumerate(graph.tiers):
        here = load[tier == at]
        if here.size:
            full = float(graph.link_bandwidth_bytes_per_s[at]) * step_s
            used.append(
                TierUse(
                    tier=name,
                    mean=float(here.mean()) / full,
                    peak=float(here.max()) / full,
                    bytes_per_step=float(here.sum()),
                )
            )
    return tuple(used)


def _demands(design: Design, graph: FabricGraph, part: Traffic) -> list[Demand | AllToAll]:
    """What the hosts of the job send each other in a step for one purpose."""
    supernode, each = design.supernode, first_of(part.scale_out_bytes)
    if not each > 0:
        return []
    host_accelerators = first_of(supernode.accelerators) / first_of(supernode.nodes)
    domain = first_of(working(supernode, design.pod).scale_up_domain_accelerators)
    used = round(first_of(design.pod.accelerators_used) / host_accelerators)
    layout = Layout(
        hosts=min(max(used, 1), graph.of_kind(HOST).size),
        domain_hosts=max(round(domain / host_accelerators), 1),
        domain_accelerators=max(round(max(domain, host_accelerators)), 1),
    )
    amount, inner = each * host_accelerators, first_of(part.inner_ranks)
    if part.pattern == STAGES:
        return [stages_between_domains(layout, inner_ranks=inner, amount=amount, wraps=_wraps(design))]
    members = round(first_of(part.domains))
    if part.pattern == ALL_TO_ALL:
        return all_to_all_between_domains(layout, members=members, inner_ranks=inner, amount=amount)
    return [ring_between_domains(layout, members=members, inner_ranks=inner, amount=amount)]


def _wraps(design: Design) -> bool:
    return design.layout is not None and first_of(design.layout.virtual_stages) > 1
