"""The pod's IT load: every figure of `it_power` for one design, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.it import breakdown as it_breakdown
from app.engine.facility.it import power as it_power
from app.engine.facility.it.supernode import SuperNodePower, supernode_power
from app.engine.specs import Facility, Pod, SuperNode
from app.engine.trace import Array


class HasNetworkPower(Protocol):
    @property
    def network_power_w(self) -> Array: ...


class HasSpares(Protocol):
    @property
    def spare_supernodes_installed(self) -> Array: ...

    @property
    def storage_power_w(self) -> Array: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ItLoad:
    """IT figures that the rest of the chain builds on."""

    supernode: SuperNodePower  # of one
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
    facility: Facility,
    fabric: HasNetworkPower,
    reliability: HasSpares,
    assumptions: FacilityAssumptions,
    busy_share: Array | None = None,
) -> ItLoad:
    """IT power in all its senses, and the parts of its mean.

    Parameters
    ----------
    busy_share : share of the step in which accelerators compute; None where no step is known [1]
    """
    a = assumptions
    network_w = fabric.network_power_w
    active = it_power.active_supernodes(
        accelerators_used=pod.accelerators_used, accelerators_per_supernode=supernode.accelerators
    )
    installed = it_power.installed_supernodes(
        supernodes=pod.supernodes, spare_supernodes_installed=reliability.spare_supernodes_installed
    )
    each = supernode_power(
        supernode=supernode,
        nic_power_w=pod.fabric.nic_power_w,
        distribution=facility.distribution,
        load_profile=facility.load_profile,
        busy_share=busy_share,
        assumptions=a,
    )
    storage_w = it_power.storage_power_w(
        installed_supernodes=installed,
        max_power_w=supernode.max_power_w,
        storage_power_share=a.storage_power_share,
        storage_tiers_power_w=reliability.storage_power_w,
    )
    pod_wide = {
        "installed_supernodes": installed,
        "network_power_w": network_w,
        "storage_power_w": storage_w,
    }
    return ItLoad(
        supernode=each,
        active=active,
        installed=installed,
        network_w=network_w,
        storage_w=storage_w,
        mean_w=it_power.it_power_mean_w(
            active_supernodes=active,
            supernode_power_mean_w=each.mean_w,
            supernode_power_idle_w=each.idle_w,
            **pod_wide,
        ),
        peak_w=it_power.it_power_peak_w(
            active_supernodes=active,
            supernode_power_peak_w=each.peak_w,
            supernode_power_idle_w=each.idle_w,
            **pod_wide,
        ),
        design_w=it_power.it_power_design_w(supernode_power_rating_w=each.rating_w, **pod_wide),
        idle_w=it_power.it_power_idle_w(supernode_power_idle_w=each.idle_w, **pod_wide),
        swing_w=it_power.it_power_swing_w(
            active_supernodes=active,
            supernode_power_peak_w=each.peak_w,
            supernode_power_pause_w=each.pause_w,
        ),
        breakdown_w=_mean_breakdown_w(
            each=each,
            supernode=supernode,
            pod=pod,
            active=active,
            installed=installed,
            network_w=network_w,
            storage_w=storage_w,
        ),
    )


def _mean_breakdown_w(
    *,
    each: SuperNodePower,
    supernode: SuperNode,
    pod: Pod,
    active: Array,
    installed: Array,
    network_w: Array,
    storage_w: Array,
) -> dict[str, Array]:
    working = {"active_supernodes": active, "supernode_power_mean_w": each.mean_w}
    beside = {
        "power_supplies_w": it_breakdown.power_supplies_w(
            **working, power_supply_efficiency=each.supply_efficiency
        ),
        "fans_w": it_breakdown.fans_w(**working, node_fan_share=each.fan_share),
        "nics_w": it_breakdown.nics_w(
            active_supernodes=active,
            scale_out_nics=supernode.scale_out_nics,
            nic_power_w=pod.fabric.nic_power_w,
        ),
    }
    accelerators_w = it_breakdown.accelerators_w(**working, **beside, accelerator_power_w=each.accelerators_w)
    return {
        "accelerators": accelerators_w,
        "hosts": it_breakdown.hosts_w(**working, **beside, accelerators_w=accelerators_w),
        "nics": beside["nics_w"],
        "fans": beside["fans_w"],
        "power_supplies": beside["power_supplies_w"],
        "idle_supernodes": it_breakdown.idle_supernodes_w(
            active_supernodes=active, installed_supernodes=installed, supernode_power_idle_w=each.idle_w
        ),
        "network": it_breakdown.network_w(network_power_w=network_w),
        "storage": it_breakdown.storage_w(storage_power_w=storage_w),
    }
