"""Uplinks that differ by one: fewer spines, and what they leave of the bisection."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from app.engine.fabric.faults.failed import nothing_failed
from app.engine.fabric.faults.flow import capacities, flow_bytes_per_s
from app.engine.fabric.topologies.clos.upper_tiers import sure_leaf_uplinks
from tests.engine.fabric.pods import counts, evaluate, pod, qm9700
from tests.engine.fabric.topologies.asks import host
from tests.engine.fabric.topologies.brute_force import agrees, built
from tests.support import number, part_of

LINK = 50e9


def uneven(hosts: int, radix: int = 64, *, spread: str = "within_one", ports: int = 1, **plan):
    switch = qm9700(ports=radix, max_logical_ports=radix)
    design = pod(
        hosts,
        **(
            {
                "topology": "fat_tree",
                "switch": switch,
                "spine_spread": spread,
                "scalable_unit_supernodes": float("nan"),
            }
            | plan
        ),
    )
    return design, host(ports)


def test_a_thousand_endpoints_at_two_to_one_take_eight_spines_in_place_of_21() -> None:
    """42 down and 21 up of 64 ports: 24 leaves, 504 uplinks, 7.9 spines; 21 divides by 1, 3, 7 and 21."""
    even = evaluate(*uneven(1000, spread="even", oversubscription=2))
    within = evaluate(*uneven(1000, oversubscription=2))
    assert counts(even)[:2] == (24, 21)
    assert counts(within)[:2] == (24, 8)
    assert float(even.evenness_switches[0]) == 13
    assert float(even.evenness_price_usd[0]) == 13 * 32_000
    assert float(within.evenness_switches[0]) == float(within.evenness_price_usd[0]) == 0
    assert within.oversubscription.tolist() == even.oversubscription.tolist() == [2.0]


def test_three_units_of_a_superpod_take_twelve_spines_in_place_of_sixteen() -> None:
    """Published SuperPODs of three units have 16: 32 uplinks do not spread evenly over 12."""
    found = evaluate(pod(96, spine_spread="within_one"))
    assert counts(found) == (24, 12, 0)
    assert counts(evaluate(pod(96))) == (24, 16, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(60)))
def test_leaves_differ_by_one_link_and_no_spine_is_overfull(seed: int) -> None:
    draw = np.random.default_rng(seed)
    radix = int(draw.choice([8, 12, 16, 24, 32, 64]))
    over = float(draw.choice([1, 1.5, 2, 3, 4]))
    down = int(radix * over / (1 + over))
    hosts = int(draw.integers(down + 1, radix * down + 1))
    found = built(*uneven(hosts, radix, oversubscription=over))
    even = built(*uneven(hosts, radix, spread="even", oversubscription=over))
    if len(found.fabric.tiers) != 2:
        return
    agrees(found)
    graph = found.graph
    leaves, spines = graph.of_kind("leaf"), graph.of_kind("spine")
    between = graph.of_tier("spine")
    table = np.zeros((leaves.size, spines.size), int)
    np.add.at(table, (graph.links.lower[between] - leaves[0], graph.links.upper[between] - spines[0]), 1)
    assert np.ptp(table, axis=1).max() <= 1  # of one leaf
    assert table.min() >= 1  # every leaf reaches every spine
    assert table.sum(axis=0).max() <= radix
    assert np.ptp(table.sum(axis=0)) <= 1
    assert spines.size == -(-table.sum() // radix)  # none fewer would do
    built_even = even.graph.of_kind("spine").size
    assert built_even - spines.size == float(even.fabric.evenness_switches[0])
    said, most = (float(one.fabric.bisection_bandwidth_bytes_per_s[0]) for one in (found, even))
    assert said <= most
    if table.min() == table.max():
        assert said == most


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hosts", "radix", "over"),
    [(20, 8, 5 / 3), (40, 8, 5 / 3), (30, 12, 1.5), (28, 12, 1.5), (36, 12, 3), (64, 16, 1), (60, 16, 1.7)],
)
def test_no_halving_of_leaves_has_less_than_the_bisection_that_is_said(
    hosts: int, radix: int, over: float
) -> None:
    """The largest flow between all halves of full leaves, an even number of them."""
    found = built(*uneven(hosts, radix, oversubscription=over))
    graph = found.graph
    ends = graph.of_tier("leaf")
    leaf_of = np.empty(graph.of_kind("host").size, int)
    leaf_of[graph.links.lower[ends]] = graph.links.upper[ends]
    leaves, size = np.unique(leaf_of, return_counts=True)
    full = leaves[size == size.max()][: leaves.size // 2 * 2]
    if full.size % 2:
        full = full[:-1]
    edges = capacities(graph, nothing_failed(graph).alive_links(graph))
    share = float(found.fabric.bisection_bandwidth_bytes_per_s[0]) / (hosts / 2 * LINK)
    flows = []
    for half in combinations(full.tolist(), full.size // 2):
        one = np.flatnonzero(np.isin(leaf_of, half))
        other = np.flatnonzero(np.isin(leaf_of, np.setdiff1d(full, half)))
        flows.append(flow_bytes_per_s(edges, one, other) / (one.size * LINK))
    assert min(flows) >= share * (1 - 1e-9)
    assert max(flows) <= 1


def test_what_is_sure_of_the_uplinks() -> None:
    def sure(uplinks: float, spines: float, tiers: float = 2) -> float:
        return float(
            sure_leaf_uplinks(
                tier_count=number(tiers), leaf_uplinks=number(uplinks), spines_per_plane=number(spines)
            )[0]
        )

    assert sure(32, 16) == 32  # evenly
    assert sure(32, 12) == 28  # 8 of 12 spines have a third link: 24, and 2 x 8 - 12
    assert sure(21, 8) == 18
    assert sure(3, 2) == 2
    assert sure(32, 12, tiers=3) == 32  # groups of leaves reach theirs evenly
