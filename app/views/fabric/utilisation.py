"""How busy the links of an evaluated scenario's pod are under its workload, tier by tier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.sharing.demand import UnreachableError
from app.engine.running.job import Running, running
from app.engine.running.link_use import StepTraffic, link_use, step_traffic
from app.engine.trace import Array
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import a_run
from app.views.fabric.compute import compute_fabric


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafficRow:
    """Bytes that one accelerator sends in a step for one purpose. Unknown is None."""

    kind: str  # tp | cp | ep | pp | dp, or the pattern of a generic job
    scale_up_bytes: float | None
    scale_out_bytes: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TierBusy:
    """Share of a step in which links of a tier are busy at full rate, both ways of each."""

    tier: str  # scale_up, or a tier of the fabric
    mean: float | None
    peak: float | None
    bytes_per_step: float | None  # of all links together


@dataclass(frozen=True, slots=True, kw_only=True)
class UtilisationAnswer:
    """Traffic of a step and what it makes of each tier."""

    name: str
    topology: str
    step_time_s: float | None
    traffic: tuple[TrafficRow, ...]
    tiers: tuple[TierBusy, ...]


def fabric_utilisation(evaluated: EvaluatedScenario) -> UtilisationAnswer:
    """The traffic of the workload on every tier, the scale-up fabric first. A pod without a fabric has that alone."""
    a_run(evaluated.resolved.design, "The traffic of a step")
    job = running(evaluated.resolved.design)
    traffic = step_traffic(job)
    accelerators = _number(job.design.pod.accelerators_used)
    up, up_bytes = _number(traffic.scale_up_utilisation), _number(traffic.scale_up_bytes)
    tiers = [
        TierBusy(
            tier="scale_up",
            mean=up,
            peak=up,  # every accelerator of a job exchanges as much
            bytes_per_step=None if up_bytes is None or accelerators is None else up_bytes * accelerators,
        )
    ]
    tiers += _tiers(evaluated, job, traffic)
    kinds = dict.fromkeys(part.kind for part in traffic.parts)
    rows = [
        TrafficRow(
            kind=kind,
            scale_up_bytes=_number(sum(part.scale_up_bytes for part in traffic.parts if part.kind == kind)),
            scale_out_bytes=_number(sum(part.scale_out_bytes for part in traffic.parts if part.kind == kind)),
        )
        for kind in kinds
    ]
    return UtilisationAnswer(
        name=evaluated.document.name,
        topology=evaluated.evaluation.sections.fabric.topology,
        step_time_s=_number(traffic.step_time_s),
        traffic=tuple(row for row in rows if row.scale_up_bytes != 0 or row.scale_out_bytes != 0),
        tiers=tuple(tiers),
    )


def _tiers(evaluated: EvaluatedScenario, job: Running, traffic: StepTraffic) -> list[TierBusy]:
    """Tiers of the scale-out fabric; unknown where it does not join all hosts, and none where there is none."""
    try:
        graph = compute_fabric(evaluated).graph
    except ScenarioError:
        return []  # one domain, or a fabric of unknown parts
    try:
        found = link_use(job.design, graph, traffic)
    except UnreachableError:
        tiers = [tier for tier in graph.tiers if graph.of_tier(tier).size]
        return [TierBusy(tier=tier, mean=None, peak=None, bytes_per_step=None) for tier in tiers]
    return [
        TierBusy(tier=one.tier, mean=one.mean, peak=one.peak, bytes_per_step=one.bytes_per_step)
        for one in found
    ]


def _number(value: Array | float) -> float | None:
    number = float(np.ravel(value)[0])
    return number if np.isfinite(number) else None
