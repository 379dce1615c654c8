"""Latency budgets of places that are not kept: by the network alone, or with what the pod takes on top of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.serving.regions import user_ttft_s
from app.engine.performance.serving.section import ServingPerformance
from app.engine.problems import Fix, Problem
from app.engine.specs import Region, ServingWorkload
from app.engine.trace import median_of


def region_problems(*, workload: ServingWorkload, performance: ServingPerformance) -> list[Problem]:
    """Places of the demand whose users wait longer than their budget. By the median of the samples."""
    regions = () if workload.demand is None else workload.demand.regions
    share = median_of(workload.level.percentile)
    found = (
        _of_a_place(region, f"workload.demand.regions[{place}].latency_budget_s", share, performance)
        for place, region in enumerate(regions)
    )
    return [problem for problem in found if problem]


def budgets_broken(
    workload: ServingWorkload, performance: ServingPerformance, runs: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return whether a place has its budget broken, of each sample; what the pod takes counts only where it `runs`."""
    broken = np.array([False])
    for region in () if workload.demand is None else workload.demand.regions:
        waits = user_ttft_s(round_trip_s=region.round_trip_s, ttft_s=performance.ttft_within_s)
        alone = region.latency_budget_s <= region.round_trip_s
        broken = broken | alone | (runs & (waits > region.latency_budget_s))
    return broken


def _of_a_place(region: Region, field: str, share: float, performance: ServingPerformance) -> Problem | None:
    budget, network = median_of(region.latency_budget_s), median_of(region.round_trip_s)
    pod = median_of(performance.ttft_within_s)
    waits = median_of(
        user_ttft_s(round_trip_s=np.array([network]), ttft_s=np.array([pod]))
    )  # the promised share of the users
    if budget <= network:
        said = (
            f"{region.name}: the network alone takes {seconds(network)} there and back, and the budget is "
            f"{seconds(budget)}: no pod at that distance keeps it, however fast."
        )
        relief = "A nearer site or a larger budget would."
        return _problem(field, f"{said} {relief}", value=network, limit=budget, fix=None)
    if not median_of(performance.batch_limit) >= 1 or not waits > budget:
        return None
    said = (
        f"{region.name}: {share:.0%} of its users have the first token within {seconds(waits)}, and the budget is "
        f"{seconds(budget)}: the network takes {seconds(network)} and the pod {seconds(pod)}."
    )
    relief = (
        "A nearer site or a larger budget would keep it, or a pod that answers sooner: more accelerators for a "
        "prompt, or fewer requests in flight."
    )
    fix = Fix(field=field, value=waits, message=f"A budget of {seconds(waits)} would be kept.")
    return _problem(field, f"{said} {relief}", value=waits, limit=budget, fix=fix)


def _problem(field: str, message: str, *, value: float, limit: float, fix: Fix | None) -> Problem:
    return Problem(
        kind="infeasible",
        field=field,
        constraint="latency_budget",
        message=message,
        value=value,
        limit=limit,
        missed_by=value - limit,
        unit="s",
        fix=fix,
    )


def seconds(time_s: float) -> str:
    """Milliseconds below a second.

    >>> seconds(0.0231), seconds(88.13)
    ('23.1 ms', '88.1 s')
    """
    return f"{time_s * 1e3:,.3g} ms" if time_s < 1 else f"{time_s:,.3g} s"
