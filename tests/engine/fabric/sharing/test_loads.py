"""What traffic puts on links, against walks over every shortest path."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.faults.failed import by_chance, failed, nothing_failed
from app.engine.fabric.sharing import ways
from app.engine.fabric.sharing.demand import AllToAll, Demand, UnreachableError, ring, streams
from app.engine.fabric.sharing.jobs import hashed_load
from app.engine.fabric.sharing.ways import Ways, arcs, joined_switches, merge, passing_arcs, spread_load
from tests.engine.fabric.faults.fabrics import host_ring, leaves_and_spines, rail_fabric, three_tiers
from tests.engine.fabric.pods import qm9700
from tests.engine.fabric.topologies.asks import ask, shape_and_graph


def whole(graph):
    return nothing_failed(graph).alive_links(graph)


def by_walking(graph, alive, demand) -> np.ndarray:
    """Every stream split at every device over the links that lead nearer, one after the other."""
    flows = streams(graph, alive, demand)
    tail, head, capacity = arcs(graph)
    arc = passing_arcs(graph, alive)
    load = flows.access.copy()
    found = Ways.of(graph.device_count, tail[arc], head[arc], capacity[arc])
    for begin, end, amount in zip(flows.tail, flows.head, flows.amount, strict=True):
        distance = found.distances(np.array([end]))[:, 0]
        here = {int(begin): float(amount)}
        while set(here) != {int(end)}:
            onward: dict[int, float] = {}
            for device, held in here.items():
                out = [one for one in arc if tail[one] == device and distance[head[one]] < distance[device]]
                width = sum(capacity[one] for one in out)
                for one in out:
                    load[one] += held * capacity[one] / width
                    onward[int(head[one])] = onward.get(int(head[one]), 0.0) + held * capacity[one] / width
            here = onward
    return load


SHAPES = {
    "two tiers": leaves_and_spines(hosts=12, leaves=3, spines=2, up=2),
    "two speeds": replace(
        leaves_and_spines(hosts=6, leaves=3, spines=2), link_bandwidth_bytes_per_s=np.array([50e9, 100e9])
    ),
    "ring": host_ring(7),
}


def test_by_hand_two_leaves_and_two_spines():
    """Four hosts: each of two streams between the leaves takes both spines, half on each."""
    graph = leaves_and_spines(hosts=4, leaves=2, spines=2)
    load = spread_load(graph, whole(graph), Demand(np.array([0, 1]), np.array([2, 3]), np.array([8.0, 4.0])))
    up, down = load[: graph.link_count], load[graph.link_count :]
    assert up.tolist() == [8, 4, 0, 0, 6, 6, 0, 0]
    assert down.tolist() == [0, 0, 8, 4, 0, 0, 6, 6]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(shape=st.sampled_from(sorted(SHAPES)), links=st.integers(0, 3), seed=st.integers(0, 10**6))
def test_spread_traffic_is_that_of_a_walk_over_every_shortest_path(shape, links, seed):
    graph = SHAPES[shape]
    alive = by_chance(graph, links=links, switches=0, seed=seed).alive_links(graph)
    hosts = np.random.default_rng(seed).permutation(graph.of_kind("host").size)[:5]
    for demand in (ring(hosts, 3.0), AllToAll(hosts, 2.0)):
        try:
            found = spread_load(graph, alive, demand)
        except UnreachableError:
            continue
        assert found == pytest.approx(by_walking(graph, alive, demand))


def test_three_tiers_carry_what_a_walk_carries():
    graph = three_tiers(6)
    demand = ring(np.array([0, 2, 4, 1]), 8.0)
    assert spread_load(graph, whole(graph), demand) == pytest.approx(by_walking(graph, whole(graph), demand))


def test_an_all_to_all_is_the_sum_of_its_pairs():
    graph = rail_fabric(40)
    everybody = AllToAll(np.arange(40), 8.0)
    alive = whole(graph)
    assert spread_load(graph, alive, everybody) == pytest.approx(spread_load(graph, alive, everybody.pairs()))


def test_a_host_that_has_lost_a_port_sends_by_the_others():
    graph = rail_fabric(4)
    alive = failed(graph, links=np.array([0])).alive_links(graph)
    load = spread_load(graph, alive, AllToAll(np.arange(4), 21.0))
    assert load[0] == 0
    assert load[graph.links.lower.tolist().index(0, 1)] > 0
    assert load[: graph.link_count].sum() == pytest.approx(4 * 21)


def test_switches_that_are_wired_alike_are_one_place():
    graph = rail_fabric(64)
    merged = merge(graph, joined_switches(graph, whole(graph))[0], graph.of_kind("leaf"))
    assert np.unique(merged.place[graph.of_kind("spine")]).size == 1
    assert np.unique(merged.place[graph.of_kind("leaf")]).size == 16


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), hosts=st.integers(2, 12))
def test_hashed_streams_keep_whole_and_take_shortest_paths(seed, hosts):
    graph = three_tiers()
    demand = ring(np.random.default_rng(seed).permutation(12)[:hosts], 8.0)
    alive = whole(graph)
    hashed, spread = hashed_load(graph, alive, demand, seed), spread_load(graph, alive, demand)
    assert hashed.sum() == pytest.approx(spread.sum())  # as many links crossed
    tier = np.tile(graph.links.tier, 2)
    for at in range(3):
        assert hashed[tier == at].sum() == pytest.approx(spread[tier == at].sum())
    assert np.allclose(hashed % 1.0, 0)  # each of eight NICs has one whole stream of 1


def test_hashing_is_the_same_for_the_same_seed():
    graph = rail_fabric(64)
    demand = ring(np.arange(64)[::-1], 8.0)
    one, again, other = (hashed_load(graph, whole(graph), demand, seed) for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("load", [spread_load, lambda *given: hashed_load(*given, seed=0)])
def test_who_cannot_be_reached_is_named(load):
    graph = leaves_and_spines(hosts=4, leaves=2, spines=1)
    alive = failed(graph, devices=graph.of_kind("spine")).alive_links(graph)
    with pytest.raises(UnreachableError) as error:
        load(graph, alive, ring(np.array([0, 3]), 1.0))
    assert {error.value.source, error.value.sink} == set(graph.of_kind("leaf").tolist())


@pytest.mark.parametrize("topology", ["fat_tree", "rail_fat_tree", "dragonfly", "torus_2d"])
def test_products_of_all_targets_carry_what_pairs_carry(
    topology: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, graph = shape_and_graph(ask(topology, 70, 4, switch=qm9700(ports=16, max_logical_ports=16)))
    demand = AllToAll(np.arange(50), 1e9)
    found = []
    for full in (True, False):
        monkeypatch.setattr(ways._Level, "is_full", lambda level, of, full=full: full)
        found.append(spread_load(graph, whole(graph), demand))
    assert found[0].sum() > 0
    assert np.allclose(found[0], found[1], rtol=1e-9, atol=1e-3)
