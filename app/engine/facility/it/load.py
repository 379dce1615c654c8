"""The pod's IT load: every figure of `it_power` for one design, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.it import breakdown as it_breakdown
from app.engine.facility.it import power as it_power
from app.engine.specs import Pod, SuperNode
from app.engine.trace import Array


class HasNetworkPower(Protocol):
    @property
    def network_power_w(self) -> Array: ...


class HasSpares(Protocol):
    @property
    def spare_supernodes(self) -> Array: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ItLoad:
    """IT figures that the rest of the chain builds on."""

    active: Array
    installed: Array
    network_w: Array
    storage_w: Array
    mean_w: Array
    peak_w: Array
    design_w: Array
    idle_w: Array
    swing_w: Array
    breakdown_w: dict[str, Array]


def it_load(
    *,
    supernode: SuperNode,
    pod: Pod,
    fabric: HasNetworkPower,
    reliability: HasSpares,
    assumptions: FacilityAssumptions,
) -> ItLoad:
    """IT power in all its senses, and the parts of its mean."""
    a = assumptions
    rating_w, network_w = supernode.max_power_w, fabric.network_power_w
    active = it_power.active_supernodes(
        accelerators_used=pod.accelerators_used, accelerators_per_supernode=supernode.accelerators
    )
    installed = it_power.installed_supernodes(
        supernodes=pod.supernodes, spare_supernodes=reliability.spare_supernodes
    )
    mean_w = it_power.supernode_power_mean_w(
        max_power_w=rating_w, training_power_utilisation=a.training_power_utilisation
    )
    idle_w = it_power.supernode_power_idle_w(
        max_power_w=rating_w, idle_power_utilisation=a.idle_power_utilisation
    )
    peak_w = it_power.supernode_power_peak_w(
        max_power_w=rating_w,
        peak_power_utilisation=a.peak_power_utilisation,
        peak_diversity=a.peak_diversity,
    )
    storage_w = it_power.storage_power_w(
        installed_supernodes=installed, max_power_w=rating_w, storage_power_share=a.storage_power_share
    )
    pod_wide = {
        "installed_supernodes": installed,
        "network_power_w": network_w,
        "storage_power_w": storage_w,
    }
    return ItLoad(
        active=active,
        installed=installed,
        network_w=network_w,
        storage_w=storage_w,
        mean_w=it_power.it_power_mean_w(
            active_supernodes=active,
            supernode_power_mean_w=mean_w,
            supernode_power_idle_w=idle_w,
            **pod_wide,
        ),
        peak_w=it_power.it_power_peak_w(
            active_supernodes=active,
            supernode_power_peak_w=peak_w,
            supernode_power_idle_w=idle_w,
            **pod_wide,
        ),
        design_w=it_power.it_power_design_w(max_power_w=rating_w, **pod_wide),
        idle_w=it_power.it_power_idle_w(supernode_power_idle_w=idle_w, **pod_wide),
        swing_w=it_power.it_power_swing_w(
            active_supernodes=active,
            supernode_power_peak_w=peak_w,
            max_power_w=rating_w,
            pause_power_utilisation=a.pause_power_utilisation,
        ),
        breakdown_w=_mean_breakdown_w(
            supernode=supernode,
            pod=pod,
            active=active,
            installed=installed,
            mean_w=mean_w,
            idle_w=idle_w,
            network_w=network_w,
            storage_w=storage_w,
            assumptions=a,
        ),
    )


def _mean_breakdown_w(
    *,
    supernode: SuperNode,
    pod: Pod,
    active: Array,
    installed: Array,
    mean_w: Array,
    idle_w: Array,
    network_w: Array,
    storage_w: Array,
    assumptions: FacilityAssumptions,
) -> dict[str, Array]:
    a = assumptions
    working = {"active_supernodes": active, "supernode_power_mean_w": mean_w}
    supplies_w = it_breakdown.power_supplies_w(
        **working,
        power_supply_efficiency=it_breakdown.power_supply_efficiency(
            training_power_utilisation=a.training_power_utilisation,
            power_supply_load_share=a.power_supply_load_share,
            efficiency_at_10_percent=a.power_supply_efficiency_at_10_percent,
            efficiency_at_20_percent=a.power_supply_efficiency_at_20_percent,
            efficiency_at_50_percent=a.power_supply_efficiency_at_50_percent,
            efficiency_at_100_percent=a.power_supply_efficiency_at_100_percent,
        ),
    )
    fans_w = it_breakdown.fans_w(
        **working,
        liquid_share=supernode.liquid_share,
        fan_power_share_air=a.fan_power_share_air,
        fan_power_share_liquid=a.fan_power_share_liquid,
    )
    nics_w = it_breakdown.nics_w(
        active_supernodes=active,
        scale_out_nics=supernode.scale_out_nics,
        nic_power_w=pod.fabric.nic_power_w,
    )
    beside = {"power_supplies_w": supplies_w, "fans_w": fans_w, "nics_w": nics_w}
    accelerators_w = it_breakdown.accelerators_w(
        **working,
        **beside,
        accelerators_used=pod.accelerators_used,
        tdp_w=supernode.accelerator.tdp_w,
        accelerator_power_utilisation=a.accelerator_power_utilisation,
    )
    return {
        "accelerators": accelerators_w,
        "hosts": it_breakdown.hosts_w(**working, **beside, accelerators_w=accelerators_w),
        "nics": nics_w,
        "fans": fans_w,
        "power_supplies": supplies_w,
        "idle_supernodes": it_breakdown.idle_supernodes_w(
            active_supernodes=active, installed_supernodes=installed, supernode_power_idle_w=idle_w
        ),
        "network": it_breakdown.network_w(network_power_w=network_w),
        "storage": it_breakdown.storage_w(storage_power_w=storage_w),
    }
