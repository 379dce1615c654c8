"""What a link can be made of: copper, active copper, fibre with its modules, and the rules of the choice."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Family = Literal["copper", "active_copper", "aoc", "multimode", "single_mode", "lpo", "cpo"]
"""Passive copper, copper with electronics, fibre with fixed ends, modules with fibre, linear and co-packaged optics."""
FAMILIES: tuple[Family, ...] = get_args(Family)

ASKED_ONLY = ("lpo", "cpo")
"""Families that need switches made for them: taken where a scenario names them, never by price alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRange:
    """USD for one piece; NaN where nobody published a price."""

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
