"""The cable schedule: a row a link, with both ends, length and part, as columns of text for any links asked for.

Rows are made of small tables, one entry a device, a port, a part or a length, so that no row is ever built
by itself and nothing but the rows of one block is held.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.cabling.decimals import Text, decimals, padded
from app.engine.fabric.cabling.ports import PortWords, device_names, port_words
from app.engine.fabric.graph.graph import NONE, FabricGraph, Mask, Whole, is_switch, passes_on, ports_in_order
from app.engine.fabric.media.cages import cages_of, joined_cages

BLOCK_ROWS = 8_192
POINT_TO_POINT = (
    "A-Rack", "A-U", "A-Node Name", "A-Type", "A-Port",
    "Z-Rack", "Z-RU", "Z-Node Name", "Z-Type", "Z-Port",
)  # fmt: skip
"""The headings of the point-to-point file of NVIDIA's Cable Validation Tool 1.4 to 1.6, Ethernet sheet [1].

[1] NVIDIA UFM Cable Validation Tool v1.6.0, P2P File,
https://docs.nvidia.com/networking/display/cablevalidationtool160/P2P+File
"""
CABLE = ("Part", "Length (m)")
PLACE = ("Network", "Tier", "Rail", "Plane", "Cable", "A-Cage", "A-Sub-port", "Z-Cage", "Z-Sub-port")
COLUMNS = POINT_TO_POINT + CABLE + PLACE


@dataclass(frozen=True, kw_only=True)
class NetworkCables:
    """The links of one network, and what is known of where they go. Unknown racks, heights and parts are -1."""

    network: str
    graph: FabricGraph
    rack_names: Text  # of all racks of the floor
    rack: Whole  # (n,) of each device
    bottom_u: Whole  # (n,)
    units: Whole  # (n,) heights it fills
    parts: Text  # all that links are made of
    part: Whole  # (m,) of each link
    length_m: NDArray[np.float64]  # (m,) of the cable bought; NaN where it is not known
    cable_links: Whole  # (parts,) links that one cable of a part carries
    splitter: Mask | None  # (parts,) whether its far end is several; None: none is
    cage_links: Whole  # (n,) links that one cage of each device carries
    ethernet: bool
    switch_type: bytes  # of its switches, as tools that discover fabrics call it
    nic_ports: int  # of one NIC of a host
    link_words: Text  # (tiers,) width and speed of a lane, such as 4x-100G; nothing where not known
    known_names: Mapping[str, Text]  # by kind, of devices that have their names from another network
    # by kind of switch, where tiers have different switches
    switch_types: Mapping[str, bytes] = field(default_factory=dict)

    def type_of(self, kind: str) -> bytes:
        """The type of the switches of a kind."""
        return self.switch_types.get(kind, self.switch_type)

    @cached_property
    def names(self) -> Text:
        return device_names(self.graph, self.network, self.known_names)

    @cached_property
    def inside(self) -> NDArray[np.bool_]:
        return passes_on(self.graph)

    @cached_property
    def words(self) -> PortWords:
        return port_words(
            self.graph, self.inside, self.cage_links, ethernet=self.ethernet, network=self.network
        )

    @cached_property
    def cable(self) -> Whole:
        """(m,) the cable that each link is in, from 0: one of several links joins cages, or the same two devices."""
        links = self.graph.links
        each = np.arange(self.graph.link_count)
        carried = np.append(self.cable_links, 1)[self.part]  # -1 is the last
        if (carried == 1).all():
            return each
        several = np.flatnonzero(carried > 1)
        cages = cages_of(self.graph, self.cage_links)
        if cages is not None:  # its ends are cages
            ends = links.lower[several].astype(np.int64) * self.graph.device_count + links.upper[several]
            splits = np.append(
                np.zeros(self.parts.size, bool) if self.splitter is None else self.splitter, False
            )
            ends[splits[self.part[several]]] = 0  # a splitter has its far ends in several devices
            _, first, cable = np.unique(
                np.stack([joined_cages(cages, several)[0].astype(np.int64), ends]),
                axis=1,
                return_index=True,
                return_inverse=True,
            )
            key = each.copy()
            key[several] = several[first][cable.ravel()]
            numbered: Whole = np.unique(key, return_inverse=True)[1].ravel()
            return numbered
        ends = links.lower[several].astype(np.int64) * self.graph.device_count + links.upper[several]
        _, pair = np.unique(ends * self.parts.size + self.part[several], return_inverse=True)
        place = ports_in_order(pair.ravel()) // carried[several]
        key = each.copy()  # the first link of each cable
        _, first, cable = np.unique(
            pair.ravel() * np.int64(each.size) + place, return_index=True, return_inverse=True
        )
        key[several] = several[first][cable.ravel()]
        counted: Whole = np.unique(key, return_inverse=True)[1].ravel()
        return counted

    @cached_property
    def _heights(self) -> Text:
        return decimals(self.bottom_u)

    @cached_property
    def _roles(self) -> Text:
        return np.where(is_switch(self.graph), b"Switch", b"Host")

    @cached_property
    def _tiers(self) -> Text:
        return np.array([tier.encode() for tier in self.graph.tiers] or [b""])

    @cached_property
    def _counted(self) -> Text:
        """The text of a rail or plane that counts from 0; the last is that of -1, of none."""
        devices = self.graph.devices
        most = max(int(devices.rail.max(initial=NONE)), int(devices.plane.max(initial=NONE)))
        return decimals(np.append(np.arange(1, most + 2), NONE))

    @property
    def cable_count(self) -> int:
        return int(self.cable.max(initial=-1)) + 1

    def text(self, links: Whole) -> dict[str, Text]:
        """The columns of some links, by heading."""
        of = self.graph.links
        a, z = of.lower[links], of.upper[links]
        a_port, z_port = of.lower_port[links], of.upper_port[links]
        rail = np.maximum(self.graph.devices.rail[a], self.graph.devices.rail[z])
        plane = np.maximum(self.graph.devices.plane[a], self.graph.devices.plane[z])
        words = self.words
        roles = self._roles
        columns = (
            self.rack_of(a), self.height_of(a), self.names[a], roles[a],
            words.of(a, a_port, words.label),
            self.rack_of(z), self.height_of(z), self.names[z], roles[z],
            words.of(z, z_port, words.label),
            self.part_of(links), _metres(self.length_m[links]),
            np.full(links.size, self.network.encode()), self._tiers[of.tier[links]], self._counted[rail], self._counted[plane], decimals(self.cable[links] + 1),
            words.of(a, a_port, words.cage), words.of(a, a_port, words.place),
            words.of(z, z_port, words.cage), words.of(z, z_port, words.place),
        )  # fmt: skip
        return dict(zip(COLUMNS, columns, strict=True))

    def rack_of(self, devices: Whole) -> Text:
        """The rack of each of some devices."""
        return _text_at(self.rack_names, self.rack[devices])

    def height_of(self, devices: Whole) -> Text:
        """The lowest height that each of some devices fills."""
        return self._heights[devices]

    def part_of(self, links: Whole) -> Text:
        """Name of the part that each of some links is made of."""
        return _text_at(self.parts, self.part[links])

    def blocks(self, rows: int = BLOCK_ROWS) -> Iterator[Whole]:
        """All links, some at a time."""
        for start in range(0, self.graph.link_count, rows):
            yield np.arange(start, min(start + rows, self.graph.link_count))

    def links_at(self, words: str) -> Whole:
        """The links of every device whose name or rack contains some words."""
        sought = words.strip().encode()
        racks = self.rack_of(np.arange(self.graph.device_count))
        found = (np.strings.find(self.names, sought) >= 0) | (np.strings.find(racks, sought) >= 0)
        of = self.graph.links
        return np.flatnonzero(found[of.lower] | found[of.upper])


def rack_names(row: Whole, position: Whole) -> Text:
    """`R02-05` is the fifth rack of the second row.

    >>> rack_names(np.array([0, 1]), np.array([0, 11])).tolist()
    [b'R01-01', b'R02-12']
    """
    rows, places = padded(row + 1, 2), padded(position + 1, 2)
    return np.strings.add(np.strings.add(np.strings.add(b"R", rows), b"-"), places)


def unplaced(network: str, graph: FabricGraph, *, cage_links: Whole, ethernet: bool) -> NetworkCables:
    """The links of a network of which neither places, lengths nor parts are known."""
    return NetworkCables(
        network=network,
        graph=graph,
        rack_names=np.empty(0, "S1"),
        rack=np.full(graph.device_count, NONE),
        bottom_u=np.full(graph.device_count, NONE),
        units=np.full(graph.device_count, NONE),
        parts=np.empty(0, "S1"),
        part=np.full(graph.link_count, NONE),
        length_m=np.full(graph.link_count, np.nan),
        cable_links=np.empty(0, int),
        splitter=None,
        cage_links=cage_links,
        ethernet=ethernet,
        switch_type=b"switch",
        nic_ports=1,
        link_words=np.full(len(graph.tiers), b""),
        known_names={},
    )


def _text_at(table: Text, place: Whole) -> Text:
    """Entries of a table of texts; nothing where the place is -1."""
    found: Text = np.append(table, b"")[place]  # -1 is the last
    return found


def _metres(lengths_m: NDArray[np.float64]) -> Text:
    """Lengths to the centimetre, without noughts that say nothing; nothing where they are not known."""
    known, place = np.unique(lengths_m, return_inverse=True)
    words = [
        b"" if np.isnan(length) else f"{length:.2f}".rstrip("0").rstrip(".").encode() for length in known
    ]
    return np.array(words or [b""])[place]


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
