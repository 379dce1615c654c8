"""Train a model: the fewest SuperNodes that finish by the deadline."""

from __future__ import annotations

import math

from app.charts.figure import get_path
from app.charts.format import show
from app.charts.question import AnswerChart, AnswerPoint
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.questions.counts import STEPS, Tried, smallest
from app.views.questions.options import TrainOptions
from app.views.questions.question import (
    QuestionAnswer,
    counted,
    figure_of,
    reason_of,
    refused,
    stated,
)
from app.views.questions.scenarios import (
    TRAINING_WORDS,
    count_words,
    joined,
    name_of,
    on,
    per_supernode,
    training,
)
from app.views.view import Resources

DAY_S = 86_400.0
TIME = "performance.elapsed_time_s"
START_ACCELERATORS = 1_024
"""Where the search begins; it ends where the evaluations say."""
NEAR = 4
"""Times as few and as many SuperNodes that the chart shows."""
FIGURES = (TIME, "cost.usd_per_run", "power.utility_peak_w", "performance.mfu")


def train_answer(asked: TrainOptions, resources: Resources) -> QuestionAnswer:
    """A number of SuperNodes that trains the model by the deadline, which one less does not.

    Raises
    ------
    ScenarioError : the model or the system is not in the catalog, or cannot train it
    """
    catalog = resources.catalog
    model, system = name_of(catalog, "models", asked.model), name_of(catalog, "systems", asked.system)

    def tries(count: int) -> Tried:
        values = on(
            f"{model} on {count_words(count, system)}",
            training(asked.model, asked.tokens),
            {"system": asked.system},
            count,
        )
        return _tried(count, joined(values, resources))

    limit = asked.deadline_days * DAY_S
    each = per_supernode(catalog, asked.system)
    best, tried = smallest(tries, limit=limit, start=START_ACCELERATORS / each)
    if best is not None:
        tried += [tries(count) for count in _beside(best.count) if count not in {one.count for one in tried}]
    tried.sort(key=lambda one: one.count)
    chart = _chart(asked, _near(tried, best), best, each)
    if best is None:
        return refused(
            "train",
            _out_of_reach(asked, tried, model, system),
            chart=chart,
            assumptions=(TRAINING_WORDS,),
        )
    return QuestionAnswer(
        question="train",
        answered=True,
        verdict=_verdict(asked, best, model, system),
        figures=(counted("SuperNodes", best.count), *(figure_of(best.scenario, path) for path in FIGURES)),
        chart=chart,
        candidates=(),
        assumptions=(TRAINING_WORDS,),
        scenario=stated(best.scenario),
    )


def _tried(count: int, scenario: EvaluatedScenario) -> Tried:
    barriers = {problem.constraint for problem in scenario.problems if problem.kind == "infeasible"}
    value = get_path(scenario.as_json, TIME) if scenario.evaluation.feasible else None
    return Tried(
        count=count,
        value=math.nan if value is None else value,
        is_too_small="memory" in barriers,
        scenario=scenario,
    )


def _beside(count: int) -> list[int]:
    """Half as many and twice as many, which the chart shows."""
    return [one for one in (count // 2, 2 * count) if one >= 1 and one <= STEPS[-1]]


def _near(tried: list[Tried], best: Tried | None) -> list[Tried]:
    """Pods near the answer: those far from it, where the search began, would stretch the axes."""
    if best is None:
        return tried
    return [one for one in tried if best.count / NEAR <= one.count <= best.count * NEAR]


def _verdict(asked: TrainOptions, best: Tried, model: str, system: str) -> str:
    time = figure_of(best.scenario, TIME)
    cost = figure_of(best.scenario, "cost.usd_per_run")
    text = (
        f"{count_words(best.count, system)} train {model} on {show(asked.tokens, 'tokens').text} in {time.text}, within "
        f"the {asked.deadline_days:,.4g} days"
    )
    text += f", for {cost.text}." if not math.isnan(cost.value) else "; the cost of the run is unknown."
    late = time.high > asked.deadline_days * DAY_S
    return f"{text} Runs like it take up to {show(time.high, 's').text}, past the deadline." if late else text


def _out_of_reach(asked: TrainOptions, tried: list[Tried], model: str, system: str) -> str:
    fastest = min(
        (one for one in tried if not math.isnan(one.value)), key=lambda one: one.value, default=None
    )
    if fastest is None:
        return f"No number of {system} that was tried trains {model}: {reason_of(tried[-1].scenario)}"
    text = (
        f"No number of {system} trains {model} in {asked.deadline_days:,.4g} days: the fastest found, "
        f"{fastest.count:,} SuperNodes, takes {show(fastest.value, 's').text}."
    )
    more = next((one for one in tried if one.count > fastest.count and math.isnan(one.value)), None)
    return f"{text} With {more.count:,}: {reason_of(more.scenario)}" if more else text


def _chart(asked: TrainOptions, tried: list[Tried], best: Tried | None, each: int) -> AnswerChart:
    points = tuple(_point(one, best, each) for one in tried)
    return AnswerChart(
        title="Time to train by number of accelerators",
        takeaway="No number that was tried meets the deadline"
        if best is None
        else _takeaway(asked, tried, best, each),
        caption="Evaluated pods; failures, restarts and checkpoints are in the time.",
        x_title="Accelerators",
        y_title="Time to train",
        y_unit="s",
        limit=asked.deadline_days * DAY_S,
        limit_label="Deadline",
        points=points,
    )


def _takeaway(asked: TrainOptions, tried: list[Tried], best: Tried, each: int) -> str:
    text = f"{best.count * each:,} accelerators meet {asked.deadline_days:,.4g} days"
    one_less = next((one for one in tried if one.count == best.count - 1), None)
    if one_less is None:
        return text
    late = "cannot" if math.isnan(one_less.value) else f"take {show(one_less.value, 's').text}"
    return f"{text}; {one_less.count * each:,} {late}"


def _point(one: Tried, best: Tried | None, each: int) -> AnswerPoint:
    time = figure_of(one.scenario, TIME)
    cost = figure_of(one.scenario, "cost.usd_per_run")
    known = not math.isnan(one.value)
    return AnswerPoint(
        label=f"{one.count:,} SuperNodes",
        x=float(one.count * each),
        y=one.value,
        low=time.low if known else math.nan,
        high=time.high if known else math.nan,
        feasible=known,
        chosen=best is not None and one.count == best.count,
        note=f"{cost.text} a run" if known else reason_of(one.scenario),
    )
