"""Stated layouts that the engine or the machine refuses: the rule, and a way out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.search import central
from app.engine.performance.serving.engine_rules import LayoutRule, rules_of, runs
from app.engine.performance.serving.ranks import ranks_of
from app.engine.performance.serving.replica_load import Replica, sides_of
from app.engine.performance.serving.setting import Setting
from app.engine.problems import Problem
from app.engine.specs import ServingLayout, ServingPlan, ServingWorkload
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
