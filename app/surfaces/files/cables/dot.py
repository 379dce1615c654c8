"""The cable schedule in the language of Graphviz: devices as nodes, each link as an edge between their ports.

Ports are written as Cumulus Linux and NVIDIA's Cable Validation Tool read them: "leaf-01-1":"swp1s0" [1].

[1] NVIDIA UFM Cable Validation Tool v1.6.0, Dot File,
https://docs.nvidia.com/networking/display/cablevalidationtool160/dot+file
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from app.engine.fabric.cabling.decimals import Text
from app.engine.fabric.cabling.schedule import BLOCK_ROWS, NetworkCables
from app.surfaces.files.cables.text import each, joined_rows


def cables_dot(networks: Sequence[NetworkCables]) -> Iterator[bytes]:
    """One graph of all networks, in blocks; hosts are written once."""
    yield b"graph cables {\n"
    for place, network in enumerate(networks):
        quoted = replace(
            network, parts=each(network.parts, _quoted), rack_names=each(network.rack_names, _quoted)
        )
        yield from _devices(quoted, with_hosts=place == 0)
        yield from _edges(quoted)
    yield b"}\n"


def _devices(network: NetworkCables, *, with_hosts: bool) -> Iterator[bytes]:
    graph = network.graph
    roles = np.array([kind.encode() for kind in graph.kinds] or [b""])
    shown = np.arange(graph.device_count)
    if not with_hosts and "host" in graph.kinds:
        shown = shown[graph.devices.kind != graph.kinds.index("host")]
    for start in range(0, shown.size, BLOCK_ROWS):
        some = shown[start : start + BLOCK_ROWS]
        yield joined_rows(
            [
                b'  "', network.names[some], b'" [role="', roles[graph.devices.kind[some]],
                b'" rack="', network.rack_of(some), b'" u="', network.height_of(some), b'"];\n',
            ],
            some.size,
        )  # fmt: skip


def _edges(network: NetworkCables) -> Iterator[bytes]:
    for links in network.blocks():
        text = network.text(links)
        parts: list[Text | bytes] = [
            b'  "', text["A-Node Name"], b'":"', text["A-Port"],
            b'" -- "', text["Z-Node Name"], b'":"', text["Z-Port"],
            b'" [network="', text["Network"], b'" tier="', text["Tier"],
            b'" part="', text["Part"], b'" length_m="', text["Length (m)"], b'"];\n',
        ]  # fmt: skip
        yield joined_rows(parts, links.size)


def _quoted(text: bytes) -> bytes:
    """A text between quotes of DOT."""
    return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b" ").replace(b"\r", b" ")
