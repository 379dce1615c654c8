"""Cost per million input and output tokens: the same demand on other systems and in other formats."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field

from app.catalog.view import CatalogView
from app.engine.economics.token_cost import usd_per_million_served_tokens, usd_per_serving_hour
from app.engine.explain import missing_inputs
from app.engine.performance.serving.replica_memory import replica_of
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import ServingWorkload
from app.engine.trace import count_of, first_of
from app.scenarios.document.scenario import ScenarioDocument, ServingDocument
from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Key, Part, each_once
from app.scenarios.load import build_scenario
from app.scenarios.resolve.lookups import part_or_error
from app.views.economics.systems_compared import usual_systems
from app.views.serving.other_hardware import accelerators_of, on_hardware
from app.views.serving.served import Served, middle, on_words, replica_words, served
from app.views.serving.token_prices import TokenPrices, token_prices

Evaluate = Callable[[ScenarioDocument], EvaluatedScenario]

USUAL = 4
"""Systems that are compared unasked."""
MOST_SUPERNODES = 100_000
"""Beyond them a demand is not sized: no one builds so many of one kind for one model."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCostView:
    """`cheapest` is the place in `systems` of the lowest known cost of those that do; None where none is known.

    The current scenario has a load of its own, and is not among them.
    """

    name: str
    sized: bool  # to a demand; else each has as many accelerators as the scenario
    systems: tuple[TokenCost, ...]
    cheapest: int | None
    prices: TokenPrices | None  # of the current scenario; None where its figures are unknown
    notes: tuple[str, ...]


def token_cost_view(
    scenario: EvaluatedScenario, catalog: CatalogView, options: TokenCostOptions, evaluate: Evaluate
) -> TokenCostView:
    """Tokens of the current scenario, then the same demand by every system and format asked for.

    `evaluate` gives the evaluation of a document, or one that was kept.

    Raises
    ------
    ScenarioError : the scenario serves no model, or a system is not in the catalog
    """
    found = served(scenario, "The cost of tokens", needs=(), mixed=True)
    mixed = bool(found.design.kinds)
    workload = scenario.document.workload
    assert isinstance(workload, ServingDocument)
    for place, key in enumerate(options.systems):
        part_or_error(catalog, "systems", key, f"systems[{place}]")
    keys = list(options.systems) or usual_systems(catalog)[: USUAL + 1]
    own = None if mixed else scenario.document.supernode.system
    systems: list[str | None] = [*([] if mixed else [None]), *[key for key in keys if key != own]]
    if not options.systems:
        systems = systems[: USUAL + 1]
    formats = options.formats or (workload.precision,)
    rows = [token_cost(scenario, None, workload.precision, as_it_stands=True)]
    rows += [_tried(scenario, found, catalog, key, form, evaluate) for key in systems for form in formats]
    return TokenCostView(
        name=scenario.document.name,
        sized=workload.demand is not None,
        systems=tuple(rows),
        cheapest=_cheapest(rows),
        prices=_prices(scenario),
        notes=tuple(_notes(workload)),
    )


def _prices(scenario: EvaluatedScenario) -> TokenPrices | None:
    try:
        return token_prices(scenario, served(scenario, "Prices of tokens", mixed=True))
    except ScenarioError:
        return None


def _tried(
    scenario: EvaluatedScenario,
    found: Served,
    catalog: CatalogView,
    key: str | None,
    precision: str,
    evaluate: Evaluate,
) -> TokenCost:
    """A system in a format, at the size that the demand needs; the better way of serving where two are tried."""
    per = count_of(found.supernode.accelerators) if key is None else accelerators_of(catalog, key)
    name = found.supernode.name if key is None else catalog.part("systems", key).name
    if per is None:
        return refused(key, name, precision, "The number of accelerators is not published.")
    modes = ("auto", "disaggregated") if found.replica.mode == "disaggregated" else ("auto",)
    rows: list[TokenCost] = []
    refusals: list[str] = []
    for mode in modes:
        try:
            sized = _sized(scenario, found, catalog, key, precision, per, mode, evaluate)
        except ScenarioError as error:
            refusals.append(error.errors[0].words)
            continue
        rows.append(token_cost(sized, key, precision, as_it_stands=False))
    if not rows:
        return refused(key, name, precision, refusals[0])
    return min(rows, key=lambda row: (not row.feasible, _order(row)))


def _order(row: TokenCost) -> float:
    """Cheaper first; where no cost is known, more tokens per accelerator."""
    cost = row.usd_per_million_tokens
    return -row.output_tokens_per_s_per_accelerator if math.isnan(cost) else cost


def _sized(
    scenario: EvaluatedScenario,
    found: Served,
    catalog: CatalogView,
    key: str | None,
    precision: str,
    per: int,
    mode: str,
    evaluate: Evaluate,
) -> EvaluatedScenario:
    """At first with as many accelerators as the scenario, then with the SuperNodes that the demand was found to need."""
    at: dict[str, Any] = {"system": key, "precision": precision, "per_supernode": per, "mode": mode}
    used = count_of(found.design.pod.accelerators_used)
    each = used / count_of(found.design.pod.supernodes) if key is None else float(per)

    def of(supernodes: int) -> EvaluatedScenario:
        values = on_hardware(scenario.document, catalog, accelerators=max(round(supernodes * each), 1), **at)
        return evaluate(build_scenario(values))

    first = of(math.ceil(used / each))
    performance = first.evaluation.sections.performance
    assert isinstance(performance, ServingPerformance)
    needed = performance.supernodes_needed_with_headroom
    if needed is None or not np.isfinite(middle(needed)):
        needed = performance.supernodes_needed
    if needed is None or not 1 <= middle(needed) <= MOST_SUPERNODES:
        return first
    supernodes = round(middle(needed))
    return first if supernodes == count_of(first.resolved.design.pod.supernodes) else of(supernodes)


def _cheapest(rows: list[TokenCost]) -> int | None:
    able = [
        place
        for place, row in enumerate(rows)
        if row.feasible and not row.as_it_stands and not math.isnan(row.usd_per_million_tokens)
    ]
    return min(able, key=lambda place: rows[place].usd_per_million_tokens, default=None)


def _notes(workload: ServingDocument) -> list[str]:
    """What a reader must know of the comparison."""
    size = (
        "Every system has the SuperNodes that the demand needs at its peak, with spares for failures, and runs at the "
        "load of the peak."
        if workload.demand is not None
        else "No demand is stated: every system has as many accelerators as the scenario, in whole SuperNodes, and runs at "
        "the most that meets the SLO."
    )
    own = (
        "Layouts are the best of a modest set, but for the current scenario; formats of single parts and own "
        "measurements hold for the scenario's own system and format alone."
    )
    hours = (
        "what a year costs, over the tokens of the demand that are answered in it, mean over its years"
        if workload.demand is not None
        else "at the levelised cost of a utilised accelerator-hour"
    )
    paid = (
        f"Owned: {hours}, spares and idle accelerators of whole SuperNodes included. Rented: at the dated price of an hour. Prices that the scenario states of its own system are not used "
        "for another; an unpublished price stays unknown."
    )
    return [
        size,
        own,
        paid,
        "As it is: at the scenario's own load and size, so that it is no part of the comparison.",
        "At full load: the same pod at the most that meets the SLO.",
        "Input and output share the cost by the accelerator time that prefill and decode take.",
        (
            "A cached input token costs what its prompt takes beyond its new tokens: these attend to it, and it is brought back "
            "where it waits in another tier."
        ),
        (
            "Batch: no latency SLO applies, every hour of the year is filled with the most that the pod answers, and its tokens pay "
            "for the year; never more than other tokens, among which they could be answered."
        ),
    ]


MOST_SYSTEMS = 8
MOST_FORMATS = 4


class TokenCostOptions(Part):
    """Systems of the catalog and formats that the same demand is served with."""

    systems: Annotated[
        tuple[Key, ...], Field(strict=False, max_length=MOST_SYSTEMS), AfterValidator(each_once)
    ] = Field(
        default=(),
        description="Catalog keys of the systems beside the scenario's own; those of which most prices are known "
        "when left out.",
    )
    formats: Annotated[
        tuple[ServingPrecision, ...], Field(strict=False, max_length=MOST_FORMATS), AfterValidator(each_once)
    ] = Field(
        default=(), description="Number formats of the matrix products; the scenario's own when left out."
    )
