"""The cost section of an evaluation, and the place of the carbon section."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from app.engine.economics import finance, operating, rent
from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.bills import BOUGHT, capital_bill, full_use, operating_bill, yearly_hours
from app.engine.economics.carbon.section import Carbon, evaluate_carbon
from app.engine.economics.ownership import ownership
from app.engine.economics.token_cost import token_costs
from app.engine.fabric.section import Fabric
from app.engine.operations.section import Reliability
from app.engine.problems import Fix, Problem
from app.engine.specs import (
    RENTAL_TERMS,
    Economics,
    Facility,
    GenericWorkload,
    Operations,
    Pod,
    ServingWorkload,
    SuperNode,
    TrainingWorkload,
)
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.facility.results import Cooling, Power
    from app.engine.performance.generic_step import GenericPerformance
    from app.engine.performance.section import Performance
    from app.engine.performance.serving.section import ServingPerformance

__all__ = ["Carbon", "Cost", "economics_problems", "evaluate_carbon", "evaluate_cost"]

BASIS = (
    "Bought and owned, prices of today, before tax on profit: equipment over its life, building and plant over "
    "theirs and land for its interest at the cost of capital, plus running cost. In it: SuperNodes and spares, "
    "scale-out network, storage, installation; building, plant, land, their upkeep, staff and property tax, or "
    "colocation by provisioned IT power in their place; electricity with demand charges, water, support, "
    "software, insurance, and the engineers who run the cluster. Not in it: those who train models, research, "
    "failed experiments and data, management networks, soft costs of building. The accelerator-hour "
    "is a used one: idle hours are paid by used ones. Rented runs are the same accelerator-hours at the rental "
    "price alone."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Purchase, ownership and operating cost of the pod, and the cost of the run against rental.

    A pod that serves has no run, and what is of a run is None; the split over input and output tokens is None for
    every run.
    """

    basis: str
    supernode_price_usd: Array
    capex_usd: Array
    capex_breakdown_usd: dict[str, Array]
    facility_usd_per_mw: Array
    cdu_usd: Array  # part of the cost of the facility
    opex_usd_per_year: Array
    opex_breakdown_usd_per_year: dict[str, Array]
    capital_breakdown_usd_per_year: dict[str, Array]  # level payments, interest included
    annual_cost_usd_per_year: Array  # capital and running cost
    tco_usd: Array  # over the life of the equipment
    tco_breakdown_usd: dict[str, Array]
    usd_per_installed_accelerator_hour: Array
    usd_per_available_accelerator_hour: Array
    usd_per_accelerator_hour: Array  # used
    usd_per_useful_accelerator_hour: Array | None
    run_accelerator_hours: Array | None
    usd_per_run: Array | None
    usd_per_run_rented_on_demand: Array | None
    usd_per_run_rented_reserved: Array | None
    usd_per_million_tokens: Array | None  # trained, or of output; None: a job without tokens
    break_even_utilisation: Array
    break_even_utilisation_reserved: Array
    break_even_months: Array
    usd_per_million_input_tokens: Array | None = None
    usd_per_million_output_tokens: Array | None = None  # without their prompts
    usd_per_million_tokens_rented_on_demand: Array | None = None
    usd_per_million_tokens_rented_reserved: Array | None = None


OF_A_RUN = (
    "run_accelerator_hours",
    "usd_per_run",
    "usd_per_run_rented_on_demand",
    "usd_per_run_rented_reserved",
)


def evaluate_cost(
    *,
    workload: TrainingWorkload | GenericWorkload | ServingWorkload,
    supernode: SuperNode,
    pod: Pod,
    facility: Facility,
    operations: Operations,
    economics: Economics,
    fabric: Fabric,
    performance: Performance | GenericPerformance | ServingPerformance,
    reliability: Reliability,
    power: Power,
    cooling: Cooling,
    assumptions: EconomicsAssumptions,
) -> Cost:
    """Cost of a pod, and of one run on it or of the tokens it answers with.

    Parameters
    ----------
    performance : where the pod serves, with the rates of the demand where one is stated
    """
    bill = capital_bill(
        supernode,
        pod,
        operations,
        economics,
        fabric,
        reliability,
        power,
        cooling,
        assumptions,
        facility.supplied,
    )
    hours = yearly_hours(supernode, pod, economics, reliability, power)
    use = full_use(facility, power, cooling, assumptions)
    opex = operating_bill(supernode, pod, economics, power, bill, hours, use, assumptions, facility.supplied)
    owned = ownership(economics, reliability, power, bill, hours, opex, assumptions)
    hour = owned["usd_per_accelerator_hour"]
    rented: dict[str, Any] = against_rent(economics, bill, hours, use, opex, owned)
    if isinstance(workload, ServingWorkload):
        answers = cast("ServingPerformance", performance)
        tokens: dict[str, Any] = token_costs(workload, pod, economics, answers, hour, hours)
        done = tokens | dict.fromkeys(OF_A_RUN)
    else:
        done = run_costs(
            workload, pod, economics, cast("Performance | GenericPerformance", performance), hour, hours
        )
    return Cost(
        basis=BASIS,
        supernode_price_usd=bill["supernode_price_usd"],
        capex_usd=bill["capex_usd"],
        capex_breakdown_usd={name: bill[f"{name}_usd"] for name in BOUGHT},
        facility_usd_per_mw=bill["facility_usd_per_mw"],
        cdu_usd=bill["cdu_usd"],
        opex_usd_per_year=opex["total"],
        opex_breakdown_usd_per_year={name: part for name, part in opex.items() if name != "total"},
        **owned,
        **done,
        **rented,
    )


def run_costs(
    workload: TrainingWorkload | GenericWorkload,
    pod: Pod,
    economics: Economics,
    performance: Performance | GenericPerformance,
    usd_per_accelerator_hour: Array,
    hours: dict[str, Array],
) -> dict[str, Array | None]:
    """Resources and cost of a run."""
    run_hours = operating.run_accelerator_hours(
        accelerators_used=pod.accelerators_used,
        powered_time_s=operating.powered_time_s(
            elapsed_time_s=performance.elapsed_time_s, facility_availability=hours["facility_availability"]
        ),
    )
    run = operating.usd_per_run(
        run_accelerator_hours=run_hours, usd_per_accelerator_hour=usd_per_accelerator_hour
    )
    return {
        "run_accelerator_hours": run_hours,
        "usd_per_run": run,
        **run_against_rent(economics, run_hours),
        "usd_per_million_tokens": None
        if isinstance(workload, GenericWorkload)
        else operating.usd_per_million_tokens(usd_per_run=run, tokens=workload.tokens),
    }


def against_rent(
    economics: Economics,
    bill: dict[str, Array],
    hours: dict[str, Array],
    use: dict[str, Array],
    opex: dict[str, Array],
    owned: dict[str, Any],
) -> dict[str, Array]:
    """Break-even of owning and renting."""
    compared = economics.rent_usd_per_accelerator_hour
    reserved = economics.rental_reserved_usd_per_accelerator_hour
    rising = rent.use_dependent_usd_per_year(**use)
    level = {
        "idle_cost_usd_per_year": rent.idle_cost_usd_per_year(
            annual_cost_usd_per_year=owned["annual_cost_usd_per_year"],
            use_dependent_usd_per_year=rising,
            utilisation=economics.utilisation,
        ),
        "use_dependent_usd_per_year": rising,
        "available_accelerator_hours_per_year": hours["available"],
    }
    gain = rent.monthly_gain_usd(
        available_accelerator_hours_per_year=hours["available"],
        utilisation=economics.utilisation,
        rent_usd_per_hour=compared,
        opex_usd_per_year=opex["total"],
    )
    return {
        "break_even_utilisation": rent.break_even_utilisation(**level, rent_usd_per_hour=compared),
        "break_even_utilisation_reserved": rent.break_even_utilisation_reserved(
            **level, reserved_usd_per_hour=reserved
        ),
        "break_even_months": rent.break_even_months(
            capex_usd=bill["capex_usd"],
            monthly_gain_usd=gain,
            monthly_rate=finance.monthly_rate(yearly_rate=economics.wacc),
            life_years=economics.life_years,
        ),
    }


def run_against_rent(economics: Economics, run_hours: Array) -> dict[str, Array]:
    """The run when rented."""
    return {
        "usd_per_run_rented_on_demand": rent.usd_per_run_rented_on_demand(
            run_accelerator_hours=run_hours,
            on_demand_usd_per_hour=economics.rental_on_demand_usd_per_accelerator_hour,
        ),
        "usd_per_run_rented_reserved": rent.usd_per_run_rented_reserved(
            run_accelerator_hours=run_hours,
            reserved_usd_per_hour=economics.rental_reserved_usd_per_accelerator_hour,
        ),
    }


def economics_problems(*, economics: Economics, cost: Cost) -> list[Problem]:
    """Problems of cost.

    Renting being cheaper makes no design infeasible; it is a warning. Unknown figures raise
    no problem here: what is missing is named where it is missing.
    """
    utilisation, needed = _first(economics.utilisation), _first(cost.break_even_utilisation)
    if not utilisation < needed:
        return []
    own = _first(cost.usd_per_accelerator_hour)
    price, terms = (
        _first(economics.rent_usd_per_accelerator_hour),
        RENTAL_TERMS[economics.renting.compared_with].rented,
    )
    reachable = needed <= 1
    enough = math.ceil(1000 * needed) / 1000 if reachable else needed  # rounded up, so that the message holds
    outcome = f"from a utilisation of {enough:.1%}" if reachable else "at no utilisation"
    return [
        Problem(
            kind="warning",
            field="economics.utilisation",
            constraint="renting is cheaper",
            message=(
                f"By the hourly rent alone, at a utilisation of {utilisation:.0%} a utilised accelerator-hour costs "
                f"{own:,.2f} USD to own, levelised, and {price:,.2f} USD to rent {terms}; owning is cheaper {outcome}."
            ),
            value=utilisation if reachable else own,
            limit=needed if reachable else price,
            missed_by=needed - utilisation if reachable else own - price,
            unit="1" if reachable else "USD/h",
            fix=Fix(
                field="economics.utilisation",
                value=enough,
                message=f"Keep the pod in use for {enough:.1%} of the time or more.",
            )
            if reachable
            else None,
            affects=("cost.usd_per_accelerator_hour", "cost.usd_per_run"),
        )
    ]


def _first(figure: Array) -> float:
    return float(np.ravel(figure)[0])
