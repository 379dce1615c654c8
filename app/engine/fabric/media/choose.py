"""The medium of every link: of those that reach and fit, the one that costs or draws least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.graph.graph import NONE, FabricGraph, Whole
from app.engine.fabric.media.medium import ASKED_ONLY, MediaRules, Medium

Lengths = NDArray[np.floating[Any]]
LENGTH_TOLERANCE_M = 1e-6
"""A cable of exactly the reach is carried, whatever the last bit of its length says."""


def choose_media(
    graph: FabricGraph, lengths_m: Lengths, *, media: Sequence[Medium], rules: MediaRules
) -> Whole:
    """(m,) index into `media` of every link, -1 where nothing that may be taken reaches.

    A cable that carries several links between its fixed ends needs as many links between the same two
    devices, so it is taken only where their number divides. What nobody priced is taken last.
    """
    chosen = np.full(graph.link_count, NONE, np.int8)
    if not media or not graph.link_count:
        return chosen
    reaches = np.unique([medium.reach_m for medium in media if medium.reach_m > 0])  # those that are known
    for number, tier in enumerate(graph.tiers):
        order = media_in_order(media, rules, tier)
        here = graph.tier_slice(number)
        nearest = _reaches_too_short(lengths_m[here], reaches)
        single = _first_that_reaches(media, [one for one in order if media[one].cable_links == 1], reaches)
        chosen[here] = single[nearest]
        rank = np.full(len(media) + 1, len(media))  # the last entry is for links without a medium, at -1
        rank[order] = np.arange(len(order))
        for links in sorted({media[one].cable_links for one in order} - {1}):
            several = _first_that_reaches(
                media, [one for one in order if media[one].cable_links == links], reaches
            )
            within = np.flatnonzero((rank[several] < rank[single])[nearest])  # few, so the rest goes by link
            offered = several[nearest[within]]
            better = rank[offered] < rank[chosen[here][within]]
            within, offered = here.start + within[better], offered[better]
            fits = parallel_links(graph, within) % links == 0
            chosen[within[fits]] = offered[fits]
    return chosen


def media_in_order(media: Sequence[Medium], rules: MediaRules, tier: str) -> list[int]:
    """The media that a tier may take, the cheapest (or least drawing) first."""
    family = rules.families.get(tier, rules.family)
    allowed = [
        index
        for index, medium in enumerate(media)
        if (medium.family == family if family else medium.family not in ASKED_ONLY)
    ]
    first, second = (
        (Medium.link_power_w, Medium.link_price_usd)
        if rules.least == "power"
        else (Medium.link_price_usd, Medium.link_power_w)
    )
    return sorted(
        allowed, key=lambda one: (_last(first(media[one])), _last(second(media[one])), media[one].reach_m)
    )


def parallel_links(graph: FabricGraph, links: Whole) -> Whole:
    """Of each of some links, how many of them join the same two devices."""
    lower, upper = graph.links.lower[links], graph.links.upper[links]
    pair = np.minimum(lower, upper).astype(np.int64) * graph.device_count + np.maximum(lower, upper)
    _, place, counts = np.unique(pair, return_inverse=True, return_counts=True)
    return counts[place]


def _reaches_too_short(lengths_m: Lengths, reaches: Lengths) -> Whole:
    """Of each length, how many reaches it is beyond; one that is not a number is within none."""
    found = np.zeros(lengths_m.size, np.intp)  # what arrays are indexed by fastest
    for reach_m in reaches:  # of few media
        found += ~(lengths_m <= reach_m + LENGTH_TOLERANCE_M)
    return found


def _first_that_reaches(media: Sequence[Medium], order: Sequence[int], reaches: Lengths) -> Whole:
    """By the number of reaches that are too short, the first medium in order that is long enough."""
    table = np.full(reaches.size + 1, NONE, np.int8)
    for index in reversed(order):
        table[:-1][reaches <= media[index].reach_m] = index
    return table


def _last(value: float) -> float:
    return np.inf if np.isnan(value) else value
