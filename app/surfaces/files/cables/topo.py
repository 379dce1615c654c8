"""The cable schedule as the topology file that ibdiagnet compares a fabric with [1, 2].

A section is a system: its type and name, then a line for each of its ports that has a link, with the width and
speed of the link and the system and port at the other end. Switches number their ports through: the second link
of cage 4 is P8 where a cage carries two. A host is one system of its NICs: U3/P1 is the first port of the third.

[1] ibdm-topo-file(1), https://manpages.ubuntu.com/manpages/jammy/man1/ibdm-topo-file.1.html
[2] NVIDIA IBUtils2 v2.23.0, Topology Comparison,
https://docs.nvidia.com/networking/display/ibdiagnetutilityv2230/Topology+Comparison
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.engine.fabric.cabling.decimals import Text, decimals
from app.engine.fabric.cabling.schedule import BLOCK_ROWS, NetworkCables
from app.engine.fabric.graph.graph import Whole
from app.surfaces.files.cables.text import joined_rows


def cables_topo(networks: Sequence[NetworkCables]) -> Iterator[bytes]:
    """The systems of InfiniBand networks, each link from both of its ends."""
    for network in networks:
        yield f"# {network.network.replace('_', ' ')} network\n\n".encode()
        yield from _systems(network)


def _systems(network: NetworkCables) -> Iterator[bytes]:
    links = network.graph.links
    device = np.concatenate([links.lower, links.upper])
    port = np.concatenate([links.lower_port, links.upper_port])
    order = np.lexsort((port, device))
    other = np.roll(np.arange(device.size), links.tier.size)  # the other end of the same link
    systems, arrows = _system_texts(network), _arrows(network)
    ports, first = _port_texts(network, int(port.max(initial=-1)) + 1)
    before = -1
    for start in range(0, device.size, BLOCK_ROWS):
        ends = order[start : start + BLOCK_ROWS]
        here, there = device[ends], device[other[ends]]
        begins = np.r_[here[:1] != before, here[1:] != here[:-1]]
        before = here[-1]
        blank = np.where(begins & (np.arange(ends.size) + start > 0), b"\n", b"")
        yield joined_rows(
            [
                blank,
                np.where(begins, systems[here], b""),
                np.where(begins, b"\n", b""),
                b"    ",
                ports[first[here] + port[ends]],
                arrows[links.tier[ends % links.tier.size]],
                systems[there],
                b" ",
                ports[first[there] + port[other[ends]]],
                b"\n",
            ],
            ends.size,
        )


def _system_texts(network: NetworkCables) -> Text:
    """Type and name of each device. The type of a host says how many NICs it has."""
    links, nodes = network.graph.links, network.graph.device_count
    ports = np.zeros(nodes, int)
    np.maximum.at(ports, links.lower, links.lower_port + 1)
    np.maximum.at(ports, links.upper, links.upper_port + 1)
    nics = decimals(-(-ports // network.nic_ports))
    kinds = np.where(network.inside, network.switch_type, np.strings.add(b"HCA_", nics))
    return np.strings.add(np.strings.add(kinds, b" "), network.names)


def _port_texts(network: NetworkCables, ports: int) -> tuple[Text, Whole]:
    """What ports are called: port p of device d is at `first[d] + p`."""
    nic, port = np.divmod(np.arange(ports), network.nic_ports)
    of_hosts = np.strings.add(
        np.strings.add(b"U", decimals(nic + 1)), np.strings.add(b"/P", decimals(port + 1))
    )
    of_switches = np.strings.add(b"P", decimals(np.arange(ports) + 1))
    return np.concatenate([of_hosts, of_switches]), np.where(network.inside, ports, 0)


def _arrows(network: NetworkCables) -> Text:
    """What stands between the ends of the links of each tier."""
    words = [b" -" + word + b"-> " if word else b" -> " for word in network.link_words.tolist()]
    return np.array(words or [b""])
