"""Where the mean IT power goes: the parts of the SuperNodes at work, and other equipment.

Node power is measured, its split is not: accelerators follow their TDP, fans and power supplies a
share, and hosts take what is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="W", source="definition", at="power.it_breakdown_w.power_supplies", short="Power supplies")
def power_supplies_w(
    *, active_supernodes: Array, supernode_power_mean_w: Array, power_supply_efficiency: Array
) -> Array:
    """Losses of the power supplies inside the SuperNodes at work, or of the converters before them."""
    return active_supernodes * supernode_power_mean_w * (1 - power_supply_efficiency)


@quantity(
    unit="W", source="share of node power, assumption", at="power.it_breakdown_w.fans", short="Node fans"
)
def fans_w(*, active_supernodes: Array, supernode_power_mean_w: Array, node_fan_share: Array) -> Array:
    """Fans inside the SuperNodes at work."""
    return active_supernodes * supernode_power_mean_w * node_fan_share


@quantity(unit="W", source="definition", at="power.it_breakdown_w.nics", short="NICs")
def nics_w(*, active_supernodes: Array, scale_out_nics: Array, nic_power_w: Array) -> Array:
    """Scale-out NICs of the SuperNodes at work."""
    return active_supernodes * scale_out_nics * nic_power_w


@quantity(
    unit="W",
    source="split of measured node power, assumption",
    at="power.it_breakdown_w.accelerators",
    short="Accelerators",
)
def accelerators_w(
    *,
    active_supernodes: Array,
    accelerator_power_w: Array,
    supernode_power_mean_w: Array,
    power_supplies_w: Array,
    fans_w: Array,
    nics_w: Array,
) -> Array:
    """Accelerators at work, including memory and regulators.

    Never more than what the node's power leaves to them.
    """
    left_w = active_supernodes * supernode_power_mean_w - power_supplies_w - fans_w - nics_w
    return np.minimum(active_supernodes * accelerator_power_w, left_w)


@quantity(unit="W", source="remainder of measured node power", at="power.it_breakdown_w.hosts", short="Hosts")
def hosts_w(
    *,
    active_supernodes: Array,
    supernode_power_mean_w: Array,
    accelerators_w: Array,
    power_supplies_w: Array,
    fans_w: Array,
    nics_w: Array,
) -> Array:
    """Processors, memory, drives and scale-up switches of the SuperNodes at work."""
    supernodes_w = active_supernodes * supernode_power_mean_w
    return np.maximum(supernodes_w - accelerators_w - power_supplies_w - fans_w - nics_w, 0)


@quantity(unit="W", source="definition", at="power.it_breakdown_w.idle_supernodes", short="Idle SuperNodes")
def idle_supernodes_w(
    *, active_supernodes: Array, installed_supernodes: Array, supernode_power_idle_w: Array
) -> Array:
    """Idle SuperNodes, including spares."""
    return (installed_supernodes - active_supernodes) * supernode_power_idle_w


@quantity(
    unit="W", source="bill of materials of the fabric", at="power.it_breakdown_w.network", short="Fabric"
)
def network_w(*, network_power_w: Array) -> Array:
    """Scale-out switches and optics."""
    return network_power_w


@quantity(unit="W", source="definition", at="power.it_breakdown_w.storage", short="Storage")
def storage_w(*, storage_power_w: Array) -> Array:
    """Storage and management."""
    return storage_power_w


@dataclass(frozen=True, slots=True, kw_only=True)
class ItTotals:
    """IT power of the pod, as in the evaluation."""

    idle_w: float
    mean_w: float
    peak_w: float
    design_w: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    """One component of the pod. Where its power is unknown, its watts are in a line of what is left."""

    key: str
    label: str
    idle_w: float
    mean_w: float
    peak_w: float
    design_w: float
    basis: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CapPoint:
    """A design under a power cap, with the layout that it has."""

    power_cap: float
    step_time_s: float
    it_power_mean_w: float
    utility_peak_w: float
    energy_j_per_step: float
    energy_j_per_token: float  # unknown for a job without tokens
