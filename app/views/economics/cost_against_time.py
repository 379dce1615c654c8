"""The job of a scenario on several systems and sizes of pod: time to finish against cost of the run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import AfterValidator, Field

from app.catalog.view import CatalogView
from app.engine.facility.sites.ranking import on_the_front
from app.engine.trace import count_of
from app.scenarios.document.scenario import GenericDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import a_run, one_kind
from app.scenarios.fields import Key, Part, Positive, fault
from app.views.economics.pod_points import PodPoint, SystemCurve, system_curve
from app.views.economics.systems_compared import MOST_SYSTEMS, systems_compared
from app.views.table import Column, fixed, text_table

DAY_S = 86_400.0
TIMES_AS_MANY = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Sizes of the job that are tried, over the accelerators that it has in the scenario."""
MONEY = {"owned": "owned", "on_demand": "rented on demand", "reserved": "rented reserved"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CostAgainstTime:
    """A curve a system; the scenario's own SuperNode comes first."""

    name: str
    paid: str
    shared: str
    accelerators: int  # of the job in the scenario
    deadline_days: float | None
    budget_usd: float | None
    curves: tuple[SystemCurve, ...]
    notes: tuple[str, ...]


def cost_against_time_answer(
    scenario: EvaluatedScenario, catalog: CatalogView, options: CostAgainstTimeOptions
) -> CostAgainstTime:
    """The scenario's job on its own SuperNode and on other systems, at sizes from a quarter to four times.

    Every point is the evaluation of a scenario document with another system, another number of SuperNodes
    and the layout left to the search.

    Raises
    ------
    ScenarioError : an unknown system, several kinds of SuperNode, or a budget or deadline that is not stated
    """
    document, design = scenario.document, scenario.resolved.design
    a_run(design, "Cost against time")
    one_kind(design, "Cost against time")
    wanted = document.uncertainty
    deadline = options.deadline_days if options.deadline_days is not None else wanted.deadline_days
    budget = options.budget_usd if options.budget_usd is not None else wanted.budget_usd
    _refuse_unstated(options.shared, deadline, budget)
    keys: list[str | None] = [None, *systems_compared(document, catalog, options.systems)]
    accelerators = count_of(design.pod.accelerators_used)
    sizes = sorted({max(round(times * accelerators), 1) for times in TIMES_AS_MANY})
    own = design.supernode
    curves = [
        system_curve(document, catalog, key, own.name, count_of(own.accelerators), sizes) for key in keys
    ]
    curves = _with_front(curves, options.paid)
    pick = _picker(options, accelerators, deadline, budget)
    curves = [_with_pick(curve, pick) for curve in curves]
    return CostAgainstTime(
        name=document.name,
        paid=options.paid,
        shared=options.shared,
        accelerators=accelerators,
        deadline_days=deadline,
        budget_usd=budget,
        curves=tuple(curves),
        notes=tuple(_notes(scenario, options.paid)),
    )


def _refuse_unstated(shared: str, deadline: float | None, budget: float | None) -> None:
    field, stated, words = {
        "deadline": ("deadline_days", deadline, "the days that the run may take"),
        "budget": ("budget_usd", budget, "what the run may cost, in USD"),
    }.get(shared, ("", 0.0, ""))
    if stated is None:
        raise refuse(
            f"{field} is needed to pick one pod of each system by it.",
            rule="required",
            path=field,
            value=None,
            hint=f"Give {words}, here or as uncertainty.{field} of the scenario.",
        )


def _with_front(curves: Sequence[SystemCurve], paid: str) -> list[SystemCurve]:
    """The curves with the points marked that no other beats in time and cost at once, of those that can be built."""
    figures = np.array(
        [
            (point.elapsed_time_s, point.usd_per_run[paid]) if point.feasible else (np.nan, np.nan)
            for curve in curves
            for point in curve.points
        ]
    ).reshape(-1, 2)
    flags = iter(on_the_front(figures))
    return [
        dataclasses.replace(
            curve,
            points=tuple(dataclasses.replace(point, on_front=bool(next(flags))) for point in curve.points),
        )
        for curve in curves
    ]


Pick = Callable[[Sequence[PodPoint]], PodPoint | None]


def _picker(
    options: CostAgainstTimeOptions, accelerators: int, deadline: float | None, budget: float | None
) -> Pick:
    """How one pod of a system is picked; none is where no pod does."""

    def cost(point: PodPoint) -> float:
        return point.usd_per_run[options.paid]

    def of_the_size(points: Sequence[PodPoint]) -> PodPoint | None:
        return next((point for point in points if point.accelerators == accelerators), None)

    def within_the_budget(points: Sequence[PodPoint]) -> PodPoint | None:
        assert budget is not None  # refused before
        able = [point for point in points if point.feasible and cost(point) <= budget]
        return min(able, key=lambda point: point.elapsed_time_s, default=None)

    def within_the_deadline(points: Sequence[PodPoint]) -> PodPoint | None:
        assert deadline is not None  # refused before
        able = [point for point in points if point.feasible and point.elapsed_time_s <= deadline * DAY_S]
        known = [point for point in able if not np.isnan(cost(point))]
        return min(known, key=cost, default=None)

    return {"accelerators": of_the_size, "budget": within_the_budget, "deadline": within_the_deadline}[
        options.shared
    ]


def _with_pick(curve: SystemCurve, pick: Pick) -> SystemCurve:
    picked = pick(curve.points)
    points = tuple(dataclasses.replace(point, picked=point is picked) for point in curve.points)
    return dataclasses.replace(curve, points=points)


def _notes(scenario: EvaluatedScenario, paid: str) -> list[str]:
    """What a reader must know of the comparison."""
    found = [
        "Every pod has the fastest layout of those in use; failures, restarts and checkpoints are in the time.",
        (
            "Another system stands in the same building, with the cooling that suits it unasked, on rails or, where "
            "these do not reach, on a plain fat tree."
        ),
        "Prices that the scenario states of its own system are not used for another.",
        "A pod is whole SuperNodes; accelerators that the job leaves idle are not charged to the run.",
    ]
    found.append(
        "Owned: at the levelised cost of a utilised accelerator-hour, idle hours of the year included."
        if paid == "owned"
        else "Rented: the accelerator-hours of the run at the dated price of an hour; a commitment is paid for its "
        "whole term, used or not."
    )
    workload = scenario.document.workload
    if isinstance(workload, GenericDocument) and workload.scaling == "weak":
        found.append(
            "The job scales weakly: more accelerators do more work in the same time, not the same sooner."
        )
    return found


Paid = Literal["owned", "on_demand", "reserved"]
Shared = Literal["accelerators", "budget", "deadline"]


def _each_once(keys: tuple[str, ...]) -> tuple[str, ...]:
    twice = next((key for place, key in enumerate(keys) if key in keys[:place]), None)
    if twice is not None:
        raise fault("twice", f"names {twice} twice", hint="name every system once")
    return keys


class CostAgainstTimeOptions(Part):
    """Options of the system comparison."""

    systems: Annotated[
        tuple[Key, ...], Field(strict=False, max_length=MOST_SYSTEMS), AfterValidator(_each_once)
    ] = Field(
        default=(),
        description="Catalog keys of the systems beside the scenario's own; those of which most prices are known "
        "when left out.",
    )
    paid: Paid = Field(
        default="owned",
        description="Whose cost counts: owned, or rented on_demand or reserved; all three are listed.",
    )
    shared: Shared = Field(
        default="accelerators",
        description="What systems have in common where one pod of each is picked: as many accelerators, the budget "
        "(the fastest within it), or the deadline (the cheapest within it).",
    )
    deadline_days: Positive | None = Field(
        default=None,
        description="Days that the run may take in all; uncertainty.deadline_days when left out.",
    )
    budget_usd: Positive | None = Field(
        default=None, description="Budget of the run; uncertainty.budget_usd when left out."
    )


MARKS = "* no other pod is both faster and cheaper, + the pod that is picked, - cannot be built as designed"


def _marks(point: PodPoint) -> str:
    marks = ("*" if point.on_front else "") + ("+" if point.picked else "") + ("" if point.feasible else "-")
    return f"{marks:<2} {point.reason}"


MILLIONS = fixed(2, per=1e6)
POINTS = (
    Column("Accelerators", "accelerators", fixed(0), 12),
    Column("SuperNodes", "supernodes", fixed(0), 12),
    Column("Days", "elapsed_time_s", fixed(1, per=86_400), 10),
    Column("Owned M USD", lambda point: point.usd_per_run["owned"], MILLIONS, 14),
    Column("On demand", lambda point: point.usd_per_run["on_demand"], MILLIONS, 12),
    Column("Reserved", lambda point: point.usd_per_run["reserved"], MILLIONS, 12),
    Column("", _marks),
)


def cost_against_time_text(answer: CostAgainstTime) -> str:
    """A block a system, a line a pod."""
    lines = [f"{answer.name}: cost of the run against time to finish"]
    for curve in answer.curves:
        lines += ["", *_curve(curve)]
    lines += ["", MARKS, "", *answer.notes]
    return "\n".join(lines)


def _curve(curve: SystemCurve) -> list[str]:
    own = " (the scenario's own)" if curve.key is None else f" ({curve.key})"
    if curve.refused:
        return [f"{curve.name}{own}: {curve.refused}"]
    return [
        f"{curve.name}{own}",
        *text_table(POINTS, curve.points, indent="  "),
        *(
            f"  unknown: {unknown.label}" + (f" ({unknown.field})" if unknown.field else "")
            for unknown in curve.unknown
        ),
    ]
