"""The carbon section of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.engine.economics import run_cost
from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.bills import yearly_hours
from app.engine.economics.carbon import embodied, idle, operational
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

BASIS = (
    "Location-based, at the utility meter, by the grid's mean intensity; embodied carbon of accelerators and "
    "hosts by the run's share of their used life. `operational_tdp_only_kg` counts accelerator design power "
    "alone, as model cards do; `operational_market_kg` takes off the share of electricity that is contracted "
    "free of carbon, where the scenario states one. `idle_kg` is of waiting beside and between runs, and stands "
    "beside `total_kg`."
)


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
    embodied_breakdown_kg: dict[str, Array]
    total_kg: Array
    idle_kg: Array  # not in the total


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
    intensity = facility.site.carbon_intensity_kg_per_kwh
    run_hours = run_cost.run_accelerator_hours(
        accelerators_used=pod.accelerators_used, elapsed_time_s=performance.elapsed_time_s
    )
    used_hours = yearly_hours(supernode, pod, economics, reliability)["used"]
    waiting_w = power.it_breakdown_w["idle_supernodes"]
    at_the_meter = {"utility_mean_w": power.utility_mean_w, "it_power_mean_w": power.it_power_mean_w}
    energy = operational.run_energy_kwh(
        run_power_w=operational.run_power_w(idle_supernodes_w=waiting_w, **at_the_meter),
        elapsed_time_s=performance.elapsed_time_s,
    )
    operational_kg = operational.operational_kg(run_energy_kwh=energy, carbon_intensity_kg_per_kwh=intensity)
    accelerators_kg = embodied.embodied_accelerators_kg(
        supernodes=pod.supernodes,
        spare_supernodes=reliability.spare_supernodes,
        accelerators_per_supernode=supernode.accelerators,
        accelerator_embodied_kg=assumptions.accelerator_embodied_kg,
    )
    hosts_kg = embodied.embodied_hosts_kg(
        embodied_accelerators_kg=accelerators_kg, host_embodied_ratio=assumptions.host_embodied_ratio
    )
    pod_kg = embodied.embodied_pod_kg(embodied_accelerators_kg=accelerators_kg, embodied_hosts_kg=hosts_kg)
    share = embodied.run_share_of_life(
        run_accelerator_hours=run_hours,
        used_accelerator_hours_per_year=used_hours,
        life_years=economics.life_years,
    )
    embodied_kg = embodied.embodied_kg(embodied_pod_kg=pod_kg, run_share_of_life=share)
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
            elapsed_time_s=performance.elapsed_time_s,
            carbon_intensity_kg_per_kwh=intensity,
        ),
        embodied_pod_kg=pod_kg,
        embodied_kg=embodied_kg,
        embodied_breakdown_kg={
            "accelerators": embodied.embodied_run_accelerators_kg(
                embodied_accelerators_kg=accelerators_kg, run_share_of_life=share
            ),
            "hosts": embodied.embodied_run_hosts_kg(embodied_hosts_kg=hosts_kg, run_share_of_life=share),
        },
        total_kg=operational.total_kg(operational_kg=operational_kg, embodied_kg=embodied_kg),
        idle_kg=idle.idle_kg(
            waiting_beside_kwh=idle.waiting_beside_kwh(
                idle_supernodes_w=waiting_w, elapsed_time_s=performance.elapsed_time_s, **at_the_meter
            ),
            waiting_between_kwh=idle.waiting_between_kwh(
                it_power_idle_w=power.it_power_idle_w,
                hours_between_runs=idle.hours_between_runs(
                    run_accelerator_hours=run_hours,
                    used_accelerator_hours_per_year=used_hours,
                    utilisation=economics.utilisation,
                ),
                **at_the_meter,
            ),
            carbon_intensity_kg_per_kwh=intensity,
        ),
    )
