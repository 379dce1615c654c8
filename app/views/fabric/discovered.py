"""Cables as a running network tells them: the topology of ibnetdiscover and the neighbours of LLDP, as tables of cables.

`ibnetdiscover` [1] writes a section for every switch and channel adapter with a line for each of its ports that has a
link. A switch is called by its node description, `MF0;leaf-01-1:MQM9700/U1` or the bare name, an adapter by its host and
device, `node-0001 mlx5_0`. Ports of switches are numbered through. Each link is told from both ends and read once.

LLDP is what `lldpctl -f json` [2] writes of a device, gathered under the name of each device:
`{"leaf-01-1": {"lldp": {"interface": ...}}, ...}`.

[1] ibnetdiscover(8), https://manpages.debian.org/bookworm/infiniband-diags/ibnetdiscover.8.en.html
[2] lldpcli(8), https://lldpd.github.io/usage.html
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from app.scenarios.errors import refuse

HEADING = ("A-Node Name", "A-Port", "Z-Node Name", "Z-Port")
SECTION = re.compile(r'^(Switch|Ca|Rt)\s+\d+\s+"([^"]+)"\s*#\s*"([^"]*)"')
LINK = re.compile(r'^\[(\d+)\](?:\([0-9a-fA-Fx]+\))?\s+"([^"]+)"\[(\d+)\]')
SWITCH_WORDS = re.compile(r"^MF0;([^:]+):")
OWN_ADAPTER = "aggregation node"
"""In the description of the adapter inside a switch that reduces in the network: it has no cable."""
Row = tuple[str, str, str, str]


class Discovered(NamedTuple):
    """Rows with the lines they are told in. `numbered`: ports of switches are numbered through."""

    rows: list[tuple[int, Row]]
    numbered: bool


class _Node(NamedTuple):
    name: str
    adapter: str  # such as mlx5_0; empty for a switch
    is_inside: bool


def discovered(text: str) -> Discovered | None:
    """The cables in the words of a running network, None where the text is no such thing.

    Raises
    ------
    ScenarioError : it is one, and cannot be read
    """
    if text.lstrip()[:1] == "{":
        return Discovered(list(_neighbours(text)), numbered=False)
    lines = text.splitlines()
    if any(SECTION.match(line) for line in lines):
        return Discovered(list(_topology(lines)), numbered=True)
    return None


def _topology(lines: list[str]) -> Iterator[tuple[int, Row]]:
    nodes = {found[2]: _node(found[1], found[3]) for line in lines if (found := SECTION.match(line))}
    here, seen = "", set()
    for number, line in enumerate(lines, 1):
        if section := SECTION.match(line):
            here = section[2]
        elif link := LINK.match(line):
            if link[2] not in nodes:
                raise refuse(
                    f"Line {number} ends at {link[2]}, and no section describes it.",
                    rule="file", path="file", value=link[2], line=number,
                    hint="Hand in the whole output of ibnetdiscover, as text.",
                )  # fmt: skip
            ends = (here, int(link[1])), (link[2], int(link[3]))
            if frozenset(ends) in seen or nodes[here].is_inside or nodes[link[2]].is_inside:
                continue
            seen.add(frozenset(ends))
            yield number, (*_end(nodes[here], ends[0][1]), *_end(nodes[link[2]], ends[1][1]))


def _node(kind: str, words: str) -> _Node:
    if OWN_ADAPTER in words.lower():
        return _Node(words, "", True)
    if kind == "Ca" and " " in words.strip():
        host, _, adapter = words.strip().partition(" ")
        return _Node(host, adapter.strip().lower(), False)
    found = SWITCH_WORDS.match(words)
    return _Node(found[1] if found else words.strip(), "", False)


def _end(node: _Node, port: int) -> tuple[str, str]:
    """A port of an adapter is called by the adapter; its second port by both."""
    if not node.adapter:
        return node.name, str(port)
    return node.name, node.adapter if port == 1 else f"{node.adapter}/p{port}"


def _neighbours(text: str) -> Iterator[tuple[int, Row]]:
    try:
        devices = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refuse(
            f"The file begins as JSON and is none: {error}.",
            rule="file", path="file",
            hint="Gather what lldpctl -f json writes under the name of each device.",
        ) from None  # fmt: skip
    seen = set()
    for name, told in devices.items():
        for interface, neighbour in _interfaces(name, told):
            row = (name, interface, *_far_end(neighbour))
            ends = frozenset([(row[0].lower(), row[1].lower()), (row[2].lower(), row[3].lower())])
            if row[2] and row[3] and ends not in seen:
                seen.add(ends)
                yield 1, row


def _interfaces(name: str, told: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The interfaces of a device with the neighbour of each; lldpctl writes one as an object and several as a list."""
    inside = told.get("lldp") if isinstance(told, dict) else None
    if not isinstance(inside, dict):
        raise refuse(
            f"{name[:80]!r} has no lldp.",
            rule="file", path="file", value=name[:80],
            hint='Write {"NAME OF DEVICE": what lldpctl -f json writes there, ...}.',
        )  # fmt: skip
    interfaces = inside.get("interface", [])
    for one in interfaces if isinstance(interfaces, list) else [interfaces]:
        for interface, neighbour in one.items() if isinstance(one, dict) else ():
            if isinstance(neighbour, dict):
                yield interface, neighbour


def _far_end(neighbour: dict[str, Any]) -> tuple[str, str]:
    """Name and port of the neighbour: the name of the interface, else its description."""
    chassis, port = neighbour.get("chassis", {}), neighbour.get("port", {})
    name = next(iter(chassis), "") if isinstance(chassis, dict) else ""
    identity = port.get("id", {}) if isinstance(port, dict) else {}
    by_name = isinstance(identity, dict) and identity.get("type") == "ifname"
    words = identity.get("value", "") if by_name else port.get("descr", "") if isinstance(port, dict) else ""
    return ("" if name == "id" else name), str(words)
