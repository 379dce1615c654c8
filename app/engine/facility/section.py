"""Power and cooling of a pod at its site: from the nodes' ratings to the utility meter.

Problems of powering and cooling a design.

Unknown power, liquid share or racks leave these limits unchecked; the missing input is said where
unknown inputs are gathered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from app.engine.fabric.floor.limits import racks_of_all_kinds, servers_asked
from app.engine.fabric.floor.problems import too_many_asked
from app.engine.fabric.floor.sizes import supernode_size
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.availability import installed_shares, outages
from app.engine.facility.cooling.choice import choose_plant
from app.engine.facility.cooling.liquid_loops import as_cooled
from app.engine.facility.cooling.load import cool
from app.engine.facility.cooling.problems import cooling_problems
from app.engine.facility.electrical import chain, supply
from app.engine.facility.electrical.problems import redundancy_problems
from app.engine.facility.electrical.redundancy import installed_power_w
from app.engine.facility.it import power as it_power
from app.engine.facility.it.load import HasNetworkPower, HasSpares, ItLoad, it_load
from app.engine.facility.racks.loads import racked
from app.engine.facility.racks.problems import rack_problems
from app.engine.facility.results import Cooling, Power
from app.engine.problems import Problem
from app.engine.specs import Facility, Kind, Pod, SuperNode
from app.engine.trace import Array, count_of, first_of

__all__ = ["Cooling", "Power", "evaluate_facility", "facility_problems"]


class HasTokenRate(Protocol):
    @property
    def tokens_per_s(self) -> Array | None: ...


def evaluate_facility(
    *,
    supernode: SuperNode,
    pod: Pod,
    facility: Facility,
    fabric: HasNetworkPower,
    performance: HasTokenRate,
    reliability: HasSpares,
    assumptions: FacilityAssumptions,
    kinds: tuple[Kind, ...] = (),
    busy_share: Array | None = None,
    it: ItLoad | None = None,
) -> tuple[Power, Cooling]:
    """Power and cooling while the job runs.

    Parameters
    ----------
    fabric : read for `network_power_w`, switches and optics of the scale-out fabric [W]
    performance : read for `tokens_per_s`, to state energy for each token; None where there are none
    reliability : read for `spare_supernodes_installed`, which are idle
    kinds : of SuperNode, where there are several: the densest rack is what must be cooled
    busy_share : of the step in which accelerators compute; None where no step is known [1]
    it : IT load of a pod that workloads share; None: what the one workload makes it

    One design is computed over the 8,760 hours of its climate; arrays of samples over the binned
    year, and over the hours of the full year that can be the hottest.
    """
    plant = choose_plant(supernode=supernode, facility=facility, assumptions=assumptions)
    of_kinds = [(kind.supernode, kind.supernodes) for kind in kinds] or [(supernode, pod.supernodes)]
    supernode = as_cooled(supernode=supernode, plant=plant, assumptions=assumptions)
    if it is None:
        it = it_load(
            supernode=supernode,
            pod=pod,
            facility=facility,
            fabric=fabric,
            reliability=reliability,
            assumptions=assumptions,
            busy_share=busy_share,
        )
    losses_w, losses = chain.chain_losses(
        it_power_w=it.mean_w,
        it_power_design_w=it.design_w,
        redundancy=facility.redundancy,
        assumptions=assumptions,
    )
    standby_w = supply.generator_standby_w(
        generators_installed_w=installed_power_w(
            it_power_design_w=supply.generators_rated_w(
                it_power_design_w=it.design_w, generator_rating_ratio=assumptions.generator_rating_ratio
            ),
            unit_w=assumptions.lv_transformer_unit_w,
            redundancy=facility.redundancy,
        ),
        generator_heater_share=assumptions.generator_heater_share,
    )
    house_w = supply.house_load_w(
        it_power_mean_w=it.mean_w,
        house_load_share=assumptions.house_load_share,
        generator_standby_w=standby_w,
    )
    racks = racked(
        of_kinds, pod=pod, installed=it.installed, plant=plant, facility=facility, assumptions=assumptions
    )
    rack_powers_w = tuple(kind.power_w for kind in racks)
    rack_w = it_power.power_per_rack_w(rack_powers_w=rack_powers_w)
    cooling = cool(
        plant=plant,
        it=it,
        losses_w=losses_w,
        house_w=house_w,
        power_per_rack_w=rack_w,
        supernode=supernode,
        facility=facility,
        assumptions=assumptions,
    )
    utility_w = supply.utility_mean_w(
        it_power_mean_w=it.mean_w,
        electrical_losses_w=losses_w,
        cooling_power_mean_w=cooling.power_mean_w,
        house_load_w=house_w,
    )
    tdp_w = it_power.accelerator_tdp_power_w(
        accelerators_used=pod.accelerators_used, tdp_w=supernode.accelerator.tdp_w
    )
    blocks: dict[str, Any] = {
        "it_power_design_w": it.design_w,
        "liquid_heat_design_w": cooling.liquid_heat_design_w,
        "redundancy": facility.redundancy,
        "cooling_redundancy": facility.cooling_redundancy,
        "assumptions": assumptions,
    }
    lost = outages(
        liquid_share=supernode.liquid_share,
        redundancy=facility.redundancy,
        cooling_redundancy=facility.cooling_redundancy,
        assumptions=assumptions,
    )
    power = Power(
        it_power_mean_w=it.mean_w,
        it_power_peak_w=it.peak_w,
        it_power_design_w=it.design_w,
        it_power_idle_w=it.idle_w,
        it_power_swing_w=it.swing_w,
        it_breakdown_w=it.breakdown_w,
        electrical_losses_w=losses_w,
        losses_breakdown_w=losses,
        house_load_w=house_w,
        generator_standby_w=standby_w,
        utility_mean_w=utility_w,
        utility_peak_w=supply.utility_peak_w(
            it_power_peak_w=it.peak_w, pue_hottest_hour=cooling.pue_hottest_hour
        ),
        energy_it_kwh_per_year=supply.energy_it_kwh_per_year(it_power_mean_w=it.mean_w),
        energy_utility_kwh_per_year=supply.energy_utility_kwh_per_year(utility_mean_w=utility_w),
        energy_j_per_token=None
        if performance.tokens_per_s is None
        else supply.energy_j_per_token(utility_mean_w=utility_w, tokens_per_s=performance.tokens_per_s),
        accelerator_tdp_power_w=tdp_w,
        meter_power_per_accelerator_w=supply.meter_power_per_accelerator_w(
            utility_mean_w=utility_w, accelerators_used=pod.accelerators_used
        ),
        meter_to_tdp_ratio=supply.meter_to_tdp_ratio(utility_mean_w=utility_w, accelerator_tdp_power_w=tdp_w),
        power_per_rack_w=rack_w,
        racks=racks_of_all_kinds(by_kind=tuple(kind.racks for kind in racks)),
        servers_per_rack=it_power.servers_of_densest_rack(
            rack_powers_w=rack_powers_w, servers=tuple(kind.servers for kind in racks)
        ),
        installed_shares=installed_shares(**blocks),
        facility_availability=lost.facility_availability,
        facility_nines=lost.facility_nines,
        yearly_outage_hours=lost.yearly_outage_hours,
        outage_breakdown_hours=lost.outage_breakdown_hours,
        topology_tier=lost.topology_tier,
    )
    return power, cooling


def facility_problems(
    *,
    supernode: SuperNode,
    pod: Pod,
    facility: Facility,
    power: Power,
    cooling: Cooling,
    assumptions: FacilityAssumptions,
    kinds: tuple[Kind, ...] = (),
) -> list[Problem]:
    """The power train against its units, the plant against what it cools, racks against the hall's cooling.

    Parameters
    ----------
    kinds : of SuperNode, where there are several
    """
    counted = [(kind.supernode, kind.supernodes) for kind in kinds] or [(supernode, pod.supernodes)]
    return [
        *redundancy_problems(
            it_power_design_w=power.it_power_design_w,
            redundancy=facility.redundancy,
            assumptions=assumptions,
        ),
        *cooling_problems(supernode=supernode, facility=facility, cooling=cooling, assumptions=assumptions),
        *rack_problems(
            supernode=supernode, facility=facility, power=power, cooling=cooling, assumptions=assumptions
        ),
        *_servers_asked(counted, pod),
    ]


def _servers_asked(counted: Sequence[tuple[SuperNode, Array]], pod: Pod) -> list[Problem]:
    """Warning that the stated servers per rack do not fit and are spread over more racks."""
    if pod.floor is None:
        return []
    rules = pod.floor
    sizes = [
        supernode_size(supernode, count_of(count), rules)
        for supernode, count in counted
        if count_of(servers_asked(supernode, rules)) and not first_of(supernode.racks) >= 1
    ]
    return [
        replace(problem, kind="warning", affects=("power.racks", "power.power_per_rack_w"))
        for problem in too_many_asked(sizes, rules)
    ]
