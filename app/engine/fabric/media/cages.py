"""Cages: which links share a module at either end, and so have to be of one medium.

A module fills a cage and is of one kind, and so is what it is joined to: links that share a cage are made of the same,
and so are those that share a cage with one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from app.engine.fabric.graph.graph import HOST, NONE, FabricGraph, Mask, Whole, passes_on
from app.engine.fabric.media.medium import (
    LENGTH_TOLERANCE_M,
    Lengths,
    MediaRules,
    Medium,
    choose_by_link,
    media_in_order,
)

CIRCUITS = "circuit_switch"
"""Switches of light: what passes them is single-mode, since their mirrors and fibres are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cages:
    """The cage of each end of each link; `size` is beyond the largest number of a cage, not all of which there are."""

    lower: Whole  # (m,) number of a cage
    upper: Whole  # (m,)
    size: int


def cages_of(graph: FabricGraph, cage_links: Whole) -> Cages | None:
    """The cages of a graph; `cage_links` (n,) are the links of one cage of each device. None without ports."""
    links = graph.links
    if not graph.link_count or min(links.lower_port.min(), links.upper_port.min()) < 0:
        return None
    per_cage = np.maximum(cage_links, 1).astype(np.int32)
    lower, upper = (np.empty(graph.link_count, np.int32) for _ in range(2))
    for number in range(len(graph.tiers)):
        here = graph.tier_slice(number)
        lower[here] = _in_cages(links.lower[here], links.lower_port[here], per_cage)
        upper[here] = _in_cages(links.upper[here], links.upper_port[here], per_cage)
    most = int(max(lower.max(), upper.max())) + 1
    size = graph.device_count * most
    return Cages(
        lower=links.lower.astype(np.int64) * most + lower,
        upper=links.upper.astype(np.int64) * most + upper,
        size=size,
    )


def _in_cages(devices: Whole, ports: Whole, per_cage: Whole) -> Whole:
    """The cage of each port in its device.

    Devices of a tier mostly have the same cages, and division by one number is faster than by an array.
    """
    if not devices.size:
        return ports
    span = per_cage[int(devices.min()) : int(devices.max()) + 1]
    alike = span.min() == span.max()
    found: Whole = ports // (span[0] if alike else per_cage[devices])
    return found


def cage_numbers(graph: FabricGraph, in_switch: int, in_node: int) -> Whole:
    """(n,) ports of one cage of every device: links, or parts of ports where switches differ by tier."""
    found = np.where(passes_on(graph), in_switch, in_node)
    if graph.breakouts is not None:
        for kind, numbers in graph.breakouts.cage.items():
            found[graph.of_kind(kind)] = numbers
    return found


def media_cages(graph: FabricGraph, media: Sequence[Medium]) -> Cages | None:
    """The cages of what links may be made of: as many links each as a module in a switch or a node carries."""
    if not media:
        return None
    at_nodes = next((medium for medium in media if medium.tier in ("", graph.tiers[0])), media[0])
    of_device = cage_numbers(graph, at_nodes.links, at_nodes.node_links)
    of_device[graph.of_kind(CIRCUITS)] = 1
    return cages_of(graph, of_device)


def joined_cages(cages: Cages, links: Whole) -> tuple[Whole, int]:
    """The set of cages joined to each other that each of some links is of, and how many sets there are."""
    known, cage = np.unique(np.concatenate([cages.lower[links], cages.upper[links]]), return_inverse=True)
    lower, upper = np.split(cage.ravel(), 2)
    pairs = coo_array((np.ones(lower.size, np.int8), (lower, upper)), shape=(known.size, known.size))
    sets, of_cage = connected_components(pairs, directed=False)
    return of_cage[lower], int(sets)


def through_circuits(graph: FabricGraph) -> Mask:
    """(m,) whether a link ends in an optical circuit switch."""
    if CIRCUITS not in graph.kinds:
        return np.zeros(graph.link_count, bool)
    circuits = graph.devices.kind == graph.kinds.index(CIRCUITS)
    found: Mask = circuits[graph.links.lower] | circuits[graph.links.upper]
    return found


def choose_by_cage(
    graph: FabricGraph, lengths_m: Lengths, cages: Cages, *, media: Sequence[Medium], rules: MediaRules
) -> Whole:
    """(m,) index into `media` of every link, one for all links of joined cages; -1 where nothing fits all.

    A cable with fixed ends joins one cage to one other, a splitter one of a switch to several of nodes. Most links
    have what each would have by itself: only cages in which these differ, and those of fixed ends, are looked at together.
    """
    loose = [index for index, medium in enumerate(media) if not medium.captive]
    alone = choose_by_link(graph, lengths_m, media=[media[index] for index in loose], rules=rules)
    chosen = np.append(loose, NONE).astype(np.int8)[alone]
    together = _differing(cages, chosen) | through_circuits(graph)
    together |= _with_fixed_ends(graph, lengths_m, cages, media)
    links = _closed(cages, together)
    if links.size:
        chosen[links] = _of_sets(graph, lengths_m, cages, links, media=media, rules=rules)
    return chosen


def _differing(cages: Cages, chosen: Whole) -> Mask:
    """(m,) whether the link is in a cage with one that another medium would carry."""
    of_cage = np.empty(cages.size, chosen.dtype)
    found = np.zeros(cages.size, bool)
    for side in (cages.lower, cages.upper):
        of_cage[side] = chosen
        found[side[of_cage[side] != chosen]] = True
    mask: Mask = found[cages.lower] | found[cages.upper]
    return mask


def _with_fixed_ends(graph: FabricGraph, lengths_m: Lengths, cages: Cages, media: Sequence[Medium]) -> Mask:
    """(m,) whether a cable with fixed ends might carry the link: short enough, and its cages meet no others."""
    reach_m = max((medium.reach_m for medium in media if medium.captive), default=0.0)
    short = lengths_m <= reach_m + LENGTH_TOLERANCE_M
    if not short.any():
        return np.zeros(graph.link_count, bool)
    alone = short & _only(cages.lower, cages.upper, cages.size)
    if not alone.any():
        return alone
    straight = alone & _only(cages.upper, cages.lower, cages.size)
    splits = any(medium.ends > 1 and medium.node_links * medium.ends == medium.links for medium in media)
    return straight | (alone & _at_hosts(graph)) if splits else straight


def _only(cage: Whole, other: Whole, size: int) -> Mask:
    """(m,) whether all links of the cage go to one other cage."""
    meets = np.empty(size, other.dtype)
    meets[cage] = other
    several = np.zeros(size, bool)
    several[cage[meets[cage] != other]] = True
    mask: Mask = ~several[cage]
    return mask


def _closed(cages: Cages, mask: Mask) -> Whole:
    """Some links and all that share a cage with one, or with one of those, and so on."""
    before = -1
    while mask.any() and int(np.count_nonzero(mask)) != before:
        before = int(np.count_nonzero(mask))
        touched = np.zeros(cages.size, bool)
        touched[cages.lower[mask]] = True
        touched[cages.upper[mask]] = True
        mask = touched[cages.lower] | touched[cages.upper]
    return np.flatnonzero(mask)


def _at_hosts(graph: FabricGraph) -> Mask:
    """(m,) whether the lower end of the link is in a host."""
    if HOST not in graph.kinds:
        return np.zeros(graph.link_count, bool)
    mask: Mask = (graph.devices.kind == graph.kinds.index(HOST))[graph.links.lower]
    return mask


def _of_sets(
    graph: FabricGraph,
    lengths_m: Lengths,
    cages: Cages,
    links: Whole,
    *,
    media: Sequence[Medium],
    rules: MediaRules,
) -> Whole:
    """What links are made of whose cages are joined, set by set."""
    joined, sets = joined_cages(cages, links)
    longest = np.full(sets, -np.inf)
    np.maximum.at(longest, joined, lengths_m[links])
    lower, upper = (_distinct(joined, side[links], sets) for side in (cages.lower, cages.upper))
    at_hosts = np.bincount(joined[_at_hosts(graph)[links]], minlength=sets)
    size = np.bincount(joined, minlength=sets)
    circuits = np.bincount(joined, weights=through_circuits(graph)[links], minlength=sets) > 0
    tier = graph.links.tier[links]
    present = [np.bincount(joined[tier == number], minlength=sets) > 0 for number in range(len(graph.tiers))]
    ranks = [_ranks(media, rules, name) for name in graph.tiers]
    best, chosen = np.full(sets, np.inf), np.full(sets, NONE, np.int8)
    for index, medium in enumerate(media):
        cost = np.zeros(sets)
        for there, rank in zip(present, ranks, strict=True):
            cost = cost + np.where(there, rank[index], 0.0)
        fits = longest <= medium.reach_m + LENGTH_TOLERANCE_M
        if medium.captive:
            fits &= _fixed_ends_fit(medium, lower, upper, at_hosts, size)
        if medium.family != "single_mode":
            fits &= ~circuits
        better = fits & (cost < best)
        best[better], chosen[better] = cost[better], index
    return chosen[joined]


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
    pairs = np.unique(joined.astype(np.int64) * (int(cage.max()) + 1) + cage.astype(np.int64))
    found: Whole = np.bincount(pairs // (int(cage.max()) + 1), minlength=sets)
    return found


def _ranks(media: Sequence[Medium], rules: MediaRules, tier: str) -> Lengths:
    """The place of every medium in the order of a tier; infinite where it may not be taken."""
    ranks = np.full(len(media), np.inf)
    order = media_in_order(media, rules, tier)
    ranks[order] = np.arange(len(order))
    return ranks
