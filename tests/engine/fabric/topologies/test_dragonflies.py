"""Dragonfly and dragonfly+: counts of the papers, brute force on small ones, what is too much for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.problems import fabric_problems
from app.engine.problems import Problem
from tests.engine.fabric.pods import evaluate, pod, qm9700, supernode
from tests.engine.fabric.topologies.brute_force import agrees, bisection, built, distances
from tests.support import assumptions

KINDS = ["dragonfly", "dragonfly_plus"]


def node(nics: int = 1) -> Any:
    return supernode(accelerators=nics, scale_out_nics=nics)


def ports(count: int) -> Any:
    return qm9700(ports=count, max_logical_ports=2 * count)


def grouped(size: int, topology: str, routers: int, endpoints: int, links: int, **changes: Any) -> Any:
    return pod(
        size,
        topology=topology,
        group_routers=routers,
        router_endpoints=endpoints,
        router_global_links=links,
        **changes,
    )


def counted(size: int, topology: str, switch: Any, nics: int = 1) -> dict[str, tuple[float, float]]:
    fabric = evaluate(pod(size, topology=topology, switch=switch), node(nics))
    return {tier.name: (float(tier.switches[0]), float(tier.links[0])) for tier in fabric.tiers}


def test_the_example_of_the_dragonfly_paper() -> None:
    # Kim 2008, figure 5: p = h = 2, a = 4, routers of 7 ports, 9 groups, 72 endpoints
    found = counted(72, "dragonfly", ports(7))
    assert found == {"router": (36, 72), "local": (0, 9 * 6), "global": (0, 36)}
    fabric = evaluate(pod(72, topology="dragonfly", switch=ports(7)), node())
    assert float(fabric.diameter_links[0]) == 5  # three between routers
    assert float(fabric.scalable_units[0]) == 9


def test_routers_of_64_ports_reach_the_scale_of_the_paper() -> None:
    # Kim 2008: radix 64 reaches over 256 K nodes; balanced 4 p - 1 <= 64: p = 16, a = 32, 513 groups
    limit = 16 * 32 * 513
    assert limit > 256 * 1024
    assert counted(limit, "dragonfly", ports(64))["router"] == (32 * 513, limit)
    problems_found = problems(pod(limit + 1, topology="dragonfly", switch=ports(64)), node())
    assert [each.constraint for each in problems_found] == ["global_links"]
    assert problems_found[0].limit == limit


def test_the_largest_dragonfly_plus_of_a_radix() -> None:
    # Shpiner 2017: half the ports down, half up: k^2 / 4 hosts a group, k^2 / 4 + 1 groups
    k = 8
    limit = (k * k // 4) * (k * k // 4 + 1)
    found = counted(limit, "dragonfly_plus", ports(k))
    groups = k * k // 4 + 1
    assert found == {
        "leaf": (groups * k / 2, limit),
        "spine": (groups * k / 2, groups * k * k / 4),
        "global": (0, groups * (groups - 1) / 2),
    }


def test_fewer_groups_than_ports_have_trunks() -> None:
    # 2 groups of 4 routers with 2 global links each: all 8 between the two
    found = built(grouped(16, "dragonfly", 4, 2, 2, switch=ports(8)), node())
    assert found.graph.of_tier("global").size == 8
    assert float(found.shape.oversubscription[0]) == 1
    # every router has a link to the other group: at most one more inside
    assert float(found.fabric.diameter_links[0]) == np.nanmax(distances(found)) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topology", "size", "routers", "endpoints", "links"),
    [
        ("dragonfly", 8, 2, 1, 1), ("dragonfly", 8, 4, 1, 1), ("dragonfly", 12, 4, 1, 2),
        ("dragonfly", 4, 4, 1, 1), ("dragonfly_plus", 8, 2, 2, 1), ("dragonfly_plus", 4, 2, 2, 2),
    ],
)  # fmt: skip
def test_no_half_is_parted_by_fewer_links(
    topology: str, size: int, routers: int, endpoints: int, links: int
) -> None:
    found = built(grouped(size, topology, routers, endpoints, links, switch=ports(16)), node())
    assert bisection(found.graph) == float(found.shape.bisection_links[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topology", "size", "routers", "endpoints"),
    [("dragonfly", 6, 2, 1), ("dragonfly", 12, 4, 1), ("dragonfly_plus", 12, 2, 2)],
)
def test_an_odd_number_of_groups_is_parted_by_no_more_links(
    topology: str, size: int, routers: int, endpoints: int
) -> None:
    found = built(grouped(size, topology, routers, endpoints, 1, switch=ports(16)), node())
    assert float(found.shape.units[0]) == 3
    trunk = found.graph.of_tier("global").size / 3
    assert trunk <= bisection(found.graph) <= float(found.shape.bisection_links[0])


@pytest.mark.slow
@pytest.mark.parametrize("topology", KINDS)
@pytest.mark.parametrize("size", [1, 2, 7, 13, 16, 30, 41, 72])
def test_balanced_shape_and_graph_agree(topology: str, size: int) -> None:
    found = built(pod(size, topology=topology, switch=ports(8), planes=2), node(2))
    agrees(found)
    apart = distances(found)
    if found.can_be_built and np.isfinite(apart).any():
        assert np.nanmean(apart) == pytest.approx(float(found.shape.mean_path_links[0]))
        assert np.nanmax(apart) <= float(found.fabric.diameter_links[0])


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    topology=st.sampled_from(KINDS),
    size=st.integers(2, 40),
    routers=st.integers(1, 5),
    endpoints=st.integers(1, 3),
    links=st.integers(1, 4),
    nics=st.sampled_from([1, 2]),
    managers=st.sampled_from([0, 1]),
)
def test_stated_groups_agree_with_their_graph(  # type: ignore[no-untyped-def]
    topology, size, routers, endpoints, links, nics, managers
) -> None:
    found = built(
        grouped(size, topology, routers, endpoints, links, switch=ports(16), management_ports=managers),
        node(nics),
    )
    agrees(found)
    if not found.can_be_built or managers:
        return
    apart = distances(found)
    assert np.nanmean(apart) == pytest.approx(float(found.shape.mean_path_links[0]))
    assert np.nanmax(apart) <= float(found.fabric.diameter_links[0])


@pytest.mark.parametrize("topology", KINDS)
def test_many_sizes_at_once_are_the_sizes_one_by_one(topology: str) -> None:
    sizes = np.array([2.0, 9, 31, 64, 95, 352, 2048])
    together = evaluate(pod(sizes[:, None], topology=topology))  # type: ignore[arg-type]
    for place, size in enumerate(sizes):
        alone = evaluate(pod(float(size), topology=topology))
        for name in ("switches_total", "links_total", "mean_distance_links"):
            assert getattr(alone, name)[0] == pytest.approx(getattr(together, name)[place, 0])


def problems(pod_: Any, kind: Any) -> list[Problem]:
    return fabric_problems(
        pod=pod_,
        supernode=kind,
        fabric=evaluate(pod_, kind),
        assumptions=assumptions("fabric", FabricAssumptions),
    )


@pytest.mark.parametrize("topology", KINDS)
def test_more_than_it_joins_names_the_limit_which_works(topology: str) -> None:
    (problem,) = problems(pod(500, topology=topology, switch=ports(8)), node())
    assert (problem.kind, problem.constraint, problem.field) == (
        "infeasible", "global_links", "pod.supernodes",
    )  # fmt: skip
    assert problem.fix is not None
    assert problems(pod(float(problem.fix.value), topology=topology, switch=ports(8)), node()) == []
    assert problems(pod(float(problem.fix.value) + 1, topology=topology, switch=ports(8)), node()) != []


@pytest.mark.parametrize("topology", KINDS)
def test_a_group_that_needs_more_ports_than_a_switch_has(topology: str) -> None:
    wide = grouped(16, topology, 6, 4, 4, switch=ports(8))
    (problem,) = problems(wide, node())
    assert (problem.constraint, problem.limit, problem.field) == ("switch_radix", 8, "pod.fabric.group")
    assert problem.value == (13 if topology == "dragonfly" else 10)
    assert problem.fix is not None


def test_what_a_dragonfly_has_no_place_for_is_said() -> None:
    found = problems(pod(8, topology="dragonfly", tiers_asked=2, oversubscription=2), node())
    assert [each.field for each in found] == ["pod.fabric.tiers", "pod.fabric.oversubscription"]
    assert {each.kind for each in found} == {"warning"}
