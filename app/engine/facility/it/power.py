"""IT power of the pod: rated, mean, coincident peak and idle, kept apart, and where the mean goes.

A node that trains draws about 0.7 of its rating [1], synchronous jobs peak together [1], so energy
follows the mean, and feeders follow the coincident peak or the rating.

[1] MLPerf Training v4.0 and v4.1 power submissions (Supermicro, Dell), node logs.
"""

from __future__ import annotations

import functools

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

MEASURED = "MLPerf Training v4.0 and v4.1 power submissions, node logs"


@quantity(unit="1", source="definition")
def active_supernodes(*, accelerators_used: Array, accelerators_per_supernode: Array) -> Array:
    """SuperNodes at work.

    Fractional when the job leaves part of a SuperNode idle: its power is taken to fall in proportion.
    """
    return accelerators_used / accelerators_per_supernode


@quantity(unit="1", source="definition")
def installed_supernodes(*, supernodes: Array, spare_supernodes_installed: Array) -> Array:
    """SuperNodes installed, spares included; a spare host or cube is a part of one."""
    return supernodes + spare_supernodes_installed


@quantity(unit="W", source=MEASURED)
def supernode_power_mean_w(*, max_power_w: Array, power_utilisation: Array) -> Array:
    """Mean power of one SuperNode at work.

    Parameters
    ----------
    max_power_w : rating of the SuperNode at its power inlet [W]
    power_utilisation : mean power over rating [1]; 0.70 in large-batch dense training,
        0.50 in strong-scaled, communication-bound jobs
    """
    return max_power_w * power_utilisation


@quantity(unit="W", source=MEASURED)
def supernode_power_idle_w(*, max_power_w: Array, idle_power_utilisation: Array) -> Array:
    """Power of one SuperNode that is on and idle."""
    return max_power_w * idle_power_utilisation


@quantity(unit="W", source=MEASURED)
def supernode_power_pause_w(*, max_power_w: Array, pause_power_utilisation: Array) -> Array:
    """Power of a SuperNode while its job pauses: in evaluation, a checkpoint, after a failure."""
    return max_power_w * pause_power_utilisation


@quantity(unit="W", source=MEASURED)
def supernode_power_peak_w(
    *, max_power_w: Array, peak_power_utilisation: Array, peak_diversity: Array
) -> Array:
    """Power of one SuperNode at the job's coincident peak.

    Parameters
    ----------
    max_power_w : rating of the SuperNode [W]
    peak_power_utilisation : a node's own peak over its rating [1]
    peak_diversity : coincident peak over the sum of node peaks [1]; 0.987 measured on 64 nodes
    """
    return max_power_w * peak_power_utilisation * peak_diversity


@quantity(unit="W", source="DGX SuperPOD GB200 reference architecture, overhead beside the racks")
def storage_power_w(
    *,
    installed_supernodes: Array,
    max_power_w: Array,
    storage_power_share: Array,
    storage_tiers_power_w: Array,
) -> Array:
    """Storage and management power, taken as constant: management by share, storage by its tiers."""
    return installed_supernodes * max_power_w * storage_power_share + storage_tiers_power_w


@quantity(unit="W", source="definition", at="power.it_power_mean_w", key=True)
def it_power_mean_w(
    *,
    active_supernodes: Array,
    installed_supernodes: Array,
    supernode_power_mean_w: Array,
    supernode_power_idle_w: Array,
    network_power_w: Array,
    storage_power_w: Array,
) -> Array:
    """Mean IT power.

    SuperNodes at work draw their mean, the rest and the spares idle; network and storage are constant.
    """
    idle_supernodes = installed_supernodes - active_supernodes
    supernodes_w = active_supernodes * supernode_power_mean_w + idle_supernodes * supernode_power_idle_w
    return supernodes_w + network_power_w + storage_power_w


@quantity(unit="W", source=MEASURED, at="power.it_power_peak_w", key=True)
def it_power_peak_w(
    *,
    active_supernodes: Array,
    installed_supernodes: Array,
    supernode_power_peak_w: Array,
    supernode_power_idle_w: Array,
    network_power_w: Array,
    storage_power_w: Array,
) -> Array:
    """Peak IT power.

    Nodes of one training job peak together: the sum of their peaks times a diversity near 1. Peaks
    shorter than a second are not in it.
    """
    idle_supernodes = installed_supernodes - active_supernodes
    supernodes_w = active_supernodes * supernode_power_peak_w + idle_supernodes * supernode_power_idle_w
    return supernodes_w + network_power_w + storage_power_w


@quantity(unit="W", source="definition", at="power.it_power_design_w")
def it_power_design_w(
    *,
    installed_supernodes: Array,
    supernode_power_rating_w: Array,
    network_power_w: Array,
    storage_power_w: Array,
) -> Array:
    """Design IT power: all SuperNodes at rated power, a power cap kept."""
    return installed_supernodes * supernode_power_rating_w + network_power_w + storage_power_w


@quantity(unit="W", source="definition", at="power.it_power_idle_w")
def it_power_idle_w(
    *,
    installed_supernodes: Array,
    supernode_power_idle_w: Array,
    network_power_w: Array,
    storage_power_w: Array,
) -> Array:
    """IT power with all SuperNodes idle."""
    return installed_supernodes * supernode_power_idle_w + network_power_w + storage_power_w


@quantity(unit="W", source=MEASURED, at="power.it_power_swing_w")
def it_power_swing_w(
    *, active_supernodes: Array, supernode_power_peak_w: Array, supernode_power_pause_w: Array
) -> Array:
    """IT power swing.

    What the grid, generators and storage see when a synchronous job stops for evaluation, a
    checkpoint or a failure, and starts again.
    """
    return active_supernodes * np.maximum(supernode_power_peak_w - supernode_power_pause_w, 0)


@quantity(unit="W", source="definition", at="power.accelerator_tdp_power_w")
def accelerator_tdp_power_w(*, accelerators_used: Array, tdp_w: Array) -> Array:
    """TDP of the accelerators at work.

    Not what a meter reads: all-in power is up to 2.5 times as much.
    """
    return accelerators_used * tdp_w


@quantity(unit="1", source="definition: spares are bought in the proportion of the pod")
def installed_of_kind(
    *, supernodes_of_kind: Array, supernodes: Array, installed_supernodes: Array, nodes: Array
) -> Array:
    """SuperNodes of one kind with its part of the spares, in whole hosts."""
    return np.ceil(np.round(supernodes_of_kind * installed_supernodes / supernodes * nodes, 6)) / nodes


@quantity(unit="1", source="definition")
def servers_in_fullest_rack(*, servers_per_rack: Array, installed_supernodes: Array, nodes: Array) -> Array:
    """Servers of the fullest rack: those of a full one, or all there are."""
    return np.minimum(servers_per_rack, installed_supernodes * nodes)


@quantity(unit="W", source="definition")
def rack_of_kind_w(*, supernode_power_rating_w: Array, nodes: Array, servers_in_fullest_rack: Array) -> Array:
    """Rated power of the fullest rack of SuperNodes of one kind."""
    return supernode_power_rating_w / nodes * servers_in_fullest_rack


@quantity(unit="W", source="definition", at="power.power_per_rack_w")
def power_per_rack_w(*, rack_powers_w: tuple[Array, ...]) -> Array:
    """Highest rated rack power, without in-rack switches."""
    return functools.reduce(np.maximum, rack_powers_w)


@quantity(unit="1", source="definition", at="power.servers_per_rack")
def servers_of_densest_rack(*, rack_powers_w: tuple[Array, ...], servers: tuple[Array, ...]) -> Array:
    """Servers or trays per rack, maximum."""
    densest_w, found = rack_powers_w[0], servers[0]
    for power_w, count in zip(rack_powers_w[1:], servers[1:], strict=True):
        found = np.where(power_w > densest_w, count, found)
        densest_w = np.maximum(densest_w, power_w)
    return found
