"""What a search of a served model was asked for and has no answer to, in words with a way out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from app.engine.explore.serving_search import PodSearch, ServingChoice, degrees_tried
from app.engine.performance.serving.search.space import ServingSpace
from app.engine.trace import count_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.searching.serving_options import SERVING_AXES, ServingSearchOptions
from app.views.searching.serving_pods import Pod

DECIDED_BY = {
    "cost": ("usd_per_accelerator_hour", "cost.usd_per_accelerator_hour", "What an accelerator-hour costs"),
    "energy": (
        "meter_power_per_accelerator_w",
        "power.meter_power_per_accelerator_w",
        "Power of an accelerator at the meter",
    ),
}
"""Of an objective: what of a pod decides it, where that stands in an evaluation, and what it is called."""
POWER = DECIDED_BY["energy"]


def unanswered(
    options: ServingSearchOptions,
    pods: Sequence[Pod],
    searched: Mapping[int, PodSearch],
    choice: ServingChoice | None,
) -> Iterator[str]:
    """A sentence for each thing that was asked for in vain.

    Parameters
    ----------
    searched : searches by the place of their pod among `pods`
    choice : their rows together, None where no layout holds a request
    """
    if searched and not any(one.layouts for one in (found.search for found in searched.values())):
        yield _no_layout(options, pods[min(searched)])
    if options.objective in DECIDED_BY:
        yield from _unknown(DECIDED_BY[options.objective], options.objective, pods, searched)
    if options.power_limit_w is None:
        return
    if options.objective != "energy":
        yield from _unknown(POWER, "power_limit_w", pods, searched)
    if choice is None or choice.within_power(options.power_limit_w) is None:
        yield _nothing_within(options.power_limit_w, choice)


def _no_layout(options: ServingSearchOptions, pod: Pod) -> str:
    assert pod.scenario is not None
    design = pod.scenario.resolved.design
    accelerators = f"the {pod.accelerators:,} accelerators of the pod"
    engine = design.workload.engine  # type: ignore[union-attr]
    tried = degrees_tried(design, pod.scenario.evaluation.sections, ServingSpace())
    for name, held in options.hold.items():
        possible = tried[SERVING_AXES[name]]
        if name != "pp" and not set(held) & set(possible):
            heads = count_of(design.workload.architecture.heads)  # type: ignore[union-attr]
            rule = f" divides the {heads:,} attention heads of the model and" if name == "tp" else ""
            return (
                f"hold {name} is {_listed(held)}, and no layout that {engine} runs has it: {name}{rule} fits a scale-up domain, or "
                f"whole ones, and {accelerators}. Hold it to some of {_listed(possible)}, or leave it out."
            )
    if options.hold:
        together = ", ".join(f"{name} {_listed(values)}" for name, values in options.hold.items())
        return (
            f"hold is {together}, and no layout that {engine} runs on {accelerators} has these together. "
            "Hold fewer degrees, or others."
        )
    return f"modes is {', '.join(options.modes)}, and {accelerators} have no room for it. Allow aggregated, or take more."


def _unknown(
    decided_by: tuple[str, str, str], asked: str, pods: Sequence[Pod], searched: Mapping[int, PodSearch]
) -> Iterator[str]:
    name, path, words = decided_by
    for place, found in searched.items():
        scenario = pods[place].scenario
        if np.isfinite(getattr(found, name)) or scenario is None:
            continue
        yield (
            f"{words} is unknown on {pods[place].name}, {pods[place].precision}, so {asked} leaves it out. "
            f"{_missing(scenario, path)}"
        )


def _missing(scenario: EvaluatedScenario, path: str) -> str:
    """What to state to know a figure."""
    fields = [
        problem.field
        for problem in scenario.problems
        if problem.kind == "missing_input" and path in problem.affects
    ]
    return f"State {', '.join(fields)}." if fields else "`podwright evaluate` names what is missing."


def _nothing_within(power_limit_w: float, choice: ServingChoice | None) -> str:
    asked = f"power_limit_w is {power_limit_w:,.6g} W"
    if choice is None or not choice.keeps.any():
        return f"{asked}, and nothing keeps the service level at any power. Relax the SLO, or try other hardware."
    each = choice.of_pods("meter_power_per_accelerator_w") * choice.tried.accelerators_per_replica
    known = choice.keeps & np.isfinite(each)
    if not known.any():
        return f"{asked}, and the power of nothing that keeps the service level is known."
    least = np.ceil(each[known].min())
    return (
        f"{asked}, and the smallest replica that keeps the service level takes {least:,.0f} W at the meter. "
        f"Allow {least:,.0f} W or more, or relax the SLO."
    )


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
