"""What SuperNodes plug in and what switches offer: from specs to the ports and links of one plane."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from app.engine.fabric import ports
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
    switch_module_links: Array
    node_module_links: Array
    switch_radix: Array
    rails: Array
    endpoints_per_rail: Array
    leaf_down_ports: Array
    endpoint_links: Array


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
    return Plugs(
        networked_supernodes=joined,
        link_bandwidth_bytes_per_s=link,
        links_per_nic=per_nic,
        port_split=split,
        switch_module_links=ports.switch_module_links(
            ports_per_module=plan.switch_transceiver.ports, port_split=split
        ),
        node_module_links=ports.node_module_links(
            nics_per_module=plan.node_transceiver.ports, links_per_nic=per_nic, planes=plan.planes
        ),
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
