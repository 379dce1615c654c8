"""Marks of a graph keep every device and link, and join only what the graph joins."""

from __future__ import annotations

from collections import Counter, deque

import numpy as np
import pytest

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.graph.graph import FabricGraph, is_switch
from app.engine.fabric.graph.grouped import (
    ABOUT,
    MOST_ALONE,
    bundles_of,
    marks_of,
    ports_used,
    separate_parts,
)
from app.engine.fabric.graph.route import route_between
from app.engine.fabric.scale_up.graph import scale_up_graph
from app.engine.fabric.topologies import asked_of, topology_of
from tests.engine.fabric.faults.fabrics import host_ring, leaves_and_spines, rail_fabric, three_tiers
from tests.engine.fabric.pods import pod
from tests.engine.fabric.scale_up.plans import torus
from tests.support import assumptions, dgx_h100


def rail_only(supernodes: int) -> FabricGraph:
    with np.errstate(invalid="ignore", divide="ignore"):
        ask = asked_of(
            pod=pod(supernodes), supernode=dgx_h100(), assumptions=assumptions("fabric", FabricAssumptions)
        )
        return topology_of("rail_only").graph(ask)


GRAPHS = {
    "one tier": lambda: rail_fabric(8),
    "two tiers": lambda: rail_fabric(128),
    "three tiers": three_tiers,
    "large": lambda: rail_fabric(2048),
    "rail-only": lambda: rail_only(128),
    "planes": lambda: rail_fabric(64, planes=2),
    "small": lambda: leaves_and_spines(hosts=6, leaves=3, spines=2),
    "ring": lambda: host_ring(12),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_marks_hold_every_device_once_and_bundles_every_link(name: str) -> None:
    graph = GRAPHS[name]()
    mark = marks_of(graph)
    assert set(mark) == set(range(int(mark.max()) + 1))
    for number in range(int(mark.max()) + 1):
        assert np.unique(graph.devices.kind[mark == number]).size == 1
    for kind in range(len(graph.kinds)):
        devices = graph.devices.kind == kind
        drawn, there = np.unique(mark[devices]).size, int(devices.sum())
        assert drawn == there if there <= MOST_ALONE else drawn <= ABOUT
    bundles = bundles_of(graph, mark)
    assert bundles.links.sum() == graph.link_count
    assert np.array_equal(np.bincount(bundles.of_link), bundles.links)
    assert np.array_equal(mark[graph.links.lower], bundles.lower[bundles.of_link])
    assert np.array_equal(mark[graph.links.upper], bundles.upper[bundles.of_link])
    assert ports_used(graph).sum() == 2 * graph.link_count


def test_eight_nodes_are_eight_marks() -> None:
    graph = rail_fabric(8)
    assert np.array_equal(marks_of(graph)[graph.of_kind("host")], np.arange(8))


def test_hosts_of_a_supernode_share_a_mark() -> None:
    graph = rail_fabric(8)
    assert marks_of(graph, hosts_each=4)[graph.of_kind("host")].tolist() == [0] * 4 + [1] * 4


def test_no_mark_or_bundle_joins_two_rails_of_a_rail_only_fabric() -> None:
    graph = GRAPHS["rail-only"]()
    mark, part, switch = marks_of(graph), separate_parts(graph), is_switch(graph)
    assert set(part[switch]) == set(range(8))
    leaves = graph.of_kind("leaf")
    assert np.array_equal(part[leaves], graph.devices.rail[leaves])
    rail_of = {}
    for device in np.flatnonzero(switch):
        assert rail_of.setdefault(int(mark[device]), part[device]) == part[device]
    bundles = bundles_of(graph, mark)
    between = [(a, b) for a, b in zip(bundles.lower, bundles.upper, strict=True) if a in rail_of]
    assert between
    assert all(rail_of[a] == rail_of[b] for a, b in between)


def test_a_rail_fat_tree_hangs_together() -> None:
    graph = GRAPHS["two tiers"]()
    assert not separate_parts(graph).any()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one tier", "two tiers", "three tiers", "rail-only", "planes", "ring"])
def test_a_route_is_the_links_of_all_shortest_paths(name: str) -> None:
    graph = GRAPHS[name]()
    random = np.random.default_rng(7)
    hosts = graph.of_kind("host")
    for _ in range(3):
        one, other = random.choice(hosts, 2, replace=False)
        alive = random.random(graph.link_count) > 0.1
        found = route_between(graph, alive, np.array([one]), np.array([other]))
        strangers = set() if name == "ring" else set(hosts.tolist()) - {int(one), int(other)}
        joined: dict[int, set[int]] = {}
        for link in np.flatnonzero(alive):
            ends = int(graph.links.lower[link]), int(graph.links.upper[link])
            if not strangers & set(ends):
                joined.setdefault(ends[0], set()).add(ends[1])
                joined.setdefault(ends[1], set()).add(ends[0])
        here, there = steps(joined, int(one)), steps(joined, int(other))
        assert found.length == here.get(int(other))
        expected = {
            frozenset((a, b))
            for a, others in joined.items()
            for b in others
            if int(other) in here and a in here and b in there and here[a] + 1 + there[b] == here[int(other)]
        }
        drawn = {
            frozenset((int(graph.links.lower[link]), int(graph.links.upper[link])))
            for link in np.flatnonzero(found.links)
        }
        assert drawn == expected
        assert alive[found.links].all()
        assert found.paths == paths_between(graph, alive, strangers, int(one), int(other), found.length)
        ends = graph.links.lower, graph.links.upper
        ports = min(int(np.count_nonzero((ends[0] == end) | (ends[1] == end))) for end in (one, other))
        assert (found.disjoint > 0) == (found.length is not None)
        assert found.disjoint <= min(ports, found.paths)


def paths_between(
    graph: FabricGraph, alive, strangers: set[int], one: int, other: int, length: int | None
) -> int:
    """Walks of that many links, counted link by link: none is shorter, so each is a shortest path."""
    reached = Counter({one: 1})
    for _ in range(length or 0):
        after: Counter[int] = Counter()
        for link in np.flatnonzero(alive):
            a, b = int(graph.links.lower[link]), int(graph.links.upper[link])
            if not strangers & {a, b}:
                after[b] += reached[a]
                after[a] += reached[b]
        reached = after
    return reached[other] if length else 0


def test_paths_by_hand() -> None:
    """Two nodes of 64 DGX in other units: any of 8 leaves up to 8 spines, with 4 links each, and down by any of 8 leaves."""
    graph = rail_fabric(64)
    spines = graph.of_kind("spine").size
    leaf_uplinks = np.count_nonzero(graph.links.lower == graph.of_kind("leaf")[0])
    found = route_between(graph, np.ones(graph.link_count, bool), np.array([0]), np.array([63]))
    assert found.length == 4
    assert (spines, leaf_uplinks) == (8, 32)
    assert found.paths == 8 * (8 * 4) * 4 * 8
    assert found.disjoint == 8


def steps(joined: dict[int, set[int]], start: int) -> dict[int, int]:
    """Links from a device to every other, by breadth-first search."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        device = waiting.popleft()
        for other in joined.get(device, ()):
            if other not in found:
                found[other] = found[device] + 1
                waiting.append(other)
    return found


def test_a_route_over_nothing_is_none() -> None:
    graph: FabricGraph = rail_fabric(8)
    found = route_between(graph, np.zeros(graph.link_count, bool), np.array([0]), np.array([1]))
    assert found.length is None
    assert (found.paths, found.disjoint) == (0, 0)


@pytest.mark.parametrize("sides", [(4, 4, 4), (4, 4, 8), (3, 5, 4)])
def test_a_torus_has_three_links_a_place_with_its_rings_closed(sides: tuple[int, ...]) -> None:
    count = int(np.prod(sides))
    graph = scale_up_graph(torus(*sides), np.full(1, float(count)))
    assert graph.link_count == 3 * count
    assert (ports_used(graph) == 6).all()
