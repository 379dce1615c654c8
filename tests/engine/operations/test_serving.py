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
        "performance": SimpleNamespace(weights_bytes=number(WEIGHTS), replicas=number(4)),
    }
    return evaluate(**given | changes)


def test_there_are_no_checkpoints_and_no_run() -> None:
    found = served()
    assert found.checkpoint_scheme == "none"
    assert all(getattr(found, name) is None for name in NOT_OF_SERVING)


def test_a_replica_is_back_once_its_weights_are_read() -> None:
    found = served(assumptions=with_assumptions(restart_overhead_s=300))
    assert found.weights_load_s is not None
    assert found.weights_load_s[0] == WEIGHTS / 10e9
    assert found.restart_s[0] == 300 + 70


def test_failures_of_the_pod_are_shared_out_over_its_replicas() -> None:
    found = served()
    assert found.replica_mtbf_s is not None
    assert found.replica_mtbf_s[0] == 4 * found.mtbf_s[0]


def test_a_replica_answers_but_for_the_time_it_is_away() -> None:
    found = served()
    assert found.replica_mtbf_s is not None
    assert found.replica_availability is not None
    away = float((found.restart_s + found.waiting_s)[0])
    between = float(found.replica_mtbf_s[0])
    assert found.replica_availability[0] == pytest.approx(between / (between + away))


def test_what_never_fails_always_answers() -> None:
    with np.errstate(divide="ignore", invalid="ignore"):  # as during every evaluation
        found = served(assumptions=with_assumptions(failures_per_node_day=0, job_failures_per_day=0))
    assert found.replica_availability is not None
    assert found.replica_availability[0] == 1


def test_storage_holds_the_weights() -> None:
    found = served(
        operations=operations(read=10e9, write=1.0), assumptions=with_assumptions(storage_usable_share=0.5)
    )
    assert found.storage_capacity_bytes[0] == pytest.approx(2 * WEIGHTS)


def test_no_problem_of_checkpoints_is_raised() -> None:
    assert operations_problems(operations=operations(checkpoint="blocking"), reliability=served()) == []


def test_a_run_has_no_replicas() -> None:
    found = evaluate()
    assert found.replica_availability is None
    assert found.weights_bytes is None
