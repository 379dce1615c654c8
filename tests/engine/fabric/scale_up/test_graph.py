"""The graph of a domain holds the formulas to account: counts, distances and the thinnest cut."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse import csgraph

from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.scale_up.graph import scale_up_graph
from app.engine.specs import ScaleUpPlan
from tests.engine.fabric.scale_up.plans import (
    cloudmatrix384,
    dgx_h100_256,
    evaluated,
    mesh,
    nvl72,
    nvl576,
    plan,
    torus,
)
from tests.support import number

SMALL = [
    (nvl72(planes=2, switch_ports=8, links_per_accelerator=4), 4),
    (nvl72(planes=3, switch_ports=4, links_per_accelerator=3, taper=1), 8),
    (plan("switch_planes", planes=1, switch_ports=6, links_per_accelerator=2, taper=2), 4),
    (torus(4), 4),
    (torus(2, 3), 6),
    (torus(4, 2), 8),
    (torus(4, 4, link_bandwidth_bytes_per_s=1e9), 16),
    (torus(3, 1, 4), 12),
    (mesh(links_per_accelerator=3), 4),
    (mesh(links_per_accelerator=14), 8),
]


def distances(graph: FabricGraph) -> np.ndarray:
    """Links between every two accelerators."""
    size = graph.device_count
    ones = np.ones(graph.link_count)
    matrix = sparse.coo_matrix((ones, (graph.links.lower, graph.links.upper)), shape=(size, size)).tocsr()
    ends = graph.of_kind("accelerator")
    found: np.ndarray = csgraph.shortest_path(matrix, directed=False, unweighted=True, indices=ends)[:, ends]
    return found


def thinnest_cut(graph: FabricGraph) -> float:
    """Least bandwidth that parts the accelerators into halves, switches on whichever side costs less."""
    ends = graph.of_kind("accelerator").tolist()
    bandwidth = graph.link_bandwidth_bytes_per_s[graph.links.tier]
    chips = [device for device in range(graph.device_count) if device not in ends]
    best = np.inf
    for half in itertools.combinations(ends[1:], len(ends) // 2):
        side = np.zeros(graph.device_count, bool)
        side[list(half)] = True
        for chosen in itertools.product((False, True), repeat=len(chips)):
            side[chips] = chosen
            cut = bandwidth[side[graph.links.lower] != side[graph.links.upper]].sum()
            best = min(best, float(cut))
    return best


@pytest.mark.parametrize(("given_plan", "accelerators"), SMALL)
def test_counts_and_distances_are_those_of_the_graph(given_plan: ScaleUpPlan, accelerators: int) -> None:
    graph = scale_up_graph(given_plan, number(accelerators))
    found = evaluated(given_plan, accelerators)
    chips = graph.device_count - accelerators
    assert (graph.link_count, chips) == (*found.links_total, *found.switches_total)
    assert tuple(tier.name for tier in found.tiers) == graph.tiers
    for tier in found.tiers:
        assert graph.of_tier(tier.name).size == tier.links
    apart = distances(graph)
    assert apart.max() == found.diameter_links
    pairs = accelerators * (accelerators - 1)
    assert apart.sum() / pairs == pytest.approx(float(found.mean_distance_links[0]))


# odd sides cannot be halved, and two tiers of a small domain have too many chips to try every cut
@pytest.mark.parametrize(
    ("given_plan", "accelerators"),
    [SMALL[0], SMALL[2], SMALL[3], SMALL[5], (torus(2, 4, link_bandwidth_bytes_per_s=1e9), 8), *SMALL[8:]],
)
def test_the_bisection_is_the_thinnest_cut(given_plan: ScaleUpPlan, accelerators: int) -> None:
    graph = scale_up_graph(given_plan, number(accelerators))
    found = evaluated(given_plan, accelerators)
    assert thinnest_cut(graph) == pytest.approx(float(found.bisection_bandwidth_bytes_per_s[0]))


@pytest.mark.parametrize(
    ("given_plan", "accelerators"),
    [
        (nvl72(), 72), (nvl576(), 576), (dgx_h100_256(), 256), (cloudmatrix384(), 384),
        (torus(16, 16, 16, cube_side=4), 4096), (torus(4, 4, 4), 64), (mesh(), 8),
    ],
)  # fmt: skip
def test_no_port_is_used_twice_and_no_chip_has_too_many(given_plan: ScaleUpPlan, accelerators: int) -> None:
    graph = scale_up_graph(given_plan, number(accelerators))
    links = graph.links
    used = np.concatenate(
        [np.stack([links.lower, links.lower_port]), np.stack([links.upper, links.upper_port])], axis=1
    )
    assert np.unique(used, axis=1).shape[1] == 2 * graph.link_count
    of_each = np.bincount(used[0])
    assert (of_each[graph.of_kind("accelerator")] == given_plan.links_per_accelerator).all()
    if given_plan.switch_ports is not None:
        top = graph.of_kind("upper_chip" if given_plan.taper is not None else "chip")
        assert of_each[top].max() <= given_plan.switch_ports
        assert of_each[top].max() - of_each[top].min() <= 0  # all alike


def test_optical_links_are_those_between_cubes() -> None:
    graph = scale_up_graph(torus(8, 8, 4, cube_side=4), number(256))
    assert graph.of_tier("optical").size == 4 * 96 / 2
    assert graph.of_tier("copper").size == 4 * 144


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=3).filter(lambda sides: np.prod(sides) > 1))
def test_any_torus_has_the_distances_of_its_formulas(sides: list[int]) -> None:
    accelerators = int(np.prod(sides))
    graph = scale_up_graph(torus(*sides), number(accelerators))
    found = evaluated(torus(*sides), accelerators)
    apart = distances(graph)
    assert graph.link_count == found.links_total
    assert apart.max() == found.diameter_links
    pairs = accelerators * (accelerators - 1)
    assert apart.sum() / pairs == pytest.approx(float(found.mean_distance_links[0]))
