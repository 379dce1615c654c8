"""The packing rule: how many switches and links a folded Clos takes; its leaves here, the rest in `upper_tiers`.

Counts are for one plane of the fabric. The rule gives every published NVIDIA SuperPOD table:

- Endpoints that all fit one switch get one switch and no spine (an edge pod, a pair of servers).
- Else each scalable unit has its leaves, one or more a rail, bought whole even if the last unit is
  partly filled; each leaf has as many uplinks as its share of the unit needs.
- Two tiers while every spine can reach every leaf. The spines are the smallest number that carries
  the uplinks and that every leaf can spread its uplinks over evenly: a divisor of the uplinks.
- Three tiers beyond: half of a spine's ports point up, fewer where spines may be oversubscribed. Spines
  come in groups that serve as many leaves as they have ports down; a spine layer larger than one group is
  a whole number of groups. There are half as many cores as spines.
- A unit that has several leaves a rail (racks of an NVL72) is built for growth from the start: each
  rail of each unit is a leaf group with its own spines, joined by cores.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_SUPERPOD = "[1] NVIDIA DGX SuperPOD reference architectures (H100, B200, B300, GB200), Network Fabrics"


@quantity(unit="1", source=_SUPERPOD)
def supernodes_per_leaf(
    *, leaf_down_ports: Array, endpoints_per_rail: Array, unit_supernodes: Array
) -> Array:
    """SuperNodes per leaf.

    As many as fit below it, at most the scalable unit, at least one.
    """
    fitting = np.floor(leaf_down_ports / endpoints_per_rail)
    return np.maximum(np.minimum(fitting, unit_supernodes), 1.0)


@quantity(unit="1", source=_SUPERPOD, at="fabric.packed_unit_supernodes")
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
def leaf_uplinks(*, leaf_endpoints: Array, oversubscription: Array, uplink_ratio: Array) -> Array:
    """Uplinks of a leaf.

    What its endpoints need at the oversubscription asked for (bandwidth down over bandwidth up), fewer where
    a link up is faster than one down.
    """
    return np.ceil(np.round(leaf_endpoints / oversubscription / uplink_ratio, 6))


@quantity(unit="1", source=_SUPERPOD, at="fabric.packed_units")
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
    single_leaves: Array,
    tiers_asked: Array,
) -> Array:
    """Leaf switches of one plane.

    rails x leaves a rail x scalable units, or one switch that takes every endpoint (one on each side where
    NICs have two sides), unless more tiers are asked for.
    """
    in_units = rails * leaves_per_rail * scalable_units
    fits_one = (endpoint_links / single_leaves + management_ports <= switch_radix) & ~(tiers_asked > 1)
    return np.where(endpoint_links <= 0, 0.0, np.where(fits_one, single_leaves + 0 * in_units, in_units))


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
