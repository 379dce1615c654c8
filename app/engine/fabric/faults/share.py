"""How much of its bandwidth a job that runs everywhere still has.

A synchronous job is as slow as its slowest rank, so the worst place counts: the host with the fewest links left,
and the switch or scalable unit that has lost most of its way out. Ranks of a host share its NICs over the scale-up
fabric, and traffic is spread over all paths that are left (adaptive routing): both are the best that software
can do.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from app.engine.fabric.faults.failed import Failed, colours, device_classes, nothing_failed
from app.engine.fabric.faults.flow import Capacities, capacities, flow_bytes_per_s
from app.engine.fabric.graph.graph import HOST, FabricGraph, Mask, Whole, hosts_forward, is_switch
from app.engine.trace import Array

Key = tuple[int, ...]
MOST_PLACES = 24
"""Kinds of places whose way out is computed. Regular fabrics have a handful; irregular ones have thousands."""
FEWEST_PLACES = 4
MOST_EDGES = 4_000_000
"""Of all flows through what a failure leaves, together: of a large fabric fewer places are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Bandwidth left over bandwidth there was, 0 to 1, at the worst place."""

    access: float  # of a host on the fabric
    beyond: float  # of a switch with hosts, a scalable unit or half of the hosts, to all hosts elsewhere
    places: int = field(default=0, compare=False)  # kinds of place that have a way out
    places_looked_at: int = field(default=0, compare=False)  # of these, the ones that lost most nearby


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A fabric with some of its links, and what is looked up in it."""

    graph: FabricGraph
    alive: Mask
    edges: Capacities
    colour: Whole
    host_bytes_per_s: Array  # (hosts,) of the links of a host, one way
    flows: dict[Key, float] = field(default_factory=dict)  # of places that are alike, as they are asked for


def state_of(graph: FabricGraph, lost: Failed | None = None) -> State:
    """A fabric after a failure, or a whole one."""
    alive = (lost or nothing_failed(graph)).alive_links(graph)
    return State(
        graph=graph,
        alive=alive,
        edges=capacities(graph, alive),
        colour=colours(graph, alive),
        host_bytes_per_s=device_bytes_per_s(graph, alive)[graph.of_kind(HOST)],
    )


def share_left(whole: State, left: State, cut_off: Mask) -> Share:
    """What a job on all hosts that are not cut off still has.

    Parameters
    ----------
    whole : the fabric without faults
    left : the same fabric with them
    cut_off : (hosts,) hosts that the job does without
    """
    hosts = whole.graph.of_kind(HOST)
    running = ~cut_off & (whole.host_bytes_per_s > 0)
    if not running.any():
        return Share(access=0.0, beyond=0.0)
    access = np.min(left.host_bytes_per_s[running] / whole.host_bytes_per_s[running])
    places = [*_switch_ways(whole, left, running), *_unit_ways(whole, left, running)]
    half = hosts.size // 2
    places.append(_hosts_way(whole, left, running, np.arange(hosts.size) < half, key=(-1, half)))
    ways = [place for place in places if place]
    most = int(np.clip(MOST_EDGES // max(left.edges.tail.size, 1), FEWEST_PLACES, MOST_PLACES))
    return Share(
        access=float(access),
        beyond=least(ways, start=1.0, most=most),
        places=len(ways),
        places_looked_at=min(len(ways), most),
    )


class Way(NamedTuple):
    """The way out of a place, left over whole: what its own links have left, and what it is.

    The second takes two flows through the fabric, so it is found of few places.
    """

    nearby: float
    found: Callable[[], float]


def least(ways: list[Way], start: float, most: int = MOST_PLACES) -> float:
    """The least of some values and `start`; of many places those are looked at that have least left nearby."""
    nearest = sorted(ways, key=lambda way: way.nearby)[:most]
    return min([start, *(way.found() for way in nearest)])


def _switch_ways(whole: State, left: State, running: Mask) -> Iterator[Way | None]:
    """Of every kind of switch with hosts: its way to hosts that are not its own, for what its own put in."""
    graph = whole.graph
    if hosts_forward(graph):
        return
    own = _host_links(left, running)
    had_own = _host_links(whole, np.full(running.size, True))
    had_links, links = (device_bytes_per_s(graph, state.alive) for state in (whole, left))
    # In the order of the fabric, so that of many failures the same places are looked at, and their flows once.
    for switch, _ in sorted(device_classes(left.colour, np.flatnonzero(own > 0))):
        had_up, up = had_links[switch] - had_own[switch], links[switch] - own[switch]
        needed = min(had_up, had_own[switch]) * own[switch] / had_own[switch]
        if needed > 0:
            enters = (had_own[switch], own[switch])
            yield Way(
                min(up, own[switch]) / needed,
                functools.partial(_switch_share, whole, left, switch, running, enters),
            )


def _switch_share(
    whole: State, left: State, switch: int, running: Mask, enters: tuple[float, float]
) -> float:
    """`enters` is what hosts of the switch put in, before and now."""
    had_own, own = enters
    needed = min(_switch_flow(whole, switch, None), had_own) * own / had_own
    return _over(min(_switch_flow(left, switch, running), own), needed)


def _unit_ways(whole: State, left: State, running: Mask) -> Iterator[Way | None]:
    """Of every kind of scalable unit: the way of its hosts to those of other units."""
    hosts = whole.graph.of_kind(HOST)
    group = whole.graph.devices.group[hosts]
    if np.unique(group).size < 2:
        return
    kinds = {_key(left, hosts[group == unit]): int(unit) for unit in np.unique(group)}
    for unit in kinds.values():
        inside = group == unit
        yield _hosts_way(whole, left, running, inside, key=_key(whole, hosts[inside]))


def _hosts_way(whole: State, left: State, running: Mask, inside: Mask, key: Key) -> Way | None:
    """From some hosts to all others, for what those that run on either side put in."""
    hosts, access = whole.graph.of_kind(HOST), whole.host_bytes_per_s
    sides = (inside, ~inside)
    had = min(access[side].sum() for side in sides)
    at_work = min(access[side & running].sum() / max(access[side].sum(), 1.0) for side in sides)
    if had * at_work <= 0:
        return None

    def found() -> float:
        whole_way = _flow(whole, key, lambda: (hosts[inside], hosts[~inside]))
        left_way = flow_bytes_per_s(left.edges, hosts[inside & running], hosts[~inside & running])
        return _over(left_way, whole_way * at_work)

    return Way(left.host_bytes_per_s[inside & running].sum() / (had * at_work), found)


def _over(left: float, needed: float) -> float:
    """Remaining over needed bandwidth; infinite where none is needed."""
    return left / needed if needed > 0 else math.inf


def _switch_flow(state: State, switch: int, running: Mask | None) -> float:
    def ends() -> tuple[Whole, Whole]:
        links, hosts = state.graph.links, state.graph.of_kind(HOST)
        own = np.concatenate([links.lower[links.upper == switch], links.upper[links.lower == switch]])
        return np.array([switch]), np.setdiff1d(hosts if running is None else hosts[running], own)

    key = (int(state.colour[switch]), -1 if running is None else int(running.sum()))
    return _flow(state, key, ends)


def _flow(state: State, key: Key, ends: Callable[[], tuple[Whole, Whole]]) -> float:
    if key not in state.flows:
        state.flows[key] = flow_bytes_per_s(state.edges, *ends())
    return state.flows[key]


def _key(state: State, devices: Whole) -> Key:
    """Sets of devices with as many of each colour are alike."""
    colour, count = np.unique(state.colour[devices], return_counts=True)
    return (*colour.tolist(), *count.tolist())


def _host_links(state: State, running: Mask) -> Array:
    """(devices,) bandwidth of the links from each switch to hosts that run."""
    graph, links = state.graph, state.graph.links
    host = np.zeros(graph.device_count, bool)
    host[graph.of_kind(HOST)[running]] = True
    switch = is_switch(graph)
    each = graph.link_bandwidth_bytes_per_s[links.tier] * state.alive
    down = each * (host[links.lower] & switch[links.upper])
    up = each * (host[links.upper] & switch[links.lower])
    return _per_device(graph, links.upper, down) + _per_device(graph, links.lower, up)


def device_bytes_per_s(graph: FabricGraph, alive: Mask) -> Array:
    """(devices,) bandwidth of all links of each device."""
    links = graph.links
    each = np.where(alive, graph.link_bandwidth_bytes_per_s[links.tier], 0.0)
    return _per_device(graph, links.lower, each) + _per_device(graph, links.upper, each)


def _per_device(graph: FabricGraph, devices: Whole, values: Array) -> Array:
    total: Array = np.bincount(devices, weights=values, minlength=graph.device_count).astype(np.float64)
    return total
