"""The fabric room: a pod's scale-out fabric, sized, counted, priced and measured."""

from __future__ import annotations

import dataclasses

import numpy as np

from app.engine.fabric import bandwidth, bill, tiers
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.figures import BillLine, Fabric, Tier
from app.engine.fabric.problems import fabric_problems
from app.engine.fabric.wiring import Plugs, Wiring, plug, wire
from app.engine.quantities import unknown
from app.engine.specs import FabricPlan, Pod, SuperNode, Switch
from app.engine.trace import Array, plain

__all__ = ["BillLine", "Fabric", "Tier", "evaluate_fabric", "fabric_problems"]

TOPOLOGIES = ("rail_fat_tree", "none")


def evaluate_fabric(*, pod: Pod, supernode: SuperNode, assumptions: FabricAssumptions) -> Fabric:
    """The scale-out fabric that joins a pod's SuperNodes.

    A pod of one SuperNode, or one whose topology is "none", has no switches and no links. Where
    several SuperNodes are to be joined by a switch nobody named, the fabric is unknown.

    Raises
    ------
    ValueError : the topology is not one of `TOPOLOGIES`
    """
    plan = pod.fabric
    if plan.topology not in TOPOLOGIES:
        raise ValueError(f"unknown topology {plan.topology!r}: one of {', '.join(TOPOLOGIES)}")
    alone = _one_domain(pod, supernode)
    joined = plan.topology != "none"
    switch = plan.switch or _no_switch()
    plugs = plug(pod=pod, supernode=supernode, switch=switch)
    wiring = wire(pod=pod, supernode=supernode, plugs=plugs, assumptions=assumptions)
    node_modules = tiers.node_modules(
        networked_supernodes=plugs.networked_supernodes,
        scale_out_nics=supernode.scale_out_nics,
        nodes=supernode.nodes,
        links_per_nic=plugs.links_per_nic,
        planes=plan.planes,
        links_per_module=plan.node_transceiver.links,
    )
    leaf, spine, core = _tiers(plugs=plugs, wiring=wiring, plan=plan, node_modules=node_modules)
    lines = bill.bill_of_materials(
        pod=pod,
        supernode=supernode,
        switch=switch,
        tiers=(leaf, spine, core),
        node_modules=node_modules,
        networked_supernodes=plugs.networked_supernodes,
        assumptions=assumptions,
    )
    links_total = tiers.links_total(leaf=leaf.links, spine=spine.links, core=core.links)
    scale_up = bandwidth.scale_up_bandwidth_bytes_per_s(
        accelerator_bandwidth_bytes_per_s=supernode.accelerator.scale_up_bandwidth_bytes_per_s
    )
    scale_out = bandwidth.scale_out_bandwidth_bytes_per_s(
        scale_out_nics=supernode.scale_out_nics,
        scale_out_nic_bandwidth_bytes_per_s=supernode.scale_out_nic_bandwidth_bytes_per_s,
        accelerators=supernode.accelerators,
        reachable=np.where(alone, 1.0, float(joined)),
    )
    built = plain(wiring.tier_count)
    return Fabric(
        topology="none" if np.all(alone) else plan.topology,
        tiers=tuple(tier for level, tier in enumerate((leaf, spine, core)) if not np.all(built <= level)),
        switches_total=tiers.switches_total(leaf=leaf.switches, spine=spine.switches, core=core.switches),
        links_total=links_total,
        cables_total=tiers.cables_total(leaf=leaf.cables, spine=spine.cables, core=core.cables),
        fibres_total=tiers.fibres_total(links_total=links_total),
        modules_total=tiers.modules_total(leaf=leaf.modules, spine=spine.modules, core=core.modules),
        scalable_units=wiring.scalable_units,
        unit_supernodes=wiring.unit_supernodes,
        rails=plugs.rails,
        planes=tiers.planes(planes_asked=plan.planes),
        leaf_groups=wiring.leaf_groups,
        networked_supernodes=plugs.networked_supernodes,
        bisection_bandwidth_bytes_per_s=bandwidth.bisection_bandwidth_bytes_per_s(
            endpoint_links=plugs.endpoint_links,
            uplinks_per_plane=wiring.links[1],
            planes=plan.planes,
            link_bandwidth_bytes_per_s=plugs.link_bandwidth_bytes_per_s,
            tier_count=wiring.tier_count,
        ),
        scale_up_bandwidth_bytes_per_s=scale_up,
        scale_out_bandwidth_bytes_per_s=scale_out,
        bandwidth_gap=bandwidth.bandwidth_gap(
            scale_up_bandwidth_bytes_per_s=scale_up, scale_out_bandwidth_bytes_per_s=scale_out
        ),
        oversubscription=bandwidth.oversubscription(
            leaf_endpoints=wiring.leaf_endpoints,
            leaf_uplinks=wiring.leaf_uplinks,
            tier_count=wiring.tier_count,
        ),
        latency_s=_latency(wiring=wiring, switch=switch, assumptions=assumptions),
        network_power_w=bill.network_power_w(line_powers_w=tuple(line.power_w for line in lines)),
        network_price_usd=bill.network_price_usd(line_prices_usd=tuple(line.price_usd for line in lines)),
        bill=tuple(line for line in lines if plan.switch and not np.all(plain(line.count) == 0)),
    )


def _one_domain(pod: Pod, supernode: SuperNode) -> Array:
    """Where all accelerators reach each other without a scale-out fabric."""
    domain = plain(supernode.scale_up_domain_accelerators)
    alone: Array = (plain(pod.supernodes) <= 1) & (plain(supernode.accelerators) <= domain)
    return alone


def _no_switch() -> Switch:
    """A switch of which nothing is known."""
    names = [field.name for field in dataclasses.fields(Switch)]
    text = dict.fromkeys(("key", "name", "protocol"), "")
    return Switch(**(dict.fromkeys(names, unknown()) | text))


def _tiers(*, plugs: Plugs, wiring: Wiring, plan: FabricPlan, node_modules: Array) -> tuple[Tier, Tier, Tier]:
    """Leaf, spine and core; tiers that the fabric does not have are all zero."""
    none = np.zeros(1)
    in_use = np.where(plain(plugs.networked_supernodes) <= 0, 0.0, 1.0)
    managed = plan.management_ports * in_use
    links = [
        tiers.tier_links(
            links_per_plane=per_plane, planes=plan.planes, management_ports=managed if level == 0 else none
        )
        for level, per_plane in enumerate(wiring.links)
    ]
    rows = []
    for level, name in enumerate(("leaf", "spine", "core")):
        switches = tiers.tier_switches(switches_per_plane=wiring.switches[level], planes=plan.planes)
        switch_modules = tiers.tier_switch_modules(
            links=links[level],
            switch_ends=np.full(1, 1.0 if level == 0 else 2.0),
            links_per_module=plan.switch_transceiver.links,
        )
        rows.append(
            Tier(
                name=name,
                switches=switches,
                links=links[level],
                cables=tiers.tier_cables(links=links[level], port_split=plugs.port_split),
                modules=tiers.tier_modules(
                    switch_modules=switch_modules, node_modules=node_modules if level == 0 else none
                ),
                switch_modules=switch_modules,
                ports_used=tiers.tier_ports_used(
                    links_below=links[level],
                    links_above=links[level + 1] if level < 2 else none,
                    switches=switches,
                    switch_radix=plugs.switch_radix,
                ),
            )
        )
    return rows[0], rows[1], rows[2]


def _latency(*, wiring: Wiring, switch: Switch, assumptions: FabricAssumptions) -> Array:
    return bandwidth.latency_s(
        tier_count=wiring.tier_count,
        switches_on_path=bandwidth.switches_on_path(tier_count=wiring.tier_count),
        path_length_m=bandwidth.path_length_m(
            tier_count=wiring.tier_count,
            node_cable_length_m=assumptions.node_cable_length_m,
            spine_cable_length_m=assumptions.spine_cable_length_m,
            core_cable_length_m=assumptions.core_cable_length_m,
        ),
        switch_latency_s=switch.latency_s,
        nic_latency_s=assumptions.nic_latency_s,
        cable_latency_s_per_m=assumptions.cable_latency_s_per_m,
        optical_end_latency_s=assumptions.optical_end_latency_s,
    )
