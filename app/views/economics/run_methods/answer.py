"""The answer to what a run costs: the same run rented, owned at a level cost, amortised and bought."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from app.catalog.view import CatalogView
from app.engine.economics.bills import EQUIPMENT
from app.engine.economics.capital import equipment_usd
from app.engine.economics.runs.rental import rental_equivalent_usd, with_research_usd
from app.engine.economics.runs.tokens import joules_per_token_at_rate, usd_per_million_tokens_at_rate
from app.engine.specs import ServingWorkload
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import of_a_run, one_workload
from app.views.economics.own_or_rent.rented import KINDS, Kind, price_of
from app.views.economics.run_assumptions import ROOM
from app.views.economics.run_methods.amortised import Amortised, amortised_run
from app.views.economics.run_methods.options import RunMethodsOptions
from app.views.economics.run_methods.report import (
    AssumedRatio,
    RunMethod,
    RunMethods,
    ServingCost,
    TokenPrice,
)

TITLES = {
    "on_demand": "Rented on demand",
    "reserved": "Rented by commitment",
    "spot": "Rented on spot",
    "capacity_block": "Rented by capacity block",
}
NOTES = (
    "Methods differ by several times for one run: a figure says nothing without the name of its method.",
    (
        "Rent and levelised cost are of the hours of the run, restarts included. Data, staff that trains and failed "
        "experiments are in none of them, but for what the research multiplier adds."
    ),
    "A cluster outlives the run: its price is what must be found before the run, not what the run costs.",
)
NOTES_OF_SERVING = (
    "A pod that serves has no run: what is paid for is tokens.",
    "Rents are of hours that are used; the levelised cost has idle hours, building and energy in it.",
)
ASSUMED = (
    "hardware_progress_oom_per_year", "interconnect_share", "server_power_ratio", "mean_power_share", "training_pue",
)  # fmt: skip

PURPOSE = "The cost of a run by every method"


def run_methods_answer(
    scenario: EvaluatedScenario, catalog: CatalogView, options: RunMethodsOptions | None = None
) -> RunMethods:
    """One run of a scenario by every method, and served tokens by every price of an hour."""
    options = options or RunMethodsOptions()
    one_workload(scenario.resolved.design, PURPOSE)
    with np.errstate(invalid="ignore", divide="ignore"):  # unknown inputs are NaN
        if isinstance(scenario.resolved.design.workload, ServingWorkload):
            return _answer_of_serving(scenario, options)
        return _answer(scenario, catalog, options)


def _answer(scenario: EvaluatedScenario, catalog: CatalogView, options: RunMethodsOptions) -> RunMethods:
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    amortised = amortised_run(scenario, catalog, options.hardware_age_years)
    multiplier = design.economics.research_multiplier
    methods = (*_rented(scenario), _levelised(scenario), _amortised(scenario, amortised), *_bought(scenario))
    with_research = tuple(_with_research(one, multiplier) for one in methods)
    paid = [one.usd for one in methods if one.kind != "bought" and not math.isnan(one.usd)]
    context = dict(scenario.resolved.context)
    rows = [(name, catalog.assumption(ROOM, name, context)) for name in ASSUMED]
    return RunMethods(
        name=scenario.document.name,
        accelerators=first_of(design.pod.accelerators_used),
        elapsed_time_h=first_of(sections.performance.elapsed_time_s) / 3600,
        run_accelerator_hours=first_of(sections.cost.run_accelerator_hours),
        research_multiplier=first_of(multiplier),
        methods=with_research,
        over_least=max(paid) / min(paid) if paid else math.nan,
        serving=_serving(scenario, options, with_research),
        assumptions=tuple(
            AssumedRatio(
                name=name, value=row.value, unit=row.unit, source=row.source, description=row.description
            )
            for name, row in rows
        ),
        notes=NOTES,
    )


def _answer_of_serving(scenario: EvaluatedScenario, options: RunMethodsOptions) -> RunMethods:
    """What tokens cost by each price of an hour: there is no run to be paid for."""
    design = scenario.resolved.whole
    serving = _serving(scenario, options, _hours_of_serving(scenario))
    prices = () if serving is None else serving.prices
    known = [one.usd_per_million_tokens for one in prices if not math.isnan(one.usd_per_million_tokens)]
    return RunMethods(
        name=scenario.document.name,
        accelerators=first_of(design.pod.accelerators_used),
        elapsed_time_h=math.nan,
        run_accelerator_hours=math.nan,
        research_multiplier=first_of(design.economics.research_multiplier),
        methods=(),
        over_least=max(known) / min(known) if known else math.nan,
        serving=serving,
        assumptions=(),
        notes=NOTES_OF_SERVING,
    )


def _hours_of_serving(scenario: EvaluatedScenario) -> tuple[RunMethod, ...]:
    """The price of an hour by each method that has one; no run is paid for."""
    unknown = np.array([math.nan])
    economics, cost = scenario.resolved.whole.economics, scenario.evaluation.sections.cost
    rented = (
        _method(kind.key, TITLES[kind.key], "rented", unknown, price_of(economics, kind), "")
        for kind in KINDS
    )
    owned = _method("levelised", "Levelised ownership", "owned", unknown, cost.usd_per_accelerator_hour, "")
    return (*rented, owned)


def _rented(scenario: EvaluatedScenario) -> list[RunMethod]:
    """The run at each rent; a rent that is not known stays unknown."""
    hours = of_a_run(scenario.evaluation.sections.cost.run_accelerator_hours, PURPOSE)
    return [_at_rent(kind, hours, price_of(scenario.resolved.whole.economics, kind)) for kind in KINDS]


def _at_rent(kind: Kind, hours: Array, price: Array) -> RunMethod:
    return _method(
        kind.key,
        TITLES[kind.key],
        "rented",
        rental_equivalent_usd(accelerator_hours=hours, usd_per_accelerator_hour=price),
        price,
        "No hourly price is known: state one."
        if np.isnan(price[0])
        else f"{hours[0]:,.0f} accelerator-hours x {price[0]:.2f} USD",
    )


def _levelised(scenario: EvaluatedScenario) -> RunMethod:
    """The evaluation's own: the level cost of a used hour, idle hours and the building in it."""
    cost = scenario.evaluation.sections.cost
    economics = scenario.resolved.whole.economics
    return _method(
        "levelised",
        "Levelised ownership",
        "owned",
        of_a_run(cost.usd_per_run, PURPOSE),
        cost.usd_per_accelerator_hour,
        f"{first_of(cost.run_accelerator_hours):,.0f} accelerator-hours x {cost.usd_per_accelerator_hour[0]:.2f} USD: capital "
        f"over {economics.life_years[0]:g} years at {100 * economics.wacc[0]:g} %, building and running cost, used "
        f"{100 * economics.utilisation[0]:g} % of the time",
    )


def _amortised(scenario: EvaluatedScenario, amortised: Amortised) -> RunMethod:
    hours = of_a_run(scenario.evaluation.sections.cost.run_accelerator_hours, PURPOSE)
    return _method(
        "amortised",
        "Amortised by Epoch's method",
        "owned",
        amortised.usd,
        amortised.usd / hours,
        amortised.said,
    )


def _bought(scenario: EvaluatedScenario) -> list[RunMethod]:
    """The whole cluster: its equipment, and with the building."""
    cost = scenario.evaluation.sections.cost
    equipment = equipment_usd(**{f"{name}_usd": cost.capex_breakdown_usd[name] for name in EQUIPMENT})
    return [
        _method(
            "acquisition",
            "Acquisition of the cluster",
            "bought",
            equipment,
            None,
            "SuperNodes and spares, network and storage, at the prices of the evaluation",
        ),
        _method(
            "acquisition_with_facility",
            "Acquisition with all capital",
            "bought",
            cost.capex_usd,
            None,
            "with installation, and building and plant where they are owned",
        ),
    ]


def _method(key: str, title: str, kind: str, usd: Array, per_hour: Array | None, said: str) -> RunMethod:
    return RunMethod(
        key=key,
        title=title,
        kind=kind,
        usd=first_of(usd),
        usd_with_research=None,
        usd_per_accelerator_hour=None if per_hour is None else first_of(per_hour),
        said=said,
    )


def _with_research(one: RunMethod, multiplier: Array) -> RunMethod:
    if one.kind == "bought":
        return one
    project = with_research_usd(run_usd=np.array([one.usd]), research_multiplier=multiplier)
    return dataclasses.replace(one, usd_with_research=first_of(project))


def _serving(
    scenario: EvaluatedScenario, options: RunMethodsOptions, methods: tuple[RunMethod, ...]
) -> ServingCost | None:
    """A million tokens at the rate that is given or computed, by each price of an hour."""
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    serves = isinstance(design.workload, ServingWorkload)
    computed = serves and options.tokens_per_s is None
    if computed:
        tokens_per_s = first_of(sections.performance.tokens_per_s)
        accelerators = round(first_of(design.pod.accelerators_used))
    elif options.tokens_per_s is not None:
        tokens_per_s = options.tokens_per_s
        accelerators = options.accelerators or round(first_of(design.supernode.accelerators))
    else:
        return None
    rate, count = np.array([tokens_per_s]), np.array([float(accelerators)])
    everything = design.pod.supernodes * design.supernode.accelerators
    joules = joules_per_token_at_rate(
        power_w=sections.power.it_power_mean_w / everything * count,
        pue=sections.cooling.pue,
        tokens_per_s=rate,
    )
    prices = tuple(
        TokenPrice(
            key=one.key,
            title=one.title,
            usd_per_accelerator_hour=one.usd_per_accelerator_hour,
            usd_per_million_tokens=first_of(
                usd_per_million_tokens_at_rate(
                    usd_per_accelerator_hour=np.array([one.usd_per_accelerator_hour]),
                    accelerators=count,
                    tokens_per_s=rate,
                )
            ),
        )
        for one in methods
        if one.usd_per_accelerator_hour is not None
    )
    return ServingCost(
        tokens_per_s=tokens_per_s,
        computed=computed,
        accelerators=accelerators,
        joules_per_token=first_of(joules),
        prices=prices,
    )
