"""A search of a served model: layouts, loads, formats and hardware, with what keeps the service level."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from app import __version__
from app.catalog.view import CatalogView
from app.engine.explore.serving_search import PodSearch, ServingChoice, choice_of, degrees_tried, search_pod
from app.engine.performance.serving.search.space import ServingSpace
from app.engine.performance.serving.search.tried import Rows
from app.engine.specs import ServingWorkload
from app.engine.trace import count_of, first_of
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario, inputs_hash
from app.scenarios.evaluation.training_only import one_workload
from app.views.searching.options import SERVING_AXES, ServingSearchOptions, serving_space
from app.views.searching.serving_rows import (
    Pod,
    SearchedPod,
    ServingOption,
    ServingSearchAnswer,
    WithinPower,
    options_at,
    pods_of,
    stated_option,
)

FRONT_SHOWN = 48
NOTES = (
    (
        "Cost and power of an accelerator-hour are those of the evaluation of each pod at its own layout and load; they "
        "are taken to be the same at every load of the search."
    ),
    "Tokens for an accelerator count every accelerator of the pod, those that no whole replica has included.",
    "An expert is cut into no slices thinner than 128 columns, and more ranks than experts hold copies of busy ones.",
    "Prefill and decode instances are paired so that prefill keeps up; pairs far from that are not tried.",
)
AUTO = "The layout auto of a scenario is the best of a smaller set and of one mode: a search can find a better one."


def search_serving_scenario(
    scenario: EvaluatedScenario, catalog: CatalogView, options: ServingSearchOptions
) -> ServingSearchAnswer:
    """Search layouts and loads of a served model; the scenario as it is is compared with the best.

    Raises
    ------
    ScenarioError : it serves nothing, shares its pod, or the options name what there is not
    """
    design = scenario.resolved.design
    workload = design.workload
    if not isinstance(workload, ServingWorkload):
        raise refuse(
            "A search with modes, formats or hardware is of served models, and this workload is not one.",
            rule="workload_kind",
            path="workload.kind",
            value=scenario.document.workload.kind,
            hint="Leave these options out, or use a scenario of kind serving.",
        )
    one_workload(design, "A search over layouts")
    pods = pods_of(scenario, catalog, options)
    _refuse_held_out(options, first_of(workload.architecture.experts), workload.architecture.name)
    started = time.perf_counter()
    searched = {place: _search(pod, options) for place, pod in enumerate(pods) if pod.scenario is not None}
    took = time.perf_counter() - started
    choice = choice_of(list(searched.values()))
    shown = list(searched)  # places among pods of those that were searched
    return _answer(scenario, options, pods, searched, None if choice is None else (choice, shown), took)


def _search(pod: Pod, options: ServingSearchOptions) -> PodSearch:
    assert pod.scenario is not None
    return search_pod(pod.scenario.resolved.design, pod.scenario.evaluation.sections, serving_space(options))


def _refuse_held_out(options: ServingSearchOptions, experts: float, name: str) -> None:
    for axis in ("dp", "ep"):
        held = options.hold.get(axis)
        if held is not None and not experts > 0 and 1 not in held:
            raise refuse(
                f"hold {axis} is of models with experts, and {name} has none.",
                rule="layout",
                path="hold",
                value=axis,
                hint=f"Leave {axis} out of hold.",
            )


def _answer(
    scenario: EvaluatedScenario,
    options: ServingSearchOptions,
    pods: list[Pod],
    searched: dict[int, PodSearch],
    found: tuple[ServingChoice, list[int]] | None,
    took_s: float,
) -> ServingSearchAnswer:
    rows = _Rows(*found) if found is not None else None
    stated = stated_option(scenario)
    layouts = sum(one.search.layouts for one in searched.values())
    rejected = _together([one.search.rejected for one in searched.values()])
    points = sum(one.search.points for one in searched.values())
    level = scenario.resolved.design.workload.level  # type: ignore[union-attr]
    cheapest = rows.best("cost", 1) if rows else ()
    return ServingSearchAnswer(
        name=scenario.document.name,
        kind="serving",
        objective=options.objective,
        modes=options.modes,
        hold=options.hold,
        ttft_s=first_of(level.ttft_s),
        tpot_s=first_of(level.tpot_s),
        percentile=first_of(level.percentile),
        layouts=layouts,
        feasible_layouts=layouts - sum(rejected.values()),
        rejected=rejected,
        points=points,
        search_time_s=took_s,
        points_per_s=points / took_s,
        pods=tuple(_pod(pod, searched.get(place)) for place, pod in enumerate(pods)),
        best=rows.best(options.objective, options.top) if rows else (),
        pareto=rows.fronts() if rows else (),
        cheapest=cheapest[0] if cheapest else None,
        within_power=rows.within_power(options.power_limit_w) if rows else None,
        nearest=rows.nearest() if rows else None,
        stated=stated,
        best_over_stated=_over(rows, stated),
        unanswered=tuple(unanswered(options, pods, searched, None if found is None else found[0])),
        notes=(*NOTES, AUTO),
        provenance={
            "engine_version": __version__,
            "catalog_revision": scenario.resolved.catalog_revision,
            "inputs_hash": inputs_hash(scenario.document, scenario.resolved.catalog_revision),
        },
    )


class _Rows:
    """Rows of a choice as options, with pods numbered as the answer lists them."""

    def __init__(self, choice: ServingChoice, places: list[int]) -> None:
        self._choice = choice
        self._places = places

    def best(self, objective: str, count: int) -> tuple[ServingOption, ...]:
        return self._options(self._choice.best(objective, count))

    def best_of_own_hardware(self) -> ServingOption | None:
        """The one with most output tokens on the pod of the scenario, in its own format."""
        own = self._choice.best("throughput", self._choice.tried.size)
        own = own[self._choice.pod[own] == 0]
        return self._options(own[:1])[0] if own.size else None

    def fronts(self) -> tuple[ServingOption, ...]:
        """The front of each pod, thinned, with both of its ends."""
        found = [self._choice.thinned_front_of(place, FRONT_SHOWN) for place in range(len(self._places))]
        return self._options(np.concatenate(found))

    def within_power(self, power_limit_w: float | None) -> WithinPower | None:
        if power_limit_w is None:
            return None
        found = self._choice.within_power(power_limit_w)
        if found is None:
            return None
        return WithinPower(
            power_limit_w=power_limit_w,
            accelerators=int(found.accelerators),
            replicas=int(found.replicas),
            tokens_per_s=found.tokens_per_s,
            option=self._options(found.row)[0],
        )

    def nearest(self) -> ServingOption | None:
        found = self._options(self._choice.nearest)
        return found[0] if found else None

    def _options(self, rows: Rows) -> tuple[ServingOption, ...]:
        return tuple(
            dataclasses.replace(option, pod=self._places[option.pod])
            for option in options_at(self._choice, rows)
        )


def _over(rows: _Rows | None, stated: ServingOption) -> float | None:
    """Output tokens of the best layout on the scenario's own pod over those of the scenario as it is."""
    best = rows.best_of_own_hardware() if rows else None
    if best is None or not stated.tokens_per_s > 0:
        return None
    return best.tokens_per_s / stated.tokens_per_s


def _together(each: list[dict[str, int]]) -> dict[str, int]:
    names = sorted({name for one in each for name in one})
    return {name: sum(one.get(name, 0) for one in each) for name in names}


def _pod(pod: Pod, found: PodSearch | None) -> SearchedPod:
    design = None if pod.scenario is None else pod.scenario.resolved.design
    return SearchedPod(
        system=pod.system,
        name=pod.name,
        accelerator="" if design is None else design.supernode.accelerator.name,
        precision=pod.precision,
        accelerators=pod.accelerators,
        supernodes=0 if design is None else count_of(design.pod.supernodes),
        usd_per_accelerator_hour=np.nan if found is None else found.usd_per_accelerator_hour,
        meter_power_per_accelerator_w=np.nan if found is None else found.meter_power_per_accelerator_w,
        layouts=0 if found is None else found.search.layouts,
        points=0 if found is None else found.search.points,
        refused=pod.refused,
    )


DECIDED_BY = {
    "cost": ("usd_per_accelerator_hour", "cost.usd_per_accelerator_hour", "Cost per accelerator-hour"),
    "energy": (
        "meter_power_per_accelerator_w",
        "power.meter_power_per_accelerator_w",
        "Power per accelerator at the meter",
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
