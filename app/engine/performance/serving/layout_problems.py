"""Stated layouts that the engine or the machine refuses: the rule, and a way out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.memory_tiers import TIERS
from app.engine.performance.problems import TIER_WORDS
from app.engine.performance.search import central
from app.engine.performance.serving.engine_rules import LayoutRule, rules_of, runs
from app.engine.performance.serving.expert_load import ranks_of
from app.engine.performance.serving.latency import RETURN
from app.engine.performance.serving.regions import user_ttft_s
from app.engine.performance.serving.replica_load import Replica, sides_of
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.words import seconds
from app.engine.problems import Fix, Problem
from app.engine.specs import Region, Requests, ServingLayout, ServingPlan, ServingWorkload
from app.engine.trace import Array, median_of, plain

FIELD = "workload.layout"


def refused(
    workload: ServingWorkload, domain_accelerators: Array, accelerators_used: Array
) -> NDArray[np.bool_]:
    """Return whether the stated layout cannot run: by a rule of its engine, or for want of whole scale-up domains."""
    plan = workload.plan
    if plan is None:
        return np.array([False])
    fine = [runs(workload, domain_accelerators, layout) for layout in _instances(plan).values()]
    found: NDArray[np.bool_] = ~np.all(np.broadcast_arrays(*fine), axis=0) | (
        plain(planned(plan).placed(domain_accelerators)) > plain(accelerators_used)
    )
    return found


def planned(plan: ServingPlan) -> Replica:
    """A replica of a stated layout, with one instance of each kind where their number is open."""
    one = np.ones(1)
    grouped = plan.prefill is not None
    return Replica(
        decode=plan.decode,
        decode_instances=_or(plan.decode_instances, one) if grouped else one,
        prefill=plan.prefill,
        prefill_instances=_or(plan.prefill_instances, one) if grouped else None,
    )


def layout_problems(setting: Setting) -> list[Problem]:
    """What keeps the layout of the scenario from running; those that are searched for keep all rules."""
    bare: Setting = central(setting)
    plan = bare.workload.plan
    if plan is None:
        return []
    domain = bare.machine.domain_accelerators
    domains = {f"{FIELD}.prefill": bare.prefilling.machine.domain_accelerators}
    found = [
        _broken(rule, path, layout, domains.get(path, domain))
        for path, layout in _instances(plan).items()
        for rule in rules_of(bare.workload.engine)
        if np.any(rule.broken(bare.workload, domains.get(path, domain), layout))
    ]
    if found:
        return found
    return [
        problem
        for side, part in sides_of(bare, planned(plan))
        for problem in _gaps(part, side.machine.domain_accelerators, median_of(side.accelerators_used))
    ]


def _instances(plan: ServingPlan) -> dict[str, ServingLayout]:
    if plan.prefill is None:
        return {FIELD: plan.decode}
    return {f"{FIELD}.prefill": plan.prefill, f"{FIELD}.decode": plan.decode}


def _or(stated: Array | None, default: Array) -> Array:
    return default if stated is None else stated


def _broken(rule: LayoutRule, path: str, layout: ServingLayout, domain_accelerators: Array) -> Problem:
    ranks = median_of(ranks_of(layout))
    domain = median_of(domain_accelerators)
    degrees = {
        "tp": median_of(layout.tensor_parallel),
        "dp": median_of(layout.data_parallel),
        "pp": median_of(layout.pipeline_parallel),
        "ep": median_of(layout.expert_parallel),
        "cp": median_of(layout.context_parallel),
    }
    named = degrees | {
        "ranks": ranks,
        "domain": domain,
        "below": np.floor(ranks / domain) * domain,
        "above": np.ceil(ranks / domain) * domain,
    }
    words = {name: f"{value:,.0f}" for name, value in named.items()}
    return Problem(
        kind="infeasible",
        field=f"{path}.{rule.field}",
        constraint="layout",
        message=f"{rule.words.format(**words)} {rule.relief.format(**words)}",
        value=degrees[rule.field],
        unit="1",
    )


def _gaps(replica: Replica, domain_accelerators: Array, used: float) -> list[Problem]:
    """Problem of a replica whose accelerators suffice, but not in whole scale-up domains."""
    needed, domain = median_of(replica.placed(domain_accelerators)), median_of(domain_accelerators)
    own = median_of(replica.accelerators)
    if not needed > used >= own:
        return []
    return [
        Problem(
            kind="infeasible",
            field=FIELD,
            constraint="layout",
            message=f"No stage lies in parts of two scale-up domains, so the instances leave gaps in domains of {domain:,.0f} "
            f"and take up {needed:,.0f} accelerators; the pod has {used:,.0f}. Choose stages that divide {domain:,.0f}, or "
            "fewer instances.",
            value=needed,
            limit=used,
            missed_by=needed - used,
            unit="1",
        )
    ]


def cache_problems(requests: Requests, performance: ServingPerformance) -> list[Problem]:
    """Notes on the tier that cached prompts wait in. By the median of the samples."""
    found = (_returns_slowly(requests, performance), _holds_none(requests, performance))
    return [problem for problem in found if problem]


def _returns_slowly(asked: Requests, performance: ServingPerformance) -> Problem | None:
    """The cached part of prompts is computed again sooner than it comes back."""
    back, saved = performance.ttft_breakdown_s.get(RETURN), performance.saved_by_return_s
    if back is None or saved is None or not median_of(saved) < 0:
        return None
    return_s, anew_s = median_of(back), median_of(back) + median_of(saved)
    shared = median_of(asked.shared_prefix_tokens) / median_of(asked.input_tokens)
    return Problem(
        kind="warning",
        field="workload.requests.cache_tier",
        constraint="kv_return",
        message=f"Bringing the cached part of a prompt back from {_words(asked)} takes {seconds(return_s)}, and computing it "
        f"again takes {seconds(anew_s)}. A tier with a faster link, or keys and values of 8 bit, would bring it sooner.",
        value=return_s,
        limit=anew_s,
        missed_by=return_s - anew_s,
        unit="s",
        fix=None
        if asked.sessions is not None
        else Fix(
            field="workload.requests.cached_share",
            value=shared,
            message=f"With cached_share {shared:.3g} it is recomputed: sooner, at more of the accelerators' time.",
        ),
    )


def _holds_none(asked: Requests, performance: ServingPerformance) -> Problem | None:
    """The tier that cached prompts wait in has no room for even one."""
    found = performance.offloaded_sequences
    if found is None or not median_of(found) < 1:
        return None
    return Problem(
        kind="warning",
        field="workload.requests.cache_tier",
        constraint="cache_tier",
        message=f"Of an instance, {_words(asked)} holds not one request of "
        f"{median_of(performance.kv_bytes_per_request) / 1e9:,.3g} GB: nothing cached can wait there. Shorter requests, "
        "keys and values of 8 bit or another tier would fix it.",
        value=median_of(found),
        limit=1.0,
        missed_by=1.0 - median_of(found),
        unit="1",
    )


def _words(asked: Requests) -> str:
    """The tier in a sentence."""
    return next(TIER_WORDS[code].memory for code, name in TIERS.items() if name == asked.cache_tier)


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
