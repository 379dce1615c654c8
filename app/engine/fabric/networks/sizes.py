"""The networks beside the compute fabric, sized one after another: each is an endpoint of the next.

Switches of the other networks have management ports in the out-of-band network, and its access switches
have uplinks in the in-band one. The in-band network therefore keeps ports for one access switch more than
it would need without those uplinks, which is enough for the switches that these ports may add to it.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric import ports
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.floor.limits import packed_servers, racks_filled
from app.engine.fabric.networks import endpoints, sizing
from app.engine.fabric.networks.counts import Access, Sizes, Tree
from app.engine.specs import LeafNetwork, ManagementNetwork, Pod, SuperNode
from app.engine.trace import Array


def sized_networks(
    *,
    pod: Pod,
    supernode: SuperNode,
    networked_supernodes: Array,
    compute_switches: Array,
    assumptions: FabricAssumptions,
) -> Sizes:
    """Switches and links of every network beside the compute fabric."""
    plans = pod.networks
    hosts = endpoints.network_hosts(networked_supernodes=networked_supernodes, nodes=supernode.nodes)
    nothing = np.zeros(1)
    storage = _tree(plans.storage, hosts, nothing, assumptions) if plans.storage else None
    if not plans.out_of_band:
        in_band = _tree(plans.in_band, hosts, nothing, assumptions) if plans.in_band else None
        return Sizes(storage=storage, in_band=in_band, out_of_band=None)
    filled = pod.racks
    if filled is None:
        filled = racks_filled(
            supernodes=networked_supernodes,
            nodes=supernode.nodes,
            servers_per_rack=packed_servers(supernode, pod.floor),
        )
    racks = endpoints.networked_racks(networked_supernodes=networked_supernodes, racks_filled=filled)
    beside = [compute_switches] + ([storage.switches] if storage else [])
    servers = [storage.storage_servers] if storage else []
    in_band = None
    if plans.in_band:
        first = _tree(plans.in_band, hosts, nothing, assumptions)
        served = [*servers, first.storage_servers, first.service_servers]
        access = _access(plans.out_of_band, hosts, served, [*beside, first.switches], racks, assumptions)
        kept = np.where(access.switches <= 0, 0.0, access.uplinks + plans.out_of_band.uplinks)
        in_band = _tree(plans.in_band, hosts, kept, assumptions)
        servers += [in_band.storage_servers, in_band.service_servers]
        beside.append(in_band.switches)
    return Sizes(
        storage=storage,
        in_band=in_band,
        out_of_band=_access(plans.out_of_band, hosts, servers, beside, racks, assumptions),
    )


def _tree(plan: LeafNetwork, hosts: Array, uplinks: Array, assumptions: FabricAssumptions) -> Tree:
    """Leaves and spines; `uplinks` are those of the out-of-band network that end in the leaves."""
    a = assumptions
    link, split = _link(plan)
    radix = ports.switch_radix(ports=plan.switch.ports, port_split=split)
    storage = endpoints.storage_servers(
        servers_asked=plan.storage_servers,
        hosts=hosts,
        host_ports=plan.host_ports,
        storage_link_share=a.storage_link_share,
        server_ports=plan.storage_server_ports,
    )
    service = endpoints.service_servers(servers_asked=plan.service_servers, hosts=hosts)
    border = endpoints.border_links(links_asked=plan.border_links, hosts=hosts)
    service_links = sizing.service_links(
        service_servers=service,
        server_ports=plan.service_server_ports,
        border_links=border,
        uplinks=uplinks,
    )
    storage_links = sizing.storage_links(storage_servers=storage, server_ports=plan.storage_server_ports)
    asked = {"hosts": hosts, "host_ports": plan.host_ports, "service_links": service_links}
    spined = sizing.needs_spines(**asked, storage_links=storage_links, switch_radix=radix)
    host_leaves = sizing.host_leaves(
        **asked,
        hosts_of_leaf=sizing.hosts_of_leaf(
            switch_radix=radix, oversubscription=plan.oversubscription, spines_at_least=a.spines_at_least
        ),
        needs_spines=spined,
    )
    storage_leaves = sizing.storage_leaves(
        storage_links=storage_links, host_ports=plan.host_ports, switch_radix=radix, needs_spines=spined
    )
    host_uplinks = sizing.host_leaf_uplinks(
        **asked,
        host_leaves=host_leaves,
        oversubscription=plan.oversubscription,
        spines_at_least=a.spines_at_least,
        needs_spines=spined,
    )
    storage_uplinks = sizing.storage_leaf_uplinks(
        storage_links=storage_links, storage_leaves=storage_leaves, spines_at_least=a.spines_at_least
    )
    up = sizing.network_uplinks(
        host_leaves=host_leaves,
        host_leaf_uplinks=host_uplinks,
        storage_leaves=storage_leaves,
        storage_leaf_uplinks=storage_uplinks,
    )
    tiers = sizing.network_tier_count(
        leaves=host_leaves + storage_leaves, needs_spines=spined, switch_radix=radix
    )
    spines = sizing.network_spines(
        tier_count=tiers,
        uplinks=up,
        host_leaf_uplinks=host_uplinks,
        switch_radix=radix,
        spines_at_least=a.spines_at_least,
    )
    return Tree(
        plan=plan,
        hosts=hosts,
        storage_servers=storage,
        service_servers=service,
        border_links=border,
        storage_links=storage_links,
        link_bandwidth_bytes_per_s=link,
        port_split=split,
        host_leaves=host_leaves,
        storage_leaves=storage_leaves,
        host_leaf_uplinks=host_uplinks,
        storage_leaf_uplinks=storage_uplinks,
        uplinks=up,
        tier_count=tiers,
        spines=spines,
        cores=sizing.network_cores(tier_count=tiers, spines=spines),
    )


def network_radix(plan: LeafNetwork) -> Array:
    """Links that one switch of a network can take."""
    return ports.switch_radix(ports=plan.switch.ports, port_split=_link(plan)[1])


def network_port_split(plan: LeafNetwork) -> Array:
    """Links that one port of a switch of a network is split into."""
    return _link(plan)[1]


def _link(plan: LeafNetwork) -> tuple[Array, Array]:
    """Rate of a link, and links of one switch port."""
    switch = plan.switch
    link = endpoints.network_link_bandwidth_bytes_per_s(
        port_bandwidth_bytes_per_s=plan.port_bandwidth_bytes_per_s,
        switch_port_bandwidth_bytes_per_s=switch.port_bandwidth_bytes_per_s,
    )
    split = ports.port_split(
        link_bandwidth_bytes_per_s=link,
        port_bandwidth_bytes_per_s=switch.port_bandwidth_bytes_per_s,
        ports=switch.ports,
        max_logical_ports=switch.max_logical_ports,
    )
    return link, split


def _access(
    plan: ManagementNetwork,
    hosts: Array,
    servers: list[Array],
    switches: list[Array],
    racks: Array,
    assumptions: FabricAssumptions,
) -> Access:
    a, nothing = assumptions, 0 * hosts  # with its trace, where nothing is added to it
    service = endpoints.service_racks(networked_racks=racks, service_racks_share=a.service_racks_share)
    strips = endpoints.power_strips(
        networked_racks=racks,
        strips_per_compute_rack=a.strips_per_compute_rack,
        service_racks=service,
        strips_per_service_rack=a.strips_per_service_rack,
    )
    served, managed = sum(servers, start=nothing), sum(switches, start=nothing)
    endpoint_ports = endpoints.managed_ports(
        hosts=hosts,
        host_ports=plan.host_ports,
        servers=served,
        managed_switches=managed,
        power_strips=strips,
    )
    built = sizing.access_switches(
        managed_ports=endpoint_ports,
        spare_port_share=a.management_spare_port_share,
        switch_ports=plan.switch.ports,
        racks=racks + service,
        switches_per_rack=plan.switches_per_rack,
    )
    return Access(
        plan=plan,
        hosts=hosts,
        servers=served,
        managed_switches=managed,
        power_strips=strips,
        managed_ports=endpoint_ports,
        switches=built,
        uplinks=sizing.access_uplinks(access_switches=built, uplinks_of_switch=plan.uplinks),
    )
