"""Small readers of what is exported, so that tests see what other programs would."""

from __future__ import annotations

import re
from typing import NamedTuple

TOPO_LINE = re.compile(r"    (\S+) -(?:(\d+x-\d+G)-)?> (\S+) (\S+) (\S+)")
TOPO_SYSTEM = re.compile(r"(\S+) (\S+)")
DOT_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
DOT_NODE = re.compile(rf"{DOT_TEXT.pattern} \[(.*)\];")
DOT_EDGE = re.compile(
    rf"{DOT_TEXT.pattern}:{DOT_TEXT.pattern} -- {DOT_TEXT.pattern}:{DOT_TEXT.pattern} \[(.*)\];"
)
DOT_ATTRIBUTE = re.compile(rf" ?(\w+)={DOT_TEXT.pattern}")


class TopoEnd(NamedTuple):
    """One line of a topology file, with the system it stands below."""

    type: str
    system: str
    port: str
    link: str
    other_type: str
    other_system: str
    other_port: str


def read_topo(text: str) -> list[TopoEnd]:
    """Every line of a topology file; a system ends at an empty line."""
    found, system = [], None
    for line in text.splitlines():
        if not line or line.startswith("#"):
            system = None
        elif system is None:
            named = TOPO_SYSTEM.fullmatch(line)
            assert named, line
            system = named.groups()
        else:
            end = TOPO_LINE.fullmatch(line)
            assert end, line
            port, link, *other = end.groups()
            found.append(TopoEnd(*system, port, link or "", *other))
    return found


def read_dot(text: str) -> tuple[dict[str, dict[str, str]], list[tuple[tuple[str, ...], dict[str, str]]]]:
    """Nodes by name with their attributes, and edges with theirs; anything else is no DOT of ours."""
    first, *lines, last = text.splitlines()
    assert (first, last) == ("graph cables {", "}")
    nodes: dict[str, dict[str, str]] = {}
    edges = []
    for line in lines:
        if edge := DOT_EDGE.fullmatch(line.strip()):
            edges.append((tuple(_plain(text) for text in edge.groups()[:4]), _attributes(edge[5])))
            continue
        node = DOT_NODE.fullmatch(line.strip())
        assert node, line
        assert node[1] not in nodes, "written twice"
        nodes[_plain(node[1])] = _attributes(node[2])
    return nodes, edges


def _attributes(text: str) -> dict[str, str]:
    assert DOT_ATTRIBUTE.sub("", text) == "", text
    return {found[1]: _plain(found[2]) for found in DOT_ATTRIBUTE.finditer(text)}


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
