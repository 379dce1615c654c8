"""The first question: how much computing there is."""

from __future__ import annotations

import math

import numpy as np

from app.engine.economics.deciding import runs_per_year
from app.engine.economics.simple_ownership import accelerator_hours_of_days
from app.engine.performance.section import Performance
from app.engine.specs import ServingWorkload, TrainingWorkload
from app.engine.trace import first_of
from app.engine.workload.flops import training_accelerator_days
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.decision.compared import Compared
from app.views.economics.decision.report import ComputeAnswer

DAY_S = 86_400.0
RULE_FLOP_PER_S = 300e12
"""What the article lets an H100 achieve."""


def compute_answer(found: Compared) -> ComputeAnswer:
    """Accelerator-hours of the run and of a year, from the engine, beside the article's rule of thumb."""
    scenario = found.scenario
    sections = scenario.evaluation.sections
    hours = first_of(sections.cost.run_accelerator_hours)
    elapsed_s = first_of(sections.performance.elapsed_time_s)
    bounds = scenario.intervals.speed.elapsed_time_s
    low, high = (
        math.nan if bound is None else hours * bound / elapsed_s for bound in (bounds.low, bounds.high)
    )
    year = 12 * found.report.used_hours_per_month
    served = isinstance(scenario.resolved.design.workload, ServingWorkload)
    runs = first_of(
        runs_per_year(
            used_accelerator_hours_per_year=np.array([year]), run_accelerator_hours=np.array([hours])
        )
    )
    rule = _rule_of_thumb(scenario)
    return ComputeAnswer(
        answer=_served(year) if served else _answer(hours, low, high, elapsed_s / DAY_S),
        said=() if served else tuple(_said(hours, year, runs, rule)),
        tab="cost" if served else "runs",
        run_accelerator_hours=hours,
        low=low,
        high=high,
        elapsed_days=elapsed_s / DAY_S,
        used_accelerator_hours_per_year=year,
        runs_per_year=runs,
        rule_of_thumb_accelerator_hours=rule,
    )


def _rule_of_thumb(scenario: EvaluatedScenario) -> float:
    """6 N D at the article's speed; NaN for a job without tokens."""
    workload, performance = scenario.resolved.design.workload, scenario.evaluation.sections.performance
    if not isinstance(workload, TrainingWorkload) or not isinstance(performance, Performance):
        return math.nan
    days = training_accelerator_days(
        parameters=performance.active_parameters,
        tokens=workload.tokens,
        achieved_flop_per_s=np.array([RULE_FLOP_PER_S]),
    )
    return first_of(accelerator_hours_of_days(accelerator_days=days))


def _answer(hours: float, low: float, high: float, days: float) -> str:
    if math.isnan(hours):
        return "How long the run takes is unknown."
    span = "" if math.isnan(low) else f", {in_words(low)} to {in_words(high)} by the errors of measured runs"
    return f"The run takes {in_words(hours)} accelerator-hours{span}, in {_duration(days)}."


def _served(year: float) -> str:
    """Of a pod that serves, which has no run."""
    if math.isnan(year):
        return "How many accelerator-hours a year are used is unknown."
    return (
        f"A pod that serves has no run: a year at the stated use has {in_words(year)} used accelerator-hours."
    )


def _said(hours: float, year: float, runs: float, rule: float) -> list[str]:
    found = []
    if not math.isnan(year) and not math.isnan(hours):
        found.append(
            f"A year at the stated use has {in_words(year)} used accelerator-hours: {in_words(runs)} such runs."
        )
    if not math.isnan(rule) and not math.isnan(hours):
        found.append(
            f"The article's rule, 6 x parameters x tokens at 300 TFLOP/s, gives {in_words(rule)}: the computed run "
            f"takes {hours / rule:.2g} times that, as it has this design's speed, failures and checkpoints."
        )
    return found


def _duration(days: float) -> str:
    return f"{days:,.1f} days" if days >= 2 else f"{24 * days:,.1f} hours"


def in_words(value: float) -> str:
    """A large count in a sentence.

    >>> in_words(27_589_056), in_words(38_889)
    ('27.6 million', '38,900')
    """
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if value >= 0.9995 * size:
            return f"{value / size:.3g} {word}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"
