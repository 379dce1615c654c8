"""Which scalable unit a SuperNode or a switch belongs to: what belongs together stands together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.engine.fabric.graph.graph import HOST, NONE, FabricGraph, Whole

SERVED_UNITS = 2  # a switch that serves more units than this is placed with none of them


def supernode_groups(graphs: Mapping[str, FabricGraph], first_hosts: Whole) -> Whole:
    """(supernodes,) the group that the first network with groups gives them, -1 for none.

    `first_hosts` is the number of the first host of each SuperNode.
    """
    for graph in graphs.values():
        devices = graph.of_kind(HOST)
        groups = graph.devices.group[devices]
        if groups.size and groups.max() > NONE:
            numbers = graph.devices.number[devices]
            of_host = np.full(max(int(first_hosts.max(initial=0)), int(numbers.max())) + 1, NONE)
            of_host[numbers] = groups
            return of_host[first_hosts].astype(np.int32)
    return np.full(first_hosts.size, NONE, np.int32)


def units_of_supernodes(groups: Whole, kinds: Whole, own_unit: Whole, shared: Whole) -> Whole:
    """(supernodes,) units, counted from 0 in the order of kinds and groups.

    Those without a group come in units of `own_unit` SuperNodes. Units so small that several have
    no more than `shared` SuperNodes are put together. Both are by kind.

    >>> units_of_supernodes(np.array([0, 0, 1, 1]), np.zeros(4, int), np.array([9]), np.array([1])).tolist()
    [0, 0, 1, 1]
    >>> units_of_supernodes(np.array([0, 0, 1, 1]), np.zeros(4, int), np.array([9]), np.array([4])).tolist()
    [0, 0, 0, 0]
    """
    units = np.empty(groups.size, np.int32)
    found = 0
    for kind in np.flatnonzero(np.bincount(kinds)):
        mine = np.flatnonzero(kinds == kind)
        named = groups[mine]
        alone = named == NONE
        by_count = (np.cumsum(alone) - 1) // own_unit[kind]
        label = np.where(alone, named.max(initial=NONE) + 1 + by_count, named)
        sizes = np.bincount(label)
        unit = (np.cumsum(sizes > 0) - 1)[label]
        units[mine] = found + unit // max(int(shared[kind]) // int(sizes.max()), 1)
        found = int(units[mine].max()) + 1
    return units


def with_full_racks(unit_of_host: Whole, kind_of_host: Whole, per_rack: Whole) -> tuple[Whole, Whole]:
    """Regrouped units, shape (hosts,): every rack is full but the last of each kind.

    Servers that would stand alone in the last rack of a unit share it with the first ones of the next unit:
    so many racks are counted wherever racks are counted. Also, (units,) the unit that each has become.

    Parameters
    ----------
    per_rack : by kind, servers of a full rack; 0 for SuperNodes that come in racks of their own

    >>> units, became = with_full_racks(np.array([0, 0, 0, 1, 1, 1, 2]), np.zeros(7, int), np.array([2]))
    >>> units.tolist(), became.tolist()
    ([0, 0, 0, 0, 1, 1, 2], [0, 1, 2])
    """
    order = np.lexsort((unit_of_host, kind_of_host))
    kind, unit = kind_of_host[order], unit_of_host[order]
    first = np.searchsorted(kind, kind)
    each = np.maximum(per_rack[kind], 1)
    leads = first + (np.arange(order.size) - first) // each * each  # the lowest server of each one's rack
    found = np.where(per_rack[kind] > 0, unit[leads], unit)
    _, found = np.unique(found, return_inverse=True)
    became = np.empty(int(unit_of_host.max(initial=NONE)) + 1, np.int32)
    became[unit] = found.ravel()  # of its last server: the unit in which it may have a rack of its own
    filled = np.empty(order.size, np.int32)
    filled[order] = found.ravel()
    return filled, became


def units_of_devices(graph: FabricGraph, unit_of_host: Whole) -> Whole:
    """(devices,) unit of each device: that of the hosts it serves, else of its group, else -1.

    A switch that serves two neighbouring units stands in the lower one; one that serves more in none.
    """
    groups, links = graph.devices.group, graph.links
    units = np.full(graph.device_count, NONE, np.int32)
    hosts = graph.of_kind(HOST)
    units[hosts] = unit_of_host[graph.devices.number[hosts]]
    is_host = np.zeros(graph.device_count, bool)
    is_host[hosts] = True
    first, last = (hosts[0], hosts[-1]) if hosts.size else (0, NONE)  # devices stand kind by kind
    lowest = np.full(graph.device_count, np.iinfo(np.int32).max, np.int32)
    highest = np.full(graph.device_count, NONE, np.int32)
    for served, switch in ((links.lower, links.upper), (links.upper, links.lower)):
        ends = np.flatnonzero((served >= first) & (served <= last))
        at, unit = switch[ends].astype(np.intp), units[served[ends]]
        np.minimum.at(lowest, at, unit)
        np.maximum.at(highest, at, unit)
    serves = ~is_host & (highest > NONE)
    few = serves & (highest - lowest < SERVED_UNITS)
    units[few] = lowest[few]
    of_group = np.full(int(groups.max(initial=NONE)) + 1, NONE, np.int32)
    grouped = hosts[groups[hosts] > NONE]
    of_group[groups[grouped]] = units[grouped]
    rest = ~is_host & ~serves & (groups > NONE)
    units[rest] = of_group[groups[rest]]
    return units
