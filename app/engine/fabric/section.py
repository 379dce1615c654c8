"""The fabric room: a pod's scale-out fabric, sized, counted, priced and measured."""

from __future__ import annotations

import numpy as np

from app.engine.fabric import bandwidth, bill, tiers
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.collectives.shared_links import nothing_shared
from app.engine.fabric.figures import BillLine, Fabric, Tier
from app.engine.fabric.networks.section import evaluate_networks
from app.engine.fabric.networks.sizes import sized_networks
from app.engine.fabric.plugs import Plugs, no_switch
from app.engine.fabric.problems import fabric_problems
from app.engine.fabric.scale_up.section import evaluate_scale_up
from app.engine.fabric.tier_parts import CLOS, has_own_tiers, switch_of
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.fabric.topologies.shape import Ask, Layer, Shape
from app.engine.specs import Pod, SuperNode
from app.engine.trace import Array, plain

__all__ = ["BillLine", "Fabric", "Tier", "evaluate_fabric", "fabric_problems"]


def evaluate_fabric(*, pod: Pod, supernode: SuperNode, assumptions: FabricAssumptions) -> Fabric:
    """The scale-out fabric that joins a pod's SuperNodes.

    A pod of one SuperNode, or one whose topology is "none", has no switches and no links. Where
    several SuperNodes are to be joined by a switch no one named, the fabric is unknown.

    Raises
    ------
    ValueError : the topology is not one of `TOPOLOGIES`, nor "none"
    """
    plan = pod.fabric
    ask = asked_of(pod=pod, supernode=supernode, assumptions=assumptions)
    shape = topology_of(plan.topology).shape(ask)
    plugs = ask.plugs
    rows, lines = tiers_and_bill(ask, shape)
    switches_total = tiers.switches_total(by_tier=tuple(tier.switches for tier in rows))
    networks, network_lines = evaluate_networks(
        sizes=sized_networks(
            pod=pod,
            supernode=supernode,
            networked_supernodes=plugs.networked_supernodes,
            compute_switches=switches_total,
            assumptions=assumptions,
        ),
        supernode=supernode,
        assumptions=assumptions,
    )
    lines += network_lines
    alone = _one_domain(pod, supernode)
    links_total = tiers.links_total(by_tier=tuple(tier.links for tier in rows))
    scale_up = bandwidth.scale_up_bandwidth_bytes_per_s(
        accelerator_bandwidth_bytes_per_s=supernode.accelerator.scale_up_bandwidth_bytes_per_s
    )
    scale_out = bandwidth.scale_out_bandwidth_bytes_per_s(
        scale_out_nics=supernode.scale_out_nics,
        scale_out_nic_bandwidth_bytes_per_s=supernode.scale_out_nic_bandwidth_bytes_per_s,
        accelerators=supernode.accelerators,
        reachable=np.where(alone, 1.0, float(plan.topology != "none")),
    )
    joined = not np.all(plain(plugs.networked_supernodes) <= 0)
    path_links = tuple(layer.path_links for layer in shape.layers)
    evenness = tiers.evenness_switches(
        switches_per_plane=np.zeros(1) if shape.evenness_switches is None else shape.evenness_switches,
        planes=plan.planes,
    )
    diameter = bandwidth.diameter_links(path_links=path_links)
    return Fabric(
        topology="none" if np.all(alone) else plan.topology,
        tiers=tuple(tier for tier in rows if not _is_missing(tier)),
        switches_total=switches_total,
        links_total=links_total,
        cables_total=tiers.cables_total(by_tier=tuple(tier.cables for tier in rows)),
        fibres_total=tiers.fibres_total(links_total=links_total),
        modules_total=tiers.modules_total(by_tier=tuple(tier.modules for tier in rows)),
        scalable_units=tiers.scalable_units(of_topology=shape.units),
        unit_supernodes=tiers.unit_supernodes(of_topology=shape.unit_supernodes),
        rails=plugs.rails,
        planes=tiers.planes(planes_asked=plan.planes),
        leaf_groups=tiers.leaf_groups(of_topology=shape.groups),
        evenness_switches=evenness,
        evenness_price_usd=tiers.evenness_price_usd(
            evenness_switches=evenness, switch_price_usd=(switch_of(plan, "spine") or no_switch()).price_usd
        ),
        lengths=tuple(tiers.lattice_length(of_topology=length) for length in shape.lengths),
        networked_supernodes=plugs.networked_supernodes,
        bisection_bandwidth_bytes_per_s=bandwidth.bisection_bandwidth_bytes_per_s(
            bisection_links=shape.bisection_links,
            planes=plan.planes,
            link_bandwidth_bytes_per_s=plugs.link_bandwidth_bytes_per_s,
        ),
        scale_up_bandwidth_bytes_per_s=scale_up,
        scale_out_bandwidth_bytes_per_s=scale_out,
        bandwidth_gap=bandwidth.bandwidth_gap(
            scale_up_bandwidth_bytes_per_s=scale_up, scale_out_bandwidth_bytes_per_s=scale_out
        ),
        oversubscription=bandwidth.oversubscription(unit_over_beyond=shape.oversubscription),
        diameter_links=diameter,
        mean_distance_links=bandwidth.mean_distance_links(mean_path_links=shape.mean_path_links),
        latency_s=bandwidth.latency_s(
            diameter_links=diameter,
            switches_on_path=bandwidth.switches_on_path(path_switches=shape.path_switches),
            path_length_m=bandwidth.path_length_m(
                path_links=path_links, cable_lengths_m=tuple(layer.cable_length_m for layer in shape.layers)
            ),
            switch_latency_s=_switch_latency_s(ask, shape.path_switches),
            nic_latency_s=assumptions.nic_latency_s,
            cable_latency_s_per_m=assumptions.cable_latency_s_per_m,
            optical_end_latency_s=assumptions.optical_end_latency_s,
        ),
        network_power_w=bill.network_power_w(line_powers_w=tuple(line.power_w for line in lines)),
        network_price_usd=bill.network_price_usd(line_prices_usd=tuple(line.price_usd for line in lines)),
        bill=tuple(line for line in lines if plan.switch and not np.all(plain(line.count) == 0)),
        scale_up=evaluate_scale_up(supernode, assumptions),
        networks=networks,
        shared_links=shape.shared_links if joined else nothing_shared(),
    )


def _one_domain(pod: Pod, supernode: SuperNode) -> Array:
    """Where all accelerators reach each other without a scale-out fabric."""
    domain = plain(supernode.scale_up_domain_accelerators)
    alone: Array = (plain(pod.supernodes) <= 1) & (plain(supernode.accelerators) <= domain)
    return alone


def tiers_and_bill(ask: Ask, shape: Shape) -> tuple[tuple[Tier, ...], tuple[BillLine, ...]]:
    """The layers of the compute fabric over all planes, and a line of its bill a role."""
    node_modules = _node_modules(ask, shape)
    managed = topology_of(ask.pod.fabric.topology).managed
    rows = _tiers(ask=ask, shape=shape, node_modules=node_modules, managed=managed)
    lines = bill.bill_of_materials(
        pod=ask.pod,
        supernode=ask.supernode,
        tiers=rows,
        node_modules=node_modules,
        networked_supernodes=ask.plugs.networked_supernodes,
        assumptions=ask.assumptions,
    )
    return rows, lines


def _ports_used(ask: Ask, layer: Layer, links: Array, switches: Array) -> Array:
    """Share of ports that carry a link; of leaves whose links up are of another rate, port by port."""
    plan, plugs = ask.pod.fabric, ask.plugs
    above = layer.links_above * plan.planes
    own = {"spine": plugs.spine, "core": plugs.core} if plan.topology in CLOS else {}
    if layer.name == "leaf" and has_own_tiers(plan):
        return tiers.leaf_ports_used(
            links_below=links,
            links_above=above,
            switches=switches,
            ports=plugs.switch_radix / plugs.port_split,
            port_split=plugs.port_split,
            uplink_split=plugs.leaf_up.split,
        )
    return tiers.tier_ports_used(
        links_below=links,
        links_above=above,
        switches=switches,
        switch_radix=own[layer.name].radix if layer.name in own else plugs.switch_radix,
    )


def _split_of(plugs: Plugs, layer: Layer) -> Array:
    """Links down of one port of the switches of a layer."""
    if not layer.switch_ends:
        return np.ones(1)
    return {"spine": plugs.spine.split, "core": plugs.core.split}.get(layer.name, plugs.port_split)


def _switch_latency_s(ask: Ask, path_switches: Array) -> Array:
    """Latency of one switch; where tiers have switches of their own, averaged over those of the longest
    path."""
    plan = ask.pod.fabric
    leaf = plan.switch or no_switch()
    if not has_own_tiers(plan):
        return leaf.latency_s
    spine, core = switch_of(plan, "spine") or leaf, switch_of(plan, "core") or leaf
    return bandwidth.path_switch_latency_s(
        switches_on_path=path_switches,
        leaf_latency_s=leaf.latency_s,
        spine_latency_s=spine.latency_s,
        core_latency_s=core.latency_s,
    )


def _is_missing(tier: Tier) -> bool:
    """Return whether the fabric does not have the tier, whatever the sample."""
    return bool(np.all(plain(tier.switches) == 0) and np.all(plain(tier.links) == 0))


def _node_modules(ask: Ask, shape: Shape) -> Array:
    """Modules in nodes: for the links that a topology says end there, else for all ports of the NICs."""
    plan, plugs, supernode = ask.pod.fabric, ask.plugs, ask.supernode
    if shape.node_links is not None:
        return tiers.node_end_modules(
            link_ends=shape.node_links, planes=plan.planes, links_per_module=plugs.node_module_links
        )
    return tiers.node_modules(
        networked_supernodes=plugs.networked_supernodes,
        scale_out_nics=supernode.scale_out_nics,
        nodes=supernode.nodes,
        links_per_nic=plugs.links_per_nic,
        planes=plan.planes,
        links_per_module=plugs.node_module_links,
    )


def _switch_modules(ask: Ask, layer: Layer, links: Array, management: Array | None, in_use: Array) -> Array:
    """Modules in switches of a layer over all planes: cage by cage where the topology counts them so."""
    if layer.modules is None:
        counted = tiers.packed_switch_modules(
            links=links,
            switch_ends=np.full(1, float(layer.switch_ends if layer.switch_modules else 0)),
            links_per_module=ask.plugs.switch_module_links,
        )
    else:
        counted = tiers.caged_switch_modules(
            links=links,
            modules_per_plane=layer.modules,
            planes=ask.pod.fabric.planes,
            management_modules=np.zeros(1) if management is None else management * in_use,
        )
    modules: Array = tiers.tier_switch_modules(counted=counted)
    return modules


def _tiers(*, ask: Ask, shape: Shape, node_modules: Array, managed: bool) -> tuple[Tier, ...]:
    """The layers of a topology over all planes; layers that the fabric does not have are all zero."""
    plan, plugs = ask.pod.fabric, ask.plugs
    in_use = np.where(plain(plugs.networked_supernodes) <= 0, 0.0, float(managed))
    management = (plan.management_ports * in_use, *(np.zeros(1) for _ in shape.layers[1:]))
    node_ends = [layer.links * float(2 - layer.switch_ends) for layer in shape.layers]
    rows = []
    for layer, managers, ends in zip(shape.layers, management, node_ends, strict=True):
        links = tiers.tier_links(links_per_plane=layer.links, planes=plan.planes, management_ports=managers)
        switches = tiers.tier_switches(switches_per_plane=layer.switches, planes=plan.planes)
        switch_modules = _switch_modules(
            ask, layer, links, shape.management_modules if managers is management[0] else None, in_use
        )
        in_nodes = tiers.tier_node_modules(
            node_modules=node_modules, node_ends=ends, all_node_ends=sum(node_ends[1:], start=node_ends[0])
        )
        rows.append(
            Tier(
                name=layer.name,
                switches=switches,
                links=links,
                cables=tiers.tier_cables(links=links),
                cabled_ports=tiers.tier_cabled_ports(links=links, port_split=_split_of(plugs, layer)),
                modules=tiers.tier_modules(switch_modules=switch_modules, node_modules=in_nodes),
                switch_modules=switch_modules,
                ports_used=_ports_used(ask, layer, links, switches),
                lower_modules=np.zeros(1)
                if layer.lower_modules is None
                else layer.lower_modules * plan.planes,
            )
        )
    return tuple(rows)
