"""Cost per million input and output tokens: the same demand on other systems and in other formats."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.catalog.view import CatalogView
from app.engine.performance.serving.section import ServingPerformance
from app.engine.trace import count_of
from app.scenarios.document.scenario import ScenarioDocument, ServingDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve.lookups import part_or_error
from app.views.economics.systems_compared import usual_systems
from app.views.serving.other_hardware import accelerators_of, on_hardware
from app.views.serving.served import Served, middle, served
from app.views.serving.token_cost_options import TokenCostOptions
from app.views.serving.token_cost_row import TokenCost, refused, token_cost
from app.views.serving.token_prices import TokenPrices, token_prices

Evaluate = Callable[[ScenarioDocument], EvaluatedScenario]

USUAL = 4
"""Systems that are compared unasked."""
MOST_SUPERNODES = 100_000
"""Beyond them a demand is not sized: nobody builds so many of one kind for one model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCostView:
    """`cheapest` is the place in `systems` of the lowest known cost of those that do; None where none is known.

    The scenario as it stands is at a load of its own, and not among them.
    """

    name: str
    sized: bool  # to a demand; else each has as many accelerators as the scenario
    systems: tuple[TokenCost, ...]
    cheapest: int | None
    prices: TokenPrices | None  # of the scenario as it stands; None where its figures are unknown
    notes: tuple[str, ...]


def token_cost_view(
    scenario: EvaluatedScenario, catalog: CatalogView, options: TokenCostOptions, evaluate: Evaluate
) -> TokenCostView:
    """Tokens of the scenario as it stands, then the same demand by every system and format asked for.

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
        return refused(key, name, precision, "How many accelerators it has is not published.")
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
    """Cheaper first; where no cost is known, more tokens an accelerator."""
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
        "Layouts are the best of a modest set, but for the scenario as it stands; formats of single parts and own "
        "measurements hold for the scenario's own system and format alone."
    )
    hours = (
        "what a year costs, over the tokens of the demand that are answered in it, mean over its years"
        if workload.demand is not None
        else "at the levelised cost of a used accelerator-hour"
    )
    paid = (
        f"Owned: {hours}, spares and idle accelerators of whole SuperNodes included. Rented: at the dated price of an hour. Prices that the scenario states of its own system are not used "
        "for another; an unpublished price stays unknown."
    )
    return [
        size,
        own,
        paid,
        "As it stands: at the scenario's own load and size, so that it is no part of the comparison.",
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
