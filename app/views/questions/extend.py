"""Extend a cluster: what more SuperNodes bring, what they cost, and what the fabric needs for them."""

from __future__ import annotations

import math
from typing import Any

from app.charts.figure import get_path
from app.charts.format import show
from app.charts.question import AnswerChart, AnswerPoint
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.build_out.answer import build_out_answer
from app.views.fabric.growth import FabricGrowth, GrowthOptions, GrowthPlan, fabric_growth
from app.views.questions.options import ExtendOptions
from app.views.questions.question import (
    QuestionAnswer,
    counted,
    figure_of,
    reason_of,
    refused,
    stated,
)
from app.views.questions.scenarios import TRAINING_WORDS, count_words, joined, name_of, on, training
from app.views.view import Resources

MODEL = "llama_3_1_70b"
RATE, CAPITAL, PEAK = "performance.tokens_per_s", "cost.capex_usd", "power.utility_peak_w"
PLANS = {"each_stage": "Fabric for each stage", "final_size": "Fabric for the final size"}


def extend_answer(asked: ExtendOptions, resources: Resources) -> QuestionAnswer:
    """The cluster before and after, and its fabric laid out for each stage or for the last.

    Raises
    ------
    ScenarioError : the system is not in the catalog
    """
    system = name_of(resources.catalog, "systems", asked.system)
    total = asked.supernodes + asked.added
    before = _pod(asked, asked.supernodes, count_words(asked.supernodes, system), resources)
    after = _pod(asked, total, f"{count_words(asked.supernodes, system)} and {asked.added:,} more", resources)
    words = (
        f"Training of {name_of(resources.catalog, 'models', MODEL)}; {TRAINING_WORDS}",
        "Prices of today for both stages; the building and its power are ordered with each stage.",
    )
    growth = _growth(after, asked.supernodes, total)
    chart = _chart(growth, asked.month) if growth else None
    if not after.evaluation.feasible:
        return refused(
            "extend",
            f"{count_words(total, system)} do not work as one cluster: {reason_of(after)}",
            chart=chart,
            assumptions=words,
        )
    return QuestionAnswer(
        question="extend",
        answered=True,
        verdict=_verdict(asked, before, after, growth, system),
        figures=(
            counted("Throughput, times today's", _value(after, RATE) / _value(before, RATE)),
            figure_of(after, RATE),
            counted("Capital cost added", _value(after, CAPITAL) - _value(before, CAPITAL), "USD"),
            counted("Power added", _value(after, PEAK) - _value(before, PEAK), "W"),
            counted("Links re-cabled", _moved(growth, "each_stage")),
            counted("Full load, months", _full_load_month(after, resources)),
        ),
        chart=chart,
        candidates=(),
        assumptions=words,
        scenario=stated(after),
    )


def _pod(asked: ExtendOptions, count: int, name: str, resources: Resources) -> EvaluatedScenario:
    """The cluster at a size. Beyond its size of today, the phases in which it is ordered are stated."""
    parts: dict[str, Any] = {}
    if count > asked.supernodes:
        phases = [
            {"name": "Today", "supernodes": asked.supernodes, "start_month": 0},
            {"name": "Extension", "supernodes": asked.added, "start_month": asked.month},
        ]
        parts["economics"] = {"build_out": {"phases": phases}}
    return joined(on(name, training(MODEL), {"system": asked.system}, count, **parts), resources)


def _full_load_month(after: EvaluatedScenario, resources: Resources) -> float:
    """Months from the first order until all SuperNodes work; NaN where no plan of it can be made."""
    try:
        return build_out_answer(after, resources.catalog).full_load_month
    except ScenarioError:
        return math.nan


def _growth(after: EvaluatedScenario, now: int, total: int) -> FabricGrowth | None:
    """The fabric in two stages; None where the pod has none, or it is not counted link by link."""
    try:
        return fabric_growth(after, GrowthOptions(stages=(now, total)))
    except ScenarioError:
        return None


def _value(scenario: EvaluatedScenario, path: str) -> float:
    found = get_path(scenario.as_json, path)
    return math.nan if found is None else float(found)


def _plan(growth: FabricGrowth | None, layout: str) -> GrowthPlan | None:
    return next((plan for plan in growth.plans if plan.layout == layout), None) if growth else None


def _moved(growth: FabricGrowth | None, layout: str) -> float:
    plan = _plan(growth, layout)
    return math.nan if plan is None or plan.moved_links is None else plan.moved_links


def _verdict(
    asked: ExtendOptions,
    before: EvaluatedScenario,
    after: EvaluatedScenario,
    growth: FabricGrowth | None,
    system: str,
) -> str:
    times = _value(after, RATE) / _value(before, RATE)
    capital = _value(after, CAPITAL) - _value(before, CAPITAL)
    text = f"With {count_words(asked.added, system)} more, ordered in month {asked.month}, the cluster"
    text += f" trains {times:.3g} times as fast" if not math.isnan(times) else " grows"
    text += f" for {show(capital, 'USD').text} more" if not math.isnan(capital) else "; the price is unknown"
    early, late = _first_usd(growth, "final_size"), _first_usd(growth, "each_stage")
    moved = _moved(growth, "each_stage")
    if math.isnan(moved) or moved <= 0 or math.isnan(early - late):
        return f"{text}."
    return (
        f"{text}. {moved:,.0f} links are re-cabled then; a fabric laid out for the final size moves none and costs "
        f"{show(early - late, 'USD').text} more today."
    )


def _first_usd(growth: FabricGrowth | None, layout: str) -> float:
    plan = _plan(growth, layout)
    price = None if plan is None else plan.stages[0].price_usd.typical
    return math.nan if price is None else price


def _chart(growth: FabricGrowth, month: int) -> AnswerChart:
    points = []
    for layout, title in PLANS.items():
        plan = _plan(growth, layout)
        for place, stage in enumerate(plan.stages if plan else ()):
            price = stage.price_usd
            ends = [math.nan if end is None else end for end in (price.typical, price.low, price.high)]
            points.append(
                AnswerPoint(
                    label=f"{title}, {'month ' + format(month) if place else 'today'}",
                    x=math.nan,
                    y=ends[0],
                    low=ends[1],
                    high=ends[2],
                    feasible=True,
                    chosen=bool(place),
                    note=f"{stage.moved_links or 0:,.0f} links re-cabled",
                )
            )
    each, final = (_moved(growth, layout) for layout in PLANS)
    return AnswerChart(
        title="Price of the fabric by stage",
        takeaway=f"{each:,.0f} links are re-cabled in steps, {final:,.0f} with the fabric laid out for the final size"
        if not math.isnan(each + final)
        else "Links that are re-cabled are unknown",
        caption="Switches, modules and cables bought at each stage; lines from the low to the high price.",
        x_title="",
        y_title="Price of the fabric",
        y_unit="USD",
        limit=math.nan,
        limit_label="",
        points=tuple(points),
    )
