"""Problems of a fabric."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.problems import fabric_problems
from app.engine.problems import Problem
from tests.engine.fabric.pods import evaluate, nvl72, pod, qm9700, supernode
from tests.support import assumptions, dgx_h100


def problems(pod_: Any, kind: Any = None) -> list[Problem]:
    kind = kind or dgx_h100()
    return fabric_problems(
        pod=pod_,
        supernode=kind,
        fabric=evaluate(pod_, kind),
        assumptions=assumptions("fabric", FabricAssumptions),
    )


def only(found: list[Problem]) -> Problem:
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    "fine", [pod(1, topology="none", switch=None), pod(2), pod(31, management_ports=4), pod(2048), pod(8192)]
)
def test_a_sound_fabric_has_no_problem(fine: Any) -> None:
    assert problems(fine) == []


def test_three_tiers_end_at_a_quarter_of_the_cubed_radix() -> None:
    # 64-port switches: 64^3 / 4 = 65,536 endpoints, 8,192 servers of 8
    problem = only(problems(pod(8200)))
    assert (problem.kind, problem.constraint) == ("infeasible", "switch_radix")
    assert (problem.value, problem.limit, problem.missed_by) == (8200, 8192, 8)
    assert problem.fix is not None
    assert (problem.fix.field, problem.fix.value) == ("pod.supernodes", 8192)
    assert problems(pod(problem.fix.value)) == []


def test_racks_end_where_the_published_design_does() -> None:
    # DGX GB200 SuperPOD: up to 16 units of 8 racks, 9,216 accelerators
    assert problems(pod(128, scalable_unit_supernodes=8), nvl72()) == []
    problem = only(problems(pod(136, scalable_unit_supernodes=8), nvl72()))
    assert problem.limit == 128


def test_a_unit_with_more_leaves_a_rail_than_spines_reach() -> None:
    problem = only(problems(pod(40, scalable_unit_supernodes=40), nvl72()))
    assert (problem.constraint, problem.value, problem.limit) == ("spine_ports", 40, 32)
    assert problem.fix is not None
    assert problem.fix.value == 32
    assert problems(pod(40, scalable_unit_supernodes=problem.fix.value), nvl72()) == []


def test_a_unit_larger_than_a_leaf_is_cut_and_said() -> None:
    problem = only(problems(pod(128, switch=qm9700(ports=40, max_logical_ports=80))))
    assert (problem.kind, problem.constraint) == ("warning", "leaf_ports")
    assert (problem.value, problem.limit, problem.missed_by) == (32, 20, 12)
    assert problem.fix is not None
    assert problem.fix.value == 20


def test_supernodes_without_a_fabric() -> None:
    problem = only(problems(pod(4, topology="none", switch=None)))
    assert (problem.kind, problem.field) == ("infeasible", "pod.fabric.topology")


def test_a_switch_nobody_named() -> None:
    assert only(problems(pod(4, switch=None))).kind == "missing_input"


def test_nics_that_do_not_spread_over_the_nodes() -> None:
    problem = only(problems(pod(2), supernode(nodes=3, scale_out_nics=8)))
    assert (problem.constraint, problem.limit, problem.missed_by) == ("rails", 9, 1)


def test_management_ports_that_open_a_unit_of_their_own() -> None:
    problem = only(problems(pod(32, management_ports=4)))
    assert (problem.kind, problem.field) == ("warning", "pod.fabric.management_ports")
    assert problem.fix is not None
    assert problems(pod(float(problem.fix.value), management_ports=4)) == []
