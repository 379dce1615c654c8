"""How much of its bandwidth a job that runs everywhere still has.

A synchronous job is as slow as its slowest rank, so the worst place counts: the host with the fewest links left,
and the switch or scalable unit that has lost most of its way out. Ranks of a host share its NICs over the scale-up
fabric, and traffic is spread over all paths that are left (adaptive routing): both are the best that software
can do.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from app.engine.fabric.cabling.names import is_switch
from app.engine.fabric.faults.classes import colours, device_classes
from app.engine.fabric.faults.failed import HOST, Failed, Mask, nothing_failed
from app.engine.fabric.faults.flow import Capacities, capacities, flow_bytes_per_s
from app.engine.fabric.faults.reach import hosts_forward
from app.engine.fabric.graph.graph import FabricGraph, Whole
from app.engine.trace import Array

Key = tuple[int, ...]
MOST_PLACES = 24
"""Kinds of places whose way out is computed. Regular fabrics have a handful; many failures at once make more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Bandwidth left over bandwidth there was, 0 to 1, at the worst place."""

    access: float  # of a host on the fabric
    beyond: float  # of a switch with hosts, a scalable unit or half of the hosts, to all hosts elsewhere


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
    return Share(access=float(access), beyond=least([place for place in places if place], start=1.0))


class Way(NamedTuple):
    """The way out of a place: what it can be at most, seen from the links nearby, and what it is."""

    at_most: float
    found: Callable[[], float]


def least(ways: list[Way], start: float) -> float:
    """The least of some values and `start`; of many places those are looked at where least can be left."""
    nearest = sorted(ways, key=lambda way: way.at_most)[:MOST_PLACES]
    return min([start, *(way.found() for way in nearest)])


def _switch_ways(whole: State, left: State, running: Mask) -> Iterator[Way | None]:
    """Of every kind of switch with hosts: its way to hosts that are not its own, for what its own put in."""
    graph = whole.graph
    if hosts_forward(graph):
        return
    own = _host_links(left, running)
    had_own = _host_links(whole, np.full(running.size, True))
    links = device_bytes_per_s(graph, left.alive)
    for switch, _ in device_classes(left.colour, np.flatnonzero(own > 0)):
        had = min(_switch_flow(whole, switch, None), had_own[switch])
        needed = had * own[switch] / had_own[switch]
        if needed > 0:
            at_most = min(links[switch] - own[switch], own[switch]) / needed
            yield Way(at_most, functools.partial(_switch_share, left, switch, running, own[switch], needed))


def _switch_share(left: State, switch: int, running: Mask, own: float, needed: float) -> float:
    return min(_switch_flow(left, switch, running), own) / needed


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
    had = _flow(whole, key, hosts[inside], hosts[~inside])
    at_work = [access[side & running].sum() / max(access[side].sum(), 1.0) for side in (inside, ~inside)]
    needed = had * min(at_work)
    if needed <= 0:
        return None
    return Way(
        left.host_bytes_per_s[inside & running].sum() / needed,
        lambda: flow_bytes_per_s(left.edges, hosts[inside & running], hosts[~inside & running]) / needed,
    )


def _switch_flow(state: State, switch: int, running: Mask | None) -> float:
    links, hosts = state.graph.links, state.graph.of_kind(HOST)
    own = np.concatenate([links.lower[links.upper == switch], links.upper[links.lower == switch]])
    chosen = hosts if running is None else hosts[running]
    key = (int(state.colour[switch]), -1 if running is None else int(running.sum()))
    return _flow(state, key, np.array([switch]), np.setdiff1d(chosen, own))


def _flow(state: State, key: Key, sources: Whole, sinks: Whole) -> float:
    if key not in state.flows:
        state.flows[key] = flow_bytes_per_s(state.edges, sources, sinks)
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
