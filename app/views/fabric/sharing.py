"""Several jobs on the fabric of an evaluated scenario, and how much each slows the others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.engine.fabric.faults.failed import nothing_failed
from app.engine.fabric.graph.graph import Mask, Whole
from app.engine.fabric.sharing.demand import UnreachableError
from app.engine.fabric.sharing.jobs import Job, placed, shared, tier_utilisation
from app.engine.running.job import running
from app.engine.running.link_use import exposed_scale_out_share
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_workload
from app.scenarios.load import build_document, decoded, file_content
from app.scenarios.reading.json_text import read_json
from app.scenarios.reading.yaml_text import read_yaml
from app.views.fabric.compute import ComputeFabric, compute_fabric
from app.views.fabric.sharing_document import JobDocument, SharingDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedJobRow:
    """Pace of one job. Paces are shares of the full rate of its NICs."""

    name: str
    hosts: int
    units: int  # scalable units that it has hosts in
    placement: str  # packed | spread | random | named
    pattern: str
    exposed_share: float
    pace_alone: float
    pace: float
    communication_slowdown: float
    step_slowdown: float
    held_by: str  # link that holds it back, empty where none does
    held_by_tier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TierLoad:
    """Share of their bandwidth that links of a tier carry while all jobs communicate, both ways of each."""

    tier: str
    mean: float
    peak: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingAnswer:
    """Jobs side by side on one fabric."""

    name: str
    topology: str
    routing: str
    seed: int
    hosts: int
    free_hosts: int
    scenario_exposed_share: float | None
    jobs: tuple[SharedJobRow, ...]
    tiers: tuple[TierLoad, ...]


def read_jobs(path: str | Path) -> SharingDocument:
    """The jobs of a file: JSON when its name ends in .json, else YAML.

    Raises
    ------
    ScenarioError : the file cannot be read or does not say which jobs there are; one message a fault
    """
    text = decoded(file_content(path)).removeprefix("\ufeff")
    if not text.strip():
        raise refuse("The text is empty.", rule="empty", hint="It begins with a line such as jobs:.")
    if str(path).lower().endswith(".json"):
        return build_document(SharingDocument, read_json(text))
    read = read_yaml(text)
    return build_document(SharingDocument, read.values, read.positions)


def fabric_sharing(evaluated: EvaluatedScenario, asked: SharingDocument) -> SharingAnswer:
    """Every job alone and beside the others.

    Raises
    ------
    ScenarioError : there is no fabric, or not enough of it for these jobs
    """
    fabric = compute_fabric(evaluated)
    one_workload(evaluated.resolved.design, "Multi-job contention")
    usual = exposed_scale_out_share(running(evaluated.resolved.design))
    free = np.full(fabric.hosts.size, True)
    jobs = []
    for at, job in enumerate(asked.jobs):
        hosts = _hosts(fabric, job, f"jobs[{at}]", free, asked.seed + at)
        free[hosts] = False
        jobs.append(
            Job(
                name=job.name or f"Job {at + 1}",
                hosts=hosts,
                pattern=job.pattern,
                exposed_share=_exposed(job, usual, f"jobs[{at}]"),
            )
        )
    graph = fabric.graph
    alive = nothing_failed(graph).alive_links(graph)
    try:
        found = shared(graph, alive, jobs, routing=asked.routing, seed=asked.seed)
    except UnreachableError as error:
        raise _apart(fabric, error) from None
    group = graph.devices.group[fabric.hosts]
    rows = []
    for at, (placed_job, said) in enumerate(zip(jobs, asked.jobs, strict=True)):
        arc = int(found.held_by[at])
        rows.append(
            SharedJobRow(
                name=placed_job.name,
                hosts=int(placed_job.hosts.size),
                units=int(np.unique(group[placed_job.hosts]).size),
                placement="named" if said.on else said.placement,
                pattern=placed_job.pattern,
                exposed_share=placed_job.exposed_share,
                pace_alone=float(found.pace_alone[at]),
                pace=float(found.pace[at]),
                communication_slowdown=float(found.communication_slowdown[at]),
                step_slowdown=float(found.step_slowdown[at]),
                held_by="" if arc < 0 else _arc_name(fabric, arc),
                held_by_tier="" if arc < 0 else graph.tiers[int(graph.links.tier[arc % graph.link_count])],
            )
        )
    use = tier_utilisation(graph, found.utilisation)
    return SharingAnswer(
        name=evaluated.document.name,
        topology=evaluated.evaluation.sections.fabric.topology,
        routing=asked.routing,
        seed=asked.seed,
        hosts=int(fabric.hosts.size),
        free_hosts=int(free.sum()),
        scenario_exposed_share=usual,
        jobs=tuple(rows),
        tiers=tuple(TierLoad(tier=tier, mean=mean, peak=peak) for tier, (mean, peak) in use.items()),
    )


def _apart(fabric: ComputeFabric, error: UnreachableError) -> ScenarioError:
    one, other = fabric.names[error.source], fabric.names[error.sink]
    return refuse(
        f"{one} has no way to {other}: this fabric does not join all of its hosts.",
        rule="unreachable",
        path="pod.fabric",
        hint="Fix the fabric first; the studio says what is wrong with it.",
    )


def _hosts(fabric: ComputeFabric, job: JobDocument, field: str, free: Mask, seed: int) -> Whole:
    if job.on is not None:
        return _named(fabric, job.on, f"{field}.on", free)
    assert job.hosts is not None  # the document sees to it
    left = int(free.sum())
    if job.hosts > left:
        raise refuse(
            f"{job.hosts:,} hosts are more than the {left:,} that are still free.",
            rule="too_many",
            path=f"{field}.hosts",
            value=job.hosts,
            hint=f"Give at most {left:,}." if left else "Take a job away, or make others smaller.",
        )
    return placed(fabric.graph, free, job.placement, job.hosts, seed)


def _named(fabric: ComputeFabric, names: tuple[str, ...], field: str, free: Mask) -> Whole:
    taken = free.copy()
    found = []
    for at, name in enumerate(names):
        devices = fabric.hosts_of(name, f"{field}[{at}]")
        numbers = fabric.graph.devices.number[devices]
        if not taken[numbers].all():
            raise refuse(
                f"{name} has a job already.",
                rule="taken",
                path=f"{field}[{at}]",
                value=name,
                hint="Give each host to one job, and once.",
            )
        taken[numbers] = False
        found.append(numbers)
    return np.concatenate(found)


def _exposed(job: JobDocument, usual: float | None, field: str) -> float:
    if job.exposed_share is not None:
        return job.exposed_share
    if usual is None:
        raise refuse(
            "The step time of the scenario is unknown, and with it what share of a step waits for the fabric.",
            rule="missing",
            path=f"{field}.exposed_share",
            hint="State what share of its step waits, such as 20 %.",
        )
    return usual


def _arc_name(fabric: ComputeFabric, arc: int) -> str:
    links = fabric.graph.links
    link = arc % fabric.graph.link_count
    ends = [fabric.names[int(links.lower[link])], fabric.names[int(links.upper[link])]]
    return " to ".join(ends if arc < fabric.graph.link_count else ends[::-1])
