"""Distances in a dragonfly and a dragonfly+, averaged over pairs of endpoints; the last group may be partly filled.

Endpoints fill router after router. Routes are minimal: one global link at most.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_KIM = "[1] Kim, Dally, Scott, Abts, ISCA 2008 (dragonfly)"
_SHPINER = "[1] Shpiner, Haramaty, Eliad, Zdornov, Gafni, Zahavi, HiPINEB 2017 (dragonfly+)"


@quantity(unit="1", source="definition")
def same_router_pairs(*, endpoints: Array, router_endpoints: Array) -> Array:
    """Ordered pairs of endpoints of one router or leaf."""
    full = np.floor(endpoints / router_endpoints)
    rest = endpoints - full * router_endpoints
    return full * router_endpoints * (router_endpoints - 1) + rest * (rest - 1)


@quantity(unit="1", source="definition")
def full_groups(*, endpoints: Array, group_routers: Array, router_endpoints: Array) -> Array:
    """Groups with all their endpoints."""
    return np.floor(endpoints / (group_routers * router_endpoints))


@quantity(unit="1", source="definition")
def last_group_endpoints(
    *, endpoints: Array, full_groups: Array, group_routers: Array, router_endpoints: Array
) -> Array:
    """Endpoints of the group that is partly filled, 0 where none is."""
    return endpoints - full_groups * group_routers * router_endpoints


@quantity(unit="1", source="definition")
def same_group_pairs(
    *, full_groups: Array, last_group_endpoints: Array, group_routers: Array, router_endpoints: Array
) -> Array:
    """Ordered pairs of endpoints of one group, those of one router among them."""
    each = group_routers * router_endpoints
    pairs: Array = full_groups * each * (each - 1) + last_group_endpoints * (last_group_endpoints - 1)
    return pairs


@quantity(unit="1", source=_KIM)
def full_groups_router_links(*, trunk_links: Array, group_routers: Array) -> Array:
    """Links between routers of two full groups, averaged: 3 - 2 T / a + T (T - 1) / a^2.

    Of a^2 pairs of routers T are joined by a global link, (a - T)^2 have to change routers at both ends, the
    others at one. More than a links a trunk bring none closer.
    """
    t = np.minimum(trunk_links, group_routers)
    links: Array = 3 - 2 * t / group_routers + t * (t - 1) / group_routers**2
    return links


@quantity(unit="1", source=_KIM)
def last_group_gateways(
    *,
    last_group_endpoints: Array,
    groups: Array,
    trunk_links: Array,
    group_routers: Array,
    router_endpoints: Array,
) -> Array:
    """Endpoints of the partly filled group times the groups that their router has a global link to.

    Global ports are dealt to the routers of a group in turn: of M = T (g - 1) ports each router has floor(M / a),
    the first M mod a of them one more.
    """
    ports = np.minimum(trunk_links, group_routers) * np.maximum(groups - 1, 0.0)
    each = np.floor(ports / group_routers)
    more = ports - each * group_routers
    routers = np.floor(last_group_endpoints / router_endpoints)
    rest = last_group_endpoints - routers * router_endpoints
    of_full = routers * each + np.minimum(routers, more)
    of_rest = each + np.where(routers < more, 1.0, 0.0)
    gateways: Array = router_endpoints * of_full + rest * of_rest
    return gateways


@quantity(unit="1", source=_KIM)
def dragonfly_mean_path_links(
    *,
    endpoints: Array,
    full_groups: Array,
    last_group_endpoints: Array,
    same_router_pairs: Array,
    same_group_pairs: Array,
    full_groups_router_links: Array,
    last_group_gateways: Array,
    trunk_links: Array,
    group_routers: Array,
    router_endpoints: Array,
) -> Array:
    """Links between two endpoints of a dragonfly, averaged over all pairs.

    2 to the routers and back, 1 more inside a group, and between groups 1 to 3: a router of the partly filled
    group that has a link to a full one is 2 - 1 / a from its routers on average, another 3 - T / a.
    """
    t = np.minimum(trunk_links, group_routers)
    each = group_routers * router_endpoints
    inside = same_group_pairs - same_router_pairs
    between_full = full_groups * (full_groups - 1) * each**2 * full_groups_router_links
    near = last_group_gateways * (2 - 1 / group_routers)
    far = (last_group_endpoints * full_groups - last_group_gateways) * (3 - t / group_routers)
    steps = inside + between_full + 2 * each * (near + far)
    pairs = endpoints * (endpoints - 1)
    return np.where(endpoints <= 1, 0.0, 2 + steps / np.maximum(pairs, 1.0))


@quantity(unit="1", source=_SHPINER)
def dragonfly_plus_mean_path_links(
    *, endpoints: Array, same_router_pairs: Array, same_group_pairs: Array
) -> Array:
    """Links between two endpoints of a dragonfly+, averaged over all pairs.

    2 below one leaf, 4 through a spine of the group, 5 to another group: every spine is next to every leaf.
    """
    pairs = np.maximum(endpoints * (endpoints - 1), 1.0)
    return np.where(endpoints <= 1, 0.0, 5 - (same_group_pairs + 2 * same_router_pairs) / pairs)


@quantity(unit="1", source=_KIM)
def router_path_links(*, endpoints: Array) -> Array:
    """Links of nodes on the longest path: one at each end."""
    return np.where(endpoints <= 1, 0.0, 2.0 + 0 * endpoints)


@quantity(unit="1", source=_KIM)
def local_path_links(*, groups: Array, trunk_links: Array, group_routers: Array) -> Array:
    """Links inside groups on the longest path of a dragonfly.

    One within a single group; else one at each end, or at one end where every router has a global link to
    every group.
    """
    between = np.where(trunk_links >= group_routers, 1.0, 2.0)
    links = np.where(groups <= 1, 1.0, between)
    return np.where((group_routers <= 1) | (groups <= 0), 0.0, links + 0 * groups)


@quantity(unit="1", source=_SHPINER)
def dragonfly_plus_local_path_links(*, groups: Array, group_routers: Array) -> Array:
    """Links between leaves and spines on the longest path of a dragonfly+: up and down."""
    alone = (groups <= 1) & (group_routers <= 1)
    return np.where((groups <= 0) | alone, 0.0, 2.0 + 0 * groups)


@quantity(unit="1", source=_KIM)
def global_path_links(*, groups: Array) -> Array:
    """Links between groups on the longest path of minimal routes."""
    return np.where(groups <= 1, 0.0, 1.0 + 0 * groups)


@quantity(unit="1", source=_KIM)
def dragonfly_path_switches(*, local_path_links: Array, global_path_links: Array, groups: Array) -> Array:
    """Routers on the longest path: one more than links between them."""
    return np.where(groups <= 0, 0.0, local_path_links + global_path_links + 1)
