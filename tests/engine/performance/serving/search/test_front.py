"""What nothing beats in two figures, against the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.search.front import undominated

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=25)


@pytest.mark.slow
@given(PAIRS)
def test_the_front_is_what_no_other_pair_beats(pairs: list[tuple[int, int]]) -> None:
    first, second = (np.array([pair[place] for pair in pairs], dtype=float) for place in (0, 1))
    front = undominated(first, second)
    kept = {pairs[place] for place in front}
    beaten = {
        own for own in pairs
        if any(a >= own[0] and b >= own[1] and (a, b) != own for a, b in pairs)
    }  # fmt: skip
    assert kept == set(pairs) - beaten
    assert len(kept) == front.size  # equal ones once
    assert list(first[front]) == sorted(first[front], reverse=True)


def test_what_is_unknown_is_on_no_front() -> None:
    first, second = np.array([np.nan, 2.0, 1.0, np.inf]), np.array([9.0, np.nan, 1.0, 1.0])
    assert undominated(first, second).tolist() == [2]
    assert undominated(np.zeros(0), np.zeros(0)).size == 0
