"""Dragonfly+: groups of leaves and spines, and every two groups joined by a trunk between spines.

A. Shpiner, Z. Haramaty, S. Eliad, V. Zdornov, B. Gafni, E. Zahavi, "Dragonfly+: Low Cost Topology for Scaling
Datacenters", HiPINEB 2017.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.figures import Fabric
from app.engine.fabric.graph.graph import FabricGraph, devices_of, joined_links
from app.engine.fabric.topologies.dragonflies import counts, paths
from app.engine.fabric.topologies.dragonflies.groups import (
    Groups,
    between_switches,
    dragonfly_problems,
    endpoint_links,
    groups_of,
    numbered,
    pairs_of,
    shared_links_of,
    trunk_ends,
    unit_of,
)
from app.engine.fabric.topologies.shape import Ask, Layer, Shape, Topology
from app.engine.problems import Problem
from app.engine.trace import count_of, first_of

TIERS = ("leaf", "spine", "global")


def _groups(ask: Ask) -> Groups:
    return groups_of(ask, counts.balanced_leaf_endpoints, routers_per_endpoint=1.0)


def dragonfly_plus_shape(ask: Ask) -> Shape:
    """Leaves, spines and the links between groups."""
    groups, endpoints, a = _groups(ask), ask.plugs.endpoint_links, ask.assumptions
    nothing = np.zeros(1)
    switches = counts.dragonfly_switches(groups=groups.count, group_routers=groups.routers)
    local = counts.dragonfly_plus_local_links(groups=groups.count, group_routers=groups.routers)
    trunks = counts.global_links(groups=groups.count, trunk_links=groups.trunk)
    local_steps = paths.dragonfly_plus_local_path_links(groups=groups.count, group_routers=groups.routers)
    global_steps = paths.global_path_links(groups=groups.count)
    node_steps = paths.router_path_links(endpoints=endpoints)
    layers = tuple(
        Layer(
            name=name,
            switches=of_layer,
            links=links,
            switch_ends=1 if name == "leaf" else 2,
            links_above=above,
            path_links=steps,
            cable_length_m=length,
        )
        for name, of_layer, links, above, steps, length in (
            ("leaf", switches, endpoints, local, node_steps, a.node_cable_length_m),
            ("spine", switches, local, 2 * trunks, local_steps, a.spine_cable_length_m),
            ("global", nothing, trunks, nothing, global_steps, a.core_cable_length_m),
        )
    )
    pairs = pairs_of(ask, groups)
    return Shape(
        layers=layers,
        unit_supernodes=unit_of(ask, groups),
        units=groups.count,
        groups=groups.count,
        bisection_links=counts.dragonfly_plus_bisection_links(
            endpoints=endpoints, groups=groups.count, group_routers=groups.routers, trunk_links=groups.trunk
        ),
        oversubscription=counts.global_oversubscription(
            groups=groups.count,
            group_routers=groups.routers,
            router_endpoints=groups.endpoints,
            trunk_links=groups.trunk,
        ),
        path_switches=paths.dragonfly_path_switches(
            local_path_links=local_steps, global_path_links=global_steps, groups=groups.count
        ),
        mean_path_links=paths.dragonfly_plus_mean_path_links(
            endpoints=endpoints, same_router_pairs=pairs.same_router, same_group_pairs=pairs.same_group
        ),
        shared_links=shared_links_of(ask, groups, router_others=np.zeros(1)),
    )


def dragonfly_plus_graph(ask: Ask) -> FabricGraph:
    """Leaves and spines group by group; a spine's ports are those to its leaves, then to other groups."""
    groups = _groups(ask)
    planes, count = count_of(ask.pod.fabric.planes), count_of(groups.count)
    of_group, per_leaf, trunk = (
        count_of(value) for value in (groups.routers, groups.endpoints, groups.trunk)
    )
    leaves = count * of_group
    hosts = count_of(ask.plugs.networked_supernodes) * count_of(ask.supernode.nodes)
    managers = count_of(ask.pod.fabric.management_ports) if leaves else 0
    each = np.arange(planes * leaves)
    of_kind = {"plane": each // max(leaves, 1), "group": each % max(leaves, 1) // max(of_group, 1)}
    per_host = max(count_of(ask.plugs.endpoint_links) // max(hosts, 1), 1)
    devices, first = devices_of(
        {"host": hosts, "management": managers, "leaf": planes * leaves, "spine": planes * leaves},
        plane={"leaf": of_kind["plane"], "spine": of_kind["plane"]},
        group={
            "host": np.arange(hosts) * per_host // max(of_group * per_leaf, 1),
            "leaf": of_kind["group"],
            "spine": of_kind["group"],
        },
        rail={},
    )
    leaf, spine = (axis.ravel() for axis in np.indices((of_group, of_group)))
    here = np.arange(count)[:, None] * of_group
    per = leaves, leaves
    links = joined_links(
        [
            endpoint_links(ask, first, "leaf", per_leaf, leaves),
            between_switches(
                1, (here + leaf).ravel(), (here + spine).ravel(), planes, (first["leaf"], first["spine"]), per
            ),
            between_switches(
                2, *trunk_ends(count, of_group, trunk), planes, (first["spine"], first["spine"]), per
            ),
        ]
    )
    kept = np.zeros(devices.kind.size, int)
    kept[first["leaf"] : first["leaf"] + planes * leaves] = per_leaf
    bandwidth = first_of(ask.plugs.link_bandwidth_bytes_per_s)
    return FabricGraph(
        kinds=("host", "management", "leaf", "spine"),
        tiers=TIERS,
        devices=devices,
        links=numbered(links, kept),
        link_bandwidth_bytes_per_s=np.full(len(TIERS), bandwidth),
    )


def _problems(ask: Ask, fabric: Fabric) -> list[Problem]:
    groups = _groups(ask)
    ports = groups.routers + np.maximum(groups.endpoints, groups.global_links)
    return dragonfly_problems(ask, groups, title="dragonfly+", router_ports=ports)


DRAGONFLY_PLUS = Topology(
    name="dragonfly_plus",
    title="Dragonfly+",
    shape=dragonfly_plus_shape,
    graph=dragonfly_plus_graph,
    problems=_problems,
)
