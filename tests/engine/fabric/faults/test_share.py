"""What is left of a job's bandwidth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.faults.effect import bisection, effect, worst_pair
from app.engine.fabric.faults.failed import by_chance, failed, of_plane, of_rail
from app.engine.fabric.faults.share import FEWEST_PLACES, MOST_PLACES, Share, Way, least, state_of
from tests.engine.fabric.faults.fabrics import (
    LINK,
    host_ring,
    largest_flow,
    leaves_and_spines,
    rail_fabric,
)


def share(graph, lost) -> Share:
    return effect(state_of(graph), lost)[0].share


def test_by_hand_one_link_of_each_tier_one_switch_and_one_rail():
    """64 DGX H100: 16 leaves of 32 down and 32 up to 8 spines, four links to each."""
    graph = rail_fabric(64)
    host_link, uplink = graph.of_tier("leaf")[:1], graph.of_tier("spine")[:1]
    assert share(graph, failed(graph, links=host_link)).access == 7 / 8
    assert share(graph, failed(graph, links=uplink)) == Share(access=1.0, beyond=31 / 32)
    spine, leaf = graph.of_kind("spine")[:1], graph.of_kind("leaf")[:1]
    assert share(graph, failed(graph, devices=spine)) == Share(access=1.0, beyond=7 / 8)
    assert share(graph, failed(graph, devices=leaf)) == Share(access=7 / 8, beyond=7 / 8)
    assert share(graph, of_rail(graph, 0)) == Share(access=7 / 8, beyond=7 / 8)


def test_a_lost_plane_leaves_what_the_others_carry():
    graph = rail_fabric(64, planes=2)
    assert share(graph, of_plane(graph, 0)).access == 1 / 2


def test_without_faults_nothing_is_missing():
    graph = rail_fabric(64)
    whole = state_of(graph)
    found, left = effect(whole, failed(graph))
    assert found.share == Share(access=1.0, beyond=1.0)
    assert set(found.tier_share.values()) == {1.0}
    assert bisection(whole, left).share == 1.0
    assert worst_pair(whole, left, found.reach).share == 1.0


def test_an_uplink_that_nobody_needs_is_no_loss():
    graph = leaves_and_spines(hosts=6, leaves=3, spines=2, up=2)  # 4 links up for 2 hosts
    assert share(graph, failed(graph, links=graph.of_tier("spine")[:1])).beyond == 1.0


def test_without_anybody_left_nothing_is_left():
    graph = leaves_and_spines(hosts=4, leaves=2, spines=2)
    assert share(graph, failed(graph, devices=graph.of_kind("leaf"))) == Share(access=0.0, beyond=0.0)


def test_a_ring_of_hosts_loses_half_of_its_middle():
    graph = host_ring(8)
    found, left = effect(state_of(graph), failed(graph, links=np.array([3])))
    assert found.share == Share(access=0.5, beyond=0.5)
    assert worst_pair(state_of(graph), left, found.reach).left_bytes_per_s == LINK


def test_of_very_many_places_the_likeliest_are_looked_at():
    ways = [Way(nearby=1 - 0.01 * place, found=lambda place=place: 1 - 0.01 * place) for place in range(90)]
    assert least(ways, start=1.0) == pytest.approx(0.11)
    assert least([], start=1.0) == 1.0


def test_it_is_said_how_many_places_were_looked_at(monkeypatch):
    graph = leaves_and_spines(hosts=80, leaves=40, spines=4, up=4)
    regular = share(graph, failed(graph))
    assert regular.places_looked_at == regular.places < MOST_PLACES
    lost = by_chance(graph, links=250, switches=0, seed=1)
    irregular = share(graph, lost)
    assert irregular.places > irregular.places_looked_at == MOST_PLACES
    monkeypatch.setattr("app.engine.fabric.faults.share.MOST_EDGES", 1)
    assert share(graph, lost).places_looked_at == FEWEST_PLACES


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(links=st.integers(0, 10), switches=st.integers(0, 1), seed=st.integers(0, 10**6))
def test_the_worst_pair_is_the_worst_of_all_that_are_left(links, switches, seed):
    graph = leaves_and_spines(hosts=9, leaves=3, spines=2, up=2)
    lost = by_chance(graph, links=links, switches=switches, seed=seed)
    alive = lost.alive_links(graph)
    whole = state_of(graph)
    found, left = effect(whole, lost)
    pair = worst_pair(whole, left, found.reach)
    every = [largest_flow(graph, alive, one, other) for one in range(9) for other in range(one)]
    assert pair.left_bytes_per_s == min(every)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), links=st.integers(0, 10), more=st.integers(0, 6))
def test_more_failures_never_leave_more(seed, links, more):
    """Of what hosts have, who reaches whom, and every tier; a switch may have less to pass on, and so suffice."""
    graph = leaves_and_spines(hosts=9, leaves=3, spines=2, up=2)
    whole = state_of(graph)
    order = np.random.default_rng(seed).permutation(graph.link_count)
    before, after = (effect(whole, failed(graph, links=order[:count]))[0] for count in (links, links + more))
    assert after.reach.joined_pairs <= before.reach.joined_pairs
    assert all(after.tier_share[tier] <= before.tier_share[tier] for tier in graph.tiers)
    if not after.reach.cut_off.any():
        assert after.share.access <= before.share.access
