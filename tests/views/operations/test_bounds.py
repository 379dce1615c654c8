"""What cannot be is refused or named, with the limit."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario


def evaluated(**changes: Any) -> Any:
    return evaluate_scenario(build_scenario(scenario(**changes)), ready_catalog())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "limit"),
    [
        ("failures_per_node_day", 0, "0.000001"),
        ("failures_per_node_day", -0.01, "0.000001"),
        ("corruptions_per_accelerator_hour", -1e-7, "0"),
        ("corruption_found_at_validation", 2, "1"),
        ("validation_steps", 0, "0.001"),
        ("node_recovery_share", 1.5, "1"),
        ("node_write_bandwidth_bytes_per_s", 0, "1,000,000"),
        ("node_read_bandwidth_bytes_per_s", -1, "1,000,000"),
        ("rack_mtbf_hours", 0, "1"),
        ("rack_mttr_hours", -8, "0"),
        ("plane_mtbf_hours", -1, "1"),
        ("drain_bandwidth_share", 0, "0.01"),
        ("detection_s", -60, "0"),
        ("local_recovery_share", 1.01, "1"),
    ],
)
def test_assumptions_beyond_their_range_are_refused(name: str, value: float, limit: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        evaluated(assumptions={f"operations.{name}": value})
    words = str(refused.value)
    assert name in words
    assert limit.replace(",", "") in words.replace(",", "") or f"{float(limit.replace(',', '')):g}" in words


def test_a_drain_slower_than_the_interval_is_named_with_the_bandwidth_that_mends_it() -> None:
    for scheme in ("two_level", "three_level"):
        slow = {"write_bandwidth_bytes_per_s": 1e7, "read_bandwidth_bytes_per_s": 4e8}
        found = evaluated(operations__checkpoint=scheme, operations__storage=slow).evaluation
        problem = next(one for one in found.problems if one.constraint == "drain of checkpoints")
        assert problem.value > problem.limit
        mended = {**slow, "write_bandwidth_bytes_per_s": problem.fix.value * 1.01}
        again = evaluated(operations__checkpoint=scheme, operations__storage=mended).evaluation
        assert all(one.constraint != "drain of checkpoints" for one in again.problems)
