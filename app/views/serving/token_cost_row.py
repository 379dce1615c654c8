"""What tokens cost on one system and in one format."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from app.engine.economics.token_cost import usd_per_million_served_tokens, usd_per_serving_hour
from app.engine.explain import missing_inputs
from app.engine.performance.serving.replica_memory import replica_of
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import ServingWorkload
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.layout_words import replica_words
from app.views.serving.served import middle, on_words

FIGURES = (
    "cost.usd_per_million_tokens",
    "cost.usd_per_million_tokens_rented_on_demand",
    "cost.usd_per_million_tokens_rented_reserved",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCost:
    """One system and format. Unknown is NaN; `reason` says why it does not do, "" where it does.

    `refused`: it cannot be tried at all. Output tokens by themselves, and with all that it takes to read their
    prompts.
    """

    key: str | None  # None: the SuperNode of the scenario
    name: str
    accelerator: str
    precision: str
    as_it_stands: bool  # the scenario's own layout, load and size
    layout: str
    supernodes: float
    accelerators: float
    ttft_within_s: float
    tpot_within_s: float
    output_tokens_per_s_per_accelerator: float
    usd_per_accelerator_hour: float
    usd_per_million_input_tokens: float
    usd_per_million_output_tokens: float
    usd_per_million_tokens: float
    usd_per_million_tokens_at_full_load: float
    usd_per_million_tokens_rented_on_demand: float
    usd_per_million_tokens_rented_reserved: float
    feasible: bool
    reason: str
    refused: bool
    unknown: tuple[str, ...]  # unpublished inputs that costs need, with the field that states them


def token_cost(
    scenario: EvaluatedScenario, key: str | None, precision: str, *, as_it_stands: bool
) -> TokenCost:
    """Cost of the tokens of an evaluated scenario; `key` and `precision` say what it was evaluated for."""
    sections, design = scenario.evaluation.sections, scenario.resolved.whole
    performance, cost = sections.performance, sections.cost
    assert isinstance(performance, ServingPerformance)
    barriers = (problem.message for problem in scenario.evaluation.problems if problem.kind == "infeasible")

    def usd(name: str) -> float:
        value = getattr(cost, name)
        return math.nan if value is None else middle(value)

    return TokenCost(
        key=key,
        name=design.supernode.name,
        accelerator=design.supernode.accelerator.name,
        precision=precision,
        as_it_stands=as_it_stands,
        layout=replica_words(replica_of(performance), on_words(scenario.resolved.design, performance)),
        supernodes=middle(design.pod.supernodes),
        accelerators=middle(design.pod.accelerators_used),
        ttft_within_s=middle(performance.ttft_within_s),
        tpot_within_s=math.nan if performance.tpot_within_s is None else middle(performance.tpot_within_s),
        output_tokens_per_s_per_accelerator=middle(performance.tokens_per_s_per_accelerator),
        usd_per_accelerator_hour=usd("usd_per_accelerator_hour"),
        usd_per_million_input_tokens=usd("usd_per_million_input_tokens"),
        usd_per_million_output_tokens=usd("usd_per_million_output_tokens"),
        usd_per_million_tokens=usd("usd_per_million_tokens"),
        usd_per_million_tokens_at_full_load=_at_full_load(scenario),
        usd_per_million_tokens_rented_on_demand=usd("usd_per_million_tokens_rented_on_demand"),
        usd_per_million_tokens_rented_reserved=usd("usd_per_million_tokens_rented_reserved"),
        feasible=scenario.evaluation.feasible,
        reason=next(barriers, ""),
        refused=False,
        unknown=tuple(_unknown(scenario)),
    )


def _at_full_load(scenario: EvaluatedScenario) -> float:
    """Of a million output tokens with their prompts, at the most that meets the SLO.

    In all hours where a demand says how many tokens there are, else in those that the utilisation leaves.
    """
    sections, design = scenario.evaluation.sections, scenario.resolved.design
    performance, workload = sections.performance, design.workload
    assert isinstance(performance, ServingPerformance)
    assert isinstance(workload, ServingWorkload)
    asked = workload.demand is not None
    hours = (
        sections.cost.usd_per_installed_accelerator_hour if asked else sections.cost.usd_per_accelerator_hour
    )
    hour = usd_per_serving_hour(
        usd_per_accelerator_hour=np.full(1, middle(hours)),
        accelerators_used=np.full(1, middle(design.pod.accelerators_used)),
    )
    limit = middle(performance.requests_per_s_limit) or math.nan  # nothing meets the SLO: no full load
    tokens = limit * middle(performance.tokens_per_s) / middle(performance.requests_per_s)
    return first_of(usd_per_million_served_tokens(usd_per_serving_hour=hour, tokens_per_s=np.full(1, tokens)))


def _unknown(scenario: EvaluatedScenario) -> Iterator[str]:
    """What hides a cost; following it up is only worth while where one is hidden."""
    cost = scenario.evaluation.sections.cost
    shown = [getattr(cost, path.partition(".")[2]) for path in FIGURES]
    if all(value is not None and np.isfinite(middle(value)) for value in shown):
        return
    for origin, affects in missing_inputs(scenario.figures).values():
        if any(path in FIGURES for path in affects):
            yield f"{origin.label} ({origin.field})" if origin.field else origin.label


def refused(key: str | None, name: str, precision: str, words: str) -> TokenCost:
    """A system and format that cannot be tried, with the words why."""
    unknown = dict.fromkeys(
        (
            "supernodes", "accelerators", "ttft_within_s", "tpot_within_s", "output_tokens_per_s_per_accelerator",
            "usd_per_accelerator_hour", "usd_per_million_input_tokens", "usd_per_million_output_tokens",
            "usd_per_million_tokens", "usd_per_million_tokens_at_full_load",
            "usd_per_million_tokens_rented_on_demand", "usd_per_million_tokens_rented_reserved",
        ),
        math.nan,
    )  # fmt: skip
    return TokenCost(
        key=key, name=name, accelerator="", precision=precision, as_it_stands=False, layout="", feasible=False,
        reason=words, refused=True, unknown=(), **unknown,
    )  # fmt: skip
