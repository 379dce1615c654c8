"""How many links and cables a network has, by tier and by what they are made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.engine.fabric.cabling.schedule import NetworkCables


class CableCount(NamedTuple):
    """Links of one tier that are made of the same. Lengths are NaN where they are not known."""

    network: str
    tier: str
    part: str  # "" where nothing was chosen
    links: int
    cables: int
    shortest_m: float
    longest_m: float
    total_m: float  # of the cables


def cable_counts(network: NetworkCables) -> list[CableCount]:
    """A line for each tier and part that there are links of."""
    found = []
    _, first = np.unique(network.cable, return_index=True)  # one link of each cable
    is_first = np.zeros(network.graph.link_count, bool)
    is_first[first] = True
    for number, tier in enumerate(network.graph.tiers):
        of_tier = network.graph.links.tier == number
        for part in np.unique(network.part[of_tier]).tolist():
            links = np.flatnonzero(of_tier & (network.part == part))
            cables = links[is_first[links]]
            lengths_m = network.length_m[links]
            found.append(
                CableCount(
                    network=network.network,
                    tier=tier,
                    part=network.parts[part].decode() if part >= 0 else "",
                    links=int(links.size),
                    cables=int(cables.size),
                    shortest_m=float(lengths_m.min()),
                    longest_m=float(lengths_m.max()),
                    total_m=float(network.length_m[cables].sum()),
                )
            )
    return found
