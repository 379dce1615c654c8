"""Work that waits for better hours: as much is done, never more than a whole hour in an hour."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.engine.facility.savings.saved import activity_by_hour, scheduled_over_even, use_of_slower_work
from tests.support import number

SIGNALS = hnp.arrays(float, st.integers(1, 60), elements=st.floats(1, 2))
SHARES = st.floats(0, 1)


def activity(signal, use, flexible_share, window_h):
    return activity_by_hour(
        signal=np.array(signal, dtype=float),
        use=number(use),
        flexible_share=number(flexible_share),
        window_h=number(window_h),
    )


@pytest.mark.slow
@given(SIGNALS, st.floats(0.01, 1), SHARES, st.integers(1, 30))
def test_as_much_work_is_done_in_every_window(signal, use, flexible, window):
    found = activity(signal, use, flexible, window)
    assert found.min() >= use * (1 - flexible) - 1e-12
    assert found.max() <= 1 + 1e-12
    for start in range(0, signal.size, window):
        part = found[start : start + window]
        assert part.sum() == pytest.approx(use * part.size, abs=1e-9)
    assert scheduled_over_even(activity=found, hourly=signal)[0] <= 1 + 1e-9


def test_four_hours_by_hand():
    """Half of the work can wait: a quarter stays in every hour, the rest fills the two best hours in turn."""
    found = activity([1.3, 1.1, 1.2, 1.4], 0.5, 0.5, 4)
    assert found.tolist() == [0.25, 1.0, 0.5, 0.25]
    saved = 1 - scheduled_over_even(activity=found, hourly=np.array([1.3, 1.1, 1.2, 1.4]))
    even = 1.25
    moved = (0.25 * 1.3 + 1.0 * 1.1 + 0.5 * 1.2 + 0.25 * 1.4) / 2
    assert saved == pytest.approx(1 - moved / even)


def test_the_best_hours_are_filled_as_no_other_plan_fills_them():
    signal = np.array([1.5, 1.1, 1.2, 1.4, 1.3, 1.0])
    best = (activity(signal, 0.6, 0.4, 6) * signal).sum()
    generator = np.random.default_rng(3)
    for _ in range(300):  # random plans with the same bounds and the same work
        plan = 0.36 + 0.64 * generator.random(6)
        plan = np.clip(plan * 3.6 / plan.sum(), 0.36, 1)
        if abs(plan.sum() - 3.6) < 1e-9:
            assert (plan * signal).sum() >= best - 1e-9


def test_a_pod_that_always_works_has_nowhere_to_go():
    assert activity([1.3, 1.1, 1.2], 1.0, 0.5, 3).tolist() == [1, 1, 1]


def test_hours_that_are_alike_are_left_alike():
    assert activity([1.2] * 5, 0.5, 0.5, 5) == pytest.approx([0.5] * 5)


def test_slower_work_takes_more_hours_and_never_more_than_there_are():
    use = use_of_slower_work(
        use=number(0.8), elapsed_time_s=np.array([11.0, 14.0]), baseline_elapsed_time_s=number(10)
    )
    assert use == pytest.approx([0.88, 1])
