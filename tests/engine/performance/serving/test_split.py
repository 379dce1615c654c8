"""Prefill and decode: whole groups, limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.split import (
    Split,
    prefill_per_decode,
    split_of,
    whole_split,
)
from tests.support import number

DAY_S = 86_400


def whole(prefill_rate: float, decode_rate: float, prefill: float, decode: float, most: float) -> Split:
    return whole_split(
        prefill_requests_per_s=number(prefill_rate),
        decode_requests_per_s=number(decode_rate),
        prefill_accelerators=number(prefill),
        decode_accelerators=number(decode),
        accelerators_at_most=number(most),
    )


def test_deepseek_s_day() -> None:
    """DeepSeek-AI 2025-03-01, open-infra-index, inference system overview, 27 to 28 February 2025.

    608 B tokens in, hits of the cache included, and 168 B out in 24 h; 73.7k tokens/s in by a prefill node and
    14.8k tokens/s out by a decode node; 226.75 nodes were in use on average. Requests of 1,000 tokens out, as any.
    """
    tokens_in, tokens_out = 1000 * 608 / 168, 1000.0
    found = whole(73.7e3 / tokens_in, 14.8e3 / tokens_out, 1, 1, 1000)
    asked_per_s = 168e9 / DAY_S / tokens_out
    nodes = asked_per_s / found.requests_per_s[0] * found.accelerators[0]
    assert nodes == pytest.approx(226.75, rel=0.01)
    assert nodes * found.prefill_instances[0] / found.accelerators[0] == pytest.approx(95.5, rel=0.01)


def test_three_to_one() -> None:
    """An instance that prefills 2 a second and one that decodes 6: 3 to 1, and nothing is idle."""
    found = whole(2, 6, 8, 32, 1000)
    assert (found.prefill_instances[0], found.decode_instances[0], found.accelerators[0]) == (3, 1, 56)
    assert found.requests_per_s[0] == 6
    assert found.idle_share[0] == pytest.approx(0)
    ratio = prefill_per_decode(prefill_requests_per_s=number(2), decode_requests_per_s=number(6))
    assert ratio[0] == 3


def test_a_small_pod_wastes_some() -> None:
    """48 accelerators hold 2 of 8 and 1 of 32 only: 4 of 6 requests/s, so a third of the decoding is idle."""
    found = whole(2, 6, 8, 32, 48)
    assert (found.prefill_instances[0], found.decode_instances[0]) == (2, 1)
    assert found.idle_share[0] == pytest.approx((32 / 3) / 48)


def test_a_pod_too_small() -> None:
    found = whole(2, 6, 8, 32, 39)
    assert np.isnan(found.prefill_instances[0])
    assert np.isnan(found.requests_per_s[0])


def test_a_tolerance_makes_groups_smaller() -> None:
    arguments = {
        "prefill_requests_per_s": number(10),
        "decode_requests_per_s": number(10.1),
        "prefill_accelerators": number(8),
        "decode_accelerators": number(8),
        "accelerators_at_most": number(10_000),
    }
    assert whole_split(**arguments).accelerators[0] > 16
    assert whole_split(**arguments, tolerance=0.02).accelerators[0] == 16


@pytest.mark.slow
@given(
    prefill_rate=st.floats(0.1, 50), decode_rate=st.floats(0.1, 50),
    prefill=st.sampled_from([1, 2, 4, 8, 16]), decode=st.sampled_from([1, 8, 32, 72]),
    stated=st.tuples(st.integers(1, 5), st.integers(1, 5)),
)  # fmt: skip
def test_no_group_that_fits_does_better(
    prefill_rate: float, decode_rate: float, prefill: float, decode: float, stated: tuple[int, int]
) -> None:
    own = split_of(
        prefill_instances=number(stated[0]),
        decode_instances=number(stated[1]),
        prefill_requests_per_s=number(prefill_rate),
        decode_requests_per_s=number(decode_rate),
        prefill_accelerators=number(prefill),
        decode_accelerators=number(decode),
    )
    best = whole(prefill_rate, decode_rate, prefill, decode, float(own.accelerators[0]))
    assert best.accelerators[0] <= own.accelerators[0]
    rate = best.requests_per_s[0] / best.accelerators[0]
    assert rate >= own.requests_per_s[0] / own.accelerators[0] * (1 - 1e-9)
    assert -1e-9 <= best.idle_share[0] <= own.idle_share[0] + 1e-9
