"""Time that it takes to hand a pod over, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.shared import switching


def one(value: float) -> np.ndarray:
    return np.array([float(value)])


def test_a_run_starts_reads_its_checkpoint_and_writes_one() -> None:
    found = switching.switching_of_a_run_s_per_day(
        start_up_s=one(60), checkpoint_read_s=one(10), checkpoint_write_s=one(20)
    )
    assert found[0] == 90


def test_every_instance_reads_the_weights_from_the_same_storage() -> None:
    count = switching.instances(replicas=one(4), instances_per_replica=one(3))
    found = switching.switching_of_a_service_s_per_day(
        start_up_s=one(60), instances=count, weights_load_s=one(5)
    )
    assert found[0] == 60 + 12 * 5


@pytest.mark.parametrize(
    ("share", "lost_s", "expected"),
    [(0.5, 0, 0.5), (0.5, 8640, 0.4), (0.1, 8640, 0.0), (0.1, 86_400, 0.0), (0.1, np.inf, 0.0)],
    ids=["nothing lost", "a tenth of the day", "all that it has", "more than that", "endless"],
)
def test_switching_is_taken_off_the_hours(share: float, lost_s: float, expected: float) -> None:
    working = switching.working_share(share=one(share), switching_s_per_day=one(lost_s))
    assert working[0] == pytest.approx(expected, abs=1e-12)
    assert switching.working_hours_per_day(working_share=working)[0] == pytest.approx(24 * expected, abs=1e-9)


def test_what_is_unknown_stays_unknown() -> None:
    working = switching.working_share(share=one(0.5), switching_s_per_day=one(np.nan))
    assert np.isnan(working[0])
