"""The cost and carbon sections of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.engine.economics import carbon, finance, rent, run_cost
from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.ownership import (
    capital_bill,
    full_use,
    operating_bill,
    ownership,
    yearly_hours,
)
from app.engine.economics.problems import economics_problems
from app.engine.fabric.section import Fabric
from app.engine.operations.section import Reliability
from app.engine.specs import (
    Economics,
    Facility,
    GenericWorkload,
    Operations,
    Pod,
    SuperNode,
    TrainingWorkload,
)
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.facility.results import Cooling, Power
    from app.engine.performance.generic_step import GenericPerformance
    from app.engine.performance.section import Performance

__all__ = ["Carbon", "Cost", "economics_problems", "evaluate_carbon", "evaluate_cost"]

BASIS = (
    "Bought and owned, prices of today, before tax: equipment over its life and the facility over its own "
    "at the cost of capital, plus running cost. The accelerator-hour is a used one: idle hours are paid by "
    "used ones. Without land, property tax, cluster engineers, research and failed experiments. Rented runs "
    "are the same accelerator-hours at the rental price alone."
)
CARBON_BASIS = (
    "Location-based, at the utility meter, by the grid's mean intensity; embodied carbon of accelerators and "
    "hosts by the run's share of their used life. `operational_tdp_only_kg` counts accelerator design power "
    "alone, as model cards do; `operational_market_kg` takes off the share of electricity that is contracted "
    "free of carbon, where the scenario states one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What the pod costs to buy, to own and to run, and the run against renting."""

    basis: str
    supernode_price_usd: Array
    capex_usd: Array
    capex_breakdown_usd: dict[str, Array]
    opex_usd_per_year: Array
    opex_breakdown_usd_per_year: dict[str, Array]
    annual_cost_usd_per_year: Array
    tco_usd: Array  # over the life of the equipment
    tco_breakdown_usd: dict[str, Array]
    usd_per_installed_accelerator_hour: Array
    usd_per_available_accelerator_hour: Array
    usd_per_accelerator_hour: Array  # used
    usd_per_useful_accelerator_hour: Array
    run_accelerator_hours: Array
    usd_per_run: Array
    usd_per_run_rented_on_demand: Array
    usd_per_run_rented_reserved: Array
    usd_per_million_tokens: Array | None  # None: a job without tokens
    break_even_utilisation: Array
    break_even_utilisation_reserved: Array
    break_even_months: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Carbon:
    """Carbon dioxide equivalent of the run."""

    basis: str
    run_energy_kwh: Array
    operational_kg: Array  # location based
    operational_market_kg: Array | None  # None: no contracts are stated
    operational_tdp_only_kg: Array
    embodied_pod_kg: Array
    embodied_kg: Array
    total_kg: Array


def evaluate_cost(
    *,
    workload: TrainingWorkload | GenericWorkload,
    supernode: SuperNode,
    pod: Pod,
    facility: Facility,
    operations: Operations,
    economics: Economics,
    fabric: Fabric,
    performance: Performance | GenericPerformance,
    reliability: Reliability,
    power: Power,
    cooling: Cooling,
    assumptions: EconomicsAssumptions,
) -> Cost:
    """Cost of a pod and of one run on it."""
    bill = capital_bill(supernode, pod, operations, fabric, reliability, power, cooling, assumptions)
    hours = yearly_hours(supernode, pod, economics, reliability)
    use = full_use(facility, power, cooling, assumptions)
    opex = operating_bill(economics, power, bill, hours, use, assumptions)
    owned = ownership(economics, reliability, bill, hours, opex, assumptions)
    run_hours = run_cost.run_accelerator_hours(
        accelerators_used=pod.accelerators_used, elapsed_time_s=performance.elapsed_time_s
    )
    run = run_cost.usd_per_run(
        run_accelerator_hours=run_hours, usd_per_accelerator_hour=owned["usd_per_accelerator_hour"]
    )
    rented: dict[str, Any] = _renting(economics, bill, hours, use, opex, owned, run_hours)
    return Cost(
        basis=BASIS,
        supernode_price_usd=bill["supernode_price_usd"],
        capex_usd=bill["capex_usd"],
        capex_breakdown_usd={
            "servers": bill["servers_usd"],
            "network": bill["network_usd"],
            "storage": bill["storage_usd"],
            "installation": bill["installation_usd"],
            "facility": bill["facility_usd"],
        },
        opex_usd_per_year=opex["total"],
        opex_breakdown_usd_per_year={name: part for name, part in opex.items() if name != "total"},
        **owned,
        run_accelerator_hours=run_hours,
        usd_per_run=run,
        usd_per_million_tokens=None
        if isinstance(workload, GenericWorkload)
        else run_cost.usd_per_million_tokens(usd_per_run=run, tokens=workload.tokens),
        **rented,
    )


def evaluate_carbon(
    *,
    workload: TrainingWorkload | GenericWorkload,
    supernode: SuperNode,
    pod: Pod,
    facility: Facility,
    operations: Operations,
    economics: Economics,
    fabric: Fabric,
    performance: Performance | GenericPerformance,
    reliability: Reliability,
    power: Power,
    cooling: Cooling,
    assumptions: EconomicsAssumptions,
) -> Carbon:
    """Carbon of one run on a pod."""
    hours = yearly_hours(supernode, pod, economics, reliability)
    intensity = facility.site.carbon_intensity_kg_per_kwh
    energy = carbon.run_energy_kwh(
        run_power_w=carbon.run_power_w(
            utility_mean_w=power.utility_mean_w,
            idle_supernodes_w=power.it_breakdown_w["idle_supernodes"],
            it_power_mean_w=power.it_power_mean_w,
        ),
        elapsed_time_s=performance.elapsed_time_s,
    )
    operational = carbon.operational_kg(run_energy_kwh=energy, carbon_intensity_kg_per_kwh=intensity)
    embodied_pod = carbon.embodied_pod_kg(
        supernodes=pod.supernodes,
        spare_supernodes=reliability.spare_supernodes,
        accelerators_per_supernode=supernode.accelerators,
        accelerator_embodied_kg=assumptions.accelerator_embodied_kg,
        host_embodied_ratio=assumptions.host_embodied_ratio,
    )
    share = carbon.run_share_of_life(
        run_accelerator_hours=run_cost.run_accelerator_hours(
            accelerators_used=pod.accelerators_used, elapsed_time_s=performance.elapsed_time_s
        ),
        used_accelerator_hours_per_year=carbon.used_accelerator_hours_per_year(
            available_accelerator_hours_per_year=hours["available"], utilisation=economics.utilisation
        ),
        life_years=economics.life_years,
    )
    embodied = carbon.embodied_kg(embodied_pod_kg=embodied_pod, run_share_of_life=share)
    return Carbon(
        basis=CARBON_BASIS,
        run_energy_kwh=energy,
        operational_kg=operational,
        operational_market_kg=None
        if facility.clean_energy_share is None
        else carbon.operational_market_kg(
            run_energy_kwh=energy,
            carbon_intensity_kg_per_kwh=intensity,
            clean_energy_share=facility.clean_energy_share,
        ),
        operational_tdp_only_kg=carbon.operational_tdp_only_kg(
            accelerator_tdp_power_w=power.accelerator_tdp_power_w,
            elapsed_time_s=performance.elapsed_time_s,
            carbon_intensity_kg_per_kwh=intensity,
        ),
        embodied_pod_kg=embodied_pod,
        embodied_kg=embodied,
        total_kg=carbon.total_kg(operational_kg=operational, embodied_kg=embodied),
    )


def _renting(
    economics: Economics,
    bill: dict[str, Array],
    hours: dict[str, Array],
    use: dict[str, Array],
    opex: dict[str, Array],
    owned: dict[str, Any],
    run_hours: Array,
) -> dict[str, Array]:
    """The run when rented, and where owning and renting meet."""
    on_demand = economics.rental_on_demand_usd_per_accelerator_hour
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
    gain = rent.monthly_gain_on_demand_usd(
        available_accelerator_hours_per_year=hours["available"],
        utilisation=economics.utilisation,
        on_demand_usd_per_hour=on_demand,
        opex_usd_per_year=opex["total"],
    )
    return {
        "usd_per_run_rented_on_demand": rent.usd_per_run_rented_on_demand(
            run_accelerator_hours=run_hours, on_demand_usd_per_hour=on_demand
        ),
        "usd_per_run_rented_reserved": rent.usd_per_run_rented_reserved(
            run_accelerator_hours=run_hours, reserved_usd_per_hour=reserved
        ),
        "break_even_utilisation": rent.break_even_utilisation(**level, on_demand_usd_per_hour=on_demand),
        "break_even_utilisation_reserved": rent.break_even_utilisation_reserved(
            **level, reserved_usd_per_hour=reserved
        ),
        "break_even_months": rent.break_even_months(
            capex_usd=bill["capex_usd"],
            monthly_gain_usd=gain,
            monthly_rate=finance.monthly_rate(yearly_rate=economics.wacc),
        ),
    }
