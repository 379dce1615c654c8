"""Rows of a search of a served model as an answer lists them, and the scenario itself as such a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from app.catalog.view import CatalogView
from app.engine.explore.serving_search import ServingChoice
from app.engine.performance.serving.search.tried import Rows
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import AGGREGATED, DISAGGREGATED
from app.engine.performance.serving.slo import pod_ttft_s
from app.engine.specs import ServingWorkload
from app.engine.trace import Array, count_of, first_of, plain
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.serving import ServingDocument
from app.scenarios.document.serving_layout import KINDS
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve.lookups import part_or_error
from app.views.economics.systems_compared import on_system
from app.views.searching.options import ServingSearchOptions
from app.views.serving.other_hardware import workload_elsewhere

SHORT = {
    "tensor_parallel": "tp",
    "data_parallel": "dp",
    "pipeline_parallel": "pp",
    "expert_parallel": "ep",
    "redundant_experts": "redundant_experts",
}
FIGURES = (
    "concurrency",
    "batch",
    "batch_limit",
    "ttft_s",
    "tpot_s",
    "ttft_within_s",
    "tpot_within_s",
    "requests_per_s",
    "tokens_per_s",
    "tokens_per_s_per_user",
    "tokens_per_s_per_accelerator",
    "memory_per_accelerator_bytes",
)
"""What rows and evaluations have by the same name."""


def options_at(choice: ServingChoice, rows: Rows) -> tuple[ServingOption, ...]:
    """Some rows of a search, in their order."""
    on_front = set(choice.front.tolist())
    return tuple(_option(choice, int(row), int(row) in on_front) for row in rows)


def stated_option(scenario: EvaluatedScenario) -> ServingOption:
    """The scenario with the layout and load that its evaluation has."""
    sections, workload = scenario.evaluation.sections, scenario.resolved.design.workload
    performance = sections.performance
    assert isinstance(performance, ServingPerformance)
    assert isinstance(workload, ServingWorkload)
    level = workload.level
    promised_ttft = first_of(pod_ttft_s(workload))
    over = np.fmax(
        _value(performance.ttft_within_s) / promised_ttft,
        _value(performance.tpot_within_s) / first_of(level.tpot_s),
    )
    over = 0.0 if np.isnan(promised_ttft) and np.isnan(first_of(level.tpot_s)) else float(over)
    strategy = {name: _value(value) for name, value in performance.strategy.items()}
    fits = _value(performance.batch_limit) >= 1 and _value(performance.requests_per_s_limit) != 0
    return ServingOption(
        pod=0,
        mode=performance.mode,
        layout=_stated_layout(strategy),
        replicas=count_of(performance.replicas),
        accelerators_per_replica=count_of(performance.accelerators_per_replica),
        usd_per_million_tokens=_value(sections.cost.usd_per_million_tokens),
        energy_j_per_token=_value(sections.power.energy_j_per_token),
        keeps_level=bool(fits and over <= 1),
        over_promise=over,
        on_front=False,
        **{name: _value(getattr(performance, name)) for name in FIGURES},
    )


def _option(choice: ServingChoice, row: int, on_front: bool) -> ServingOption:
    tried = choice.tried
    grouped = tried.layout["prefill_instances"][row] > 0
    return ServingOption(
        pod=int(choice.pod[row]),
        mode=DISAGGREGATED if grouped else AGGREGATED,
        layout=_layout(tried.layout, row, bool(grouped)),
        replicas=int(tried.replicas[row]),
        accelerators_per_replica=int(tried.accelerators_per_replica[row]),
        usd_per_million_tokens=float(choice.usd_per_million_tokens[row]),
        energy_j_per_token=float(choice.energy_j_per_token[row]),
        keeps_level=bool(choice.keeps[row]),
        over_promise=float(tried.over_promise[row]),
        on_front=on_front,
        **{name: float(getattr(tried, name)[row]) for name in FIGURES},
    )


def _layout(columns: dict[str, Array], row: int, grouped: bool) -> dict[str, Any]:
    def instance(before: str = "") -> dict[str, Any]:
        degrees = {short: int(columns[f"{before}{name}"][row]) for name, short in SHORT.items()}
        cut = int(columns[f"{before}context_parallel"][row])
        place = int(columns[f"{before or 'decode_'}on"][row])
        return degrees | ({"cp": cut} if cut > 1 else {}) | ({"on": KINDS[place]} if place >= 0 else {})

    if not grouped:
        return instance()
    return {
        "prefill": instance("prefill_") | {"instances": int(columns["prefill_instances"][row])},
        "decode": instance() | {"instances": int(columns["decode_instances"][row])},
    }


def _stated_layout(strategy: dict[str, float]) -> dict[str, Any]:
    own: dict[str, Any] = {
        short: int(strategy[short]) for short in (*SHORT.values(), "cp") if short in strategy
    }
    own |= {"on": KINDS[int(strategy["decode_on"])]} if "decode_on" in strategy else {}
    if "prefill_instances" not in strategy:
        return own
    prefill: dict[str, Any] = {
        short: int(strategy[f"prefill_{short}"])
        for short in (*SHORT.values(), "cp")
        if f"prefill_{short}" in strategy
    }
    prefill |= {"on": KINDS[int(strategy["prefill_on"])]} if "prefill_on" in strategy else {}
    return {
        "prefill": prefill | {"instances": int(strategy["prefill_instances"])},
        "decode": own | {"instances": int(strategy["decode_instances"])},
    }


def _value(figure: Array | None) -> float:
    return np.nan if figure is None else float(np.median(plain(figure)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedPod:
    """A pod that was searched: hardware and number format. `refused` says why it was not, "" where it was."""

    system: str | None  # None: the SuperNode of the scenario
    name: str
    accelerator: str
    precision: str
    accelerators: int
    supernodes: int
    usd_per_accelerator_hour: float  # used
    meter_power_per_accelerator_w: float  # mean at the utility meter
    layouts: int
    points: int
    refused: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingOption:
    """A layout at a load on one of the pods. Figures are of the whole pod, as an evaluation has them."""

    pod: int  # place among pods
    mode: str
    layout: dict[str, Any]  # as workload.layout states it
    concurrency: float  # requests in flight
    replicas: int
    accelerators_per_replica: int
    batch: float
    batch_limit: float
    ttft_s: float
    tpot_s: float
    ttft_within_s: float  # at the SLO percentile, as the next
    tpot_within_s: float
    requests_per_s: float
    tokens_per_s: float
    tokens_per_s_per_user: float
    tokens_per_s_per_accelerator: float
    memory_per_accelerator_bytes: float
    usd_per_million_tokens: float
    energy_j_per_token: float
    keeps_level: bool
    over_promise: float  # latency over the SLO, the worse of the two; 0 where nothing is
    on_front: bool  # that nothing beats for a user and an accelerator at once


@dataclass(frozen=True, slots=True, kw_only=True)
class WithinPower:
    """Highest throughput within a power limit at the meter."""

    power_limit_w: float
    accelerators: int  # that the power is enough for
    replicas: int
    tokens_per_s: float
    option: ServingOption


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingSearchAnswer:
    """All pods together. `best`, `cheapest` and `within_power` keep the service level; `nearest` is where none does."""

    name: str
    kind: str
    objective: str
    modes: tuple[str, ...]
    hold: dict[str, Any]
    ttft_s: float  # promised, as the next two
    tpot_s: float
    percentile: float
    layouts: int
    feasible_layouts: int
    rejected: dict[str, int]  # layouts, by what is in the way
    points: int  # layouts at loads that were computed
    search_time_s: float
    points_per_s: float
    pods: tuple[SearchedPod, ...]
    best: tuple[ServingOption, ...]
    pareto: tuple[ServingOption, ...]  # the front of each pod, most for a user first
    cheapest: ServingOption | None
    within_power: WithinPower | None
    nearest: ServingOption | None
    stated: ServingOption | None  # the scenario as it is
    best_over_stated: (
        float | None
    )  # tokens per second of the best with the scenario's hardware over those of stated
    unanswered: tuple[str, ...]  # what was asked for and has no answer, each with the way to one
    notes: tuple[str, ...]
    provenance: dict[str, Any]


MOST_PODS = 24


class Pod(NamedTuple):
    """A pod to search. `scenario` is None where there can be none, and `refused` says why."""

    system: str | None  # None: the SuperNode of the scenario
    name: str
    precision: str
    accelerators: int
    scenario: EvaluatedScenario | None
    refused: str


def pods_of(scenario: EvaluatedScenario, catalog: CatalogView, options: ServingSearchOptions) -> list[Pod]:
    """Each system in each format, the current scenario first.

    Raises
    ------
    ScenarioError : a system is not in the catalog, or more pods are asked for than one search compares
    """
    for place, system in enumerate(options.hardware):
        part_or_error(catalog, "systems", system, f"hardware[{place}]")
    own = None if scenario.resolved.design.kinds else scenario.document.supernode.system
    systems: list[str | None] = [None, *(system for system in options.hardware if system != own)]
    stated: str = _workload(scenario.document).precision
    formats: list[str] = [stated, *(word for word in options.formats if word != stated)]
    _refuse_too_many(len(systems) * len(formats))
    pods = []
    for key in systems:
        for precision in formats:
            try:
                pods.append(_pod(scenario, catalog, key, precision))
            except ScenarioError as error:
                name = _name(scenario, catalog, key)
                pods.append(Pod(key, name, precision, _used(scenario), None, error.errors[0].words))
    return pods


def _refuse_too_many(count: int) -> None:
    if count > MOST_PODS:
        raise refuse(
            f"{count} pods of hardware and formats are asked for, and one search compares at most {MOST_PODS}.",
            rule="at_most",
            path="hardware",
            value=count,
            hint="Name fewer systems or fewer formats.",
        )


def on_pod(document: ScenarioDocument, catalog: CatalogView, key: str | None, precision: str, accelerators: int,
           topology: str = "auto") -> dict[str, Any]:  # fmt: skip
    """The scenario on as many accelerators of a system, None for its own, in a format, as plain values.

    Layout, load and mode are left open, and what was measured of the scenario's own deployment is not used.
    """
    values = document.as_dict() | {"published": []}
    if key is not None:
        values = on_system(document, key, accelerators, _accelerators_of(catalog, key), topology)
    workload = workload_elsewhere(document, catalog, system=key, precision=precision, mode="auto")
    workload.pop("calibration", None)
    return values | {"workload": workload}


def _pod(scenario: EvaluatedScenario, catalog: CatalogView, key: str | None, precision: str) -> Pod:
    document = scenario.document
    if key is None and precision == _workload(document).precision:
        found = scenario
    else:
        found = _evaluated(document, catalog, key, precision, _used(scenario))
    supernode = found.resolved.whole.supernode
    return Pod(key, supernode.name, precision, _used(found), found, "")


def _evaluated(
    document: ScenarioDocument, catalog: CatalogView, key: str | None, precision: str, accelerators: int
) -> EvaluatedScenario:
    """The pod with the fabric taken unasked; where that does not reach so far, with a plain fat tree."""
    common = (document, catalog, key, precision, accelerators)
    usual = evaluate_scenario(build_scenario(on_pod(*common)), catalog)
    barred = any(
        problem.kind == "infeasible" and problem.field.startswith("pod.fabric")
        for problem in usual.evaluation.problems
    )
    if key is None or not barred:
        return usual
    return evaluate_scenario(build_scenario(on_pod(*common, topology="fat_tree")), catalog)


def _accelerators_of(catalog: CatalogView, key: str) -> int:
    part = part_or_error(catalog, "systems", key, "hardware")
    count = part.facts.get("accelerators")
    if count is None:
        raise refuse(
            f"How many accelerators {part.name} has is not published.",
            rule="unknown",
            path="hardware",
            value=key,
            hint="Choose another system.",
        )
    return round(count.value)


def _name(scenario: EvaluatedScenario, catalog: CatalogView, key: str | None) -> str:
    return scenario.resolved.design.supernode.name if key is None else catalog.part("systems", key).name


def _used(scenario: EvaluatedScenario) -> int:
    return count_of(scenario.resolved.design.pod.accelerators_used)


def _workload(document: ScenarioDocument) -> ServingDocument:
    assert isinstance(document.workload, ServingDocument)
    return document.workload
