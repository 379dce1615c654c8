"""Switches, links, modules and cables of each tier, over all planes."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import alias, quantity
from app.engine.trace import Array

_SUPERPOD = "[1] NVIDIA DGX SuperPOD reference architectures (H100, B200, B300, GB200), Network Fabrics"


planes = alias(
    "planes",
    "Planes of the scale-out fabric",
    of="planes_asked",
    at="fabric.planes",
    note="Independent fabrics over which every NIC spreads.",
)
unit_supernodes = alias(
    "unit_supernodes",
    "SuperNodes in one scalable unit, group or cube",
    of="of_topology",
    at="fabric.unit_supernodes",
)
scalable_units = alias(
    "scalable_units",
    "Scalable units, groups or cubes of the fabric",
    of="of_topology",
    at="fabric.scalable_units",
)
lattice_length = alias(
    "lattice_length",
    "Length of a dimension of a lattice",
    of="of_topology",
    at="fabric.lengths[]",
    note="Places along it; boards have theirs before the others.",
)
leaf_groups = alias(
    "leaf_groups",
    "Groups of one plane whose switches are joined closely",
    of="of_topology",
    at="fabric.leaf_groups",
    note="Leaves that share spines, routers of a group.",
)


@quantity(unit="1", source="definition", at="fabric.tiers[].switches")
def tier_switches(*, switches_per_plane: Array, planes: Array) -> Array:
    """Switches of the tier.

    Those of one plane times the planes.
    """
    return switches_per_plane * planes


@quantity(unit="1", source="definition", at="fabric.tiers[].links")
def tier_links(*, links_per_plane: Array, planes: Array, management_ports: Array) -> Array:
    """Links below the tier.

    Links of one plane times the planes, and below the leaves those of the management servers.
    """
    return links_per_plane * planes + management_ports


tier_cables = alias(
    "tier_cables",
    "Cables below the tier",
    of="links",
    at="fabric.tiers[].cables",
    source="definition",
    note="A cable is one piece that is laid between two devices. As the fabric is planned, with modules at both ends, "
    "each link has a fibre jumper of its own.",
)


@quantity(unit="1", source=_SUPERPOD, at="fabric.tiers[].cabled_ports")
def tier_cabled_ports(*, links: Array, port_split: Array) -> Array:
    """Ports of the tier that lead down.

    A split port carries several links (800G as 2 x 400G). Published tables of SuperPODs with split ports count
    these where they say cables.
    """
    return np.where(links <= 0, 0.0, np.ceil(links / port_split))


tier_switch_modules = alias(
    "tier_switch_modules",
    "Modules in switches, for the links below the tier",
    of="counted",
    at="fabric.tiers[].switch_modules",
    note="A module is what sits in one cage of a switch or node, with the lanes of one link or several.",
)


@quantity(unit="1", source=_SUPERPOD)
def packed_switch_modules(*, links: Array, switch_ends: Array, links_per_module: Array) -> Array:
    """Modules in switches, for the links below the tier, packed over all switches.

    Parameters
    ----------
    links : below the tier [1]
    switch_ends : ends of a link that are in switches: 1 below leaves, else 2 [1]
    links_per_module : 2 for a twin-port module [1]
    """
    return np.where(links <= 0, 0.0, switch_ends * np.ceil(links / links_per_module))


@quantity(unit="1", source="definition")
def caged_switch_modules(
    *, links: Array, modules_per_plane: Array, planes: Array, management_modules: Array
) -> Array:
    """Modules in switches, for the links below the tier, switch by switch.

    Those of one plane times the planes, and below the leaves those that management servers need more.
    """
    return np.where(links <= 0, 0.0, modules_per_plane * planes + management_modules)


@quantity(unit="1", source=_SUPERPOD)
def node_modules(
    *,
    networked_supernodes: Array,
    scale_out_nics: Array,
    nodes: Array,
    links_per_nic: Array,
    planes: Array,
    links_per_module: Array,
) -> Array:
    """Modules in nodes.

    As many as a node's links take, node by node. Management servers bring their own.
    """
    per_node = np.ceil(scale_out_nics / nodes * links_per_nic * planes / links_per_module)
    modules = networked_supernodes * nodes * per_node
    return np.where(networked_supernodes <= 0, 0.0, modules)


@quantity(unit="1", source="definition")
def node_end_modules(*, link_ends: Array, planes: Array, links_per_module: Array) -> Array:
    """Modules in nodes of a lattice: as many as the links that end in nodes take."""
    return np.where(link_ends <= 0, 0.0, np.ceil(link_ends * planes / links_per_module))


@quantity(unit="1", source="definition")
def tier_node_modules(*, node_modules: Array, node_ends: Array, all_node_ends: Array) -> Array:
    """Node modules on the links of one tier: as many as it has of all the link ends in nodes."""
    return np.where(node_ends <= 0, 0.0, node_modules * node_ends / all_node_ends)


@quantity(unit="1", source="definition", at="fabric.tiers[].modules")
def tier_modules(*, switch_modules: Array, node_modules: Array) -> Array:
    """Modules on the links below the tier, at both ends."""
    return switch_modules + node_modules


@quantity(unit="1", percent=True, source="definition", at="fabric.tiers[].ports_used")
def tier_ports_used(*, links_below: Array, links_above: Array, switches: Array, switch_radix: Array) -> Array:
    """Share of ports used in the tier."""
    return np.where(switches <= 0, 0.0, (links_below + links_above) / (switches * switch_radix))


@quantity(unit="1", percent=True, source="definition")
def leaf_ports_used(
    *,
    links_below: Array,
    links_above: Array,
    switches: Array,
    ports: Array,
    port_split: Array,
    uplink_split: Array,
) -> Array:
    """Share of ports used in leaves whose links up are of another rate than their links down."""
    used = links_below / port_split + links_above / uplink_split
    return np.where(switches <= 0, 0.0, used / (switches * ports))


@quantity(unit="1", source="definition", key=True, better="less")
def switches_total(*, by_tier: tuple[Array, ...]) -> Array:
    """Switches of the scale-out fabric."""
    return sum(by_tier[1:], start=by_tier[0])


@quantity(unit="1", source="definition", key=True)
def links_total(*, by_tier: tuple[Array, ...]) -> Array:
    """Links of the scale-out fabric: those that end in nodes and those between switches."""
    return sum(by_tier[1:], start=by_tier[0])


@quantity(unit="1", source="definition", key=True)
def cables_total(*, by_tier: tuple[Array, ...]) -> Array:
    """Cables of the scale-out fabric.

    Pieces that are laid between two devices: a fibre jumper a link, as the fabric is planned.
    """
    return sum(by_tier[1:], start=by_tier[0])


@quantity(unit="1", source="definition", better="less")
def evenness_switches(*, switches_per_plane: Array, planes: Array) -> Array:
    """Switches bought for evenness.

    Spines of two tiers beyond those that carry all uplinks, so that every leaf has equally many links to every
    spine. None where numbers may differ by one (pod.fabric.spine_spread).
    """
    return switches_per_plane * planes


@quantity(unit="USD", source="definition", better="less")
def evenness_price_usd(*, evenness_switches: Array, switch_price_usd: Array) -> Array:
    """Price of the switches bought for evenness."""
    return np.where(evenness_switches <= 0, 0.0, evenness_switches * switch_price_usd)


fibres_total = alias(
    "fibres_total",
    "Fibre jumpers of the scale-out fabric",
    of="links_total",
    at="fabric.fibres_total",
    source=_SUPERPOD,
    note="The cables of the fabric as it is planned: one multi-fibre jumper a link; a twin-port module has two.",
)


@quantity(unit="1", source="definition")
def modules_total(*, by_tier: tuple[Array, ...]) -> Array:
    """Optical modules of the scale-out fabric, switch and node side."""
    return sum(by_tier[1:], start=by_tier[0])
