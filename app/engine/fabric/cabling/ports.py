"""Names of ports: by the cage of their module and their place in it, in the words of the protocol.

InfiniBand: `4/2` is the second link of cage 4 of a switch, `3` the third port of a host. Ethernet: the same are
`swp4s1` and `rail3`, as Cumulus Linux and NVIDIA's tools write them. A port whose cage carries one link has no
second number.

Names of devices: readable, stable for a design, and each once in all of its networks.

`node-0001` is a host, `leaf-02-3` the third leaf of unit 2, `spine-07` a spine of the only plane and
`spine-p2-07` one of the second. Switches of the other networks begin with the name of theirs:
`storage-leaf-01`. Numbers count from 1, with as many digits as the largest needs, and with at least
four for hosts and two for units and for devices of no unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.cabling.decimals import Text, decimals, padded
from app.engine.fabric.graph.graph import HOST, FabricGraph, Whole, ports_in_order

ETHERNET_SWITCH = re.compile(r"swp(\d+)(?:s(\d+))?")
NVOS_SWITCH = re.compile(r"sw(\d+)p(\d+)")
PLAIN = re.compile(r"p?0*(\d+)(?:/p?0*(\d+))?")
RAIL = re.compile(r"rail0*(\d+)")
RDMA = re.compile(r"mlx5_(\d+)(?:/p?1)?")
ADAPTER = re.compile(r"hca-(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PortWords:
    """The texts of all ports of a network: port p of device d is at `first[d] + p` of each."""

    first: Whole  # (n,)
    label: Text
    cage: Text
    place: Text  # in its cage, from 1

    def of(self, devices: Whole, ports: Whole, kind: Text) -> Text:
        """One of the texts for many ports."""
        found: Text = kind[self.first[devices] + ports]
        return found


NODE_DIGITS = 4
DIGITS = 2
COMPUTE = "compute"


def device_names(graph: FabricGraph, network: str = COMPUTE, known: Mapping[str, Text] | None = None) -> Text:
    """The name of each device of a network; `known` are those of a kind that has its names from elsewhere."""
    given = known or {}
    kinds = [given[kind] if kind in given else _names_of_kind(graph, kind, network) for kind in graph.kinds]
    return np.concatenate([np.empty(0, "S1"), *kinds])


def _names_of_kind(graph: FabricGraph, kind: str, network: str) -> Text:
    devices = graph.of_kind(kind)
    if not devices.size:
        return np.empty(0, "S1")
    if kind == HOST:
        return _joined(b"node-", padded(graph.devices.number[devices] + 1, NODE_DIGITS))
    words = kind if network == COMPUTE or kind.startswith(f"{network}_") else f"{network}-{kind}"
    name = np.full(devices.size, words.replace("_", "-").encode())
    plane, group = graph.devices.plane[devices], graph.devices.group[devices]
    if plane.min() != plane.max():
        name = _joined(name, b"-p", padded(plane + 1, 1))
    groups = int(group.max(initial=-1)) + 1
    place = ports_in_order((plane + 1) * (groups + 1) + group + 1)  # in its plane and group, from 0
    if groups:
        name = np.where(group < 0, name, _joined(name, b"-", padded(group + 1, DIGITS)))
        return _joined(name, b"-", padded(place + 1, 1))
    return _joined(name, b"-", padded(place + 1, DIGITS))


def _joined(*parts: Text | bytes) -> Text:
    text = np.asarray(parts[0])
    for part in parts[1:]:
        text = np.strings.add(text, part)
    return text


def port_words(
    graph: FabricGraph,
    inside: NDArray[np.bool_],
    cage_links: Whole,
    *,
    ethernet: bool,
    network: str = COMPUTE,
) -> PortWords:
    """The texts of a network's ports.

    `inside` says whether a device (n,) is a switch of this network, whose ports have the names of its switches;
    those of the others are numbered, and apart from them those of `gateway`s, in which its uplinks end.
    `cage_links` (n,) are the links that one cage carries, or the parts of its ports where these differ by
    tier: then a link that takes several of them is named by its place among links of its kind.
    """
    ports = int(max(graph.links.lower_port.max(initial=-1), graph.links.upper_port.max(initial=-1))) + 1
    each = np.arange(ports)
    entry = np.isin(graph.devices.kind, [i for i, kind in enumerate(graph.kinds) if kind == "gateway"])
    steps = np.ones((graph.device_count, 3), int)  # begin of links up, parts of a link down and of one up
    steps[:, 0] = ports
    if (parts := graph.breakouts) is not None:
        steps[graph.of_kind("leaf")] = parts.up_begin, parts.down_step, parts.up_step
    kinds, of_device = np.unique(
        np.column_stack([cage_links * 4 + inside * 2 + entry, steps]), axis=0, return_inverse=True
    )
    labels, cages, places = [], [], []
    for kind, begin, down_step, up_step in kinds.tolist():
        links, switch, gateway = kind >> 2, bool(kind & 2), bool(kind & 1)
        step = np.where(each < begin, down_step, up_step)
        cage, place = np.divmod(each, links)
        place = place // step
        cages.append(decimals(cage + 1))
        places.append(decimals(place + 1))
        words = f"{network}_uplink" if gateway else network
        named = zip(each.tolist(), place.tolist(), (links // step).tolist(), strict=True)
        labels.append(_labels(named, cage, switch, ethernet, words))
    nothing = [np.empty(0, "S1")]
    return PortWords(
        first=of_device.ravel() * ports,
        label=np.concatenate(labels or nothing),
        cage=np.concatenate(cages or nothing),
        place=np.concatenate(places or nothing),
    )


def canonical_port(text: str) -> str:
    """A port as the schedule of an InfiniBand network names it, from any of the usual ways to write it.

    >>> [canonical_port(one) for one in ("swp4s1", "sw4p2", "P4/2", "rail3", "mlx5_2", "HCA-3", "03", "eth0")]
    ['4/2', '4/2', '4/2', '3', '3', '3', '3', 'eth0']
    """
    word = text.strip().lower()
    if found := PLAIN.fullmatch(word):
        return found[1] if found[2] is None else f"{found[1]}/{found[2]}"
    if found := ETHERNET_SWITCH.fullmatch(word):
        return str(int(found[1])) if found[2] is None else f"{int(found[1])}/{int(found[2]) + 1}"
    if found := NVOS_SWITCH.fullmatch(word):
        return f"{int(found[1])}/{int(found[2])}"
    if found := RAIL.fullmatch(word):
        return found[1]
    if found := RDMA.fullmatch(word):
        return str(int(found[1]) + 1)
    if found := ADAPTER.fullmatch(word):
        return str(int(found[1]))
    return word


def _labels(
    named: Iterable[tuple[int, int, int]], cages: Whole, switch: bool, ethernet: bool, network: str
) -> Text:
    words = [
        _label(port, cage, place, links, switch, ethernet, network).encode()
        for (port, place, links), cage in zip(named, cages.tolist(), strict=True)
    ]
    return np.array(words or [b""])


def _label(
    port: int, cage: int, place: int, cage_links: int, switch: bool, ethernet: bool, network: str
) -> str:
    if not switch:
        words = "" if network == COMPUTE else f"{network.replace('_', '-')}-"
        return f"{words or ('rail' if ethernet else '')}{port + 1}"
    if cage_links == 1:
        return f"swp{cage + 1}" if ethernet else f"{cage + 1}"
    return f"swp{cage + 1}s{place}" if ethernet else f"{cage + 1}/{place + 1}"
