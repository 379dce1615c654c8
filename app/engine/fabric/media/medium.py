"""What a link can be made of: copper, active copper, fibre with its modules, and the rules of the choice."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.graph.graph import NONE, FabricGraph, Whole

Family = Literal["copper", "active_copper", "aoc", "multimode", "single_mode", "lpo", "cpo"]
"""Passive copper, copper with electronics, fibre with fixed ends, modules with fibre, linear and co-packaged optics."""
FAMILIES: tuple[Family, ...] = get_args(Family)

ASKED_ONLY = ("lpo", "cpo")
"""Families that need switches made for them: taken where a scenario names them, never by price alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRange:
    """USD for one piece; NaN where no one published a price."""

    low: float = math.nan
    typical: float = math.nan
    high: float = math.nan


FREE = PriceRange(low=0.0, typical=0.0, high=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Something that is bought and put in."""

    key: str  # of the catalog; "" for what it does not have
    name: str
    price: PriceRange = field(default_factory=PriceRange)
    power_w: float = math.nan  # of one piece, typical
    rack_units: float = 0.0
    note: str = ""  # whose price it is, or what is not known


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """One way to make links.

    Ends that are part of the cable cost nothing by themselves, nor do co-packaged ends: they draw power.
    """

    key: str  # catalog key of what sets its reach: dac_800g, sr4_2x400g, ...
    name: str
    family: str  # one of FAMILIES
    links: int  # of one module in a switch, or of one cable whose ends are fixed to it
    node_links: int  # of one module in a node
    link_bandwidth_bytes_per_s: float  # of one link, one way
    reach_m: float
    end_latency_s: float
    switch_end: Piece  # one module or cable end, in a switch
    node_end: Piece  # the same in a node
    cable: Piece  # the whole cable with fixed ends, else the fibre jumper of one link
    captive: bool  # the ends are fixed to the cable
    # the only tier whose links it may make, where tiers differ: its node end is then the lower end
    tier: str = ""
    # of such a cable at its far side: 2 of a splitter that joins a cage of a switch to two nodes
    ends: int = 1

    @property
    def cable_links(self) -> int:
        """Links of one cable: those of both ends where they are fixed to it, else one jumper a link."""
        return self.links if self.captive else 1

    def link_price_usd(self) -> float:
        """Of one link with both ends, typical."""
        ends = self.switch_end.price.typical / self.links + self.node_end.price.typical / self.node_links
        return ends + self.cable.price.typical / self.cable_links

    def link_power_w(self) -> float:
        """Of both ends of one link."""
        return self.switch_end.power_w / self.links + self.node_end.power_w / self.node_links


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaRules:
    """How media are chosen: of those that reach, the one of least price or power."""

    least: str = "price"  # price | power
    families: Mapping[str, str] = field(default_factory=dict)  # by tier, where the scenario names one
    family: str = ""  # for all other tiers; "" leaves it open


Lengths = NDArray[np.floating[Any]]
LENGTH_TOLERANCE_M = 1e-6
"""A cable of exactly the reach is carried, whatever the last bit of its length says."""


def choose_by_link(
    graph: FabricGraph, lengths_m: Lengths, *, media: Sequence[Medium], rules: MediaRules
) -> Whole:
    """(m,) index into `media` of every link by itself, -1 where nothing that may be taken reaches.

    For graphs whose ports are not numbered, and ports with a link each. A cable that carries several links between its fixed ends needs as many links between the same two
    devices, so it is taken only where their number divides. What no one priced is taken last.
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
        and medium.tier in ("", tier)
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
    """Of each of some links, how many join the same two devices."""
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


def words_of_family(family: str) -> str:
    """A family as people read it."""
    words = {
        "copper": "passive copper",
        "active_copper": "active copper",
        "aoc": "active optical cable",
        "multimode": "multimode fibre",
        "single_mode": "single-mode fibre",
        "lpo": "linear pluggable optics",
        "cpo": "co-packaged optics",
        "": "any medium",
    }
    return words[family]
