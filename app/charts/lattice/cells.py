"""What a lattice is drawn as: cells along its dimensions, which are hosts, cubes, boards or switches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from app.charts.figure import at
from app.engine.fabric.topologies.lattices.torus import SIDE


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """What is drawn: cells, which are hosts, cubes, boards or switches."""

    title: str
    cell: str
    lengths: tuple[int, ...]
    there: int  # cells that are built
    joined: str  # ring, full, or switch: how the cells of a line are joined
    hosts_each: int
    hosts: int

    @property
    def cells(self) -> int:
        return math.prod(self.lengths)


def lattice_of(evaluation: dict[str, Any], title: str) -> Lattice:
    fabric = evaluation["fabric"]
    lengths = tuple(int(length) for length in fabric["lengths"])
    hosts = int(fabric["networked_supernodes"]) * int(at(evaluation, "inputs.supernode.nodes") or 1)
    kinds = {tier["name"] for tier in fabric["tiers"]}
    given: dict[str, Any] = {"title": title, "hosts": hosts}
    if "board" in kinds or fabric["topology"] == "hammingmesh":
        board, boards = lengths[:2], lengths[2:]
        each = math.prod(board)
        there = min(math.ceil(hosts / each), math.prod(boards))
        return Lattice(cell="board", lengths=boards, there=there, joined="switch", hosts_each=each, **given)
    if "circuit" in kinds:
        each, cubes = SIDE ** len(lengths), tuple(length // SIDE for length in lengths)
        there = min(math.ceil(hosts / each), math.prod(cubes))
        return Lattice(cell="cube", lengths=cubes, there=there, joined="ring", hosts_each=each, **given)
    if "router" in kinds:
        switches = math.prod(lengths)
        each = math.ceil(hosts / switches)
        return Lattice(
            cell="switch", lengths=lengths, there=switches, joined="full", hosts_each=each, **given
        )
    joined = "ring" if fabric["topology"].startswith("torus") else "full"
    there = min(hosts, math.prod(lengths))
    return Lattice(cell="node", lengths=lengths, there=there, joined=joined, hosts_each=1, **given)
