"""Modules in the switches of a folded Clos, switch by switch: no two switches share one.

Links up begin in a cage of their own where a leaf has one to spare, so that a module serves one tier.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.engine.fabric.topologies.clos.wiring import Wiring
from app.engine.fabric.topologies.shape import Ask
from app.engine.quantities import quantity
from app.engine.trace import Array


class TierModules(NamedTuple):
    """Modules in switches on the links below a tier of one plane, at their lower ends and at both."""

    lower: Array
    both: Array


def switch_modules(ask: Ask, wiring: Wiring) -> tuple[TierModules, TierModules, TierModules]:
    """Modules in switches on the links below leaves, spines and cores of one plane."""
    leaves, spines, cores = wiring.switches
    plugs, links = ask.plugs, ask.plugs.switch_module_links
    fill = {
        "networked_supernodes": ask.plugs.networked_supernodes,
        "unit_supernodes": wiring.unit_supernodes,
        "supernodes_per_leaf": wiring.supernodes_per_leaf,
        "endpoints_per_rail": wiring.endpoints_per_rail,
        "leaf_endpoints": wiring.leaf_endpoints,
        "rails": wiring.rails,
        "leaves": leaves,
        "links_per_module": links,
    }
    single = dealt_modules(links=wiring.endpoint_links, switches=leaves, links_per_module=links)
    in_units = leaf_down_modules(**fill)
    down = np.where(wiring.tier_count <= 1, single, in_units)
    up = np.where(
        plugs.apart > 0,
        leaf_up_modules_apart(
            leaves=leaves, leaf_uplinks=wiring.leaf_uplinks, links_per_module=plugs.leaf_up.module_links
        ),
        leaf_up_modules(**fill, leaf_uplinks=wiring.leaf_uplinks, switch_radix=plugs.switch_radix),
    )
    in_spine, in_core = plugs.spine.module_links, plugs.core.module_links
    in_spines = dealt_modules(links=wiring.links[1], switches=spines, links_per_module=in_spine)
    above = dealt_modules(links=wiring.links[2], switches=spines, links_per_module=in_spine)
    in_cores = dealt_modules(links=wiring.links[2], switches=cores, links_per_module=in_core)
    single_tier, two_tiers = wiring.tier_count <= 1, wiring.tier_count <= 2
    return (
        TierModules(np.zeros(1), down),
        TierModules(np.where(single_tier, 0.0, up), np.where(single_tier, 0.0, up + in_spines)),
        TierModules(np.where(two_tiers, 0.0, above), np.where(two_tiers, 0.0, above + in_cores)),
    )


@quantity(unit="1", source="definition")
def dealt_modules(*, links: Array, switches: Array, links_per_module: Array) -> Array:
    """Modules in switches whose links differ by one at most: as many as the links of each take."""
    each = np.floor(links / np.maximum(switches, 1.0))
    more = links - each * switches
    modules = (switches - more) * np.ceil(each / links_per_module) + more * np.ceil(
        (each + 1) / links_per_module
    )
    return np.where(links <= 0, 0.0, modules)


@quantity(unit="1", source="definition", leaf=True)
def leaf_down_modules(
    *,
    networked_supernodes: Array,
    unit_supernodes: Array,
    supernodes_per_leaf: Array,
    endpoints_per_rail: Array,
    leaf_endpoints: Array,
    rails: Array,
    leaves: Array,
    links_per_module: Array,
) -> Array:
    """Modules in leaves on the links of SuperNodes, over all scalable units of a plane."""
    filled = _filled(
        networked_supernodes, unit_supernodes, supernodes_per_leaf, endpoints_per_rail, leaf_endpoints, rails
    )
    modules = [count * np.ceil(endpoints / links_per_module) for count, endpoints in filled]
    return np.asarray(sum(modules[1:], start=modules[0]) + 0 * leaves)


@quantity(unit="1", source="definition", leaf=True)
def leaf_up_modules(
    *,
    networked_supernodes: Array,
    unit_supernodes: Array,
    supernodes_per_leaf: Array,
    endpoints_per_rail: Array,
    leaf_endpoints: Array,
    rails: Array,
    leaves: Array,
    leaf_uplinks: Array,
    links_per_module: Array,
    switch_radix: Array,
) -> Array:
    """Modules in leaves on their uplinks alone; where no cage is to spare, the last one below takes some."""
    filled = _filled(
        networked_supernodes, unit_supernodes, supernodes_per_leaf, endpoints_per_rail, leaf_endpoints, rails
    )
    in_use = sum((count for count, _ in filled[1:]), start=filled[0][0])
    modules = np.maximum(leaves - in_use, 0.0) * np.ceil(leaf_uplinks / links_per_module)
    for count, endpoints in filled:
        below = np.ceil(endpoints / links_per_module)
        apart = below * links_per_module + leaf_uplinks <= switch_radix
        shared = np.ceil((endpoints + leaf_uplinks) / links_per_module) - below
        modules = modules + count * np.where(apart, np.ceil(leaf_uplinks / links_per_module), shared)
    return np.asarray(modules)


@quantity(unit="1", source="definition")
def leaf_up_modules_apart(*, leaves: Array, leaf_uplinks: Array, links_per_module: Array) -> Array:
    """Modules in leaves on their uplinks, where these share no cage with links down."""
    return leaves * np.ceil(leaf_uplinks / links_per_module)


@quantity(unit="1", source="definition")
def management_modules(
    *,
    management_ports: Array,
    networked_supernodes: Array,
    unit_supernodes: Array,
    supernodes_per_leaf: Array,
    endpoints_per_rail: Array,
    links_per_module: Array,
    tier_count: Array,
    endpoint_links: Array,
) -> Array:
    """Modules more for management servers: their links take the free places of modules first.

    One link each at the last leaves, which have the SuperNodes of the last unit below them.
    """
    units = np.ceil(networked_supernodes / unit_supernodes)
    last = networked_supernodes - (units - 1) * unit_supernodes
    rest = last - np.floor(last / supernodes_per_leaf) * supernodes_per_leaf
    below = np.where(rest > 0, rest, supernodes_per_leaf) * endpoints_per_rail
    each = np.ceil((below + 1) / links_per_module) - np.ceil(below / links_per_module)
    single = np.ceil((endpoint_links + management_ports) / links_per_module) - np.ceil(
        endpoint_links / links_per_module
    )
    return np.where(tier_count <= 1, single, management_ports * each)


def _filled(
    supernodes: Array, unit: Array, per_leaf: Array, per_rail: Array, full: Array, rails: Array
) -> list[tuple[Array, Array]]:
    """How many leaves have how many endpoints: whole units, then the last one."""
    units = np.floor(supernodes / np.maximum(unit, 1.0))
    last = supernodes - units * unit
    spans = per_rail > full
    found = []
    for times, members in ((units, unit), (np.ones(1), last)):
        whole = np.floor(members / np.maximum(per_leaf, 1.0))
        rest = members - whole * per_leaf
        of_one = np.floor(per_rail / np.maximum(full, 1.0))
        left = per_rail - of_one * full
        leaves = times * rails
        found.append(
            (leaves * np.where(spans, members * of_one, whole), np.where(spans, full, per_leaf * per_rail))
        )
        found.append(
            (
                leaves * np.where(spans, members * (left > 0), 1.0 * (rest > 0)),
                np.where(spans, left, rest * per_rail),
            )
        )
    return found
