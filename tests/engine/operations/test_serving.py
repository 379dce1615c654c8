"""Replicas that fail and start again: no checkpoints, weights on storage, and the time that they answer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.engine.operations.problems import operations_problems
from app.engine.operations.section import NOT_OF_SERVING, Reliability
from tests.engine.operations.runs import evaluate, operations, pod, with_assumptions
from tests.engine.performance.serving.pods import workload
from tests.support import number

WEIGHTS = 700e9


def served(**changes: Any) -> Reliability:
    """Four replicas on four DGX H100."""
    given: dict[str, Any] = {
        "workload": workload(),
        "pod": pod(supernodes=4, accelerators_used=32),
        "operations": operations(read=10e9),
        "performance": SimpleNamespace(
            weights_bytes=number(WEIGHTS),
            accelerators_per_replica=number(8),
            accelerators_per_replica_by_kind=None,
        ),
    }
    return evaluate(**given | changes)


def test_there_are_no_checkpoints_and_no_run() -> None:
    found = served()
    assert found.checkpoint_scheme == "none"
    assert all(getattr(found, name) is None for name in NOT_OF_SERVING)


def test_a_replica_is_back_once_its_weights_are_read() -> None:
    found = served(assumptions=with_assumptions(restart_overhead_s=300, detection_s=45))
    assert found.weights_load_s is not None
    assert found.weights_load_s[0] == WEIGHTS / 10e9
    assert found.restart_s[0] == 45 + 300 + 70


@pytest.mark.parametrize("supernodes", [1, 2, 16, 1000])
def test_a_replica_fails_as_often_in_a_pod_of_any_size(supernodes: float) -> None:
    """One host of 8, a failure in 200 days."""
    found = served(
        pod=pod(supernodes=supernodes, accelerators_used=8 * supernodes),
        assumptions=with_assumptions(failures_per_node_day=0.005),
    )
    assert found.replica_mtbf_s is not None
    assert found.replica_mtbf_s[0] == pytest.approx(200 * 86400)
    assert found.mtbf_s[0] == pytest.approx(200 * 86400 / supernodes)


@pytest.mark.parametrize(("accelerators", "hosts"), [(1, 1), (8, 1), (12, 2), (32, 4)])
def test_every_host_of_a_replica_can_interrupt_it(accelerators: float, hosts: float) -> None:
    made = SimpleNamespace(
        weights_bytes=number(WEIGHTS),
        accelerators_per_replica=number(accelerators),
        accelerators_per_replica_by_kind=None,
    )
    found = served(performance=made, assumptions=with_assumptions(failures_per_node_day=0.01))
    assert found.replica_mtbf_s is not None
    assert found.replica_mtbf_s[0] == pytest.approx(100 * 86400 / hosts)


def test_a_replica_answers_but_for_the_time_it_is_away() -> None:
    found = served()
    assert found.replica_mtbf_s is not None
    assert found.replica_availability is not None
    away = float((found.restart_s + found.waiting_s)[0])
    between = float(found.replica_mtbf_s[0])
    assert found.replica_availability[0] == pytest.approx(between / (between + away))


def test_what_never_fails_always_answers() -> None:
    with np.errstate(divide="ignore", invalid="ignore"):  # as during every evaluation
        found = served(assumptions=with_assumptions(failures_per_node_day=0))
    assert found.replica_availability is not None
    assert found.replica_availability[0] == 1


def test_storage_holds_the_weights() -> None:
    found = served(
        operations=operations(read=10e9, write=1.0), assumptions=with_assumptions(storage_usable_share=0.5)
    )
    assert found.storage_flash_bytes[0] >= WEIGHTS


def test_no_problem_of_checkpoints_is_raised() -> None:
    assert operations_problems(operations=operations(checkpoint="blocking"), reliability=served()) == []


def test_a_run_has_no_replicas() -> None:
    found = evaluate()
    assert found.replica_availability is None
    assert found.weights_bytes is None


def test_a_replica_on_two_kinds_of_supernode_is_interrupted_by_hosts_of_each() -> None:
    """Four accelerators of one host and four of another, not eight of one."""
    made = SimpleNamespace(
        weights_bytes=number(WEIGHTS),
        accelerators_per_replica=number(8),
        accelerators_per_replica_by_kind=(number(4), number(0), number(4)),
    )
    found = served(performance=made, assumptions=with_assumptions(failures_per_node_day=0.01))
    assert found.replica_mtbf_s is not None
    assert found.replica_mtbf_s[0] == pytest.approx(100 * 86400 / 2)
