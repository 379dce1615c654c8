"""Pieces that links take: modules at both ends, cables, fibres, and panels and trunks where they are patched."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.graph.graph import HOST, NONE, FabricGraph, Mask, Whole
from app.engine.fabric.media.cages import Cages, joined_cages, media_cages
from app.engine.fabric.media.medium import Lengths, Medium


@dataclass(frozen=True, slots=True, kw_only=True)
class TierCount:
    """The links of one tier that are of one medium."""

    tier: str
    medium: Medium | None  # None where nothing reaches
    links: int
    switch_modules: int  # of modules or co-packaged ends, in switches
    lower_modules: int  # of them, at lower ends of links
    cables: int  # with fixed ends, or jumpers of a link each
    length_m: float  # of all its links


@dataclass(frozen=True, slots=True, kw_only=True)
class Patched:
    """Links that run over patch panels: a jumper at each end, and between the panels a share of a trunk."""

    links: Whole  # (tiers, media) how many: each takes one jumper more
    trunks: int
    panels: int


def tier_counts(
    graph: FabricGraph,
    lengths_m: Lengths,
    chosen: Whole,
    media: Sequence[Medium],
    module_kinds: Collection[str],
    cages: Cages | None = None,
) -> list[TierCount]:
    """What every tier has of every medium.

    `module_kinds` are the devices, other than hosts, whose ends take modules that are bought here. Modules are
    counted cage by cage; a cage that links of two tiers share counts in the lower one. Where ports are not
    numbered they are counted over a whole tier.
    """
    with_module = np.array([kind in module_kinds for kind in graph.kinds], bool)[graph.devices.kind]
    cages = cages or media_cages(graph, media)
    modules = _caged(graph, chosen, cages, with_module, len(media))
    differ = any(medium.tier for medium in media)  # the modules at the two ends of a link may differ
    below = _caged(graph, chosen, cages, with_module, len(media), upper=False) if differ else modules
    counts = []
    for number, tier in enumerate(graph.tiers):
        here = graph.tier_slice(number)
        taken, length_m = chosen[here], lengths_m[here]
        lower, upper = (
            with_module.take(side[here].astype(np.intp)) for side in (graph.links.lower, graph.links.upper)
        )
        for option in (np.flatnonzero(np.bincount(taken + 1)) - 1).tolist():
            mine = taken == option
            links = int(np.count_nonzero(mine))
            medium = media[option] if option != NONE else None
            per = medium.links if medium else 1
            at_lower = _whole(int(np.count_nonzero(lower & mine)), per)
            counts.append(
                TierCount(
                    tier=tier,
                    medium=medium,
                    links=links,
                    switch_modules=at_lower + _whole(int(np.count_nonzero(upper & mine)), per)
                    if modules is None
                    else int(modules[number, option]),
                    lower_modules=at_lower if below is None else int(below[number, option]),
                    cables=joined_cages(cages, np.flatnonzero(mine) + here.start)[1]
                    if cages and medium and medium.captive and per > 1
                    else _whole(links, medium.cable_links if medium else 1),
                    length_m=float(np.sum(length_m if links == taken.size else length_m[mine])),
                )
            )
    return counts


def _caged(
    graph: FabricGraph,
    chosen: Whole,
    cages: Cages | None,
    with_module: Mask,
    media: int,
    *,
    upper: bool = True,
) -> Whole | None:
    """(tiers, media + 1) cages of devices with modules, by the lowest tier of their links; the last is of
    none.

    Without those at the `upper` ends of links where these are not asked for.
    """
    if cages is None:
        return None
    of_cage = np.full(cages.size, NONE, np.int16)  # tiers times media are few
    width = media + 1
    for number in reversed(range(len(graph.tiers))):
        here = graph.tier_slice(number)
        place = (number * width + np.where(chosen[here] == NONE, media, chosen[here])).astype(np.int16)
        ends = ((graph.links.lower, cages.lower), (graph.links.upper, cages.upper))
        for device, cage in ends if upper else ends[:1]:
            mine = with_module.take(device[here])
            of_cage[cage[here][mine]] = place[mine]
    counts = np.bincount(of_cage[of_cage >= 0], minlength=len(graph.tiers) * width)
    return counts.reshape(len(graph.tiers), width)


def host_modules(
    graph: FabricGraph, chosen: Whole, media: Sequence[Medium], cages: Cages | None = None
) -> list[int]:
    """Modules in hosts by medium: as many as the links of each host take, host by host."""
    cages = cages or media_cages(graph, media)
    if cages is not None:
        with_host = np.isin(graph.devices.kind, [at for at, kind in enumerate(graph.kinds) if kind == HOST])
        counted = _caged(graph, chosen, cages, with_host, len(media))
        assert counted is not None
        return [int(count) for count in counted.sum(axis=0)[: len(media)]]
    hosts = graph.of_kind(HOST)
    first, end = (int(hosts[0]), int(hosts[-1]) + 1) if hosts.size else (0, 0)
    ends = []
    for side in (graph.links.lower, graph.links.upper):
        in_host = np.flatnonzero((side >= first) & (side < end))
        ends.append((side[in_host] - first, chosen[in_host]))
    counts = []
    for index, medium in enumerate(media):
        mine = [host[taken == index] for host, taken in ends]
        links = np.bincount(np.concatenate(mine), minlength=hosts.size)
        counts.append(int(_up(links, medium.node_links).sum()))
    return counts


def patched(
    graph: FabricGraph,
    lengths_m: Lengths,
    chosen: Whole,
    media: Sequence[Medium],
    device_rack: Whole,
    *,
    from_m: float,
    trunk_links: float,
    panel_links: float,
) -> Patched:
    """Fibres of at least some length, over panels in the racks of both ends; trunks join two racks."""
    is_fibre = np.array([*(not medium.captive for medium in media), False])  # the last is -1, for no medium
    links = np.flatnonzero((lengths_m >= from_m) & is_fibre[chosen])
    ends = [device_rack[side[links]].astype(np.int64) for side in (graph.links.lower, graph.links.upper)]
    racks = int(device_rack.max(initial=NONE)) + 1
    in_rack = np.bincount(np.concatenate(ends), minlength=racks)
    between = np.unique(np.minimum(*ends) * racks + np.maximum(*ends), return_counts=True)[1]
    by_medium = (graph.links.tier[links], chosen[links])
    counted = np.zeros((len(graph.tiers), len(media)), np.int64)
    np.add.at(counted, by_medium, 1)
    return Patched(
        links=counted,
        trunks=int(_up(between, trunk_links).sum()),
        panels=int(_up(in_rack, panel_links).sum()),
    )


def _up(pieces: Whole, per: float) -> Whole:
    return np.ceil(np.round(pieces / per, 6)).astype(np.int64)


def _whole(links: int, per: int) -> int:
    return -(-int(links) // per)
