"""A fabric as arrays: every device and every link of it, for whatever counts, places, lays or breaks them.

One structure, not a sample: counts are whole numbers here. A row is a link; two links between the same
devices are two rows.

Devices that are wired alike, taken as one place: a thousand switches become a few dozen.

Whatever treats equal links equally is the same on places as on devices: the largest flow, and traffic that is
spread evenly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.integer[Any]]
Mask = NDArray[np.bool_]
NONE = -1
NO_PORT = np.full(1, NONE, np.int32)
"""The port of every link, where ports are not numbered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Devices:
    """n devices. Numbers count from 0 within a kind; -1 stands where a device has no such place."""

    kind: Whole  # (n,) index into the kinds of the graph
    number: Whole  # (n,) within its kind
    plane: Whole  # (n,) plane of a switch; hosts have none
    group: Whole  # (n,) scalable unit, group of a dragonfly, cube, board
    rail: Whole  # (n,) rail of a leaf


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """m links. The lower end is the one nearer to the hosts, or that of the lower number."""

    tier: Whole  # (m,) index into the tiers of the graph
    lower: Whole  # (m,) device
    upper: Whole  # (m,) device
    lower_port: Whole  # (m,) port of the lower device, from 0
    upper_port: Whole  # (m,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakouts:
    """Port numbers of switches that differ by tier: a number is the smallest part that a port is split into.

    A link that takes several such parts has the number of the first: of a port of 800 Gbit/s, four links of
    200 Gbit/s down are 0, 1, 2 and 3, two of 400 Gbit/s up are 0 and 2.
    """

    cage: Mapping[str, int]  # numbers of one cage, by kind of switch
    down_step: int  # numbers of one link down of a leaf
    up_step: int
    up_begin: int  # first number of links up of a leaf


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricGraph:
    """Devices, kind by kind in the order of `kinds`, and links, tier by tier in the order of `tiers`."""

    kinds: tuple[str, ...]  # host | management | leaf | spine | core | router | circuit_switch | ...
    tiers: tuple[str, ...]  # as the tiers of the fabric section
    devices: Devices
    links: Links
    link_bandwidth_bytes_per_s: NDArray[np.float64]  # (tiers,) of one link, one way
    breakouts: Breakouts | None = None  # None: ports of all switches are numbered link by link

    @property
    def device_count(self) -> int:
        return int(self.devices.kind.size)

    @property
    def link_count(self) -> int:
        return int(self.links.tier.size)

    def of_kind(self, kind: str) -> Whole:
        """The devices of a kind, none where the fabric has no such kind."""
        if kind not in self.kinds:
            return np.empty(0, np.int32)
        return np.flatnonzero(self.devices.kind == self.kinds.index(kind)).astype(np.int32)

    def of_tier(self, tier: str) -> Whole:
        """The links of a tier, none where the fabric has no such tier."""
        if tier not in self.tiers:
            return np.empty(0, np.int32)
        return np.flatnonzero(self.links.tier == self.tiers.index(tier)).astype(np.int32)

    def tier_slice(self, number: int) -> slice:
        """The links of a tier by its number: they stand tier by tier."""
        tiers = self.links.tier
        first, end = np.searchsorted(tiers, np.array([number, number + 1], tiers.dtype))  # else all are cast
        return slice(int(first), int(end))


def devices_of(
    counts: dict[str, int],
    *,
    plane: Mapping[str, Whole],
    group: Mapping[str, Whole],
    rail: Mapping[str, Whole],
) -> tuple[Devices, dict[str, int]]:
    """Devices kind by kind, and the index of the first of each kind. What is not given is -1.

    >>> devices, first = devices_of({"host": 2, "leaf": 3}, plane={}, group={}, rail={})
    >>> first["leaf"], devices.number.tolist()
    (2, [0, 1, 0, 1, 2])
    """
    first = dict(zip(counts, np.cumsum([0, *counts.values()]).tolist(), strict=False))

    def column(given: Mapping[str, Whole]) -> Whole:
        parts = [given.get(kind, np.full(count, NONE)) for kind, count in counts.items()]
        return np.concatenate([np.empty(0, np.int32), *parts]).astype(np.int32)

    kinds = {kind: np.full(count, index) for index, (kind, count) in enumerate(counts.items())}
    numbers = {kind: np.arange(count) for kind, count in counts.items()}
    devices = Devices(
        kind=column(kinds),
        number=column(numbers),
        plane=column(plane),
        group=column(group),
        rail=column(rail),
    )
    return devices, first


def joined_links(parts: list[Links]) -> Links:
    """Links of several tiers or planes in one."""
    parts = [part for part in parts if part.tier.size] or parts[:1]
    names = [field.name for field in fields(Links)]
    return Links(**{name: _joined([getattr(part, name) for part in parts]) for name in names})


def _joined(columns: list[Whole]) -> Whole:
    """Columns one after another; ports that no one numbered take no room."""
    if all(not any(column.strides) for column in columns):
        return np.broadcast_to(columns[0][:1], sum(column.size for column in columns))
    return np.concatenate(columns)


def links_between(*, tier: int, lower: Whole, upper: Whole, lower_port: Whole, upper_port: Whole) -> Links:
    """Links of one tier, given as arrays that broadcast against each other."""
    ends = np.broadcast_arrays(lower, upper, lower_port, upper_port)
    a, b = (np.ravel(end).astype(np.int32, copy=False) for end in ends[:2])
    a_port, b_port = (
        np.broadcast_to(NO_PORT, a.size) if port is NO_PORT else np.ravel(end).astype(np.int32, copy=False)
        for port, end in zip((lower_port, upper_port), ends[2:], strict=True)
    )
    return Links(tier=np.full(a.size, tier, np.int8), lower=a, upper=b, lower_port=a_port, upper_port=b_port)


def ports_in_order(devices: Whole, first: int = 0) -> Whole:
    """A port for each mention of a device: its first mention gets `first`, its next one more.

    >>> ports_in_order(np.array([5, 2, 5, 5])).tolist()
    [0, 0, 1, 2]
    """
    if not devices.size:
        return np.empty(0, np.int32)
    if (
        devices.min() < 0 or devices.max() > 4 * devices.size + 65_536
    ):  # numbers that leave many out are made dense
        devices = np.unique(devices, return_inverse=True)[1].ravel()
    mentions = np.bincount(devices)
    before = (np.cumsum(mentions) - mentions).astype(np.int32)
    ports = np.empty(devices.size, np.int32)
    ports[in_order(devices)] = np.arange(first, first + devices.size, dtype=np.int32) - np.repeat(
        before, mentions
    )
    return ports


def in_order(numbers: Whole) -> Whole:
    """Stable `argsort` of numbers from 0 on: a radix sort by 16 bits at a time."""
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    high = int(numbers.max(initial=0)) >> 16
    for shift in range(16, 16 + high.bit_length(), 16):
        order = order[np.argsort((numbers >> shift).astype(np.uint16)[order], kind="stable")]
    return order


def distinct(numbers: Whole) -> tuple[Whole, Whole]:
    """Distinct numbers from 0 on in rising order, and the place of each number among them; faster than
    `np.unique`.

    >>> [found.tolist() for found in distinct(np.array([5, 2, 5]))]
    [[2, 5], [1, 0, 1]]
    """
    order = in_order(numbers)
    ranked = numbers[order]
    begins = np.r_[True, ranked[1:] != ranked[:-1]][: ranked.size]
    place = np.empty(numbers.size, np.int64)
    place[order] = np.cumsum(begins) - 1
    return ranked[begins], place


HOST = "host"
END_KINDS = frozenset(
    {HOST, "management", "server", "storage_server", "service_server", "border", "gateway", "managed_switch",
     "power_strip"}
)  # fmt: skip
"""Kinds of devices in which links of their network end, and that pass nothing on; every other kind does."""
SWITCH_KINDS = frozenset({"managed_switch", "border", "gateway"})
"""Those of them that are switches nevertheless: of another network, or of the site."""


def passes_on(graph: FabricGraph) -> Mask:
    """Return whether each device passes on what comes in, as the switches of a network do."""
    return _of_kinds(graph, END_KINDS)


def is_switch(graph: FabricGraph) -> Mask:
    """Return whether each device is a switch, be it of another network; the others are hosts."""
    return _of_kinds(graph, END_KINDS - SWITCH_KINDS)


def hosts_forward(graph: FabricGraph) -> bool:
    """Return whether hosts are joined to hosts, and so pass on what is for others."""
    ends = ~is_switch(graph)
    return bool(np.any(ends[graph.links.lower] & ends[graph.links.upper]))


def _of_kinds(graph: FabricGraph, but: frozenset[str]) -> Mask:
    """Return whether each device is of another kind than these."""
    return np.array([kind not in but for kind in graph.kinds], bool)[graph.devices.kind]


LARGEST_MARK = 2**31
WEIGHTS = 1024
"""Steps in which bandwidths are distinguished; sums of marks stay exact in double precision."""


def places(graph: FabricGraph, alive: Mask | Whole, alone: Whole) -> Whole:
    """(devices,) the place of each device: one for all of a kind that are linked to the same places as often.

    Parameters
    ----------
    alive : (links,) whether a link counts, or the numbers of those that do
    alone : devices that stay places of their own
    """
    random = np.random.default_rng(0)
    links, n = graph.links, graph.device_count
    lower, upper = links.lower[alive], links.upper[alive]
    bandwidth = graph.link_bandwidth_bytes_per_s
    weight = np.round(bandwidth / bandwidth.max(initial=1.0) * WEIGHTS)[links.tier[alive]]
    own = np.zeros(n)
    own[alone] = np.arange(1, alone.size + 1)
    place: Whole = np.arange(n)
    count = n + 1
    while (size := int(place.max(initial=-1)) + 1) < count:
        count = size
        mark = random.integers(1, LARGEST_MARK, size=size)
        seen = np.bincount(lower, weights=weight * mark[place[upper]], minlength=n)
        seen += np.bincount(upper, weights=weight * mark[place[lower]], minlength=n)
        order = np.lexsort((seen, own, graph.devices.kind))
        signs = np.stack([graph.devices.kind, own, seen])[:, order]
        place = np.empty(n, np.int64)
        place[order] = np.cumsum(np.r_[False, (signs[:, 1:] != signs[:, :-1]).any(axis=0)][:n])
    return place
