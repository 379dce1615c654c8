"""One system at several sizes of the job: time to finish, cost by each way of paying, and what stands in the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.catalog.view import CatalogView
from app.engine.explain import missing_inputs
from app.engine.leaves import plain_values
from app.engine.trace import count_of, first_of
from app.scenarios.document.layout import layout_document
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.economics.systems_compared import on_system

FIGURES = {
    "time": "performance.elapsed_time_s",
    "owned": "cost.usd_per_run",
    "on_demand": "cost.usd_per_run_rented_on_demand",
    "reserved": "cost.usd_per_run_rented_reserved",
}
"""What is compared, as places in the evaluation."""
PAID = ("owned", "on_demand", "reserved")


@dataclass(frozen=True, slots=True, kw_only=True)
class PodPoint:
    """The job on one pod. Unknown is NaN; `reason` says why a pod does not do, "" where it does."""

    accelerators: int
    supernodes: int
    topology: str  # of the scale-out fabric
    elapsed_time_s: float
    usd_per_run: dict[str, float]  # owned, on_demand, reserved
    mfu: float | None  # None: a job without
    layout: dict[str, Any]  # fields of parallelism; empty where there is none
    feasible: bool
    reason: str
    on_front: bool = False
    picked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownInput:
    """Unpublished input, the scenario field that states it, and the systems whose figures it hides."""

    label: str
    field: str
    hides: tuple[str, ...]  # of time, owned, on_demand and reserved


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemCurve:
    """A system over sizes of the job. `refused` says why it cannot be tried at all, "" where it can."""

    key: str | None  # None: the SuperNode of the scenario
    name: str
    accelerator: str
    per_supernode: int  # accelerators
    points: tuple[PodPoint, ...]
    unknown: tuple[UnknownInput, ...]
    refused: str


def system_curve(
    document: ScenarioDocument, catalog: CatalogView, key: str | None, own_name: str, own_size: int,
    sizes: Sequence[int],
) -> SystemCurve:  # fmt: skip
    """The job of a scenario on several numbers of accelerators of one system.

    `own_size` are the accelerators of a SuperNode of the scenario, `own_name` what it is called.
    """
    name, per_supernode = own_name, own_size
    if key is not None:
        part = catalog.part("systems", key)
        name, count = part.name, part.facts.get("accelerators")
        if count is None:
            return _refused(key, name, "The number of accelerators is not published.")
        per_supernode = round(count.value)
    points: list[PodPoint] = []
    evaluated: list[EvaluatedScenario] = []
    refusals: list[str] = []
    for size in sizes:
        try:
            scenario = _evaluated(document, catalog, key, size, per_supernode)
        except ScenarioError as error:
            refusals.append(error.errors[0].words)
            points.append(_nothing(size, math.ceil(size / per_supernode), refusals[-1]))
            continue
        evaluated.append(scenario)
        points.append(_point(scenario, size))
    if not evaluated:
        return _refused(key, name, refusals[0])
    return SystemCurve(
        key=key,
        name=name,
        accelerator=evaluated[0].resolved.design.supernode.accelerator.name,
        per_supernode=per_supernode,
        points=tuple(points),
        unknown=_unknown_inputs(evaluated[len(evaluated) // 2]),
        refused="",
    )


def _evaluated(
    document: ScenarioDocument, catalog: CatalogView, key: str | None, size: int, per_supernode: int
) -> EvaluatedScenario:
    """The job on a pod. Where the usual fabric of another system does not reach so far, on a plain fat tree.

    Raises
    ------
    ScenarioError : the job cannot be put on this system
    """
    usual = evaluate_scenario(build_scenario(on_system(document, key, size, per_supernode)), catalog)
    barriers = [problem.field for problem in usual.evaluation.problems if problem.kind == "infeasible"]
    if key is None or not any(field.startswith("pod.") for field in barriers):
        return usual
    plain = build_scenario(on_system(document, key, size, per_supernode, topology="fat_tree"))
    other = evaluate_scenario(plain, catalog)
    return other if other.evaluation.feasible else usual


def _refused(key: str | None, name: str, words: str) -> SystemCurve:
    return SystemCurve(
        key=key, name=name, accelerator="", per_supernode=0, points=(), unknown=(), refused=words
    )


def _nothing(accelerators: int, supernodes: int, reason: str) -> PodPoint:
    """A pod that cannot be evaluated."""
    return PodPoint(
        accelerators=accelerators, supernodes=supernodes, topology="", elapsed_time_s=np.nan,
        usd_per_run=dict.fromkeys(PAID, np.nan), mfu=None, layout={}, feasible=False, reason=reason,
    )  # fmt: skip


def _point(scenario: EvaluatedScenario, accelerators: int) -> PodPoint:
    evaluation = scenario.evaluation
    performance, cost = evaluation.sections.performance, evaluation.sections.cost
    barriers = (problem.message for problem in evaluation.problems if problem.kind == "infeasible")
    return PodPoint(
        accelerators=accelerators,
        supernodes=count_of(scenario.resolved.design.pod.supernodes),
        topology=scenario.resolved.design.pod.fabric.topology,
        elapsed_time_s=first_of(performance.elapsed_time_s),
        usd_per_run={
            "owned": first_of(cost.usd_per_run),
            "on_demand": first_of(cost.usd_per_run_rented_on_demand),
            "reserved": first_of(cost.usd_per_run_rented_reserved),
        },
        mfu=None if performance.mfu is None else first_of(performance.mfu),
        layout=layout_document(plain_values(performance.strategy, "performance.strategy")),
        feasible=evaluation.feasible,
        reason=next(barriers, ""),
    )


def _unknown_inputs(scenario: EvaluatedScenario) -> tuple[UnknownInput, ...]:
    """What hides the time or a cost of a pod; following it up is only worth while where one is hidden."""
    point = _point(scenario, 0)
    if not np.isnan([point.elapsed_time_s, *point.usd_per_run.values()]).any():
        return ()
    hidden = {path: name for name, path in FIGURES.items()}
    return tuple(
        UnknownInput(label=origin.label, field=origin.field or "", hides=hides)
        for origin, affects in missing_inputs(scenario.figures).values()
        if (hides := tuple(hidden[path] for path in affects if path in hidden))
    )
