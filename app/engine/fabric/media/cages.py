"""Cages: which links share a module at either end, and so have to be of one medium.

A module fills a cage and is of one kind, and so is what it is joined to: links that share a cage are made of the same,
and so are those that share a cage with one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from app.engine.fabric.graph.graph import HOST, NONE, FabricGraph, Mask, Whole, passes_on
from app.engine.fabric.media.medium import LENGTH_TOLERANCE_M, Lengths, MediaRules, Medium, media_in_order

CIRCUITS = "circuit_switch"
"""Switches of light: what passes them is single-mode, since their mirrors and fibres are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cages:
    """The cage of each end of each link, and the set of cages that are joined to each other."""

    lower: Whole  # (m,) number of a cage
    upper: Whole  # (m,)
    joined: Whole  # (m,) the set that both are of
    sets: int


def cages_of(graph: FabricGraph, cage_links: Whole) -> Cages | None:
    """The cages of a graph; `cage_links` (n,) are the links of one cage of each device. None without ports."""
    links = graph.links
    if not graph.link_count or min(links.lower_port.min(), links.upper_port.min()) < 0:
        return None
    most = int(max(links.lower_port.max(), links.upper_port.max())) + 1
    ends = [
        device.astype(np.int64) * most + port // np.maximum(cage_links[device], 1)
        for device, port in ((links.lower, links.lower_port), (links.upper, links.upper_port))
    ]
    known, cage = np.unique(np.concatenate(ends), return_inverse=True)
    lower, upper = np.split(cage.ravel(), 2)
    pairs = coo_array((np.ones(lower.size, np.int8), (lower, upper)), shape=(known.size, known.size))
    sets, of_cage = connected_components(pairs, directed=False)
    return Cages(lower=lower, upper=upper, joined=of_cage[lower], sets=int(sets))


def media_cages(graph: FabricGraph, media: Sequence[Medium]) -> Cages | None:
    """The cages of what links may be made of: as many links each as a module in a switch or a node carries."""
    if not media:
        return None
    in_switch, in_node = media[0].links, media[0].node_links
    of_device = np.where(passes_on(graph), in_switch, in_node)
    of_device[graph.of_kind(CIRCUITS)] = 1
    return cages_of(graph, of_device)


def through_circuits(graph: FabricGraph) -> Mask:
    """(m,) whether a link ends in an optical circuit switch."""
    circuits = np.isin(graph.devices.kind, [at for at, kind in enumerate(graph.kinds) if kind == CIRCUITS])
    found: Mask = circuits[graph.links.lower] | circuits[graph.links.upper]
    return found


def choose_by_cage(
    graph: FabricGraph, lengths_m: Lengths, cages: Cages, *, media: Sequence[Medium], rules: MediaRules
) -> Whole:
    """(m,) index into `media` of every link, one for all links of joined cages; -1 where nothing fits all of them.

    A cable with fixed ends joins one cage to one other, a splitter one of a switch to several of nodes.
    """
    sets, links = cages.sets, graph.links
    longest = np.full(sets, -np.inf)
    np.maximum.at(longest, cages.joined, lengths_m)
    lower, upper = (_distinct(cages.joined, side, sets) for side in (cages.lower, cages.upper))
    host = np.isin(graph.devices.kind, [at for at, kind in enumerate(graph.kinds) if kind == HOST])
    at_hosts = np.bincount(cages.joined[host[links.lower] | host[links.upper]], minlength=sets)
    size = np.bincount(cages.joined, minlength=sets)
    circuits = np.bincount(cages.joined, weights=through_circuits(graph), minlength=sets) > 0
    present = [
        np.bincount(cages.joined[graph.tier_slice(number)], minlength=sets) > 0
        for number in range(len(graph.tiers))
    ]
    ranks = [_ranks(media, rules, tier) for tier in graph.tiers]
    best, chosen = np.full(sets, np.inf), np.full(sets, NONE, np.int8)
    for index, medium in enumerate(media):
        cost = sum((np.where(there, rank[index], 0.0) for there, rank in zip(present, ranks, strict=True)))
        fits = longest <= medium.reach_m + LENGTH_TOLERANCE_M
        if medium.captive:
            fits &= _fixed_ends_fit(medium, lower, upper, at_hosts, size)
        if medium.family != "single_mode":
            fits &= ~circuits
        better = fits & (cost < best)
        best[better], chosen[better] = np.asarray(cost)[better], index
    return chosen[cages.joined]


def _fixed_ends_fit(medium: Medium, lower: Whole, upper: Whole, at_hosts: Whole, size: Whole) -> Mask:
    """Sets of cages that the ends of one cable are: both ends alike between switches, by their links at nodes."""
    nodes_match = medium.node_links * medium.ends == medium.links
    if medium.ends > 1:
        splits: Mask = (at_hosts == size) & (upper == 1) & (lower <= medium.ends) & nodes_match
        return splits
    straight: Mask = (lower == 1) & (upper == 1) & ((at_hosts == 0) | nodes_match)
    return straight


def _distinct(joined: Whole, cage: Whole, sets: int) -> Whole:
    """How many different cages each set has among those."""
    pairs = np.unique(joined.astype(np.int64) * (int(cage.max()) + 1) + cage)
    found: Whole = np.bincount(pairs // (int(cage.max()) + 1), minlength=sets)
    return found


def _ranks(media: Sequence[Medium], rules: MediaRules, tier: str) -> Lengths:
    """The place of every medium in the order of a tier; infinite where it may not be taken."""
    ranks = np.full(len(media), np.inf)
    order = media_in_order(media, rules, tier)
    ranks[order] = np.arange(len(order))
    return ranks
