"""What each workload has of a pod: whole SuperNodes, or hours of the day."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.shared import shares


def one(value: float) -> np.ndarray:
    return np.array([float(value)])


@pytest.mark.parametrize(
    ("share", "supernodes", "expected"),
    [(0.25, 8, 2), (0.4, 8, 3), (0.3, 8, 2), (0.5, 3, 2), (0.001, 8, 1), (0.9, 1, 1)],
    ids=["exact", "3.2 down", "2.4 down", "half up", "never none", "one there is"],
)
def test_a_share_of_the_pod_is_whole_supernodes(share: float, supernodes: int, expected: int) -> None:
    found = shares.supernodes_of_share(share=one(share), supernodes=one(supernodes))
    assert found[0] == expected


def test_the_first_has_what_the_others_leave() -> None:
    left = shares.supernodes_left(supernodes=one(8), others_supernodes=(one(2), one(1)))
    assert left[0] == 5
    assert shares.rest_of_day(others_shares=(one(0.25), one(0.125)))[0] == 0.625


@given(
    st.lists(st.floats(min_value=0.01, max_value=0.12), min_size=1, max_size=7),
    st.integers(min_value=8, max_value=5000),
)
def test_supernodes_and_shares_add_up_to_the_pod(stated: list[float], supernodes: int) -> None:
    pod = one(supernodes)
    others = tuple(shares.supernodes_of_share(share=one(share), supernodes=pod) for share in stated)
    counts = (shares.supernodes_left(supernodes=pod, others_supernodes=others), *others)
    assert sum(count[0] for count in counts) == supernodes
    parts = [shares.share_of_pod(supernodes_of_workload=count, supernodes=pod)[0] for count in counts]
    assert sum(parts) == pytest.approx(1)
    for share, count in zip(stated, others, strict=True):
        assert abs(count[0] - share * supernodes) <= 1


def test_samples_are_taken_at_once() -> None:
    found = shares.supernodes_of_share(share=one(0.5), supernodes=np.array([[2.0], [9.0]]))
    np.testing.assert_array_equal(found, [[1.0], [5.0]])
