"""The packing rule above the leaves: tiers, leaf groups, spines and cores of one plane."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.topologies.clos.packing import evenly_reached_switches
from app.engine.quantities import quantity
from app.engine.trace import Array

_CLOS = "[1] Al-Fares, Loukissas, Vahdat, SIGCOMM 2008 (folded Clos of equal switches)"
_SUPERPOD = "[1] NVIDIA DGX SuperPOD reference architectures (H100, B200, B300, GB200), Network Fabrics"


@quantity(unit="1", source=_SUPERPOD)
def tier_count(
    *,
    leaves_per_plane: Array,
    single_leaves: Array,
    leaves_per_rail: Array,
    switch_radix: Array,
    tiers_asked: Array,
) -> Array:
    """Tiers of switches.

    0 without a fabric, 1 for a single switch, 2 while every spine reaches every leaf, else 3; 3 from
    the start when a rail of a unit has several leaves. Where a number is asked for, that, or as many more as
    it takes.
    """
    needed = np.where(leaves_per_plane <= switch_radix, 2.0, 3.0)
    grown = np.where(leaves_per_rail <= 1, needed, 3.0)
    built = np.where(tiers_asked >= 2, np.maximum(needed, tiers_asked), grown)
    tiers = np.where(leaves_per_plane <= single_leaves, np.minimum(leaves_per_plane, 1.0), built)
    return np.where(np.isnan(leaves_per_plane), np.nan, tiers)


@quantity(unit="1", source=_CLOS)
def spine_down_ports(*, switch_radix: Array, spine_oversubscription: Array) -> Array:
    """Ports of a spine of three tiers that may point down.

    floor(R o / (1 + o)) of radix R at oversubscription o (down over up): half at 1.
    """
    return np.floor(switch_radix * spine_oversubscription / (1 + spine_oversubscription))


@quantity(unit="1", source=_SUPERPOD, at="fabric.clos_leaf_groups")
def leaf_groups(
    *,
    tier_count: Array,
    leaves_per_plane: Array,
    leaves_per_rail: Array,
    rails: Array,
    scalable_units: Array,
    spine_down_ports: Array,
) -> Array:
    """Groups of leaves that share spines, in one plane.

    One up to two tiers; then a rail of a unit where it has several leaves, else as many leaves as a
    spine has ports down.
    """
    filled = np.ceil(leaves_per_plane / spine_down_ports)
    grown = np.where(leaves_per_rail > 1, rails * scalable_units, filled)
    return np.where(tier_count <= 2, np.minimum(tier_count, 1.0), grown + 0 * tier_count)


@quantity(unit="1", source=_SUPERPOD)
def spines_per_plane(
    *,
    tier_count: Array,
    leaves_per_plane: Array,
    leaf_groups: Array,
    leaves_per_rail: Array,
    leaf_uplinks: Array,
    switch_radix: Array,
    spine_down_ports: Array,
    even: Array,
) -> Array:
    """Spine switches of one plane.

    The leaves' uplinks over the spine ports that point down (all in two tiers, half in three unless spines
    are oversubscribed), rounded up to what spreads evenly; by leaf group where a rail of a unit has several
    leaves. In two tiers not rounded where a leaf may have one link more to some spines than to others.

    Parameters
    ----------
    tier_count : of the plane [1]
    leaves_per_plane : of all groups [1]
    leaf_groups : that share spines [1]
    leaves_per_rail : of one scalable unit [1]
    leaf_uplinks : of one leaf [1]
    switch_radix : links that one switch takes [1]
    spine_down_ports : of a spine of three tiers [1]
    even : 1 where a leaf has equally many links to every spine, 0 where they may differ by one [1]
    """
    down_ports = np.where(tier_count > 2, spine_down_ports, switch_radix)
    rounds = np.where((tier_count > 2) & (leaves_per_rail > 1), leaf_groups, 1.0)
    spines = rounds * evenly_reached_switches(
        links=leaves_per_plane / rounds * leaf_uplinks, ports=down_ports, uplinks=leaf_uplinks
    )
    fewest = fewest_spines(
        leaves_per_plane=leaves_per_plane, leaf_uplinks=leaf_uplinks, switch_radix=switch_radix
    )
    built = np.where((even > 0) | (tier_count > 2), spines, fewest)
    return np.where(tier_count <= 1, 0.0, built + 0 * tier_count)


@quantity(unit="1", source=_CLOS)
def fewest_spines(*, leaves_per_plane: Array, leaf_uplinks: Array, switch_radix: Array) -> Array:
    """Spines of two tiers that carry the uplinks of all leaves, every port taken."""
    return np.ceil(leaves_per_plane * leaf_uplinks / switch_radix)


@quantity(unit="1", source="definition")
def evenness_switches_per_plane(*, tier_count: Array, spines_per_plane: Array, fewest_spines: Array) -> Array:
    """Spines of a plane of two tiers beyond those that carry the uplinks.

    What it costs that every leaf has equally many links to every spine.
    """
    return np.where(tier_count == 2, spines_per_plane - fewest_spines, 0.0 * tier_count)


@quantity(unit="1", source="definition")
def sure_leaf_uplinks(*, tier_count: Array, leaf_uplinks: Array, spines_per_plane: Array) -> Array:
    """Uplinks of a leaf that count in any halving of the leaves.

    All where every spine is reached evenly. Of u = q S + r uplinks over S spines, r spines have one
    link more, and leaves that are halved so that these meet on the same spines lose S - r of them on either
    side: q S + max(0, 2 r - S) are left whatever the halves.
    """
    each = np.floor(leaf_uplinks / np.maximum(spines_per_plane, 1.0))
    more = leaf_uplinks - each * spines_per_plane
    sure = each * spines_per_plane + np.maximum(2 * more - spines_per_plane, 0.0)
    return np.where((tier_count == 2) & (more > 0), sure, leaf_uplinks)


@quantity(unit="1", source=_SUPERPOD)
def uplinks_per_plane(*, tier_count: Array, leaves_per_plane: Array, leaf_uplinks: Array) -> Array:
    """Links between leaves and spines of one plane."""
    return np.where(tier_count <= 1, 0.0, leaves_per_plane * leaf_uplinks + 0 * tier_count)


@quantity(unit="1", source=_SUPERPOD)
def core_links_per_plane(
    *,
    tier_count: Array,
    uplinks_per_plane: Array,
    leaves_per_plane: Array,
    leaf_bundle: Array,
    leaf_groups: Array,
    spines_per_plane: Array,
    spine_oversubscription: Array,
) -> Array:
    """Links between spines and cores of one plane.

    As many as below the spines, or what each spine needs at the oversubscription asked for. Leaf groups
    differ by one leaf at most (by one pair where leaves come in pairs).

    Parameters
    ----------
    tier_count : of the plane [1]
    uplinks_per_plane : links between leaves and spines [1]
    leaves_per_plane : of all groups [1]
    leaf_bundle : leaves that stay in one group: 2 where NICs have a leaf on each side, else 1 [1]
    leaf_groups : that share spines [1]
    spines_per_plane : of all groups [1]
    spine_oversubscription : bandwidth down over bandwidth up of a spine [1]
    """
    bundles, spines = leaves_per_plane / leaf_bundle, spines_per_plane / leaf_groups
    small = np.floor(bundles / leaf_groups)
    large_groups = bundles - small * leaf_groups
    per_bundle = uplinks_per_plane / bundles / spines / spine_oversubscription
    tapered = spines * (
        large_groups * np.ceil(np.round((small + 1) * per_bundle, 6))
        + (leaf_groups - large_groups) * np.ceil(np.round(small * per_bundle, 6))
    )
    links = np.where(spine_oversubscription <= 1, uplinks_per_plane, tapered)
    return np.where(tier_count <= 2, 0.0, links + 0 * tier_count)


@quantity(unit="1", source=_SUPERPOD)
def cores_per_plane(
    *,
    tier_count: Array,
    spines_per_plane: Array,
    core_links_per_plane: Array,
    spine_radix: Array,
    core_radix: Array,
    spine_oversubscription: Array,
) -> Array:
    """Core switches of one plane.

    As many as take the ports of the spines that point up: half as many as spines of the same switch, or one
    part in 1 + o of them where spines are oversubscribed. All their ports point down.
    """
    full = np.round(spines_per_plane / (1 + spine_oversubscription) * (spine_radix / core_radix), 6)
    cores = np.ceil(np.maximum(full, core_links_per_plane / core_radix))
    return np.where(tier_count <= 2, 0.0, cores + 0 * tier_count)
