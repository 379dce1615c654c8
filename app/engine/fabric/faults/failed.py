"""What has failed: any devices and links, whole planes and rails, a power feed, or some drawn by chance.

Classes of equivalent devices and links: losing one has the same effect as losing any other of its class.

Colours are refined until they are stable: two devices keep one colour while they have as many links, of the
same tiers, to devices of each colour (Weisfeiler, Leman 1968). Regular fabrics come to a handful of colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np

from app.engine.fabric.graph.graph import FabricGraph, Mask, Whole, is_switch

FEEDS = ("A", "B")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """Devices and links that are out of use by themselves. A link of a failed device is lost with it."""

    devices: Mask  # (n,)
    links: Mask  # (m,)

    def alive_links(self, graph: FabricGraph) -> Mask:
        """Links that still carry traffic: they and both their ends work."""
        lost = self.devices[graph.links.lower] | self.devices[graph.links.upper]
        alive: Mask = ~(self.links | lost)
        return alive


def nothing_failed(graph: FabricGraph) -> Failed:
    return failed(graph)


def failed(graph: FabricGraph, *, devices: Whole | None = None, links: Whole | None = None) -> Failed:
    """These devices and links, by their index."""
    of_devices, of_links = np.zeros(graph.device_count, bool), np.zeros(graph.link_count, bool)
    if devices is not None:
        of_devices[devices] = True
    if links is not None:
        of_links[links] = True
    return Failed(devices=of_devices, links=of_links)


def together(parts: list[Failed]) -> Failed:
    """All of several failures at once."""
    return reduce(
        lambda one, other: Failed(devices=one.devices | other.devices, links=one.links | other.links), parts
    )


def of_plane(graph: FabricGraph, plane: int) -> Failed:
    """All switches of one of several parallel planes."""
    return failed(graph, devices=np.flatnonzero(is_switch(graph) & (graph.devices.plane == plane)))


def of_rail(graph: FabricGraph, rail: int) -> Failed:
    """All switches that serve one rail, in every plane."""
    return failed(graph, devices=np.flatnonzero(is_switch(graph) & (graph.devices.rail == rail)))


def of_feed(
    graph: FabricGraph, feed: str, *, device_rack: Whole, racks: Whole | None, one_feed_kinds: tuple[str, ...]
) -> Failed:
    """A power feed of some racks, or of all where `racks` is None.

    A device with two supplies lives on the other feed. Kinds with one supply hang on feed A and B in turn, by
    their number.
    """
    kinds = [graph.kinds.index(kind) for kind in one_feed_kinds if kind in graph.kinds]
    hit = np.isin(graph.devices.kind, kinds) & (graph.devices.number % 2 == FEEDS.index(feed))
    if racks is not None:
        hit &= np.isin(device_rack, racks)
    return failed(graph, devices=np.flatnonzero(hit))


def by_chance(graph: FabricGraph, *, links: int, switches: int, seed: int) -> Failed:
    """So many different links and switches, each as likely; the same ones for the same seed."""
    random = np.random.default_rng(seed)
    of_switches = np.flatnonzero(is_switch(graph))
    return failed(
        graph,
        devices=random.choice(of_switches, size=switches, replace=False),
        links=random.choice(graph.link_count, size=links, replace=False),
    )


def rails_of(graph: FabricGraph) -> Whole:
    """Rails that switches serve; none where a fabric has no rails."""
    rails = graph.devices.rail[is_switch(graph)]
    return np.unique(rails[rails >= 0])


def planes_of(graph: FabricGraph) -> Whole:
    """Planes of switches; none in a fabric without switches."""
    planes = graph.devices.plane[is_switch(graph)]
    return np.unique(planes[planes >= 0])


LARGEST_MARK = 2**40
"""Sums of up to 8,192 marks stay exact in double precision."""


class Class(NamedTuple):
    """Things that are alike: the first, and how many there are."""

    first: int
    members: int


def colours(graph: FabricGraph, alive: Mask) -> Whole:
    """(devices,) a colour for each device; equal colours cannot be distinguished by what they are linked
    to."""
    random = np.random.default_rng(0)
    links, n = graph.links, graph.device_count
    lower, upper, tier = links.lower[alive], links.upper[alive], links.tier[alive]
    colour: Whole = graph.devices.kind
    count = -1
    begin = tier.astype(np.int64)
    while (found := int(colour.max(initial=-1)) + 1) > count:
        count = found
        mark = random.integers(1, LARGEST_MARK, size=(len(graph.tiers), max(count, 1))).astype(float).ravel()
        of_tier = begin * max(count, 1)
        seen = np.bincount(lower, weights=mark.take(of_tier + colour.take(upper)), minlength=n)
        seen += np.bincount(upper, weights=mark.take(of_tier + colour.take(lower)), minlength=n)
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
