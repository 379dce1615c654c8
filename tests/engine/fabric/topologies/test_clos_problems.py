"""Problems of Clos networks and ports, and that each fix works."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.problems import fabric_problems
from app.engine.problems import Problem
from tests.engine.fabric.pods import evaluate, nvl72, pod, qm9700, supernode
from tests.support import assumptions, dgx_h100

OPEN = float("nan")


def problems(pod_: Any, kind: Any = None) -> list[Problem]:
    kind = kind or dgx_h100()
    return fabric_problems(
        pod=pod_,
        supernode=kind,
        fabric=evaluate(pod_, kind),
        assumptions=assumptions("fabric", FabricAssumptions),
    )


@pytest.mark.parametrize(
    ("topology", "limit"), [("rail_fat_tree", 8192), ("fat_tree", 8192), ("rail_only", 65_536)]
)
def test_three_tiers_end_where_the_radix_says(topology: str, limit: int) -> None:
    # 64^3 / 4 endpoints of a Clos; rail-only has as many a rail, a node each
    asked = {"topology": topology, "scalable_unit_supernodes": OPEN}
    assert problems(pod(limit, **asked)) == []
    (problem,) = problems(pod(limit + 1, **asked))
    assert (problem.kind, problem.constraint, problem.limit) == ("infeasible", "switch_radix", limit)
    assert problem.fix is not None
    assert problems(pod(float(problem.fix.value), **asked)) == []


def test_dual_top_of_rack_takes_half_the_links_of_half_the_rate() -> None:
    # 128 ports of 200G: 128^3 / 4 links, two a NIC: 524,288 / 16 nodes
    asked = {"topology": "dual_tor", "scalable_unit_supernodes": OPEN}
    (problem,) = problems(pod(40_000, **asked))
    assert problem.limit == 32_768
    assert problems(pod(32_768, **asked)) == []


@pytest.mark.parametrize(
    ("tiers", "size", "limit"),
    [(1, 9, "at most 8 SuperNodes"), (2, 257, "at most 256 SuperNodes")],
)
def test_too_few_tiers_name_what_they_join(tiers: int, size: int, limit: str) -> None:
    (problem,) = problems(pod(size, tiers_asked=tiers))
    assert (problem.kind, problem.field, problem.value) == ("infeasible", "pod.fabric.tiers", tiers)
    assert limit in problem.message
    assert problem.fix is not None
    assert problem.fix.value == tiers + 1
    fixed = dataclasses.replace(pod(size), fabric=pod(size, tiers_asked=problem.fix.value).fabric)
    assert problems(fixed) == []
    assert problems(pod(size - 1, tiers_asked=tiers)) == []


def test_more_tiers_than_it_takes_are_built() -> None:
    assert problems(pod(64, tiers_asked=3)) == []
    assert len(evaluate(pod(64, tiers_asked=3)).tiers) == 3
    assert len(evaluate(pod(8, tiers_asked=2)).tiers) == 2
    (problem,) = problems(pod(2, topology="fat_tree", tiers_asked=2, scalable_unit_supernodes=OPEN))
    assert (problem.kind, problem.limit) == ("warning", 1)


def test_two_tiers_of_racks_on_demand() -> None:
    # a unit of racks has cores from the start; where two tiers are asked for and do, it has none
    assert len(evaluate(pod(8, scalable_unit_supernodes=8), nvl72()).tiers) == 3
    two = evaluate(pod(8, scalable_unit_supernodes=8, tiers_asked=2), nvl72())
    assert [float(tier.switches[0]) for tier in two.tiers] == [32, 9]


def test_spines_without_cores_have_nothing_to_thin_out() -> None:
    (problem,) = problems(pod(64, spine_oversubscription=2))
    assert (problem.kind, problem.field) == ("warning", "pod.fabric.spine_oversubscription")
    assert problem.fix is not None
    assert problems(pod(64, spine_oversubscription=2, tiers_asked=problem.fix.value)) == []


def test_an_odd_port_split_says_what_idles_and_how_many_planes_fill_it() -> None:
    # 400G over three planes: 133G links, of which a 400G port takes two
    (problem,) = problems(pod(64, planes=3))
    assert (problem.kind, problem.constraint) == ("warning", "port_split")
    assert problem.value == pytest.approx(2 / 3 * 50e9)
    assert problem.fix is not None
    assert problem.fix.value == 2
    assert problems(pod(64, planes=problem.fix.value)) == []


def test_a_nic_that_no_number_of_planes_fits_has_no_fix() -> None:
    odd = supernode(scale_out_nic_bandwidth_bytes_per_s=37.5e9)
    (problem,) = problems(pod(64, switch=qm9700(max_logical_ports=64)), odd)
    assert problem.constraint == "port_split"
    assert problem.fix is None


def test_what_a_clos_has_no_place_for_is_said() -> None:
    found = problems(
        pod(64, group_routers=4, router_endpoints=2, router_global_links=2, shape=(np.full(1, 8.0),))
    )
    assert [each.field for each in found] == ["pod.fabric.shape", "pod.fabric.group"]
    assert {each.kind for each in found} == {"warning"}
