"""What one SuperNode draws at the inlet of its rack: rated, at the job's peak, at work, in a pause and idle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.it import power
from app.engine.facility.it.supplies import DIRECT_CURRENT, at_inlet, supply_efficiency
from app.engine.facility.it.utilisation import power_utilisation
from app.engine.quantities import quantity
from app.engine.specs import SuperNode
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodePower:
    """Powers of one SuperNode, and what splits its power at work."""

    rating_w: Array
    peak_w: Array
    mean_w: Array
    pause_w: Array
    idle_w: Array
    accelerators_w: Array  # of the mean
    fan_share: Array
    supply_efficiency: Array  # of power supplies at the mean, or of the rack's converter


@quantity(unit="1", source="share of node power, assumption")
def node_fan_share(
    *, liquid_share: Array, fan_power_share_air: Array, fan_power_share_liquid: Array
) -> Array:
    """Share of a node's power that its fans take, in proportion to the heat that is left to air."""
    return fan_power_share_air + liquid_share * (fan_power_share_liquid - fan_power_share_air)


@quantity(unit="W", source="split of measured node power, assumption")
def accelerator_power_w(
    *,
    accelerators_per_supernode: Array,
    tdp_w: Array,
    accelerator_power_utilisation: Array,
    power_utilisation: Array,
    training_power_utilisation: Array,
) -> Array:
    """Mean power of the accelerators of a SuperNode at work, without a cap.

    Their share of TDP in the measured job, less in proportion where the node draws less than there.
    """
    share = accelerator_power_utilisation * power_utilisation / training_power_utilisation
    return accelerators_per_supernode * tdp_w * share


@quantity(unit="W", source="definition")
def accelerator_room_w(
    *,
    supernode_power_mean_w: Array,
    power_supply_efficiency: Array,
    node_fan_share: Array,
    scale_out_nics: Array,
    nic_power_w: Array,
    accelerator_power_w: Array,
) -> Array:
    """Mean power of the accelerators of a SuperNode: theirs, and never more than its power leaves to them."""
    left_w = supernode_power_mean_w * (power_supply_efficiency - node_fan_share)
    return np.minimum(accelerator_power_w, left_w - scale_out_nics * nic_power_w)


@quantity(unit="W", source="definition")
def capped_accelerator_power_w(*, accelerator_power_w: Array, power_cap: Array) -> Array:
    """Mean power of the accelerators of a SuperNode under a cap: the capped share of what they drew."""
    return accelerator_power_w * power_cap


def supernode_rating_w(*, supernode: SuperNode, distribution: str, assumptions: FacilityAssumptions) -> Array:
    """Most that a SuperNode may draw at the inlet of its rack."""
    rating_w = supernode.max_power_w
    if supernode.accelerator.power_cap is not None:
        idle_w = power.supernode_power_idle_w(
            max_power_w=rating_w, idle_power_utilisation=assumptions.idle_power_utilisation
        )
        rating_w = _capped(rating_w, supernode, idle_w)
    return at_inlet(
        rating_w, max_power_w=supernode.max_power_w, distribution=distribution, assumptions=assumptions
    )


def supernode_peak_w(*, supernode: SuperNode, distribution: str, assumptions: FacilityAssumptions) -> Array:
    """What a SuperNode draws at its rack's inlet at the job's coincident peak."""
    a, max_power_w = assumptions, supernode.max_power_w
    return at_inlet(_peak_w(supernode, a), max_power_w=max_power_w, distribution=distribution, assumptions=a)


def supernode_power(
    *,
    supernode: SuperNode,
    nic_power_w: Array,
    distribution: str,
    load_profile: str,
    busy_share: Array | None,
    assumptions: FacilityAssumptions,
) -> SuperNodePower:
    """Every power of one SuperNode.

    Parameters
    ----------
    busy_share : share of the step in which accelerators compute; None where no step is known [1]
    """
    a, max_power_w, chip = assumptions, supernode.max_power_w, supernode.accelerator
    utilisation = power_utilisation(load_profile, busy_share, a)
    mean_w = power.supernode_power_mean_w(max_power_w=max_power_w, power_utilisation=utilisation)
    idle_w = power.supernode_power_idle_w(
        max_power_w=max_power_w, idle_power_utilisation=a.idle_power_utilisation
    )
    pause_w = power.supernode_power_pause_w(
        max_power_w=max_power_w, pause_power_utilisation=a.pause_power_utilisation
    )
    fans = node_fan_share(
        liquid_share=supernode.liquid_share,
        fan_power_share_air=a.fan_power_share_air,
        fan_power_share_liquid=a.fan_power_share_liquid,
    )
    accelerators_w = accelerator_power_w(
        accelerators_per_supernode=supernode.accelerators,
        tdp_w=chip.tdp_w,
        accelerator_power_utilisation=a.accelerator_power_utilisation,
        power_utilisation=utilisation,
        training_power_utilisation=a.training_power_utilisation,
    )
    efficiency = supply_efficiency(mean_w, max_power_w, a)
    if chip.power_cap is not None:
        accelerators_w = accelerator_room_w(
            supernode_power_mean_w=mean_w,
            power_supply_efficiency=efficiency,
            node_fan_share=fans,
            scale_out_nics=supernode.scale_out_nics,
            nic_power_w=nic_power_w,
            accelerator_power_w=accelerators_w,
        )
        mean_w = capped_mean_power_w(
            supernode_power_mean_w=mean_w,
            accelerator_power_w=accelerators_w,
            power_cap=chip.power_cap,
            power_supply_efficiency=efficiency,
            node_fan_share=fans,
            supernode_power_idle_w=idle_w,
            supernode_power_peak_w=_peak_w(supernode, a),
        )
        accelerators_w = capped_accelerator_power_w(
            accelerator_power_w=accelerators_w, power_cap=chip.power_cap
        )
        efficiency = supply_efficiency(mean_w, max_power_w, a)

    def fed(power_w: Array) -> Array:
        return at_inlet(power_w, max_power_w=max_power_w, distribution=distribution, assumptions=a)

    return SuperNodePower(
        rating_w=supernode_rating_w(supernode=supernode, distribution=distribution, assumptions=a),
        peak_w=supernode_peak_w(supernode=supernode, distribution=distribution, assumptions=a),
        mean_w=fed(mean_w),
        pause_w=fed(pause_w),
        idle_w=fed(idle_w),
        accelerators_w=accelerators_w,
        fan_share=fans,
        supply_efficiency=a.rack_converter_efficiency if distribution == DIRECT_CURRENT else efficiency,
    )


def _peak_w(supernode: SuperNode, a: FacilityAssumptions) -> Array:
    """Coincident peak of a SuperNode before the inlet of its rack, under the cap where there is one."""
    peak_w = power.supernode_power_peak_w(
        max_power_w=supernode.max_power_w,
        peak_power_utilisation=a.peak_power_utilisation,
        peak_diversity=a.peak_diversity,
    )
    if supernode.accelerator.power_cap is None:
        return peak_w
    idle_w = power.supernode_power_idle_w(
        max_power_w=supernode.max_power_w, idle_power_utilisation=a.idle_power_utilisation
    )
    return _capped(peak_w, supernode, idle_w)


def _capped(power_w: Array, supernode: SuperNode, idle_w: Array) -> Array:
    chip = supernode.accelerator
    assert chip.power_cap is not None
    return capped_power_w(
        power_w=power_w,
        cap_relief_w=cap_relief_w(
            accelerators_per_supernode=supernode.accelerators, tdp_w=chip.tdp_w, power_cap=chip.power_cap
        ),
        supernode_power_idle_w=idle_w,
    )


@quantity(unit="W", source="definition: the accelerators may not draw more than the cap")
def cap_relief_w(*, accelerators_per_supernode: Array, tdp_w: Array, power_cap: Array) -> Array:
    """Reduction of rated and peak power by a cap.

    What fans and power supplies save with it is left out: feeders are sized on what is certain.
    """
    return accelerators_per_supernode * tdp_w * (1 - power_cap)


@quantity(unit="W", source="definition")
def capped_power_w(*, power_w: Array, cap_relief_w: Array, supernode_power_idle_w: Array) -> Array:
    """Rating or peak of a SuperNode under a cap, never below its idle power."""
    return np.maximum(power_w - cap_relief_w, supernode_power_idle_w)


@quantity(unit="W", source="definition")
def capped_mean_power_w(
    *,
    supernode_power_mean_w: Array,
    accelerator_power_w: Array,
    power_cap: Array,
    power_supply_efficiency: Array,
    node_fan_share: Array,
    supernode_power_idle_w: Array,
    supernode_power_peak_w: Array,
) -> Array:
    """Mean power of a SuperNode under a cap, never below its idle power nor above its peak under the cap.

    Accelerators draw the capped share of what they did; fans and power supplies follow the node, so each
    watt saved behind them saves 1 / (efficiency - fans' share) at the inlet.
    """
    saved_w = accelerator_power_w * (1 - power_cap) / (power_supply_efficiency - node_fan_share)
    mean_w = np.maximum(supernode_power_mean_w - saved_w, supernode_power_idle_w)
    return np.minimum(mean_w, supernode_power_peak_w)
