"""The packing rule: how many switches and links a rail-aligned folded Clos takes.

Counts are for one plane of the fabric. The rule gives every published NVIDIA SuperPOD table:

- Endpoints that all fit one switch get one switch and no spine (an edge pod, a pair of servers).
- Else each scalable unit has its leaves, one or more a rail, bought whole even if the last unit is
  partly filled; each leaf has as many uplinks as its share of the unit needs.
- Two tiers while every spine can reach every leaf. The spines are the smallest number that carries
  the uplinks and that every leaf can spread its uplinks over evenly: a divisor of the uplinks.
- Three tiers beyond: half of a spine's ports point up. Spines come in groups that serve as many
  leaves as half their ports; a spine layer larger than one group is a whole number of groups. There
  are half as many cores as spines.
- A unit that has several leaves a rail (racks of an NVL72) is built for growth from the start: each
  rail of each unit is a leaf group with its own spines, joined by cores.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_CLOS = "[1] Leiserson, IEEE Trans. Comput. C-34 (1985) 892-901 (fat trees)"
_SUPERPOD = "[1] NVIDIA DGX SuperPOD reference architectures (H100, B200, B300, GB200), Network Fabrics"


@quantity(unit="1", source=_SUPERPOD)
def supernodes_per_leaf(
    *, leaf_down_ports: Array, endpoints_per_rail: Array, unit_supernodes: Array
) -> Array:
    """SuperNodes that share one leaf.

    As many as fit below it, at most the scalable unit, at least one.
    """
    fitting = np.floor(leaf_down_ports / endpoints_per_rail)
    return np.maximum(np.minimum(fitting, unit_supernodes), 1.0)


@quantity(unit="1", source=_SUPERPOD)
def unit_supernodes(
    *,
    scalable_unit_supernodes: Array,
    networked_supernodes: Array,
    leaf_down_ports: Array,
    endpoints_per_rail: Array,
    nodes: Array,
    rack_unit_supernodes: Array,
) -> Array:
    """SuperNodes in one scalable unit.

    As the scenario says, for servers at most what one leaf a rail takes. Not a number leaves the choice
    open: then it is what fills one leaf a rail, or a usual unit of racks where each takes a whole leaf.

    Parameters
    ----------
    scalable_unit_supernodes : asked for; not a number when left open [1]
    networked_supernodes : on the fabric; without a fabric there are no units [1]
    leaf_down_ports : ports of a leaf that may point down [1]
    endpoints_per_rail : links of one SuperNode into a rail [1]
    nodes : hosts of a SuperNode, 1 for a server [1]
    rack_unit_supernodes : usual unit of SuperNodes that fill a leaf each [1]
    """
    fitting = np.maximum(np.floor(leaf_down_ports / endpoints_per_rail), 1.0)
    usual = np.where(fitting > 1, fitting, rack_unit_supernodes + 0 * fitting)
    unit = np.where(np.isnan(scalable_unit_supernodes), usual, scalable_unit_supernodes)
    return np.where(networked_supernodes <= 0, 0.0, np.where(nodes <= 1, np.minimum(unit, fitting), unit))


@quantity(unit="1", source=_SUPERPOD)
def leaves_per_rail(
    *,
    networked_supernodes: Array,
    unit_supernodes: Array,
    supernodes_per_leaf: Array,
    endpoints_per_rail: Array,
    leaf_down_ports: Array,
) -> Array:
    """Leaves of one rail in one scalable unit and plane.

    A pod smaller than its unit has only the leaves it needs; a SuperNode with more links a rail than
    a leaf takes has several.
    """
    filled = np.minimum(unit_supernodes, networked_supernodes)
    per_supernode = np.ceil(endpoints_per_rail / leaf_down_ports)
    leaves: Array = np.maximum(np.ceil(filled / supernodes_per_leaf) * per_supernode, 1.0)
    return leaves


@quantity(unit="1", source=_SUPERPOD)
def leaf_endpoints(*, supernodes_per_leaf: Array, endpoints_per_rail: Array, leaf_down_ports: Array) -> Array:
    """Links of SuperNodes to a full leaf."""
    split = np.ceil(endpoints_per_rail / np.ceil(endpoints_per_rail / leaf_down_ports))
    return supernodes_per_leaf * split


@quantity(unit="1", source=_SUPERPOD)
def leaf_uplinks(*, leaf_endpoints: Array, oversubscription: Array) -> Array:
    """Uplinks of a leaf.

    What its endpoints need at the oversubscription asked for (down over up).
    """
    return np.ceil(np.round(leaf_endpoints / oversubscription, 6))


@quantity(unit="1", source=_SUPERPOD)
def scalable_units(
    *,
    networked_supernodes: Array,
    unit_supernodes: Array,
    endpoint_links: Array,
    rails: Array,
    leaves_per_rail: Array,
    leaf_down_ports: Array,
    management_ports: Array,
) -> Array:
    """Scalable units.

    Enough for the SuperNodes, and one more when management ports find no free leaf port. (The
    published SuperPODs give up one server of the last unit for them.)
    """
    units = np.ceil(networked_supernodes / unit_supernodes)
    free_ports = units * rails * leaves_per_rail * leaf_down_ports - endpoint_links
    with_management = np.where(management_ports > free_ports, units + 1, units)
    return np.where(networked_supernodes <= 0, 0.0, with_management)


@quantity(unit="1", source=_SUPERPOD)
def leaves_per_plane(
    *,
    endpoint_links: Array,
    management_ports: Array,
    switch_radix: Array,
    scalable_units: Array,
    rails: Array,
    leaves_per_rail: Array,
) -> Array:
    """Leaf switches of one plane.

    rails x leaves a rail x scalable units, or one switch that takes every endpoint.
    """
    in_units = rails * leaves_per_rail * scalable_units
    fits_one = endpoint_links + management_ports <= switch_radix
    return np.where(endpoint_links <= 0, 0.0, np.where(fits_one, 1.0, in_units))


@quantity(unit="1", source=_SUPERPOD)
def tier_count(*, leaves_per_plane: Array, leaves_per_rail: Array, switch_radix: Array) -> Array:
    """Tiers of switches.

    0 without a fabric, 1 for a single switch, 2 while every spine reaches every leaf, else 3; 3 from
    the start when a rail of a unit has several leaves.
    """
    grown = np.where((leaves_per_rail <= 1) & (leaves_per_plane <= switch_radix), 2.0, 3.0)
    tiers = np.where(leaves_per_plane <= 1, leaves_per_plane, grown)
    return np.where(np.isnan(leaves_per_plane), np.nan, tiers)


@quantity(unit="1", source=_SUPERPOD)
def leaf_groups(
    *,
    tier_count: Array,
    leaves_per_plane: Array,
    leaves_per_rail: Array,
    rails: Array,
    scalable_units: Array,
    switch_radix: Array,
) -> Array:
    """Groups of leaves that share spines, in one plane.

    One up to two tiers; then a rail of a unit where it has several leaves, else as many leaves as
    half a spine's ports.
    """
    half = np.floor(switch_radix / 2)
    grown = np.where(leaves_per_rail > 1, rails * scalable_units, np.ceil(leaves_per_plane / half))
    return np.where(tier_count <= 2, np.minimum(tier_count, 1.0), grown + 0 * tier_count)


@quantity(unit="1", source=_SUPERPOD, leaf=True)
def evenly_reached_switches(*, links: Array, ports: Array, uplinks: Array) -> Array:
    """Switches above that every switch below reaches with equally many links.

    The smallest divisor of the uplinks that is at least links / ports; more than one uplink each can
    reach come in whole groups of as many as the uplinks.

    Parameters
    ----------
    links : to be taken up [1]
    ports : of one upper switch that point down [1]
    uplinks : of one lower switch [1]

    >>> evenly_reached_switches(links=np.array([24.0 * 32]), ports=np.array([64.0]), uplinks=np.array([32.0]))
    array([16.])
    """
    needed, spread = np.broadcast_arrays(np.ceil(links / ports), uplinks)
    known = np.isfinite(needed) & np.isfinite(spread)
    largest = int(np.max(np.where(known, spread, 1)))
    candidates = np.arange(1, largest + 1, dtype=float)
    even = (np.mod(spread[..., None], candidates) == 0) & (candidates >= needed[..., None])
    divisor = np.min(np.where(even, candidates, np.inf), axis=-1)
    whole_groups = np.ceil(needed / spread) * spread
    return np.where(known, np.where(np.isfinite(divisor), divisor, whole_groups), np.nan)


@quantity(unit="1", source=_SUPERPOD)
def spines_per_plane(
    *,
    tier_count: Array,
    leaves_per_plane: Array,
    leaf_groups: Array,
    leaves_per_rail: Array,
    leaf_uplinks: Array,
    switch_radix: Array,
) -> Array:
    """Spine switches of one plane.

    The leaves' uplinks over the spine ports that point down (all in two tiers, half in three),
    rounded up to what spreads evenly; by leaf group where a rail of a unit has several leaves.
    """
    down_ports = np.where(tier_count > 2, np.floor(switch_radix / 2), switch_radix)
    rounds = np.where((tier_count > 2) & (leaves_per_rail > 1), leaf_groups, 1.0)
    spines = rounds * evenly_reached_switches(
        links=leaves_per_plane / rounds * leaf_uplinks, ports=down_ports, uplinks=leaf_uplinks
    )
    return np.where(tier_count <= 1, 0.0, spines + 0 * tier_count)


@quantity(unit="1", source=_SUPERPOD)
def cores_per_plane(*, tier_count: Array, spines_per_plane: Array) -> Array:
    """Core switches of one plane.

    Half as many as spines: all their ports point down.
    """
    return np.where(tier_count <= 2, 0.0, np.ceil(spines_per_plane / 2) + 0 * tier_count)


@quantity(unit="1", source=_SUPERPOD)
def uplinks_per_plane(*, tier_count: Array, leaves_per_plane: Array, leaf_uplinks: Array) -> Array:
    """Links between leaves and spines of one plane."""
    return np.where(tier_count <= 1, 0.0, leaves_per_plane * leaf_uplinks + 0 * tier_count)


@quantity(unit="1", source=_SUPERPOD)
def core_links_per_plane(*, tier_count: Array, uplinks_per_plane: Array) -> Array:
    """Links between spines and cores of one plane.

    As many as below the spines: nothing is oversubscribed above the leaves.
    """
    return np.where(tier_count <= 2, 0.0, uplinks_per_plane + 0 * tier_count)


@quantity(unit="1", source=_CLOS)
def tier_path_links(*, tier_count: Array, tier: Array) -> Array:
    """Links of one tier on the longest path: one up and one down, none where the tier is not built."""
    return np.where(tier_count >= tier, 2.0, 0.0)


@quantity(unit="1", source=_CLOS)
def clos_path_switches(*, tier_count: Array) -> Array:
    """Switches on the longest path through a folded Clos.

    2 t - 1 through t tiers: up to the top and down again.
    """
    return np.maximum(2 * tier_count - 1, 0.0)


@quantity(unit="1", source=_CLOS)
def clos_bisection_links(*, endpoint_links: Array, uplinks_per_plane: Array, tier_count: Array) -> Array:
    """Links that halving a folded Clos cuts.

    Half of the thinnest layer of links: below the leaves, or above them where they are oversubscribed.
    Nothing is oversubscribed further up.
    """
    narrowest = np.where(tier_count <= 1, endpoint_links, np.minimum(endpoint_links, uplinks_per_plane))
    return np.where(endpoint_links <= 0, 0.0, narrowest / 2)


@quantity(unit="1", source="definition")
def leaf_oversubscription(*, leaf_endpoints: Array, leaf_uplinks: Array, tier_count: Array) -> Array:
    """Oversubscription of a full leaf.

    Its links down over its links up; 1 without a tier above.
    """
    return np.where(tier_count <= 1, 1.0, leaf_endpoints / leaf_uplinks + 0 * tier_count)


@quantity(unit="1", source="definition")
def group_leaves(*, leaves_per_plane: Array, leaf_groups: Array) -> Array:
    """Leaves that share spines."""
    return leaves_per_plane / np.maximum(leaf_groups, 1)


@quantity(unit="1", source=_CLOS)
def clos_mean_path_links(
    *, endpoint_links: Array, leaf_endpoints: Array, group_leaves: Array, tier_count: Array
) -> Array:
    """Links between two endpoints of a folded Clos, averaged over all pairs.

    2 below one leaf, 4 through a spine, 6 through a core: 6 - 2 (d - 1) / (N - 1) - 2 (G - 1) / (N - 1) with
    d endpoints a leaf and G a leaf group, and one step less where a tier is missing. Full leaves, one plane.
    """
    others = np.maximum(endpoint_links - 1, 1.0)
    in_leaf = np.minimum((leaf_endpoints - 1) / others, 1.0)
    in_group = np.minimum((leaf_endpoints * group_leaves - 1) / others, 1.0)
    links = np.where(
        tier_count <= 1, 2.0, np.where(tier_count <= 2, 4 - 2 * in_leaf, 6 - 2 * in_leaf - 2 * in_group)
    )
    return np.where((tier_count <= 0) | (endpoint_links <= 1), 0.0, links + 0 * tier_count)
