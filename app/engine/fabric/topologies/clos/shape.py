"""The layers of any folded Clos of up to three tiers, from how it is wired."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.topologies.clos import paths as clos_paths
from app.engine.fabric.topologies.clos.wiring import Wiring
from app.engine.fabric.topologies.shape import Ask, Layer, Shape
from app.engine.trace import Array

TIERS = ("leaf", "spine", "core")


def clos_shape(ask: Ask, wiring: Wiring) -> Shape:
    """Leaves, spines and cores of one plane, and the paths through them."""
    a = ask.assumptions
    lengths = (a.node_cable_length_m, a.spine_cable_length_m, a.core_cable_length_m)
    switches = tuple(wiring.copies * count for count in wiring.switches)
    links = (*(wiring.copies * count for count in wiring.links), np.zeros(1))
    crossed = clos_paths.crossed_tiers(tier_count=wiring.tier_count, leaf_groups=wiring.leaf_groups)
    layers = tuple(
        Layer(
            name=name,
            switches=switches[level],
            links=links[level],
            switch_ends=1 if level == 0 else 2,
            links_above=links[level + 1],
            path_links=clos_paths.tier_path_links(crossed_tiers=crossed, tier=np.full(1, level + 1.0)),
            cable_length_m=lengths[level],
        )
        for level, name in enumerate(TIERS)
    )
    at_spines = clos_paths.spine_oversubscription(
        uplinks_per_plane=wiring.links[1], core_links_per_plane=wiring.links[2], crossed_tiers=crossed
    )
    return Shape(
        layers=layers,
        unit_supernodes=wiring.unit_supernodes,
        units=wiring.scalable_units,
        groups=wiring.copies * wiring.leaf_groups,
        bisection_links=clos_paths.clos_bisection_links(
            endpoint_links=ask.plugs.endpoint_links,
            fullest_leaf_endpoints=clos_paths.fullest_leaf_endpoints(
                networked_supernodes=ask.plugs.networked_supernodes,
                supernodes_per_leaf=wiring.supernodes_per_leaf,
                leaf_endpoints=wiring.leaf_endpoints,
            ),
            leaf_uplinks=wiring.leaf_uplinks,
            spine_oversubscription=at_spines,
            tier_count=wiring.tier_count,
        ),
        oversubscription=clos_paths.unit_oversubscription(
            leaf_oversubscription=clos_paths.leaf_oversubscription(
                leaf_endpoints=wiring.leaf_endpoints,
                leaf_uplinks=wiring.leaf_uplinks,
                tier_count=wiring.tier_count,
            ),
            spine_oversubscription=at_spines,
        ),
        path_switches=clos_paths.clos_path_switches(crossed_tiers=crossed),
        mean_path_links=_mean_path_links(ask, wiring),
    )


def _mean_path_links(ask: Ask, wiring: Wiring) -> Array:
    """Over pairs of endpoints of one side and one copy: those that need not change rails or sides."""
    supernodes, sides = ask.plugs.networked_supernodes, float(wiring.sides)
    in_rail_group = clos_paths.rail_group_endpoints(
        networked_supernodes=supernodes,
        unit_supernodes=wiring.unit_supernodes,
        endpoints_per_rail=wiring.endpoints_per_rail,
    )
    in_filled_group = clos_paths.filled_group_endpoints(
        leaves=wiring.switches[0] / sides,
        leaf_groups=wiring.leaf_groups,
        rails=wiring.rails / sides,
        networked_supernodes=supernodes,
        unit_supernodes=wiring.unit_supernodes,
        endpoints_per_rail=wiring.endpoints_per_rail,
        leaf_endpoints=wiring.leaf_endpoints,
        leaves_per_rail=wiring.leaves_per_rail,
    )
    return clos_paths.clos_mean_path_links(
        endpoint_links=wiring.endpoint_links / sides,
        same_leaf_endpoints=clos_paths.same_leaf_endpoints(
            networked_supernodes=supernodes,
            unit_supernodes=wiring.unit_supernodes,
            supernodes_per_leaf=wiring.supernodes_per_leaf,
            endpoints_per_rail=wiring.endpoints_per_rail,
            leaf_endpoints=wiring.leaf_endpoints,
        ),
        same_group_endpoints=np.where(wiring.grown > 1, in_rail_group, in_filled_group),
        tier_count=wiring.tier_count,
    )
