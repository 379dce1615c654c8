"""Problems of workloads that share a pod: each problem says whose it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.engine.operations.problems import operations_problems
from app.engine.problems import Fix, Problem
from app.engine.shared.parts import Part, parts_of
from app.engine.shared.section import SharedWorkload
from app.engine.specs import Design, ServingWorkload
from app.engine.trace import first_of

OfAWorkload = Callable[[Part, SharedWorkload], list[Problem]]
OF_ONE_WORKLOAD = ("workload", "parallelism")
OF_THE_POD = ("pod.", "supernode.")
SPARES = "operations.spares"


def workloads_problems(
    design: Design, workloads: tuple[SharedWorkload, ...], of_a_workload: OfAWorkload
) -> list[Problem]:
    """Problems of each workload; `of_a_workload` finds those of its speed and memory."""
    assert design.sharing is not None, "the pod is shared"
    found: list[Problem] = []
    for place, (part, workload) in enumerate(zip(parts_of(design), workloads, strict=True)):
        problems = of_a_workload(part, workload)
        if place:  # spares are the pod's, and told once
            of_failures = operations_problems(
                operations=part.design.operations, reliability=workload.reliability
            )
            problems = problems + [problem for problem in of_failures if problem.field != SPARES]
        by_pod = design.sharing.by == "pod"
        found += [_named(problem, part.name, place, by_pod=by_pod) for problem in problems]
        found += [*_no_time_left(workload, place), *_away(part, workload, place)]
    return found


def _named(problem: Problem, name: str, place: int, *, by_pod: bool) -> Problem:
    """The problem with the name of its workload, without fixes that do not apply to a share of the pod.

    What one workload needs of the pod is not what the pod would need: it has a share of it.
    """
    fixes = [fix for fix in problem.fixes if not (by_pod and fix.field.startswith(OF_THE_POD))]
    if not place:
        return replace(problem.with_fixes(fixes), message=f"{name}: {problem.message}")
    way_out = f" {fixes[0].message}" if fixes else ""
    return replace(
        problem.with_fixes([]),
        field=_field(problem.field, place),
        message=f"{name}: {problem.message}{way_out}",
        affects=tuple(f"workloads[{place}].{figure}" for figure in problem.affects),
    )


def _field(field: str, place: int) -> str:
    """Where the scenario states it for a workload beside the first."""
    if field.partition(".")[0] in OF_ONE_WORKLOAD:
        return f"sharing.others[{place - 1}].{field}"
    return field


def _away(part: Part, workload: SharedWorkload, place: int) -> list[Problem]:
    """Return whether a demand waits while others have the pod, for longer than the SLO allows."""
    served = part.design.workload
    if not isinstance(served, ServingWorkload) or served.demand is None:
        return []
    if workload.working_hours_per_day is None:
        return []
    promised = first_of(served.level.availability)
    there = first_of(workload.working_hours_per_day) / 24
    if not there < promised:
        return []
    field = "workload.service_level.availability"
    return [
        Problem(
            kind="warning",
            field=_field(field, place) if place else field,
            constraint="availability",
            message=f"{workload.name}: it has the pod for {there:.2%} of the day, and its availability target is "
            f"for {promised:.6g} of the time. Outside its hours no request is answered: sharing by pod gives it SuperNodes "
            "all day, and an availability target below its share of the day fits deferrable work.",
            value=there,
            limit=promised,
            missed_by=promised - there,
            unit="1",
        )
    ]


def _no_time_left(workload: SharedWorkload, place: int) -> list[Problem]:
    lost = first_of(workload.switching_s_per_day)
    granted = first_of(workload.share) * 86_400
    if not lost >= granted:  # nor where it is unknown, or nothing is handed over
        return []
    needed = lost / 86_400
    field = f"sharing.others[{place - 1}].share" if place else "sharing.others"
    return [
        Problem(
            kind="infeasible",
            field=field,
            constraint="switching",
            message=(
                f"{workload.name}: handing the pod over takes {lost:,.0f} s of the {granted:,.0f} s a day that it "
                "has, so no time is left to work."
            ),
            value=lost,
            limit=granted,
            missed_by=lost - granted,
            unit="s",
            fix=Fix(
                field=field,
                value=needed,
                message=f"More than {needed:.2%} of the day leaves it time to work.",
            )
            if place
            else None,
            affects=(f"workloads[{place}].working_hours_per_day",),
        )
    ]
