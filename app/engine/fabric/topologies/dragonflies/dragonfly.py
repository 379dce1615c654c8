"""Dragonfly: groups of routers, all joined inside a group, and every two groups joined by a trunk.

J. Kim, W. Dally, S. Scott, D. Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008.
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

TIERS = ("router", "local", "global")


def _groups(ask: Ask) -> Groups:
    return groups_of(ask, counts.balanced_router_endpoints, routers_per_endpoint=2.0)


def dragonfly_shape(ask: Ask) -> Shape:
    """Routers, links inside groups and links between them."""
    groups, endpoints, a = _groups(ask), ask.plugs.endpoint_links, ask.assumptions
    nothing = np.zeros(1)
    local = counts.dragonfly_local_links(groups=groups.count, group_routers=groups.routers)
    trunks = counts.global_links(groups=groups.count, trunk_links=groups.trunk)
    local_steps = paths.local_path_links(
        groups=groups.count, trunk_links=groups.trunk, group_routers=groups.routers
    )
    global_steps = paths.global_path_links(groups=groups.count)
    routers = Layer(
        name="router",
        switches=counts.dragonfly_switches(groups=groups.count, group_routers=groups.routers),
        links=endpoints,
        switch_ends=1,
        links_above=2 * (local + trunks),  # both ends are in routers
        path_links=paths.router_path_links(endpoints=endpoints),
        cable_length_m=a.node_cable_length_m,
    )
    inside, between = (
        Layer(
            name=name,
            switches=nothing,
            links=links,
            switch_ends=2,
            links_above=nothing,
            path_links=steps,
            cable_length_m=length,
        )
        for name, links, steps, length in (
            ("local", local, local_steps, a.spine_cable_length_m),
            ("global", trunks, global_steps, a.core_cable_length_m),
        )
    )
    pairs = pairs_of(ask, groups)
    return Shape(
        layers=(routers, inside, between),
        unit_supernodes=unit_of(ask, groups),
        units=groups.count,
        groups=groups.count,
        bisection_links=counts.dragonfly_bisection_links(
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
        mean_path_links=paths.dragonfly_mean_path_links(
            endpoints=endpoints,
            full_groups=pairs.full_groups,
            last_group_endpoints=pairs.last_group,
            same_router_pairs=pairs.same_router,
            same_group_pairs=pairs.same_group,
            full_groups_router_links=paths.full_groups_router_links(
                trunk_links=groups.trunk, group_routers=groups.routers
            ),
            last_group_gateways=paths.last_group_gateways(
                last_group_endpoints=pairs.last_group,
                groups=groups.count,
                trunk_links=groups.trunk,
                group_routers=groups.routers,
                router_endpoints=groups.endpoints,
            ),
            trunk_links=groups.trunk,
            group_routers=groups.routers,
            router_endpoints=groups.endpoints,
        ),
        shared_links=shared_links_of(ask, groups, router_others=groups.routers - 1),
    )


def dragonfly_graph(ask: Ask) -> FabricGraph:
    """Routers group by group; their ports are those to nodes, then to their group, then to other groups."""
    groups = _groups(ask)
    planes, count = count_of(ask.pod.fabric.planes), count_of(groups.count)
    of_group, per_router, trunk = (
        count_of(value) for value in (groups.routers, groups.endpoints, groups.trunk)
    )
    routers = count * of_group
    hosts = count_of(ask.plugs.networked_supernodes) * count_of(ask.supernode.nodes)
    managers = count_of(ask.pod.fabric.management_ports) if routers else 0
    each = np.arange(planes * routers)
    per_host = max(count_of(ask.plugs.endpoint_links) // max(hosts, 1), 1)
    devices, first = devices_of(
        {"host": hosts, "management": managers, "router": planes * routers},
        plane={"router": each // max(routers, 1)},
        group={
            "host": np.arange(hosts) * per_host // max(of_group * per_router, 1),
            "router": each % max(routers, 1) // max(of_group, 1),
        },
        rail={},
    )
    a, b = np.triu_indices(of_group, 1)
    here = np.arange(count)[:, None] * of_group
    ends = (first["router"], first["router"]), (routers, routers)
    links = joined_links(
        [
            endpoint_links(ask, first, "router", per_router, routers),
            between_switches(1, (here + a).ravel(), (here + b).ravel(), planes, *ends),
            between_switches(2, *trunk_ends(count, of_group, trunk), planes, *ends),
        ]
    )
    bandwidth = first_of(ask.plugs.link_bandwidth_bytes_per_s)
    return FabricGraph(
        kinds=("host", "management", "router"),
        tiers=TIERS,
        devices=devices,
        links=numbered(links, np.full(devices.kind.size, per_router)),
        link_bandwidth_bytes_per_s=np.full(len(TIERS), bandwidth),
    )


def _problems(ask: Ask, fabric: Fabric) -> list[Problem]:
    groups = _groups(ask)
    ports = groups.endpoints + groups.routers - 1 + groups.global_links
    return dragonfly_problems(ask, groups, title="dragonfly", router_ports=ports)


DRAGONFLY = Topology(
    name="dragonfly", title="Dragonfly", shape=dragonfly_shape, graph=dragonfly_graph, problems=_problems
)
