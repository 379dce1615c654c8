"""The networks beside the compute fabric, counted, priced and powered, with their lines of the bill."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.fabric import ports
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.bill import bill_line
from app.engine.fabric.figures import BillLine, NetworkTier, PodNetwork
from app.engine.fabric.networks import counts, endpoints
from app.engine.fabric.networks.counts import Access, Sizes, Tree
from app.engine.specs import SuperNode
from app.engine.trace import Array, plain

TITLES = {"storage": "Storage network", "in_band": "In-band network", "out_of_band": "Out-of-band network"}


def evaluate_networks(
    *, sizes: Sizes, supernode: SuperNode, assumptions: FabricAssumptions
) -> tuple[tuple[PodNetwork, ...], tuple[BillLine, ...]]:
    """Figures of each network that is built, and its lines of the bill, also those of which nothing is needed."""
    trees = {"storage": sizes.storage, "in_band": sizes.in_band}
    made = [_tree(name, tree, supernode, assumptions) for name, tree in trees.items() if tree]
    if sizes.out_of_band:
        made.append(_access(sizes.out_of_band, assumptions))
    built = [(network, lines) for network, lines in made if not np.all(plain(network.hosts) == 0)]
    return (
        tuple(network for network, _ in built),
        tuple(line for _, lines in built for line in lines),
    )


def _tree(
    name: str, tree: Tree, supernode: SuperNode, assumptions: FabricAssumptions
) -> tuple[PodNetwork, list[BillLine]]:
    plan = tree.plan
    rows = (
        ("leaf", tree.leaves, tree.leaf_links, 1.0),
        ("spine", tree.spines, tree.uplinks, 2.0),
        ("core", tree.cores, tree.core_links, 2.0),
    )
    tiers = tuple(_tier(tier, switches, links) for tier, switches, links, _ in rows)
    switch_modules = counts.network_switch_modules(
        links_by_tier=tuple(links for _, _, links, _ in rows),
        switch_ends=tuple(np.full(1, ends) for *_, ends in rows),
        links_per_module=ports.switch_module_links(
            ports_per_module=plan.switch_transceiver.ports, port_split=tree.port_split
        ),
    )
    host_modules = counts.network_host_modules(
        hosts=tree.hosts, host_ports=plan.host_ports, links_per_module=plan.host_transceiver.ports
    )
    nics = counts.network_nics(
        hosts=tree.hosts,
        host_ports=plan.host_ports,
        nic_ports=plan.nic_ports,
        bought_apart=np.full(
            1, 0.0 if supernode.price_includes_nics and plan.chosen_nic_power_w is None else 1.0
        ),
    )
    title, nothing, spares = TITLES[name], np.zeros(1), assumptions.spare_share
    module, host_module = plan.switch_transceiver, plan.host_transceiver
    built = counts.network_switches(by_tier=tuple(switches for _, switches, _, _ in rows))
    fibres = counts.network_links(by_tier=tuple(links for _, _, links, _ in rows))
    lines = [
        bill_line(f"{title}: switches", built, nothing, plan.switch.price_usd, plan.switch.typical_power_w),
        bill_line(f"{title}: switch modules", switch_modules, spares, module.price_usd, module.power_w),
        bill_line(f"{title}: node modules", host_modules, spares, host_module.price_usd, host_module.power_w),
        bill_line(f"{title}: fibres", fibres, spares, plan.trunk_price_usd, nothing),
        bill_line(f"{title}: NICs", nics, nothing, plan.nic_price_usd, nothing)
        if plan.chosen_nic_power_w is None
        else bill_line(f"{title}: chosen cards", nics, nothing, plan.nic_price_usd, plan.chosen_nic_power_w),
    ]
    network = _network(
        name=name,
        switch=(plan.switch.protocol, plan.switch.name),
        tiers=tiers,
        hosts=tree.hosts,
        host_ends=(plan.host_ports, tree.link_bandwidth_bytes_per_s),
        servers=(tree.storage_servers, tree.service_servers),
        modules=counts.network_modules(switch_modules=switch_modules, host_modules=host_modules),
        lines=lines,
    )
    if plan.host_cores_freed is not None and plan.encryption_bandwidth_bytes_per_s is not None:
        network = replace(
            network,
            host_cores_freed=endpoints.host_cores_freed(cards=nics, cores_of_card=plan.host_cores_freed),
            encrypted_bytes_per_s=endpoints.encrypted_bytes_per_s(
                node_bandwidth_bytes_per_s=network.node_bandwidth_bytes_per_s,
                card_encryption_bytes_per_s=plan.encryption_bandwidth_bytes_per_s,
                host_ports=plan.host_ports,
                nic_ports=plan.nic_ports,
            ),
        )
    return network, lines


def _access(access: Access, assumptions: FabricAssumptions) -> tuple[PodNetwork, list[BillLine]]:
    plan = access.plan
    tiers = (
        _tier("access", access.switches, access.managed_ports),
        _tier("uplink", 0 * access.uplinks, access.uplinks),
    )
    modules = counts.network_modules(
        switch_modules=counts.network_switch_modules(
            links_by_tier=(access.uplinks,),
            switch_ends=(np.full(1, 2.0),),
            links_per_module=plan.uplink_transceiver.ports,
        ),
        host_modules=np.zeros(1),
    )
    title, nothing, spares = TITLES["out_of_band"], np.zeros(1), assumptions.spare_share
    module = plan.uplink_transceiver
    lines = [
        bill_line(
            f"{title}: switches", access.switches, nothing, plan.switch.price_usd, plan.switch.typical_power_w
        ),
        bill_line(f"{title}: copper cables", access.managed_ports, spares, plan.cable_price_usd, nothing),
        bill_line(f"{title}: uplink modules", modules, spares, module.price_usd, module.power_w),
        bill_line(f"{title}: uplink fibres", access.uplinks, spares, plan.trunk_price_usd, nothing),
    ]
    network = _network(
        name="out_of_band",
        switch=(plan.switch.protocol, plan.switch.name),
        tiers=tiers,
        hosts=access.hosts,
        host_ends=(plan.host_ports, plan.switch.port_bandwidth_bytes_per_s),
        servers=(access.servers, np.zeros(1)),
        modules=modules,
        lines=lines,
    )
    return network, lines


def _network(
    *,
    name: str,
    switch: tuple[str, str],
    tiers: tuple[NetworkTier, ...],
    hosts: Array,
    host_ends: tuple[Array, Array],
    servers: tuple[Array, Array],
    modules: Array,
    lines: list[BillLine],
) -> PodNetwork:
    host_ports = endpoints.network_host_ports(ports_of_host=host_ends[0])
    return PodNetwork(
        name=name,
        kind=switch[0],
        switch=switch[1],
        tiers=tuple(tier for tier in tiers if not np.all(plain(tier.links) == 0)),
        hosts=hosts,
        host_ports=host_ports,
        node_bandwidth_bytes_per_s=endpoints.network_node_bandwidth_bytes_per_s(
            host_ports=host_ports, port_bandwidth_bytes_per_s=host_ends[1]
        ),
        servers=endpoints.network_servers(storage_servers=servers[0], service_servers=servers[1]),
        switches=counts.network_switches(by_tier=tuple(tier.switches for tier in tiers)),
        links=counts.network_links(by_tier=tuple(tier.links for tier in tiers)),
        cables=counts.network_cables(by_tier=tuple(tier.cables for tier in tiers)),
        modules=modules,
        power_w=counts.pod_network_power_w(line_powers_w=tuple(line.power_w for line in lines)),
        price_usd=counts.pod_network_price_usd(line_prices_usd=tuple(line.price_usd for line in lines)),
    )


def _tier(name: str, switches: Array, links: Array) -> NetworkTier:
    below = counts.network_tier_links(links_below=links)
    return NetworkTier(
        name=name,
        switches=counts.network_tier_switches(switches_built=switches),
        links=below,
        cables=counts.network_tier_cables(links=below),
    )
