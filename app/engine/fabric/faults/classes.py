"""Devices and links that a fabric does not tell apart: the loss of one of them is the loss of any of them.

Colours are refined until they are stable: two devices keep one colour while they have as many links, of the
same tiers, to devices of each colour (Weisfeiler, Leman 1968). Regular fabrics come to a handful of colours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole

LARGEST_MARK = 2**40
"""Sums of up to 8,192 marks stay exact in double precision."""


class Class(NamedTuple):
    """Things that are alike: the first of them, and how many there are."""

    first: int
    members: int


def colours(graph: FabricGraph, alive: Mask) -> Whole:
    """(devices,) a colour for each device; equal colours cannot be told apart by what they are linked to."""
    random = np.random.default_rng(0)
    links, n = graph.links, graph.device_count
    lower, upper, tier = links.lower[alive], links.upper[alive], links.tier[alive]
    colour: Whole = graph.devices.kind
    count = -1
    while (found := int(colour.max(initial=-1)) + 1) > count:
        count = found
        mark = random.integers(1, LARGEST_MARK, size=(len(graph.tiers), max(count, 1)))
        seen = np.bincount(lower, weights=mark[tier, colour[upper]], minlength=n)
        seen += np.bincount(upper, weights=mark[tier, colour[lower]], minlength=n)
        _, seen_as = np.unique(seen, return_inverse=True)
        _, colour = np.unique(colour.astype(np.int64) * n + seen_as, return_inverse=True)
    return colour


def device_classes(colour: Whole, devices: Whole) -> list[Class]:
    """Classes of some devices."""
    return _classes(colour[devices], devices)


def link_classes(graph: FabricGraph, colour: Whole, links: Whole) -> list[Class]:
    """Classes of some links: those between devices of the same two colours."""
    pair = colour[graph.links.lower[links]].astype(np.int64) * (int(colour.max(initial=0)) + 1)
    return _classes(pair + colour[graph.links.upper[links]], links)


def _classes(marks: Whole, members: Whole) -> list[Class]:
    _, first, count = np.unique(marks, return_index=True, return_counts=True)
    return [Class(int(members[at]), int(many)) for at, many in zip(first, count, strict=True)]
