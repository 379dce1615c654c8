"""What a cap on the accelerators takes off the power of their SuperNode."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


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
