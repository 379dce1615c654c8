"""How a folded Clos is wired: from ports and links to the counts of one plane, by the packing rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.plugs import Plugs
from app.engine.fabric.topologies.clos import packing, upper_tiers
from app.engine.quantities import unknown
from app.engine.specs import Pod, SuperNode
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Switches and links of one plane, or of one of several equal fabrics of a plane that are apart.

    `rails` and `endpoints_per_rail` are those of the leaves: one rail where all NICs of a SuperNode go to the
    same leaf, twice as many where every NIC has a leaf on each of two sides.
    """

    copies: Array  # of this in a plane: one a rail where rails are apart
    sides: int  # leaves that every NIC goes to; leaves of the sides take turns, rail by rail
    rails: Array
    endpoints_per_rail: Array
    endpoint_links: Array  # of all rails
    unit_supernodes: Array
    scalable_units: Array
    supernodes_per_leaf: Array
    leaves_per_rail: Array
    leaf_endpoints: Array
    leaf_uplinks: Array
    sure_leaf_uplinks: Array  # of them, those that count whichever leaves are halved
    even_spines: Array  # bought so that every leaf reaches every spine evenly
    tier_count: Array
    grown: Array  # leaves a rail that make each rail of a unit a leaf group; 1 where none are
    spine_down_ports: Array
    leaf_groups: Array
    switches: tuple[Array, Array, Array]  # leaf, spine, core
    links: tuple[Array, Array, Array]  # below them


def wire(
    *,
    pod: Pod,
    supernode: SuperNode,
    plugs: Plugs,
    assumptions: FabricAssumptions,
    units: Literal["rails", "racks"] = "rails",
    copies: Array | None = None,
    sides: int = 1,
) -> Wiring:
    """Switches and links of a pod's fabric, by the packing rule.

    `plugs` are those of the leaves: see `Wiring`. Units of racks have as many SuperNodes as share a leaf, and
    are no leaf groups of their own.
    """
    plan = pod.fabric
    one = np.ones(1)
    single_leaves = np.full(1, float(sides))
    down, per_rail = plugs.leaf_down_ports, plugs.endpoints_per_rail
    asked = plan.tiers_asked if plan.tiers_asked is not None else unknown()
    above_spines = plan.spine_oversubscription if plan.spine_oversubscription is not None else one
    unit = packing.unit_supernodes(
        scalable_unit_supernodes=plan.scalable_unit_supernodes,
        networked_supernodes=plugs.networked_supernodes,
        leaf_down_ports=down,
        endpoints_per_rail=per_rail,
        nodes=supernode.nodes if units == "rails" else one,
        rack_unit_supernodes=assumptions.rack_unit_supernodes if units == "rails" else one,
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
    grown = leaves_per_rail if units == "rails" else one
    full_leaf = packing.leaf_endpoints(
        supernodes_per_leaf=per_leaf, endpoints_per_rail=per_rail, leaf_down_ports=down
    )
    uplinks = packing.leaf_uplinks(
        leaf_endpoints=full_leaf, oversubscription=plan.oversubscription, uplink_ratio=plugs.uplink_ratio
    )
    scalable_units = packing.scalable_units(
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
        scalable_units=scalable_units,
        rails=plugs.rails,
        leaves_per_rail=leaves_per_rail,
        single_leaves=single_leaves,
        tiers_asked=asked,
    )
    tier_count = upper_tiers.tier_count(
        leaves_per_plane=leaves,
        single_leaves=single_leaves,
        leaves_per_rail=grown,
        switch_radix=plugs.spine.radix,
        tiers_asked=asked,
    )
    spine_down_ports = upper_tiers.spine_down_ports(
        switch_radix=plugs.spine.radix, spine_oversubscription=above_spines
    )
    groups = upper_tiers.leaf_groups(
        tier_count=tier_count,
        leaves_per_plane=leaves,
        leaves_per_rail=grown,
        rails=plugs.rails,
        scalable_units=scalable_units,
        spine_down_ports=spine_down_ports,
    )
    spines = upper_tiers.spines_per_plane(
        tier_count=tier_count,
        leaves_per_plane=leaves,
        leaf_groups=groups,
        leaves_per_rail=grown,
        leaf_uplinks=uplinks,
        switch_radix=plugs.spine.radix,
        spine_down_ports=spine_down_ports,
        even=np.full(1, float(plan.spine_spread == "even")),
    )
    leaf_links = upper_tiers.uplinks_per_plane(
        tier_count=tier_count, leaves_per_plane=leaves, leaf_uplinks=uplinks
    )
    core_links = upper_tiers.core_links_per_plane(
        tier_count=tier_count,
        uplinks_per_plane=leaf_links,
        leaves_per_plane=leaves,
        leaf_bundle=single_leaves,
        leaf_groups=groups,
        spines_per_plane=spines,
        spine_oversubscription=above_spines,
    )
    cores = upper_tiers.cores_per_plane(
        tier_count=tier_count,
        spines_per_plane=spines,
        core_links_per_plane=core_links,
        spine_radix=plugs.spine.radix,
        core_radix=plugs.core.radix,
        spine_oversubscription=above_spines,
    )
    return Wiring(
        copies=one if copies is None else copies,
        sides=sides,
        rails=plugs.rails,
        endpoints_per_rail=per_rail,
        endpoint_links=plugs.endpoint_links,
        unit_supernodes=unit,
        scalable_units=scalable_units,
        supernodes_per_leaf=per_leaf,
        leaves_per_rail=leaves_per_rail,
        leaf_endpoints=full_leaf,
        leaf_uplinks=uplinks,
        tier_count=tier_count,
        grown=grown,
        spine_down_ports=spine_down_ports,
        leaf_groups=groups,
        sure_leaf_uplinks=upper_tiers.sure_leaf_uplinks(
            tier_count=tier_count, leaf_uplinks=uplinks, spines_per_plane=spines
        ),
        even_spines=upper_tiers.evenness_switches_per_plane(
            tier_count=tier_count,
            spines_per_plane=spines,
            fewest_spines=upper_tiers.fewest_spines(
                leaves_per_plane=leaves, leaf_uplinks=uplinks, switch_radix=plugs.spine.radix
            ),
        ),
        switches=(leaves, spines, cores),
        links=(plugs.endpoint_links, leaf_links, core_links),
    )
