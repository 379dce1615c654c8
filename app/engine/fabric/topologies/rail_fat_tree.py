"""The rail-optimised folded Clos: a leaf a rail and unit, spines above, cores above those from three tiers."""

from __future__ import annotations

import numpy as np

from app.engine.fabric import packing
from app.engine.fabric.graph.graph import (
    FabricGraph,
    Links,
    Whole,
    devices_of,
    joined_links,
    links_between,
    ports_in_order,
)
from app.engine.fabric.topologies.clos_problems import clos_problems
from app.engine.fabric.topologies.shape import Ask, Layer, Shape, Topology
from app.engine.fabric.wiring import Wiring, wire
from app.engine.trace import plain

TIERS = ("leaf", "spine", "core")


def rail_fat_tree_shape(ask: Ask) -> Shape:
    """Leaves, spines and cores by the packing rule."""
    wiring = wire(pod=ask.pod, supernode=ask.supernode, plugs=ask.plugs, assumptions=ask.assumptions)
    return clos_shape(ask, wiring)


def clos_shape(ask: Ask, wiring: Wiring) -> Shape:
    """The layers of any folded Clos of up to three tiers."""
    a = ask.assumptions
    lengths = (a.node_cable_length_m, a.spine_cable_length_m, a.core_cable_length_m)
    nothing = np.zeros(1)
    layers = tuple(
        Layer(
            name=name,
            switches=wiring.switches[level],
            links=wiring.links[level],
            switch_ends=1 if level == 0 else 2,
            links_above=wiring.links[level + 1] if level < 2 else nothing,
            path_links=packing.tier_path_links(tier_count=wiring.tier_count, tier=np.full(1, level + 1.0)),
            cable_length_m=lengths[level],
        )
        for level, name in enumerate(TIERS)
    )
    return Shape(
        layers=layers,
        unit_supernodes=wiring.unit_supernodes,
        units=wiring.scalable_units,
        groups=wiring.leaf_groups,
        bisection_links=packing.clos_bisection_links(
            endpoint_links=ask.plugs.endpoint_links,
            uplinks_per_plane=wiring.links[1],
            tier_count=wiring.tier_count,
        ),
        oversubscription=packing.leaf_oversubscription(
            leaf_endpoints=wiring.leaf_endpoints,
            leaf_uplinks=wiring.leaf_uplinks,
            tier_count=wiring.tier_count,
        ),
        path_switches=packing.clos_path_switches(tier_count=wiring.tier_count),
        mean_path_links=packing.clos_mean_path_links(
            endpoint_links=ask.plugs.endpoint_links,
            leaf_endpoints=wiring.leaf_endpoints,
            group_leaves=packing.group_leaves(
                leaves_per_plane=wiring.switches[0], leaf_groups=wiring.leaf_groups
            ),
            tier_count=wiring.tier_count,
        ),
    )


def rail_fat_tree_graph(ask: Ask) -> FabricGraph:
    """Every leaf, spine and core of every plane, with the hosts and management servers below them.

    Hosts stand in the order of the SuperNodes. Leaves of a plane stand unit by unit, in each rail by rail.
    A host's port is the one of its NIC, plane and link; switches count their ports down first, then up.
    """
    wiring = wire(pod=ask.pod, supernode=ask.supernode, plugs=ask.plugs, assumptions=ask.assumptions)
    places = _endpoint_places(ask, wiring)
    return clos_graph(ask, wiring, **places)


def clos_graph(
    ask: Ask,
    wiring: Wiring,
    *,
    host: Whole,
    host_port: Whole,
    leaf: Whole,
    leaf_rail: Whole,
    leaf_unit: Whole,
) -> FabricGraph:
    """A folded Clos from the places of its endpoints: of one plane host, port in the plane, and leaf."""
    planes, managers = _count(ask.pod.fabric.planes), _count(ask.pod.fabric.management_ports)
    leaves, spines, cores = (_count(switches) for switches in wiring.switches)
    hosts = _count(ask.plugs.networked_supernodes) * _count(ask.supernode.nodes)
    counts = {"host": hosts, "management": managers if leaves else 0}
    counts |= {"leaf": leaves * planes, "spine": spines * planes, "core": cores * planes}
    in_planes = {
        kind: np.repeat(np.arange(planes), count)
        for kind, count in (("leaf", leaves), ("spine", spines), ("core", cores))
    }
    unit_hosts = max(_count(wiring.unit_supernodes) * _count(ask.supernode.nodes), 1)
    devices, first = devices_of(
        counts,
        plane=in_planes,
        group={"host": np.arange(hosts) // unit_hosts, "leaf": np.tile(leaf_unit, planes)},
        rail={"leaf": np.tile(leaf_rail, planes)},
    )
    down = _endpoint_links(first, leaves, planes, _count(ask.plugs.links_per_nic), host, host_port, leaf)
    free = _manager_links(first, counts["management"], leaves, down)
    uplinks = np.full(leaves if spines else 0, _count(wiring.links[1]) // max(leaves, 1))
    groups = _count(wiring.leaf_groups) if spines % max(_count(wiring.leaf_groups), 1) == 0 else 1
    up = _dealt_links(1, (first["leaf"], first["spine"]), spines, uplinks, planes, groups)
    # a spine has as many links up as down: nothing is oversubscribed above the leaves
    taken = np.bincount(up.upper - first["spine"], minlength=spines)[:spines] if cores else np.empty(0, int)
    top = _dealt_links(2, (first["spine"], first["core"]), cores, taken, planes, 1)
    links = _with_ports_upwards(joined_links([down, free, up, top]), len(devices.kind))
    bandwidth = float(np.ravel(plain(ask.plugs.link_bandwidth_bytes_per_s))[0])
    return FabricGraph(
        kinds=tuple(counts),
        tiers=TIERS,
        devices=devices,
        links=links,
        link_bandwidth_bytes_per_s=np.full(len(TIERS), bandwidth),
    )


def _count(value: object) -> int:
    number = float(np.ravel(plain(value))[0])
    return 0 if np.isnan(number) else round(number)


def _endpoint_places(ask: Ask, wiring: Wiring) -> dict[str, Whole]:
    """Host, port within a plane and leaf of every endpoint of one plane; unit and rail of every leaf."""
    supernodes, nodes = _count(ask.plugs.networked_supernodes), _count(ask.supernode.nodes)
    rails, per_nic = _count(ask.plugs.rails), _count(ask.plugs.links_per_nic)
    unit, per_rail_leaves = _count(wiring.unit_supernodes), _count(wiring.leaves_per_rail)
    leaves, units = _count(wiring.switches[0]), _count(wiring.scalable_units)
    nics = _count(ask.supernode.scale_out_nics)
    supernode, nic, link = (
        axis.ravel()
        for axis in np.meshgrid(np.arange(supernodes), np.arange(nics), np.arange(per_nic), indexing="ij")
    )
    tray, rail = np.divmod(nic, max(rails, 1))
    host = supernode * nodes + tray
    host_port = rail * per_nic + link
    if leaves <= 1:
        return {
            "host": host, "host_port": host_port, "leaf": np.zeros(host.size, np.int32),
            "leaf_rail": np.full(leaves, -1), "leaf_unit": np.zeros(leaves, np.int32),
        }  # fmt: skip
    place, in_rail = supernode % unit, tray * per_nic + link
    down, per_rail = _count(ask.plugs.leaf_down_ports), _count(ask.plugs.endpoints_per_rail)
    leaves_of_one = -(-per_rail // down)
    per_leaf = max(min(down // per_rail, unit), 1)
    split = -(-per_rail // leaves_of_one)
    leaf_of_rail = place * leaves_of_one + in_rail // split if leaves_of_one > 1 else place // per_leaf
    leaf = ((supernode // unit) * rails + rail) * per_rail_leaves + leaf_of_rail
    each = np.arange(leaves)
    return {
        "host": host, "host_port": host_port, "leaf": leaf,
        "leaf_rail": each // per_rail_leaves % rails,
        "leaf_unit": np.minimum(each // (per_rail_leaves * rails), units - 1),
    }  # fmt: skip


def _endpoint_links(
    first: dict[str, int], leaves: int, planes: int, per_nic: int, host: Whole, host_port: Whole, leaf: Whole
) -> Links:
    """The links of hosts: a NIC's ports stand together, plane by plane."""
    plane = np.arange(planes)[:, None]
    nic, link = np.divmod(host_port, max(per_nic, 1))
    upper = first["leaf"] + plane * leaves + leaf
    return links_between(
        tier=0,
        lower=first["host"] + host,
        upper=upper,
        lower_port=(nic * planes + plane) * per_nic + link,
        upper_port=ports_in_order(upper.ravel()).reshape(upper.shape),
    )


def _manager_links(first: dict[str, int], managers: int, leaves: int, down: Links) -> Links:
    """Management servers take turns at the last leaves of the first plane, where ports are left over."""
    each = np.arange(managers)
    upper = first["leaf"] + max(leaves, 1) - 1 - each % max(min(leaves, managers), 1)
    taken = np.bincount(down.upper, minlength=first["leaf"] + max(leaves, 1))
    return links_between(
        tier=0,
        lower=first["management"] + each,
        upper=upper,
        lower_port=np.zeros(managers, int),
        upper_port=ports_in_order(upper) + taken[upper],
    )


def _dealt_links(
    tier: int, first: tuple[int, int], uppers: int, links_of: Whole, planes: int, groups: int
) -> Links:
    """Links between two tiers: those of each lower switch dealt out in turn over the upper ones it reaches.

    `links_of` says how many links each lower switch of a plane has upwards. Lower switches of a group stand
    together and reach the upper ones of their group alone.
    """
    lowers = links_of.size
    lower = np.repeat(np.arange(lowers), links_of)
    dealt = np.arange(lower.size)
    if groups > 1:
        group, reached = lower * groups // max(lowers, 1), uppers // groups
        upper = group * reached + dealt % reached
    else:
        upper = dealt % max(uppers, 1)
    plane = np.arange(planes)[:, None]
    return links_between(
        tier=tier,
        lower=first[0] + plane * lowers + lower,
        upper=first[1] + plane * uppers + upper,
        lower_port=np.zeros(1, int),  # given once all links are there
        upper_port=np.zeros(1, int),
    )


def _with_ports_upwards(links: Links, devices: int) -> Links:
    """Ports of links between switches: down first, in order, then up."""
    between = links.tier > 0
    down = np.bincount(links.upper, minlength=devices).astype(np.int32)
    upper_port, lower_port = links.upper_port.copy(), links.lower_port.copy()
    upper_port[between] = ports_in_order(links.upper[between])
    lower_port[between] = ports_in_order(links.lower[between]) + down[links.lower[between]]
    return Links(
        tier=links.tier, lower=links.lower, upper=links.upper, lower_port=lower_port, upper_port=upper_port
    )


RAIL_FAT_TREE = Topology(
    name="rail_fat_tree",
    title="Rail-optimised fat tree",
    shape=rail_fat_tree_shape,
    graph=rail_fat_tree_graph,
    problems=clos_problems,
)
