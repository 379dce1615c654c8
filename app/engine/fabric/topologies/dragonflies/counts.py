"""How many routers and links a dragonfly or a dragonfly+ takes, and how far apart its endpoints are.

A group of a dragonfly has a routers, every two joined by a link; a group of a dragonfly+ has a leaves and
a spines, every leaf joined to every spine, and its global links end in spines. Groups are bought whole. Every two
groups are joined by equally many global links: a trunk of several where there are fewer groups than global ports.
Trunks take turns at the routers of a group, so that one of T links ends in min(T, a) of them.
Minimal routes use one global link at most (Kim 2008).
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_KIM = "[1] Kim, Dally, Scott, Abts, ISCA 2008 (dragonfly)"
_SHPINER = "[1] Shpiner, Haramaty, Eliad, Zdornov, Gafni, Zahavi, HiPINEB 2017 (dragonfly+)"


@quantity(unit="1", source=_KIM, leaf=True)
def balanced_router_endpoints(*, endpoints: Array, switch_radix: Array) -> Array:
    """Endpoints of a router of a balanced dragonfly, a = 2 p = 2 h, of the fewest routers.

    Candidates are all p that 4 p - 1 ports allow; of those whose 2 p^2 + 1 groups hold all endpoints, the one
    with the fewest routers in whole groups. The largest where none holds them.

    Parameters
    ----------
    endpoints : links of nodes to one plane [1]
    switch_radix : ports of a router [1]
    """
    endpoints, radix = np.broadcast_arrays(endpoints, switch_radix)
    most = float(np.max(np.where(np.isfinite(radix), radix, 3.0)))
    p = np.arange(1.0, max(np.floor((most + 1) / 4), 1.0) + 1)
    return _fewest(endpoints, p, 2 * p * p, 2 * p, 2 * p * p + 1, 4 * p - 1, radix)


@quantity(unit="1", source=_SHPINER, leaf=True)
def balanced_leaf_endpoints(*, endpoints: Array, switch_radix: Array) -> Array:
    """Endpoints of a leaf of a balanced dragonfly+, a = p = h, of the fewest switches.

    Candidates are all p that 2 p ports allow; of those whose p^2 + 1 groups hold all endpoints, the one with
    the fewest switches in whole groups. The largest where none holds them.

    Parameters
    ----------
    endpoints : links of nodes to one plane [1]
    switch_radix : ports of a leaf or spine [1]
    """
    endpoints, radix = np.broadcast_arrays(endpoints, switch_radix)
    most = float(np.max(np.where(np.isfinite(radix), radix, 2.0)))
    p = np.arange(1.0, max(np.floor(most / 2), 1.0) + 1)
    return _fewest(endpoints, p, p * p, 2 * p, p * p + 1, 2 * p, radix)


def _fewest(
    endpoints: Array, p: Array, held: Array, switches: Array, most_groups: Array, ports: Array, radix: Array
) -> Array:
    """Of candidates p, with what one of their groups holds and takes, the one of the fewest switches."""
    groups = np.maximum(np.ceil(endpoints[..., None] / held), 1.0)
    allowed = ports <= radix[..., None]
    holds = allowed & (groups <= most_groups)
    fewest = np.argmin(np.where(holds, groups * switches, np.inf), axis=-1)
    largest = np.maximum(np.sum(allowed, axis=-1) - 1, 0)
    chosen = p[np.where(holds.any(axis=-1), fewest, largest)]
    return np.where(np.isfinite(endpoints) & np.isfinite(radix), chosen, np.nan)


@quantity(unit="1", source=_KIM)
def dragonfly_groups(
    *, endpoints: Array, management_ports: Array, group_routers: Array, router_endpoints: Array
) -> Array:
    """Groups of a dragonfly: as many whole ones as take all endpoints."""
    groups = np.ceil((endpoints + management_ports) / (group_routers * router_endpoints))
    return np.where(endpoints <= 0, 0.0, groups)


@quantity(unit="1", source=_KIM)
def dragonfly_most_groups(*, group_routers: Array, router_global_links: Array) -> Array:
    """Most groups that all reach each other: a h + 1."""
    return group_routers * router_global_links + 1


@quantity(unit="1", source=_KIM)
def trunk_links(*, groups: Array, group_routers: Array, router_global_links: Array) -> Array:
    """Global links between every two groups.

    Those of a group over the other groups, one at least; what does not divide stays unused.
    """
    each = np.floor(group_routers * router_global_links / np.maximum(groups - 1, 1.0))
    return np.where(groups <= 1, 0.0, np.maximum(each, 1.0))


@quantity(unit="1", source=_KIM)
def dragonfly_switches(*, groups: Array, group_routers: Array) -> Array:
    """Routers of all groups; leaves, or spines, of a dragonfly+."""
    return groups * group_routers


@quantity(unit="1", source=_KIM)
def dragonfly_local_links(*, groups: Array, group_routers: Array) -> Array:
    """Links inside groups: one between every two routers of a group, g a (a - 1) / 2."""
    return groups * group_routers * (group_routers - 1) / 2


@quantity(unit="1", source=_SHPINER)
def dragonfly_plus_local_links(*, groups: Array, group_routers: Array) -> Array:
    """Links inside groups: one between every leaf and every spine of a group, g a^2."""
    return groups * group_routers**2


@quantity(unit="1", source=_KIM)
def global_links(*, groups: Array, trunk_links: Array) -> Array:
    """Links between groups: a trunk between every two, g (g - 1) / 2 T."""
    return groups * (groups - 1) / 2 * trunk_links


@quantity(unit="1", source=_KIM)
def global_oversubscription(
    *, groups: Array, group_routers: Array, router_endpoints: Array, trunk_links: Array
) -> Array:
    """Oversubscription of a group: links of its endpoints over its links to other groups."""
    return np.where(
        groups <= 1, 1.0, group_routers * router_endpoints / (trunk_links * np.maximum(groups - 1, 1.0))
    )


@quantity(unit="1", source=_KIM)
def router_taper(*, router_endpoints: Array, router_links: Array) -> Array:
    """Oversubscription of a router inside its group: links of its endpoints over its links to the group."""
    return np.where(router_links > 0, router_endpoints / np.maximum(router_links, 1.0), 1.0)


@quantity(unit="1", source=_KIM)
def dragonfly_bisection_links(
    *, endpoints: Array, groups: Array, group_routers: Array, trunk_links: Array
) -> Array:
    """Links that halving a dragonfly cuts.

    Trunks between half of the groups and the others; of an odd number of groups one is cut through its
    middle too, with half of its trunks (a cut that picks its routers by their trunks may do with fewer). At
    most half of the endpoints.
    """
    between = np.floor(groups**2 / 4) * trunk_links
    inside = np.where(np.mod(groups, 2) > 0, np.floor(group_routers**2 / 4), 0.0)
    return np.minimum(between + inside, endpoints / 2)


@quantity(unit="1", source=_SHPINER)
def dragonfly_plus_bisection_links(
    *, endpoints: Array, groups: Array, group_routers: Array, trunk_links: Array
) -> Array:
    """Links that halving a dragonfly+ cuts.

    Trunks between half of the groups and the others; of an odd number of groups one is cut through its
    middle too, half its leaves from its spines, with half of its trunks (a cut that picks its spines by their
    trunks may do with fewer). At most half of the endpoints.
    """
    between = np.floor(groups**2 / 4) * trunk_links
    inside = np.where(np.mod(groups, 2) > 0, np.floor(group_routers / 2) * group_routers, 0.0)
    return np.minimum(between + inside, endpoints / 2)
