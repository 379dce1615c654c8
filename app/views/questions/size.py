"""Size a SuperNode: the same accelerators bought in SuperNodes of several sizes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from app.charts.format import show
from app.charts.question import AnswerChart, AnswerPoint
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_scenario
from app.views.fabric.sized_document import document_of_size
from app.views.fabric.supernode_sizes import (
    UNITS,
    SuperNodeSize,
    SuperNodeSizesOptions,
    supernode_sizes,
)
from app.views.questions.options import SizeOptions
from app.views.questions.question import (
    QuestionAnswer,
    counted,
    figure_of,
    refused,
    stated,
)
from app.views.questions.scenarios import (
    FORMATS,
    SERVING_WORDS,
    TRAINING_WORDS,
    name_of,
    on,
    serving,
    training,
    whole_supernodes,
)
from app.views.view import Resources

BOUGHT = 1_152
"""Accelerators in all, where no size is larger: 16 NVL72 or 144 servers of eight."""
FIGURES = {
    "training": ("cost.usd_per_run", "performance.elapsed_time_s"),
    "serving": ("cost.usd_per_million_tokens", "performance.tokens_per_s"),
}


def size_answer(asked: SizeOptions, resources: Resources) -> QuestionAnswer:
    """Every size with its parts, layout and fabric; the one of least cost is chosen.

    Raises
    ------
    ScenarioError : the accelerator or model is not in the catalog, or no size can be built from parts
    """
    accelerator = name_of(resources.catalog, "accelerators", asked.accelerator)
    model = name_of(resources.catalog, "models", asked.model)
    scenario = _first(asked, accelerator, model, resources)
    sizes = supernode_sizes(scenario, resources.catalog, SuperNodeSizesOptions(sizes=asked.sizes))
    wanted = [one for one in sizes.sizes if one.accelerators in asked.sizes]
    words = (
        TRAINING_WORDS if asked.work == "training" else SERVING_WORDS,
        f"{_bought(asked):,} accelerators in all; SuperNodes are built up from their parts at every size.",
    )
    priced = [one for one in wanted if not math.isnan(one.usd_per_unit)]
    best = min(priced, key=lambda one: one.usd_per_unit, default=None)
    if best is None:
        reason = next((one.refusal for one in wanted if one.refusal), "its price is not published")
        return refused(
            "size",
            f"The cost of no size of {accelerator} SuperNode is known: {reason}",
            chart=_chart(asked, wanted, None),
            assumptions=words,
        )
    chosen = resources.evaluated(
        _of_size(scenario, best.accelerators, asked, f"{best.accelerators:,} {accelerator}", model)
    )
    cost = figure_of(chosen, FIGURES[asked.work][0])
    best = replace(best, usd_per_unit_low=cost.low, usd_per_unit_high=cost.high)
    wanted = [best if one.accelerators == best.accelerators else one for one in wanted]
    return QuestionAnswer(
        question="size",
        answered=True,
        verdict=_verdict(asked, best, priced, accelerator, model),
        figures=(
            counted("Accelerators per SuperNode", best.accelerators),
            *(figure_of(chosen, path) for path in FIGURES[asked.work]),
            counted("Capital cost per accelerator", best.capex_usd_per_accelerator, "USD"),
            figure_of(chosen, "power.power_per_rack_w", "Highest rack power"),
        ),
        chart=_chart(asked, wanted, best),
        candidates=(),
        assumptions=words,
        scenario=stated(chosen),
    )


def _bought(asked: SizeOptions) -> int:
    return max(BOUGHT, *asked.sizes)


def _first(asked: SizeOptions, accelerator: str, model: str, resources: Resources) -> EvaluatedScenario:
    """The first of the sizes that can be built, which the others are compared from."""
    refusal: ScenarioError | None = None
    formats = (None,) if asked.work == "training" else FORMATS
    for size in asked.sizes:
        for precision in formats:
            workload = training(asked.model) if precision is None else serving(asked.model, precision)
            custom: dict[str, Any] = {
                "name": f"{size:,} {accelerator}",
                "accelerator": asked.accelerator,
                "accelerators": size,
                "parts": {},
            }
            count = whole_supernodes(_bought(asked), size)
            values = on(f"{model} on {custom['name']}", workload, {"custom": custom}, count)
            try:
                return resources.evaluated(build_scenario(values))
            except ScenarioError as error:
                refusal = refusal or error
    assert refusal is not None, "a size was asked for"
    raise refusal


def _of_size(
    scenario: EvaluatedScenario, size: int, asked: SizeOptions, name: str, model: str
) -> ScenarioDocument:
    """The design of the study at a size."""
    used = (
        None
        if asked.work == "serving"
        else round(float(scenario.resolved.design.pod.accelerators_used.max()))
    )
    bought = (
        _bought(asked)
        if asked.work == "serving"
        else round(
            float(
                (
                    scenario.resolved.design.pod.supernodes * scenario.resolved.design.supernode.accelerators
                ).max()
            )
        )
    )
    sized = document_of_size(scenario.document, size, bought=bought, used=used)
    custom = sized.supernode.custom
    assert custom is not None
    supernode = sized.supernode.model_copy(update={"custom": custom.model_copy(update={"name": name})})
    return sized.model_copy(update={"name": f"{model} on SuperNodes of {name}", "supernode": supernode})


def _verdict(
    asked: SizeOptions, best: SuperNodeSize, priced: list[SuperNodeSize], accelerator: str, model: str
) -> str:
    does = "trains" if asked.work == "training" else "serves"
    unit = UNITS[asked.work]
    text = f"A SuperNode of {best.accelerators:,} {accelerator} {does} {model} at the least cost of {unit_words(unit)}"
    others = [one for one in priced if one.accelerators != best.accelerators]
    if not others:
        return f"{text}; no other size can be priced."
    worst = max(others, key=lambda one: one.usd_per_unit)
    return f"{text}; with {worst.accelerators:,} it is {100 * (worst.usd_per_unit / best.usd_per_unit - 1):.3g} % higher."


def unit_words(unit: str) -> str:
    """Such as "a run"."""
    return f"a {unit}" if unit == "run" else "1 M output tokens"


def _chart(asked: SizeOptions, wanted: list[SuperNodeSize], best: SuperNodeSize | None) -> AnswerChart:
    cost = "Cost of the run" if asked.work == "training" else "Cost per 1 M output tokens"
    return AnswerChart(
        title=f"{cost} by size of the SuperNode",
        takeaway="No size can be priced"
        if best is None
        else f"{best.accelerators:,} accelerators cost least of the {len(wanted)} sizes",
        caption="The band is P10 to P90 where runs like it were measured; all sizes share most of that error.",
        x_title="Accelerators of a SuperNode",
        y_title=cost,
        y_unit="USD",
        limit=math.nan,
        limit_label="",
        points=tuple(
            AnswerPoint(
                label=f"{one.accelerators:,} accelerators",
                x=float(one.accelerators),
                y=one.usd_per_unit,
                low=one.usd_per_unit_low,
                high=one.usd_per_unit_high,
                feasible=not one.refusal,
                chosen=one is best,
                note=one.refusal or f"{show(one.capex_usd_per_accelerator, 'USD').text} per accelerator",
            )
            for one in wanted
        ),
    )
