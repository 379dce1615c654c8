"""The carbon section of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from app.engine.economics import operating
from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.bills import yearly_hours
from app.engine.economics.carbon import embodied, operational
from app.engine.fabric.section import Fabric
from app.engine.operations.section import Reliability
from app.engine.specs import (
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

BASIS = (
    "Location-based, at the utility meter, by the grid's mean intensity; embodied carbon of accelerators and "
    "hosts by the run's share of their used life. `operational_tdp_only_kg` counts accelerator design power "
    "alone, as model cards do; `operational_market_kg` takes off the share of electricity that is contracted "
    "free of carbon, where the scenario states one. `idle_kg` is of waiting beside and between runs, in "
    "addition to `total_kg`."
)
SERVING_BASIS = (
    "Location-based, at the utility meter, by the grid's mean intensity, for a million output tokens. Where a demand is "
    "stated: its tokens that the pod answers, mean over its years, at the pod's power at the load of the peak, and "
    "embodied carbon of accelerators and hosts by all hours of their life. Else while the pod serves at its load, and "
    "embodied carbon by the hours that the tokens take of the used life."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Carbon:
    """Carbon dioxide equivalent of the run, or of the tokens that a pod answers with; the other is None."""

    basis: str
    run_energy_kwh: Array | None
    operational_kg: Array | None  # location based
    operational_market_kg: Array | None  # None: no contracts are stated, or no run
    operational_tdp_only_kg: Array | None
    embodied_pod_kg: Array
    embodied_kg: Array | None
    embodied_breakdown_kg: dict[str, Array] | None
    total_kg: Array | None
    idle_kg: Array | None  # not in the total
    operational_kg_per_million_tokens: Array | None = None
    embodied_kg_per_million_tokens: Array | None = None
    kg_per_million_tokens: Array | None = None


OF_A_RUN = (
    "run_energy_kwh", "operational_kg", "operational_market_kg", "operational_tdp_only_kg", "embodied_kg",
    "embodied_breakdown_kg", "total_kg", "idle_kg",
)  # fmt: skip


def evaluate_carbon(
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
) -> Carbon:
    """Carbon of one run on a pod, or of the tokens it answers with.

    Parameters
    ----------
    performance : where the pod serves, with the rates of the demand where one is stated
    """
    hours = yearly_hours(supernode, pod, economics, reliability, power)
    accelerators_kg = embodied.embodied_accelerators_kg(
        supernodes=pod.supernodes,
        spare_supernodes=reliability.spare_supernodes,
        accelerators_per_supernode=supernode.accelerators,
        accelerator_embodied_kg=assumptions.accelerator_embodied_kg,
    )
    hosts_kg = embodied.embodied_hosts_kg(
        embodied_accelerators_kg=accelerators_kg, host_embodied_ratio=assumptions.host_embodied_ratio
    )
    made = {
        "accelerators": accelerators_kg,
        "hosts": hosts_kg,
        "pod": embodied.embodied_pod_kg(embodied_accelerators_kg=accelerators_kg, embodied_hosts_kg=hosts_kg),
    }
    if isinstance(workload, ServingWorkload):
        answers = cast("ServingPerformance", performance)
        paid = hours["used" if workload.demand is None else "installed"]
        return _of_tokens(pod, facility, economics, answers, power, paid, made["pod"])
    run = cast("Performance | GenericPerformance", performance)
    return _of_a_run(pod, facility, economics, run, power, hours["used"], made)


def _of_tokens(
    pod: Pod,
    facility: Facility,
    economics: Economics,
    performance: ServingPerformance,
    power: Power,
    paid_hours: Array,
    embodied_pod_kg: Array,
) -> Carbon:
    operational_kg = operational.operational_kg_per_million_tokens(
        run_power_w=operational.run_power_w(
            utility_mean_w=power.utility_mean_w,
            it_power_mean_w=power.it_power_mean_w,
            idle_supernodes_w=power.it_breakdown_w["idle_supernodes"],
        ),
        tokens_per_s=performance.tokens_per_s,
        carbon_intensity_kg_per_kwh=facility.site.carbon_intensity_kg_per_kwh,
    )
    embodied_kg = operational.embodied_kg_per_million_tokens(
        embodied_pod_kg=embodied_pod_kg,
        accelerators_used=pod.accelerators_used,
        tokens_per_s=performance.tokens_per_s,
        paid_accelerator_hours_per_year=paid_hours,
        life_years=economics.life_years,
    )
    none: dict[str, Any] = dict.fromkeys(OF_A_RUN)
    return Carbon(
        basis=SERVING_BASIS,
        embodied_pod_kg=embodied_pod_kg,
        operational_kg_per_million_tokens=operational_kg,
        embodied_kg_per_million_tokens=embodied_kg,
        kg_per_million_tokens=operational.kg_per_million_tokens(
            operational_kg=operational_kg, embodied_kg=embodied_kg
        ),
        **none,
    )


def _of_a_run(
    pod: Pod,
    facility: Facility,
    economics: Economics,
    performance: Performance | GenericPerformance,
    power: Power,
    used_hours: Array,
    made: dict[str, Array],
) -> Carbon:
    intensity = facility.site.carbon_intensity_kg_per_kwh
    powered_s = operating.powered_time_s(
        elapsed_time_s=performance.elapsed_time_s, facility_availability=power.facility_availability
    )
    run_hours = operating.run_accelerator_hours(
        accelerators_used=pod.accelerators_used, powered_time_s=powered_s
    )
    waiting_w = power.it_breakdown_w["idle_supernodes"]
    at_the_meter = {"utility_mean_w": power.utility_mean_w, "it_power_mean_w": power.it_power_mean_w}
    energy = operational.run_energy_kwh(
        run_power_w=operational.run_power_w(idle_supernodes_w=waiting_w, **at_the_meter),
        elapsed_time_s=powered_s,
    )
    operational_kg = operational.operational_kg(run_energy_kwh=energy, carbon_intensity_kg_per_kwh=intensity)
    share = embodied.run_share_of_life(
        run_accelerator_hours=run_hours,
        used_accelerator_hours_per_year=used_hours,
        life_years=economics.life_years,
    )
    embodied_kg = embodied.embodied_kg(embodied_pod_kg=made["pod"], run_share_of_life=share)
    return Carbon(
        basis=BASIS,
        run_energy_kwh=energy,
        operational_kg=operational_kg,
        operational_market_kg=None
        if facility.clean_energy_share is None
        else operational.operational_market_kg(
            run_energy_kwh=energy,
            carbon_intensity_kg_per_kwh=intensity,
            clean_energy_share=facility.clean_energy_share,
        ),
        operational_tdp_only_kg=operational.operational_tdp_only_kg(
            accelerator_tdp_power_w=power.accelerator_tdp_power_w,
            elapsed_time_s=powered_s,
            carbon_intensity_kg_per_kwh=intensity,
        ),
        embodied_pod_kg=made["pod"],
        embodied_kg=embodied_kg,
        embodied_breakdown_kg={
            "accelerators": embodied.embodied_run_accelerators_kg(
                embodied_accelerators_kg=made["accelerators"], run_share_of_life=share
            ),
            "hosts": embodied.embodied_run_hosts_kg(embodied_hosts_kg=made["hosts"], run_share_of_life=share),
        },
        total_kg=operational.total_kg(operational_kg=operational_kg, embodied_kg=embodied_kg),
        idle_kg=operational.idle_kg(
            waiting_beside_kwh=operational.waiting_beside_kwh(
                idle_supernodes_w=waiting_w, elapsed_time_s=powered_s, **at_the_meter
            ),
            waiting_between_kwh=operational.waiting_between_kwh(
                it_power_idle_w=power.it_power_idle_w,
                hours_between_runs=operational.hours_between_runs(
                    run_accelerator_hours=run_hours,
                    used_accelerator_hours_per_year=used_hours,
                    utilisation=economics.utilisation,
                ),
                **at_the_meter,
            ),
            carbon_intensity_kg_per_kwh=intensity,
        ),
    )
