"""Every network of a pod as devices and links; hosts have the same numbers in all."""

from __future__ import annotations

import numpy as np

from app.engine.fabric import tiers
from app.engine.fabric.graph.graph import (
    NO_PORT,
    FabricGraph,
    Links,
    Whole,
    devices_of,
    joined_links,
    links_between,
    ports_in_order,
)
from app.engine.fabric.networks.counts import Access, Sizes, Tree
from app.engine.fabric.networks.sizes import sized_networks
from app.engine.fabric.topologies import topology_of
from app.engine.fabric.topologies.shape import Ask
from app.engine.trace import Array, count_of, first_of


def graphs_of(ask: Ask, *, with_ports: bool = True) -> dict[str, FabricGraph]:
    """The networks of a pod by name, the compute fabric first, of the first sample.

    A network whose size is unknown has no graph, and a pod without a compute fabric has none at all. The ports
    of compute switches take most of the time, and callers that only count and measure go without them.
    """
    with np.errstate(all="ignore"):
        if not count_of(ask.plugs.networked_supernodes):
            return {}
        topology = topology_of(ask.pod.fabric.topology)
        sizes = sizes_of(ask)
        compute = topology.graph if with_ports else topology.graph_of_ends
        graphs = {"compute": compute(ask)} if ask.pod.fabric.switch else {}
        for name, tree in (("storage", sizes.storage), ("in_band", sizes.in_band)):
            if tree and _is_known(tree.switches, tree.leaf_links):
                graphs[name] = tree_graph(tree)
        access = sizes.out_of_band
        if access and _is_known(access.switches):
            graphs["out_of_band"] = access_graph(access)
    return graphs


def sizes_of(ask: Ask) -> Sizes:
    """The networks of a pod beside its compute fabric."""
    pod, plan = ask.pod, ask.pod.fabric
    shape = topology_of(plan.topology).shape(ask)
    compute = [
        tiers.tier_switches(switches_per_plane=layer.switches, planes=plan.planes) for layer in shape.layers
    ]
    return sized_networks(
        pod=pod,
        supernode=ask.supernode,
        networked_supernodes=ask.plugs.networked_supernodes,
        compute_switches=tiers.switches_total(by_tier=tuple(compute)),
        assumptions=ask.assumptions,
    )


def tree_graph(tree: Tree) -> FabricGraph:
    """Leaves, spines and cores with the hosts and servers below them.

    Port i of a host ends in leaf i of its set, sets being filled one after another; servers take turns at
    the leaves. Leaves of hosts stand before those of storage servers.
    """
    plan = tree.plan
    hosts, host_ports = count_of(tree.hosts), count_of(plan.host_ports)
    storage, service = count_of(tree.storage_servers), count_of(tree.service_servers)
    border = count_of(tree.border_links)
    host_leaves, storage_leaves = count_of(tree.host_leaves), count_of(tree.storage_leaves)
    spines, cores = count_of(tree.spines), count_of(tree.cores)
    counts = {
        "host": hosts, "storage_server": storage, "service_server": service, "border": int(border > 0),
        "leaf": host_leaves + storage_leaves, "spine": spines, "core": cores,
    }  # fmt: skip
    sets = max(host_leaves // max(host_ports, 1), 1)
    own_set = np.arange(hosts) * sets // max(hosts, 1)
    rail = np.r_[np.arange(host_leaves) % max(host_ports, 1), np.full(storage_leaves, -1)]
    devices, first = devices_of(counts, plane={}, group={"host": own_set}, rail={"leaf": rail})
    port = np.arange(host_ports)
    links = [
        _links(
            0,
            first["host"] + np.repeat(np.arange(hosts), host_ports),
            first["leaf"] + (own_set[:, None] * host_ports + port).ravel(),
        )
    ]
    server = np.repeat(np.arange(storage), count_of(plan.storage_server_ports)) + first["storage_server"]
    beside = np.concatenate([
        np.repeat(np.arange(service), count_of(plan.service_server_ports)) + first["service_server"],
        np.full(border, first["border"]),
        server if not storage_leaves else server[:0],
    ])  # fmt: skip
    load = np.bincount(links[0].upper - first["leaf"], minlength=host_leaves)
    links.append(_links(0, beside, first["leaf"] + _least_loaded(load, beside.size)))
    if storage_leaves:
        turn = np.arange(server.size) % storage_leaves
        links.append(_links(0, server, first["leaf"] + host_leaves + turn))
    up = np.r_[
        np.full(host_leaves, count_of(tree.host_leaf_uplinks)),
        np.full(storage_leaves, count_of(tree.storage_leaf_uplinks)),
    ]
    links.append(_dealt(1, (first["leaf"], first["spine"]), spines, up if spines else up[:0]))
    taken = np.bincount(links[-1].upper - first["spine"], minlength=spines)[:spines]
    links.append(_dealt(2, (first["spine"], first["core"]), cores, taken if cores else taken[:0]))
    bandwidth = first_of(tree.link_bandwidth_bytes_per_s)
    return FabricGraph(
        kinds=tuple(counts),
        tiers=("leaf", "spine", "core"),
        devices=devices,
        links=_with_ports(links, devices.kind.size),
        link_bandwidth_bytes_per_s=np.full(3, bandwidth),
    )


def access_graph(access: Access) -> FabricGraph:
    """Access switches with the management port of everything, filled one after another, and their uplinks.

    Managed switches are numbered through all networks: compute, storage, in-band. Uplinks end in gateways,
    one for each uplink of a switch: ports of the in-band network, or of the site's.
    """
    hosts, host_ports = count_of(access.hosts), count_of(access.plan.host_ports)
    managed, strips = count_of(access.managed_switches), count_of(access.power_strips)
    switches, uplinks = count_of(access.switches), count_of(access.plan.uplinks)
    counts = {
        "host": hosts, "server": count_of(access.servers), "managed_switch": managed, "power_strip": strips,
        "access": switches, "gateway": uplinks if switches else 0,
    }  # fmt: skip
    devices, first = devices_of(counts, plane={}, group={}, rail={})
    below = first["access"]  # everything before the access switches has a management port
    lower = np.r_[np.repeat(np.arange(hosts), host_ports), np.arange(hosts, below)]
    upper = first["access"] + np.arange(lower.size) * switches // max(lower.size, 1)
    up = _links(
        1,
        np.repeat(first["access"] + np.arange(switches), uplinks),
        np.tile(first["gateway"] + np.arange(uplinks), switches),
    )
    rates = (access.plan.switch.port_bandwidth_bytes_per_s, access.plan.uplink_bandwidth_bytes_per_s)
    return FabricGraph(
        kinds=tuple(counts),
        tiers=("access", "uplink"),
        devices=devices,
        links=_with_ports([_links(0, lower, upper), up], devices.kind.size),
        link_bandwidth_bytes_per_s=np.array([first_of(rate) for rate in rates]),
    )


def _is_known(*counts: Array) -> bool:
    return all(bool(np.isfinite(first_of(count))) for count in counts)


def _links(tier: int, lower: Whole, upper: Whole) -> Links:
    """Links of one tier; their ports are given once all links are there."""
    return links_between(tier=tier, lower=lower, upper=upper, lower_port=NO_PORT, upper_port=NO_PORT)


def _least_loaded(load: Whole, count: int) -> Whole:
    """Where `count` further links go, one after another: to one of those that have the fewest by then.

    >>> _least_loaded(np.array([2, 0, 1]), 4).tolist()
    [1, 1, 2, 0]
    """
    level = -(-(int(load.sum()) + count) // max(load.size, 1))
    places = np.repeat(np.arange(load.size), np.maximum(level - load, 0))
    order = np.argsort(load[places] + ports_in_order(places), kind="stable")
    return places[order][:count]


def _dealt(tier: int, first: tuple[int, int], uppers: int, links_of: Whole) -> Links:
    """Links between two tiers, those of each lower switch dealt out in turn over all upper ones."""
    lower = np.repeat(np.arange(links_of.size), links_of)
    upper = np.arange(lower.size) % max(uppers, 1)
    return _links(tier, first[0] + lower, first[1] + upper)


def _with_ports(parts: list[Links], devices: int) -> Links:
    """Ports of all links: a device counts its links down first, in order, then those up."""
    links = joined_links(parts)
    down = np.bincount(links.upper, minlength=devices)
    return Links(
        tier=links.tier,
        lower=links.lower,
        upper=links.upper,
        lower_port=(ports_in_order(links.lower) + down[links.lower]).astype(np.int32),
        upper_port=ports_in_order(links.upper),
    )
