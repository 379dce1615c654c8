"""Names of devices: readable, stable for a design, and each of them once in all of its networks.

`node-0001` is a host, `leaf-02-3` the third leaf of unit 2, `spine-07` a spine of the only plane and
`spine-p2-07` one of the second. Switches of the other networks begin with the name of theirs:
`storage-leaf-01`. Numbers count from 1, with as many digits as the largest needs, and with at least
four for hosts and two for units and for devices of no unit.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.engine.fabric.cabling.decimals import Text, padded
from app.engine.fabric.graph.graph import FabricGraph, ports_in_order
from app.engine.fabric.graph.kinds import HOST

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
