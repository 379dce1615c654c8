"""Stated layouts that the engine refuses: the rule, and a way out."""

from __future__ import annotations

import numpy as np

from app.engine.performance.search import central
from app.engine.performance.serving.engine_rules import LayoutRule, rules_of
from app.engine.performance.serving.setting import Setting
from app.engine.problems import Problem
from app.engine.specs import ServingLayout
from app.engine.trace import median_of


def layout_problems(setting: Setting) -> list[Problem]:
    """Rules of the engine that the layout of the scenario breaks; those that are searched for keep all."""
    plan = setting.workload.plan
    if plan is None:
        return []
    field = "workload.layout"
    instances = {field: plan.decode} if plan.prefill is None else {
        f"{field}.prefill": plan.prefill, f"{field}.decode": plan.decode,
    }  # fmt: skip
    bare: Setting = central(setting)
    return [
        _problem(bare, rule, path, layout)
        for path, layout in instances.items()
        for rule in rules_of(setting.workload.engine)
        if np.any(rule.broken(bare, central(layout)))
    ]


def _problem(setting: Setting, rule: LayoutRule, path: str, layout: ServingLayout) -> Problem:
    ranks = median_of(layout.tensor_parallel) * median_of(layout.data_parallel)
    domain = median_of(setting.machine.domain_accelerators)
    degrees = {
        "tp": median_of(layout.tensor_parallel),
        "dp": median_of(layout.data_parallel),
        "pp": median_of(layout.pipeline_parallel),
        "ep": median_of(layout.expert_parallel),
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
        constraint="engine",
        message=f"{rule.words.format(**words)} {rule.relief.format(**words)}",
        value=degrees[rule.field],
        unit="1",
    )
