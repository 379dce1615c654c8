"""The layers of any folded Clos of up to three tiers, from how it is wired.

How far apart the endpoints of a folded Clos are, and how much gets from one half of it to the other.

Pairs are those of endpoints that the fabric joins: all of a plane, those of a rail where rails are apart,
those of a side where every NIC has two.
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.collectives.shared_links import Block, SharedLinks
from app.engine.fabric.tier_parts import TIERS
from app.engine.fabric.topologies.clos.cages import management_modules, switch_modules
from app.engine.fabric.topologies.clos.wiring import Wiring
from app.engine.fabric.topologies.shape import Ask, Layer, Shape
from app.engine.quantities import quantity
from app.engine.trace import Array


def clos_shape(ask: Ask, wiring: Wiring) -> Shape:
    """Leaves, spines and cores of one plane, and the paths through them."""
    a = ask.assumptions
    lengths = (a.node_cable_length_m, a.spine_cable_length_m, a.core_cable_length_m)
    switches = tuple(wiring.copies * count for count in wiring.switches)
    links = (*(wiring.copies * count for count in wiring.links), np.zeros(1))
    modules = switch_modules(ask, wiring)
    crossed = crossed_tiers(tier_count=wiring.tier_count, leaf_groups=wiring.leaf_groups)
    layers = tuple(
        Layer(
            name=name,
            switches=switches[level],
            links=links[level],
            switch_ends=1 if level == 0 else 2,
            links_above=links[level + 1],
            path_links=tier_path_links(crossed_tiers=crossed, tier=np.full(1, level + 1.0)),
            cable_length_m=lengths[level],
            modules=wiring.copies * modules[level].both,
            lower_modules=wiring.copies * modules[level].lower,
        )
        for level, name in enumerate(TIERS)
    )
    at_spines = spine_oversubscription(
        uplinks_per_plane=wiring.links[1], core_links_per_plane=wiring.links[2], crossed_tiers=crossed
    )
    at_leaves = leaf_oversubscription(
        leaf_endpoints=wiring.leaf_endpoints,
        leaf_uplinks=wiring.leaf_uplinks,
        uplink_ratio=ask.plugs.uplink_ratio,
        tier_count=wiring.tier_count,
    )
    over = unit_oversubscription(leaf_oversubscription=at_leaves, spine_oversubscription=at_spines)
    return Shape(
        layers=layers,
        unit_supernodes=wiring.unit_supernodes,
        units=wiring.scalable_units,
        groups=wiring.copies * wiring.leaf_groups,
        bisection_links=clos_bisection_links(
            endpoint_links=ask.plugs.endpoint_links,
            fullest_leaf_endpoints=fullest_leaf_endpoints(
                networked_supernodes=ask.plugs.networked_supernodes,
                supernodes_per_leaf=wiring.supernodes_per_leaf,
                leaf_endpoints=wiring.leaf_endpoints,
            ),
            leaf_uplinks=wiring.sure_leaf_uplinks,
            uplink_ratio=ask.plugs.uplink_ratio,
            spine_oversubscription=at_spines,
            tier_count=wiring.tier_count,
        ),
        oversubscription=over,
        path_switches=clos_path_switches(crossed_tiers=crossed),
        mean_path_links=_mean_path_links(ask, wiring),
        management_modules=management_modules(
            management_ports=ask.pod.fabric.management_ports,
            networked_supernodes=ask.plugs.networked_supernodes,
            unit_supernodes=wiring.unit_supernodes,
            supernodes_per_leaf=wiring.supernodes_per_leaf,
            endpoints_per_rail=wiring.endpoints_per_rail,
            links_per_module=ask.plugs.switch_module_links,
            tier_count=wiring.tier_count,
            endpoint_links=wiring.endpoint_links,
        ),
        evenness_switches=wiring.copies * wiring.even_spines,
        shared_links=_shared_links(ask, wiring, at_leaves, over),
    )


def _shared_links(ask: Ask, wiring: Wiring, at_leaves: Array, over: Array) -> SharedLinks:
    """Leaves, and the groups of leaves that share spines."""
    leaf = leaf_accelerators(
        accelerators=ask.supernode.accelerators,
        leaf_endpoints=wiring.leaf_endpoints,
        endpoints_per_rail=wiring.endpoints_per_rail,
    )
    group = leaf_group_accelerators(
        accelerators=ask.supernode.accelerators,
        unit_supernodes=wiring.unit_supernodes,
        leaves=wiring.switches[0],
        leaf_groups=wiring.leaf_groups,
        rails=wiring.rails,
        leaves_per_rail=wiring.leaves_per_rail,
        grown=wiring.grown,
        leaf_accelerators=leaf,
    )
    return SharedLinks(
        blocks=(
            Block(accelerators=leaf, taper=at_leaves, others=np.zeros(1)),
            Block(accelerators=group, taper=over, others=np.zeros(1)),
        ),
        rails_apart=np.full(1, float(ask.pod.fabric.topology == "rail_only")),
        strain=np.ones(1),
    )


def _mean_path_links(ask: Ask, wiring: Wiring) -> Array:
    """Over pairs of endpoints of one side and one copy: those that need not change rails or sides."""
    supernodes, sides = ask.plugs.networked_supernodes, float(wiring.sides)
    in_rail_group = rail_group_endpoints(
        networked_supernodes=supernodes,
        unit_supernodes=wiring.unit_supernodes,
        endpoints_per_rail=wiring.endpoints_per_rail,
    )
    in_filled_group = filled_group_endpoints(
        leaves=wiring.switches[0] / sides,
        leaf_groups=wiring.leaf_groups,
        rails=wiring.rails / sides,
        networked_supernodes=supernodes,
        unit_supernodes=wiring.unit_supernodes,
        endpoints_per_rail=wiring.endpoints_per_rail,
        leaf_endpoints=wiring.leaf_endpoints,
        leaves_per_rail=wiring.leaves_per_rail,
    )
    return clos_mean_path_links(
        endpoint_links=wiring.endpoint_links / sides,
        same_leaf_endpoints=same_leaf_endpoints(
            networked_supernodes=supernodes,
            unit_supernodes=wiring.unit_supernodes,
            supernodes_per_leaf=wiring.supernodes_per_leaf,
            endpoints_per_rail=wiring.endpoints_per_rail,
            leaf_endpoints=wiring.leaf_endpoints,
        ),
        same_group_endpoints=np.where(wiring.grown > 1, in_rail_group, in_filled_group),
        tier_count=wiring.tier_count,
    )


_CLOS = "[1] Leiserson, IEEE Trans. Comput. C-34 (1985) 892-901 (fat trees)"


@quantity(unit="1", source=_CLOS)
def crossed_tiers(*, tier_count: Array, leaf_groups: Array) -> Array:
    """Tiers on the longest path: all, but no cores where a single leaf group needs none."""
    return np.where(leaf_groups > 1, tier_count, np.minimum(tier_count, 2.0))


@quantity(unit="1", source=_CLOS)
def tier_path_links(*, crossed_tiers: Array, tier: Array) -> Array:
    """Links of one tier on the longest path: one up and one down, none where the path does not get to it."""
    return np.where(crossed_tiers >= tier, 2.0, 0.0)


@quantity(unit="1", source=_CLOS)
def clos_path_switches(*, crossed_tiers: Array) -> Array:
    """Switches on the longest path through a folded Clos.

    2 t - 1 through t tiers: up to the top and down again.
    """
    return np.maximum(2 * crossed_tiers - 1, 0.0)


@quantity(unit="1", source="definition")
def leaf_oversubscription(
    *, leaf_endpoints: Array, leaf_uplinks: Array, uplink_ratio: Array, tier_count: Array
) -> Array:
    """Oversubscription of a full leaf.

    Bandwidth of its links down over that of its links up; 1 without a tier above.
    """
    return np.where(tier_count <= 1, 1.0, leaf_endpoints / leaf_uplinks / uplink_ratio + 0 * tier_count)


@quantity(unit="1", source="definition")
def spine_oversubscription(
    *, uplinks_per_plane: Array, core_links_per_plane: Array, crossed_tiers: Array
) -> Array:
    """Oversubscription of the spines: their links down over their links up; 1 where nothing goes through cores."""
    return np.where(crossed_tiers <= 2, 1.0, uplinks_per_plane / core_links_per_plane + 0 * crossed_tiers)


@quantity(unit="1", source="definition")
def unit_oversubscription(*, leaf_oversubscription: Array, spine_oversubscription: Array) -> Array:
    """Oversubscription from the endpoints to the top: that of the leaves times that of the spines."""
    return leaf_oversubscription * spine_oversubscription


@quantity(unit="1", source="definition")
def leaf_accelerators(*, accelerators: Array, leaf_endpoints: Array, endpoints_per_rail: Array) -> Array:
    """Accelerators whose links of a rail end in one full leaf."""
    return accelerators * leaf_endpoints / endpoints_per_rail


@quantity(unit="1", source="definition")
def leaf_group_accelerators(
    *,
    accelerators: Array,
    unit_supernodes: Array,
    leaves: Array,
    leaf_groups: Array,
    rails: Array,
    leaves_per_rail: Array,
    grown: Array,
    leaf_accelerators: Array,
) -> Array:
    """Accelerators whose links of a rail end in the leaves that share spines.

    A scalable unit where each rail of one is a group; else the whole units that the leaves of a group serve, and of a
    rail that reaches over several groups the one leaf that is sure.
    """
    units = np.floor(leaves / np.maximum(leaf_groups, 1.0) / (rails * leaves_per_rail))
    in_row = np.where(units >= 1, units * unit_supernodes * accelerators, leaf_accelerators)
    group = np.where(grown > 1, unit_supernodes * accelerators, in_row)
    return np.where(leaf_groups <= 1, np.inf, np.maximum(group, leaf_accelerators))


@quantity(unit="1", source="definition")
def fullest_leaf_endpoints(
    *, networked_supernodes: Array, supernodes_per_leaf: Array, leaf_endpoints: Array
) -> Array:
    """Endpoints below the fullest leaf: a pod smaller than a unit fills none of its leaves."""
    return leaf_endpoints * np.minimum(networked_supernodes / supernodes_per_leaf, 1.0)


@quantity(unit="1", source=_CLOS)
def clos_bisection_links(
    *,
    endpoint_links: Array,
    fullest_leaf_endpoints: Array,
    leaf_uplinks: Array,
    uplink_ratio: Array,
    spine_oversubscription: Array,
    tier_count: Array,
) -> Array:
    """Links that halving a folded Clos cuts, in links of the rate of endpoints.

    Half of the endpoints, each with what the tiers above the fullest leaves let it have of a link.
    """
    up = leaf_uplinks * uplink_ratio / fullest_leaf_endpoints
    share = np.where(tier_count <= 1, 1.0, np.minimum(np.minimum(up, up / spine_oversubscription), 1.0))
    return np.where(endpoint_links <= 0, 0.0, endpoint_links / 2 * share)


@quantity(unit="1", source="definition")
def same_leaf_endpoints(
    *,
    networked_supernodes: Array,
    unit_supernodes: Array,
    supernodes_per_leaf: Array,
    endpoints_per_rail: Array,
    leaf_endpoints: Array,
) -> Array:
    """Other endpoints below the leaf of an endpoint, averaged over all endpoints.

    The sum of squares of the endpoints of every leaf of a rail, over their number, less the endpoint itself.

    Parameters
    ----------
    networked_supernodes : on the fabric [1]
    unit_supernodes : of a whole scalable unit [1]
    supernodes_per_leaf : of a full leaf, 1 where a SuperNode has several leaves [1]
    endpoints_per_rail : links of one SuperNode into a rail [1]
    leaf_endpoints : of a full leaf [1]
    """
    units = np.floor(networked_supernodes / unit_supernodes)
    last = networked_supernodes - units * unit_supernodes

    def squares(supernodes: Array) -> Array:
        full = np.floor(supernodes / supernodes_per_leaf)
        rest = (supernodes - full * supernodes_per_leaf) * endpoints_per_rail
        shared = full * leaf_endpoints**2 + rest**2
        leaves = np.floor(endpoints_per_rail / leaf_endpoints)
        own = supernodes * (leaves * leaf_endpoints**2 + (endpoints_per_rail - leaves * leaf_endpoints) ** 2)
        return np.where(endpoints_per_rail > leaf_endpoints, own, shared)

    total = units * squares(unit_supernodes) + squares(last)
    return total / (networked_supernodes * endpoints_per_rail) - 1


@quantity(unit="1", source="definition")
def rail_group_endpoints(
    *, networked_supernodes: Array, unit_supernodes: Array, endpoints_per_rail: Array
) -> Array:
    """Other endpoints in the leaf group of an endpoint, averaged, where each rail of a unit is a group."""
    units = np.floor(networked_supernodes / unit_supernodes)
    last = networked_supernodes - units * unit_supernodes
    squares = units * unit_supernodes**2 + last**2
    return squares * endpoints_per_rail / networked_supernodes - 1


@quantity(unit="1", source="definition", leaf=True)
def filled_group_endpoints(
    *,
    leaves: Array,
    leaf_groups: Array,
    rails: Array,
    networked_supernodes: Array,
    unit_supernodes: Array,
    endpoints_per_rail: Array,
    leaf_endpoints: Array,
    leaves_per_rail: Array,
) -> Array:
    """Other endpoints in the leaf group of an endpoint, averaged, where groups are as many leaves in a row.

    Leaves stand unit by unit, in each rail by rail; groups differ by one leaf at most.

    Parameters
    ----------
    leaves : of a plane, of one of its two sides, or of a rail that is apart [1]
    leaf_groups : they are dealt into [1]
    rails : whose leaves these are [1]
    networked_supernodes : on the fabric [1]
    unit_supernodes : of a whole scalable unit [1]
    endpoints_per_rail : links of one SuperNode into a rail [1]
    leaf_endpoints : of a full leaf [1]
    leaves_per_rail : of one scalable unit [1]
    """
    leaves, leaf_groups, rails, supernodes, unit, each, full, per_rail = np.broadcast_arrays(
        leaves, leaf_groups, rails, networked_supernodes, unit_supernodes,
        endpoints_per_rail, leaf_endpoints, leaves_per_rail,
    )  # fmt: skip
    groups = np.where(np.isfinite(leaf_groups), leaf_groups, 0.0)[..., None]
    edges = np.minimum(np.arange(float(np.max(groups, initial=0)) + 1), groups)
    first = np.ceil(edges * leaves[..., None] / np.maximum(groups, 1))
    in_unit = (rails * per_rail)[..., None]
    before = np.floor(first / in_unit)
    rail, leaf = np.divmod(first - before * in_unit, per_rail[..., None])
    own, joined = unit[..., None], supernodes[..., None]
    here = np.clip(joined - before * own, 0.0, own)
    leaves_of_one = np.maximum(np.ceil(each / full), 1.0)[..., None]
    whole, part = np.divmod(leaf, leaves_of_one)
    shared = whole * np.maximum(full, each)[..., None] + np.minimum(part * full[..., None], each[..., None])
    in_rail = np.minimum(shared, here * each[..., None])
    endpoints = (np.minimum(before * own, joined) * rails[..., None] + rail * here) * each[
        ..., None
    ] + in_rail
    squares = np.sum(np.diff(endpoints, axis=-1) ** 2, axis=-1)
    others: Array = squares / (supernodes * rails * each) - 1
    return np.where(np.isfinite(leaf_groups), others, np.nan)


@quantity(unit="1", source=_CLOS)
def clos_mean_path_links(
    *, endpoint_links: Array, same_leaf_endpoints: Array, same_group_endpoints: Array, tier_count: Array
) -> Array:
    """Links between two endpoints of a folded Clos, averaged over all pairs.

    2 below one leaf, 4 through a spine, 6 through a core: 6 - 2 (other endpoints of the leaf + those of the
    leaf group) / (all others), and one step less where a tier is missing. For full leaves of d endpoints in
    two tiers 4 - 2 (d - 1) / (N - 1).

    Parameters
    ----------
    endpoint_links : whose pairs are counted [1]
    same_leaf_endpoints : others below the leaf of one [1]
    same_group_endpoints : others in the leaf group of one [1]
    tier_count : of switches [1]
    """
    others = np.maximum(endpoint_links - 1, 1.0)
    through_spines = 4 - 2 * same_leaf_endpoints / others
    through_cores = 6 - 2 * (same_leaf_endpoints + same_group_endpoints) / others
    links = np.where(tier_count <= 1, 2.0, np.where(tier_count <= 2, through_spines, through_cores))
    return np.where((tier_count <= 0) | (endpoint_links <= 1), 0.0, links + 0 * tier_count)
