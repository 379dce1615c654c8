"""What SuperNodes plug in and what switches offer: from specs to the ports and links of one plane."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from app.engine.fabric import ports
from app.engine.fabric.tier_parts import has_own_tiers, module_below, module_of, switch_of
from app.engine.quantities import unknown
from app.engine.specs import FabricPlan, Pod, SuperNode, Switch, Transceiver
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class TierPorts:
    """What the switches of one tier offer to links between switches."""

    split: Array  # links of one port
    radix: Array  # links of one switch
    module_links: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugs:
    """What SuperNodes plug in and what switches offer, in one plane.

    `port_split`, `switch_module_links` and `switch_radix` are of leaves and their links down, or of all
    switches where tiers are alike. `apart` is 1 where links up of a leaf share no cage with links down.
    """

    networked_supernodes: Array
    link_bandwidth_bytes_per_s: Array
    links_per_nic: Array
    port_split: Array
    switch_module_links: Array
    node_module_links: Array
    switch_radix: Array
    rails: Array
    endpoints_per_rail: Array
    leaf_down_ports: Array
    endpoint_links: Array
    uplink_bandwidth_bytes_per_s: Array
    uplink_ratio: Array  # of its rate, over that of a link to a node
    apart: Array
    leaf_up: TierPorts
    spine: TierPorts
    core: TierPorts


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
        planes=ports.two_sides(planes=plan.planes) if plan.topology == "dual_tor" else plan.planes,
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
    module_links = ports.switch_module_links(ports_per_module=plan.switch_transceiver.ports, port_split=split)
    down_ports = ports.leaf_down_ports(switch_radix=radix, oversubscription=plan.oversubscription)
    alike = TierPorts(split=split, radix=radix, module_links=module_links)
    up = _Upwards(uplink=link, ratio=np.ones(1), apart=np.zeros(1), leaf=alike, spine=alike, core=alike)
    if has_own_tiers(plan):
        up = _upwards(plan, switch, link)
        apart_ports = ports.leaf_down_ports_apart(
            ports=switch.ports,
            ports_per_module=plan.switch_transceiver.ports,
            port_split=split,
            uplink_split=up.leaf.split,
            uplink_ratio=up.ratio,
            oversubscription=plan.oversubscription,
        )
        down_ports = np.where(up.apart > 0, apart_ports, down_ports)
    return Plugs(
        networked_supernodes=joined,
        link_bandwidth_bytes_per_s=link,
        links_per_nic=per_nic,
        port_split=split,
        switch_module_links=module_links,
        node_module_links=ports.node_module_links(
            nics_per_module=plan.node_transceiver.ports, links_per_nic=per_nic, planes=plan.planes
        ),
        switch_radix=radix,
        rails=rails,
        endpoints_per_rail=ports.endpoints_per_rail(
            scale_out_nics=supernode.scale_out_nics, rails=rails, links_per_nic=per_nic
        ),
        leaf_down_ports=down_ports,
        endpoint_links=ports.endpoint_links(
            networked_supernodes=joined, scale_out_nics=supernode.scale_out_nics, links_per_nic=per_nic
        ),
        uplink_bandwidth_bytes_per_s=up.uplink,
        uplink_ratio=up.ratio,
        apart=up.apart,
        leaf_up=up.leaf,
        spine=up.spine,
        core=up.core,
    )


class _Upwards(NamedTuple):
    """Links between switches: their rate, and the ports of every tier for them."""

    uplink: Array
    ratio: Array
    apart: Array
    leaf: TierPorts
    spine: TierPorts
    core: TierPorts


def _upwards(plan: FabricPlan, leaf: Switch, link: Array) -> _Upwards:
    """Where switches, rates or modules differ by tier."""
    spine, core = switch_of(plan, "spine") or leaf, switch_of(plan, "core") or leaf
    uplink = plan.uplink_bandwidth_bytes_per_s
    if uplink is None:
        uplink = ports.uplink_bandwidth_bytes_per_s(
            link_bandwidth_bytes_per_s=link,
            leaf_port_bandwidth_bytes_per_s=leaf.port_bandwidth_bytes_per_s,
            spine_port_bandwidth_bytes_per_s=spine.port_bandwidth_bytes_per_s,
            core_port_bandwidth_bytes_per_s=core.port_bandwidth_bytes_per_s,
        )
    ratio = ports.uplink_ratio(uplink_bandwidth_bytes_per_s=uplink, link_bandwidth_bytes_per_s=link)
    other_module = module_below(plan, "spine").key != plan.switch_transceiver.key
    apart = np.where(ratio == 1, float(other_module), 1.0)
    return _Upwards(
        uplink=uplink,
        ratio=ratio,
        apart=apart,
        leaf=_tier_ports(leaf, module_below(plan, "spine"), uplink),
        spine=_tier_ports(spine, module_of(plan, "spine"), uplink),
        core=_tier_ports(core, module_of(plan, "core"), uplink),
    )


def _tier_ports(switch: Switch, module: Transceiver, rate: Array) -> TierPorts:
    split = ports.port_split(
        link_bandwidth_bytes_per_s=rate,
        port_bandwidth_bytes_per_s=switch.port_bandwidth_bytes_per_s,
        ports=switch.ports,
        max_logical_ports=switch.max_logical_ports,
    )
    return TierPorts(
        split=split,
        radix=ports.switch_radix(ports=switch.ports, port_split=split),
        module_links=ports.switch_module_links(ports_per_module=module.ports, port_split=split),
    )


def plug_directly(*, pod: Pod, supernode: SuperNode, switch: Switch) -> Plugs:
    """Ports and links where NICs are joined to each other: no switch port limits or splits a link."""
    as_fast = dataclasses.replace(
        switch,
        port_bandwidth_bytes_per_s=supernode.scale_out_nic_bandwidth_bytes_per_s,
        max_logical_ports=switch.ports,
    )
    return plug(pod=pod, supernode=supernode, switch=as_fast)


def no_switch() -> Switch:
    """A switch of which nothing is known."""
    names = [field.name for field in dataclasses.fields(Switch)]
    text = dict.fromkeys(("key", "name", "protocol"), "")
    return Switch(**(dict.fromkeys(names, unknown()) | text))
