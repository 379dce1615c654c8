"""The answer to what a run costs: the same run rented, owned at a level cost, amortised and bought."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field

from app.catalog.view import CatalogView
from app.charts.format import show
from app.engine.economics.bills import EQUIPMENT
from app.engine.economics.capital import equipment_usd
from app.engine.economics.runs import amortised as engine
from app.engine.economics.runs.acquisition import cluster_acquisition_usd, installed_usd_per_accelerator
from app.engine.economics.runs.levelised import (
    joules_per_token_at_rate,
    rental_equivalent_usd,
    usd_per_million_tokens_at_rate,
    with_research_usd,
)
from app.engine.specs import RENTAL_TERMS, RentalTerms, ServingWorkload
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import of_a_run, one_workload
from app.scenarios.fields import Part, Whole
from app.views.economics.run_assumptions import ROOM, RunAssumptions
from app.views.economics.run_methods.report import (
    AssumedRatio,
    RunMethod,
    RunMethods,
    ServingCost,
    TokenPrice,
)

NOTES = (
    "Methods differ by several times for one run: a figure says nothing without the name of its method.",
    (
        "Rent and levelised cost are of the hours of the run, restarts included. Data, staff that trains and failed "
        "experiments are not included, apart from the research multiplier."
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

PURPOSE = "Cost of a run by method"


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
        _method(
            kind.key,
            f"Rented {kind.rented}",
            "rented",
            unknown,
            economics.rents_usd_per_accelerator_hour[kind.key],
            "",
        )
        for kind in RENTAL_TERMS.values()
    )
    owned = _method("levelised", "Levelised ownership", "owned", unknown, cost.usd_per_accelerator_hour, "")
    return (*rented, owned)


def _rented(scenario: EvaluatedScenario) -> list[RunMethod]:
    """The run at each rent; a rent that is not known stays unknown."""
    hours = of_a_run(scenario.evaluation.sections.cost.run_accelerator_hours, PURPOSE)
    rents = scenario.resolved.whole.economics.rents_usd_per_accelerator_hour
    return [_at_rent(kind, hours, rents[kind.key]) for kind in RENTAL_TERMS.values()]


def _at_rent(kind: RentalTerms, hours: Array, price: Array) -> RunMethod:
    return _method(
        kind.key,
        f"Rented {kind.rented}",
        "rented",
        rental_equivalent_usd(accelerator_hours=hours, usd_per_accelerator_hour=price),
        price,
        "No hourly price is known: state one."
        if np.isnan(price[0])
        else f"{hours[0]:,.0f} accelerator-hours x {price[0]:.2f} USD",
    )


def _levelised(scenario: EvaluatedScenario) -> RunMethod:
    """The evaluation's own: the level cost of a utilised hour, idle hours and the building in it."""
    cost = scenario.evaluation.sections.cost
    economics = scenario.resolved.whole.economics
    price = first_of(cost.usd_per_accelerator_hour)
    hour = "an unknown price" if math.isnan(price) else show(price, "USD").text
    return _method(
        "levelised",
        "Levelised ownership",
        "owned",
        of_a_run(cost.usd_per_run, PURPOSE),
        cost.usd_per_accelerator_hour,
        f"{first_of(cost.run_accelerator_hours):,.0f} accelerator-hours x {hour}: capital "
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


TARIFF = "us_average_industrial_electricity_2025"
"""The newest year of the tariff that the method takes, of the prices catalog."""


class Amortised(NamedTuple):
    usd: Array
    said: str


def amortised_run(scenario: EvaluatedScenario, catalog: CatalogView, age_years: float) -> Amortised:
    """Of the accelerators that the job uses, with their share of server and network, by the hours of the run."""
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    assume = RunAssumptions(catalog, {**scenario.resolved.context, "operator": "other"})
    used, progress = design.pod.accelerators_used, assume("hardware_progress_oom_per_year")
    hours = of_a_run(sections.cost.run_accelerator_hours, "Cost of a run")
    server = sections.cost.supernode_price_usd / design.supernode.accelerators
    with_network = installed_usd_per_accelerator(
        server_usd_per_accelerator=server, interconnect_share=assume("interconnect_share")
    )
    each = np.where(design.supernode.price_includes_network > 0, server, with_network)
    bought = cluster_acquisition_usd(accelerators=used, installed_usd_per_accelerator=each)
    hardware = engine.amortised_hardware_usd(
        acquisition_usd=bought,
        worth_at_start=engine.worth_at_start(
            age_years=np.array([age_years]), hardware_progress_oom_per_year=progress
        ),
        lost_worth_per_hour=engine.lost_worth_per_hour(hardware_progress_oom_per_year=progress),
        wall_time_h=of_a_run(sections.performance.elapsed_time_s, "Cost of a run") / 3600,
    )
    energy = engine.run_electricity_kwh(
        accelerator_hours=hours,
        tdp_w=sections.power.accelerator_tdp_power_w / used,
        server_power_ratio=assume("server_power_ratio"),
        mean_power_share=assume("mean_power_share"),
        pue=assume("training_pue"),
    )
    tariff = catalog.price_item(TARIFF).value
    electricity = engine.run_electricity_usd(
        run_electricity_kwh=energy, electricity_usd_per_kwh=np.array([tariff])
    )
    worth, power = (
        "of unknown price" if np.isnan(usd) else f"of {usd / 1e6:,.{digits}g} M USD"
        for usd, digits in ((bought[0], 4), (electricity[0], 3))
    )
    said = (
        f"hardware {worth}, {age_years:g} years old, loses {100 * (1 - 10 ** -progress[0]):.1f} % of its worth a year; "
        f"electricity {power} at {tariff:g} USD/kWh"
    )
    return Amortised(
        engine.amortised_usd(amortised_hardware_usd=hardware, run_electricity_usd=electricity), said
    )


TokensPerSecond = Annotated[float, Field(gt=0, le=1e12)]


class RunMethodsOptions(Part):
    """Age of the hardware and serving rate: that of a scenario that serves is computed, others give it."""

    hardware_age_years: Annotated[float, Field(ge=0, le=20)] = Field(
        default=0.0,
        description="Years since the hardware could be had when the run begins, for the amortised method; new when "
        "left out.",
    )
    tokens_per_s: TokensPerSecond | None = Field(
        default=None,
        description="Tokens that `accelerators` serve together in a second; when left out that of a scenario that "
        "serves, else no price of tokens.",
    )
    accelerators: Annotated[Whole, Field(ge=1, le=10_000_000)] | None = Field(
        default=None, description="Accelerators that serve at that rate; one SuperNode when left out."
    )
