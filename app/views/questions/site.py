"""Plan a site: as many SuperNodes as the power of a site carries."""

from __future__ import annotations

import math

from app.charts.figure import get_path
from app.charts.format import show
from app.charts.question import AnswerChart, AnswerPoint
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.questions.counts import STEPS, Tried, largest
from app.views.questions.options import SiteOptions
from app.views.questions.question import (
    AnswerFigure,
    QuestionAnswer,
    counted,
    figure_of,
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

MODEL = "llama_3_1_405b"
PEAK = "power.utility_peak_w"
FIGURES = (
    PEAK, "cooling.pue", "power.racks", "cost.capex_usd", "cost.usd_per_accelerator_hour",
)  # fmt: skip


def site_answer(asked: SiteOptions, resources: Resources) -> QuestionAnswer:
    """The most SuperNodes whose highest draw at the meter the utility grants.

    Raises
    ------
    ScenarioError : the system or the site is not in the catalog
    """
    catalog = resources.catalog
    system, place = name_of(catalog, "systems", asked.system), name_of(catalog, "sites", asked.site)
    each = per_supernode(catalog, asked.system)

    def tries(count: int) -> Tried:
        scenario = _evaluated(asked, count, each, f"{count_words(count, system)} in {place}", resources)
        peak = get_path(scenario.as_json, PEAK)
        return Tried(
            count=count, value=math.nan if peak is None else peak, is_too_small=False, scenario=scenario
        )

    first = tries(1)
    words = (
        f"Training of {name_of(catalog, 'models', MODEL)}; {TRAINING_WORDS}",
        "Power 2N, and the cooling plant that draws least at the site.",
    )
    if math.isnan(first.value):
        return refused(
            "site", f"The power of {system} is not published, so nothing fits to a limit.", assumptions=words
        )
    start = asked.power_w / first.value
    best = largest(tries, limit=asked.power_w, start=start) if start >= 1 else None
    if best is None:
        return refused(
            "site",
            f"One {system} in {place} draws {show(first.value, 'W').text} at most: {show(asked.power_w, 'W').text} carries none.",
            assumptions=words,
        )
    return QuestionAnswer(
        question="site",
        answered=True,
        verdict=_verdict(asked, best, system, place, each),
        figures=(
            counted("SuperNodes", best.count),
            *(figure_of(best.scenario, path) for path in FIGURES),
        ),
        chart=_chart(asked, best),
        candidates=(),
        assumptions=words,
        scenario=stated(best.scenario),
    )


def _evaluated(
    asked: SiteOptions, count: int, each: int, name: str, resources: Resources
) -> EvaluatedScenario:
    """The pod at the site; where no layout divides so many accelerators, the job takes as many as the next
    step below."""
    values = on(
        name,
        training(MODEL),
        {"system": asked.system},
        count,
        facility={"site": asked.site, "utility_limit_w": asked.power_w},
        economics={"building": asked.building},
    )
    found = joined(values, resources)
    barriers = {problem.field for problem in found.problems if problem.kind == "infeasible"}
    step = max(one for one in STEPS if one <= count)
    if "parallelism" not in barriers or step == count:
        return found
    pod = found.document.as_dict()["pod"] | {"accelerators_used": step * each}
    return joined(values | {"pod": pod}, resources)


def _verdict(asked: SiteOptions, best: Tried, system: str, place: str, each: int) -> str:
    cost = figure_of(best.scenario, "cost.capex_usd")
    built = "in a building of its own" if asked.building == "owned" else "in rented space"
    text = (
        f"{show(asked.power_w, 'W').text} in {place} carries {count_words(best.count, system)} {built}, "
        f"{best.count * each:,} accelerators that draw {show(best.value, 'W').text} at most"
    )
    return (
        f"{text}, for {cost.text} up front."
        if not math.isnan(cost.value)
        else f"{text}; the price is unknown."
    )


def _chart(asked: SiteOptions, best: Tried) -> AnswerChart:
    parts = _parts(best)
    known = [part for part in parts if not math.isnan(part.value) and part.path != PEAK]
    largest_part = max(known, key=lambda part: part.value, default=None)
    says = "The parts of the power are unknown"
    if largest_part is not None and best.value > 0:
        says = (
            f"{largest_part.label} is {100 * largest_part.value / best.value:.3g} % of the peak at the meter"
        )
    return AnswerChart(
        title="Power at the meter",
        takeaway=says,
        caption="At the highest draw; cooling and losses at that hour are what is left beside the IT equipment.",
        x_title="",
        y_title="Power",
        y_unit="W",
        limit=asked.power_w,
        limit_label="Granted",
        points=tuple(
            AnswerPoint(
                label=part.label, x=math.nan, y=part.value, low=math.nan, high=math.nan, feasible=True,
                chosen=part.label == "Utility peak", note="",
            )
            for part in parts
        ),
    )  # fmt: skip


def _parts(best: Tried) -> tuple[AnswerFigure, ...]:
    it = figure_of(best.scenario, "power.it_power_peak_w", "IT equipment")
    return (
        it,
        counted("Cooling and losses", best.value - it.value, "W"),
        figure_of(best.scenario, PEAK, "Utility peak"),
    )
