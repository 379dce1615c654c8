"""How a pod is wired: from specs to the counts of one plane."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from app.engine.fabric import packing, ports
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.quantities import unknown
from app.engine.specs import Pod, SuperNode, Switch
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugs:
    """What SuperNodes plug in and what switches offer, in one plane."""

    networked_supernodes: Array
    link_bandwidth_bytes_per_s: Array
    links_per_nic: Array
    port_split: Array
    switch_radix: Array
    rails: Array
    endpoints_per_rail: Array
    leaf_down_ports: Array
    endpoint_links: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Switches and links of one plane."""

    unit_supernodes: Array
    scalable_units: Array
    leaves_per_rail: Array
    leaf_endpoints: Array
    leaf_uplinks: Array
    tier_count: Array
    leaf_groups: Array
    switches: tuple[Array, Array, Array]  # leaf, spine, core
    links: tuple[Array, Array, Array]  # below them


def plug(*, pod: Pod, supernode: SuperNode, switch: Switch) -> Plugs:
    """Ports and links of a pod's SuperNodes on a kind of switch."""
    plan = pod.fabric
    joined = ports.networked_supernodes(
        supernodes=pod.supernodes,
        accelerators=supernode.accelerators,
        scale_up_domain_accelerators=supernode.scale_up_domain_accelerators,
        joined=np.full(1, float(plan.topology != "none")),
    )
    link = ports.link_bandwidth_bytes_per_s(
        scale_out_nic_bandwidth_bytes_per_s=supernode.scale_out_nic_bandwidth_bytes_per_s,
        planes=plan.planes,
        port_bandwidth_bytes_per_s=switch.port_bandwidth_bytes_per_s,
    )
    per_nic = ports.links_per_nic(
        scale_out_nic_bandwidth_bytes_per_s=supernode.scale_out_nic_bandwidth_bytes_per_s,
        planes=plan.planes,
        link_bandwidth_bytes_per_s=link,
    )
    split = ports.port_split(
        link_bandwidth_bytes_per_s=link,
        port_bandwidth_bytes_per_s=switch.port_bandwidth_bytes_per_s,
        ports=switch.ports,
        max_logical_ports=switch.max_logical_ports,
    )
    radix = ports.switch_radix(ports=switch.ports, port_split=split)
    rails = ports.rails(
        scale_out_nics=supernode.scale_out_nics, nodes=supernode.nodes, networked_supernodes=joined
    )
    return Plugs(
        networked_supernodes=joined,
        link_bandwidth_bytes_per_s=link,
        links_per_nic=per_nic,
        port_split=split,
        switch_radix=radix,
        rails=rails,
        endpoints_per_rail=ports.endpoints_per_rail(
            scale_out_nics=supernode.scale_out_nics, rails=rails, links_per_nic=per_nic
        ),
        leaf_down_ports=ports.leaf_down_ports(switch_radix=radix, oversubscription=plan.oversubscription),
        endpoint_links=ports.endpoint_links(
            networked_supernodes=joined, scale_out_nics=supernode.scale_out_nics, links_per_nic=per_nic
        ),
    )


def wire(*, pod: Pod, supernode: SuperNode, plugs: Plugs, assumptions: FabricAssumptions) -> Wiring:
    """Switches and links of a pod's fabric, by the packing rule."""
    plan = pod.fabric
    down, per_rail = plugs.leaf_down_ports, plugs.endpoints_per_rail
    unit = packing.unit_supernodes(
        scalable_unit_supernodes=plan.scalable_unit_supernodes,
        networked_supernodes=plugs.networked_supernodes,
        leaf_down_ports=down,
        endpoints_per_rail=per_rail,
        nodes=supernode.nodes,
        rack_unit_supernodes=assumptions.rack_unit_supernodes,
    )
    per_leaf = packing.supernodes_per_leaf(
        leaf_down_ports=down, endpoints_per_rail=per_rail, unit_supernodes=unit
    )
    leaves_per_rail = packing.leaves_per_rail(
        networked_supernodes=plugs.networked_supernodes,
        unit_supernodes=unit,
        supernodes_per_leaf=per_leaf,
        endpoints_per_rail=per_rail,
        leaf_down_ports=down,
    )
    full_leaf = packing.leaf_endpoints(
        supernodes_per_leaf=per_leaf, endpoints_per_rail=per_rail, leaf_down_ports=down
    )
    uplinks = packing.leaf_uplinks(leaf_endpoints=full_leaf, oversubscription=plan.oversubscription)
    units = packing.scalable_units(
        networked_supernodes=plugs.networked_supernodes,
        unit_supernodes=unit,
        endpoint_links=plugs.endpoint_links,
        rails=plugs.rails,
        leaves_per_rail=leaves_per_rail,
        leaf_down_ports=down,
        management_ports=plan.management_ports,
    )
    leaves = packing.leaves_per_plane(
        endpoint_links=plugs.endpoint_links,
        management_ports=plan.management_ports,
        switch_radix=plugs.switch_radix,
        scalable_units=units,
        rails=plugs.rails,
        leaves_per_rail=leaves_per_rail,
    )
    tier_count = packing.tier_count(
        leaves_per_plane=leaves, leaves_per_rail=leaves_per_rail, switch_radix=plugs.switch_radix
    )
    groups = packing.leaf_groups(
        tier_count=tier_count,
        leaves_per_plane=leaves,
        leaves_per_rail=leaves_per_rail,
        rails=plugs.rails,
        scalable_units=units,
        switch_radix=plugs.switch_radix,
    )
    spines = packing.spines_per_plane(
        tier_count=tier_count,
        leaves_per_plane=leaves,
        leaf_groups=groups,
        leaves_per_rail=leaves_per_rail,
        leaf_uplinks=uplinks,
        switch_radix=plugs.switch_radix,
    )
    cores = packing.cores_per_plane(tier_count=tier_count, spines_per_plane=spines)
    leaf_links = packing.uplinks_per_plane(
        tier_count=tier_count, leaves_per_plane=leaves, leaf_uplinks=uplinks
    )
    core_links = packing.core_links_per_plane(tier_count=tier_count, uplinks_per_plane=leaf_links)
    return Wiring(
        unit_supernodes=unit,
        scalable_units=units,
        leaves_per_rail=leaves_per_rail,
        leaf_endpoints=full_leaf,
        leaf_uplinks=uplinks,
        tier_count=tier_count,
        leaf_groups=groups,
        switches=(leaves, spines, cores),
        links=(plugs.endpoint_links, leaf_links, core_links),
    )


def no_switch() -> Switch:
    """A switch of which nothing is known."""
    names = [field.name for field in dataclasses.fields(Switch)]
    text = dict.fromkeys(("key", "name", "protocol"), "")
    return Switch(**(dict.fromkeys(names, unknown()) | text))
