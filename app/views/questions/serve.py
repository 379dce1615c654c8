"""Serve a model: the fewest SuperNodes that answer a load within its service level."""

from __future__ import annotations

import math
from collections.abc import Callable

from app.charts.format import number, show
from app.charts.question import AnswerChart, AnswerPoint
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.questions.options import ServeOptions
from app.views.questions.question import (
    QuestionAnswer,
    counted,
    figure_of,
    reason_of,
    refused,
    stated,
)
from app.views.questions.scenarios import SERVING_WORDS, count_words, name_of, on, served, serving
from app.views.serving.latency import LatencyView, latency_view
from app.views.serving.sizing import sizing_view
from app.views.view import Resources

MOST_TRIED = 7
MOST_SUPERNODES = 131_072
FIGURES = (
    "performance.tpot_s", "performance.ttft_s", "performance.tokens_per_s", "cost.usd_per_million_tokens", "power.utility_peak_w",
)  # fmt: skip


def serve_answer(asked: ServeOptions, resources: Resources) -> QuestionAnswer:
    """The fewest SuperNodes that answer the load in its busiest hour, spares for failures included.

    Raises
    ------
    ScenarioError : the model or the system is not in the catalog, or cannot serve it
    """
    catalog = resources.catalog
    model, system = name_of(catalog, "models", asked.model), name_of(catalog, "systems", asked.system)

    def tries(count: int) -> EvaluatedScenario:
        workload = serving(asked.model, "", requests_per_s=asked.requests_per_s, tpot_s=asked.tpot_s)
        name = f"{model} on {count_words(count, system)}"
        return served(on(name, workload, {"system": asked.system}, count), resources)

    best, last = _smallest(tries)
    if best is None:
        return refused(
            "serve",
            f"{system} does not serve {model} at {number(asked.requests_per_s)} requests/s with a token every "
            f"{show(asked.tpot_s, 's').text}: {reason_of(last)}",
            assumptions=(SERVING_WORDS,),
        )
    count = round(float(best.resolved.design.pod.supernodes.max()))
    return QuestionAnswer(
        question="serve",
        answered=True,
        verdict=_verdict(asked, best, model, count_words(count, system)),
        figures=(counted("SuperNodes", count), *(figure_of(best, path) for path in FIGURES)),
        chart=_chart(asked, latency_view(best)),
        candidates=(),
        assumptions=(SERVING_WORDS, f"{best.document.workload.precision.upper()} weights and products."),
        scenario=stated(best),
    )


def _smallest(
    tries: Callable[[int], EvaluatedScenario],
) -> tuple[EvaluatedScenario | None, EvaluatedScenario]:
    """The fewest SuperNodes, and what was tried last."""
    tried: dict[int, EvaluatedScenario] = {}
    count = 1
    for _ in range(MOST_TRIED):
        found = tries(count)
        tried[count] = found
        needed = _needed(found)
        if not found.evaluation.feasible and (needed is None or needed <= count):
            needed = 2 * count  # one replica takes more than there is
        if needed is None or needed in tried or needed > MOST_SUPERNODES:
            break
        count = needed
    feasible = [count for count, scenario in tried.items() if scenario.evaluation.feasible]
    return (tried[min(feasible)] if feasible else None), found


def _needed(scenario: EvaluatedScenario) -> int | None:
    """SuperNodes that the demand needs with the replica found, with spares; None where none answers."""
    needed = sizing_view(scenario).supernodes_needed_with_headroom
    return None if needed is None or not math.isfinite(needed) else max(math.ceil(needed - 1e-9), 1)


def _verdict(asked: ServeOptions, best: EvaluatedScenario, model: str, pod: str) -> str:
    each, first = (figure_of(best, f"performance.{name}") for name in ("tpot_s", "ttft_s"))
    cost = figure_of(best, "cost.usd_per_million_tokens")
    text = (
        f"{pod} serve {model} at {number(asked.requests_per_s)} requests/s: the first token after {first.text}, one every "
        f"{each.text}"
    )
    return (
        f"{text}, for {cost.text} per 1 M output tokens."
        if not math.isnan(cost.value)
        else f"{text}; the cost is unknown."
    )


def _chart(asked: ServeOptions, view: LatencyView) -> AnswerChart:
    share = f"{100 * view.percentile:.4g} %"
    most = view.at_most
    says = (
        "No load meets the SLO"
        if most is None
        else f"The pod answers up to {number(most.requests_per_s)} requests/s within {show(asked.tpot_s, 's').text} a token"
    )
    points = [point for point in view.points if not math.isnan(point.tpot_within_s)]
    return AnswerChart(
        title="Time per output token by load",
        takeaway=says,
        caption=f"{share} of the requests are within it. The marked load is the busiest hour.",
        x_title="Requests a second",
        y_title=f"Time per output token, {share}",
        y_unit="s",
        limit=asked.tpot_s,
        limit_label="SLO",
        points=tuple(
            AnswerPoint(
                label=f"{number(point.requests_per_s)} requests/s",
                x=point.requests_per_s,
                y=point.tpot_within_s,
                low=math.nan,
                high=math.nan,
                feasible=point.keeps,
                chosen=point == view.here,
                note=f"first token within {show(point.ttft_within_s, 's').text}",
            )
            for point in points
        ),
    )
