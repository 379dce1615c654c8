"""Compare hardware: the same work on as many accelerators of several systems."""

from __future__ import annotations

import math

from app.charts.question import AnswerChart, AnswerPoint
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.questions.options import CompareOptions
from app.views.questions.question import (
    AnswerFigure,
    Candidate,
    QuestionAnswer,
    figure_of,
    reason_of,
    refused,
    stated,
)
from app.views.questions.scenarios import (
    SERVING_WORDS,
    TRAINING_WORDS,
    count_words,
    joined,
    name_of,
    on,
    per_supernode,
    served,
    serving,
    training,
    whole_supernodes,
)
from app.views.view import Resources

FIGURES = {
    "training": ("cost.usd_per_run", "performance.elapsed_time_s", "performance.mfu", "power.utility_peak_w"),
    "serving": (
        "cost.usd_per_million_tokens", "performance.tokens_per_s", "performance.tpot_s", "performance.ttft_s",
        "power.utility_peak_w",
    ),
}  # fmt: skip
"""The first is what systems are ranked by."""


def compare_answer(asked: CompareOptions, resources: Resources) -> QuestionAnswer:
    """The work on every system; the one of least cost is chosen, of the feasible ones.

    Raises
    ------
    ScenarioError : none of the systems can be evaluated
    """
    model = name_of(resources.catalog, "models", asked.model)
    found: list[tuple[str, EvaluatedScenario | None, str]] = []
    faults: list[ScenarioError] = []
    for key in asked.systems:
        name = name_of(resources.catalog, "systems", key)
        try:
            found.append((name, _on(asked, key, name, model, resources), ""))
        except ScenarioError as error:
            faults.append(error)
            found.append((name, None, error.errors[0].words))
    if len(faults) == len(found):
        raise faults[0]
    ranked = FIGURES[asked.work]
    figures = {
        name: tuple(figure_of(scenario, path) for path in ranked) if scenario else ()
        for name, scenario, _ in found
    }
    best = _best(found, figures)
    candidates = tuple(
        Candidate(
            name=name,
            chosen=name == best,
            feasible=scenario is not None and scenario.evaluation.feasible,
            reason=refusal if scenario is None else reason_of(scenario),
            figures=figures[name],
            scenario=None if scenario is None else stated(scenario),
        )
        for name, scenario, refusal in found
    )
    words = (TRAINING_WORDS if asked.work == "training" else SERVING_WORDS, *_formats(asked, found))
    chart = _chart(asked, candidates)
    if best is None:
        return refused(
            "compare",
            f"None of these systems runs {model}, or the cost of each is unknown: {candidates[0].reason or 'no price is published'}",
            chart=chart,
            candidates=candidates,
            assumptions=words,
        )
    chosen = next(one for one in candidates if one.chosen)
    return QuestionAnswer(
        question="compare",
        answered=True,
        verdict=_verdict(asked, chosen, candidates, model),
        figures=chosen.figures,
        chart=chart,
        candidates=candidates,
        assumptions=words,
        scenario=chosen.scenario,
    )


def _on(asked: CompareOptions, key: str, name: str, model: str, resources: Resources) -> EvaluatedScenario:
    count = whole_supernodes(asked.accelerators, per_supernode(resources.catalog, key))
    title = f"{model} on {count_words(count, name)}"
    if asked.work == "training":
        return joined(on(title, training(asked.model), {"system": key}, count), resources)
    return served(on(title, serving(asked.model, ""), {"system": key}, count), resources)


def _formats(asked: CompareOptions, found: list[tuple[str, EvaluatedScenario | None, str]]) -> list[str]:
    """The number format of each served model: the first that its system computes in."""
    if asked.work == "training":
        return []
    each = [(name, scenario.document.workload.precision) for name, scenario, _ in found if scenario]
    return [f"{', '.join(f'{name} in {precision.upper()}' for name, precision in each)}."]


def _best(
    found: list[tuple[str, EvaluatedScenario | None, str]], figures: dict[str, tuple[AnswerFigure, ...]]
) -> str | None:
    """The feasible system of least cost; where no cost is known, the first feasible one."""
    able = [name for name, scenario, _ in found if scenario is not None and scenario.evaluation.feasible]
    priced = [name for name in able if not math.isnan(figures[name][0].value)]
    return min(priced, key=lambda name: figures[name][0].value) if priced else next(iter(able), None)


def _verdict(asked: CompareOptions, chosen: Candidate, candidates: tuple[Candidate, ...], model: str) -> str:
    cost = chosen.figures[0]
    does = "trains" if asked.work == "training" else "serves"
    if math.isnan(cost.value):
        return f"{chosen.name} {does} {model}; no cost is known to compare by."
    per = "a run" if asked.work == "training" else "per 1 M output tokens"
    text = f"{chosen.name} {does} {model} at the least cost, {cost.text} {per}"
    others = [
        one for one in candidates if not one.chosen and one.feasible and not math.isnan(one.figures[0].value)
    ]
    if not others:
        return f"{text}; the cost of no other system is known."
    nearest = min(others, key=lambda one: one.figures[0].value)
    text += f"; {nearest.name} costs {nearest.figures[0].value / cost.value:.3g} times as much"
    unsure = cost.high >= nearest.figures[0].low
    return f"{text}, a difference within their intervals." if unsure else f"{text}."


def _chart(asked: CompareOptions, candidates: tuple[Candidate, ...]) -> AnswerChart:
    trains = asked.work == "training"
    points = tuple(_point(one) for one in candidates)
    chosen = next((one.name for one in candidates if one.chosen and not math.isnan(one.figures[0].value)), "")
    return AnswerChart(
        title="Cost of the run by system" if trains else "Cost per 1 M output tokens by system",
        takeaway=f"{chosen} costs least" if chosen else "No cost is known",
        caption=f"On {asked.accelerators:,} accelerators of each, in whole SuperNodes. Bars to the estimate, lines from P10 to P90 where runs like it were measured.",
        x_title="",
        y_title="Cost",
        y_unit="USD",
        limit=math.nan,
        limit_label="",
        points=points,
    )


def _point(one: Candidate) -> AnswerPoint:
    cost = one.figures[0] if one.figures and one.feasible else None
    return AnswerPoint(
        label=one.name,
        x=math.nan,
        y=cost.value if cost else math.nan,
        low=cost.low if cost else math.nan,
        high=cost.high if cost else math.nan,
        feasible=one.feasible,
        chosen=one.chosen,
        note=one.figures[1].text if cost else one.reason,
    )
