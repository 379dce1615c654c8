"""The links of one plane of a lattice, as arrays, and the graph of all planes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.graph.graph import FabricGraph, Links, Whole, devices_of, joined_links, links_between
from app.engine.fabric.topologies.shape import Ask
from app.engine.trace import count_of, first_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Wires:
    """Links of one tier of a plane. Ends are numbered within their kind, ports within a plane."""

    tier: str
    lower_kind: str
    lower: Whole
    lower_port: Whole
    upper_kind: str
    upper: Whole
    upper_port: Whole


def wires(tier: str, lower: tuple[str, Whole, Whole], upper: tuple[str, Whole, Whole], width: int) -> Wires:
    """Bundles of `width` links between devices of a kind, each with its first port.

    Between two devices of one kind the lower end is that of the lower number.
    """
    (lower_kind, a, a_port), (upper_kind, b, b_port) = lower, upper
    a, a_port, b, b_port = (np.ravel(part) for part in np.broadcast_arrays(a, a_port, b, b_port))
    if lower_kind == upper_kind:
        swapped = a > b
        a, b = np.where(swapped, b, a), np.where(swapped, a, b)
        a_port, b_port = np.where(swapped, b_port, a_port), np.where(swapped, a_port, b_port)
    link = np.tile(np.arange(width), a.size)
    return Wires(
        tier=tier,
        lower_kind=lower_kind,
        lower=np.repeat(a, width),
        lower_port=np.repeat(a_port, width) + link,
        upper_kind=upper_kind,
        upper=np.repeat(b, width),
        upper_port=np.repeat(b_port, width) + link,
    )


def lattice_graph(
    ask: Ask,
    *,
    tiers: Sequence[str],
    parts: Sequence[Wires],
    switches: Mapping[str, int],
    host_group: Whole,
    switch_group: Mapping[str, Whole] | None = None,
) -> FabricGraph:
    """All planes of a lattice.

    Parameters
    ----------
    tiers : names, in the order of the tiers of the fabric section
    parts : links of one plane
    switches : switches of one plane by kind
    host_group, switch_group : group of every host, and of the switches of one plane
    """
    planes, per_nic = count_of(ask.pod.fabric.planes), count_of(ask.plugs.links_per_nic)
    plane = np.arange(planes)[:, None]
    devices, first = devices_of(
        {"host": host_group.size} | {kind: count * planes for kind, count in switches.items()},
        plane={kind: np.repeat(np.arange(planes), count) for kind, count in switches.items()},
        group={"host": host_group}
        | {kind: np.tile(group, planes) for kind, group in (switch_group or {}).items()},
        rail={},
    )

    def ends(kind: str, number: Whole, port: Whole) -> tuple[Whole, Whole]:
        if kind != "host":
            return first[kind] + plane * switches[kind] + number, port + 0 * plane
        nic, link = np.divmod(port, max(per_nic, 1))
        return first[kind] + number + 0 * plane, (nic * planes + plane) * per_nic + link

    found: list[Links] = []
    for tier in tiers:
        for part in parts:
            if part.tier == tier:
                lower, lower_port = ends(part.lower_kind, part.lower, part.lower_port)
                upper, upper_port = ends(part.upper_kind, part.upper, part.upper_port)
                found.append(
                    links_between(
                        tier=tiers.index(tier),
                        lower=lower,
                        upper=upper,
                        lower_port=lower_port,
                        upper_port=upper_port,
                    )
                )
    nothing = np.empty(0, np.int32)
    empty = links_between(tier=0, lower=nothing, upper=nothing, lower_port=nothing, upper_port=nothing)
    bandwidth = first_of(ask.plugs.link_bandwidth_bytes_per_s)
    return FabricGraph(
        kinds=("host", *switches),
        tiers=tuple(tiers),
        devices=devices,
        links=joined_links([empty, *found]),
        link_bandwidth_bytes_per_s=np.full(len(tiers), bandwidth),
    )


def next_in_rings(count: int, length: int, inner: int) -> tuple[Whole, Whole]:
    """Each member of a ring along a dimension and the next one; who is alone in its ring is left out.

    >>> [ends.tolist() for ends in next_in_rings(5, 3, 2)]
    [[0, 1, 2, 3, 4], [2, 3, 4, 1, 0]]
    """
    each = np.arange(count)
    step = each // inner % length
    further = (step + 1 < length) & (each + inner < count)
    following = np.where(further, each + inner, each - step * inner)
    joined = following != each
    return each[joined], following[joined]


def pairs_in_lines(count: int, length: int, inner: int) -> tuple[Whole, Whole]:
    """Every two places of every line along a dimension, the lower first.

    >>> [ends.tolist() for ends in pairs_in_lines(3, 3, 1)]
    [[0, 0, 1], [1, 2, 2]]
    """
    each = np.arange(count)[:, None]
    steps = np.arange(1, max(length, 1))[None, :]
    other = each + steps * inner
    there = (each // inner % length + steps < length) & (other < count)
    return np.broadcast_to(each, there.shape)[there], other[there]
