"""Schedules by name: groups of micro-batches, bubbles and memory against published tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.activations import chunks_in_flight, last_chunks_in_flight
from app.engine.performance.pipeline import (
    dualpipe_bubble_s,
    one_f_one_b_bubble_s,
    zero_bubble_h1_bubble_s,
    zero_bubble_v_bubble_s,
)
from app.engine.performance.schedules import (
    CODES,
    FORMER_KEYS,
    SCHEDULES,
    micro_batch_group,
    possible_schedules,
)


def one(value: float) -> np.ndarray:
    return np.full(1, float(value))


def bubble(
    key: str, pp: int, m: int, v: int = 1, forward: float = 1, backward: float = 1, weight: float = 1
) -> float:
    stages = {"pipeline_parallel": one(pp)}
    counted = stages | {"micro_batches": one(m)}
    passes = {
        "forward_s": one(forward), "input_gradient_s": one(backward), "weight_gradient_s": one(weight),
    }  # fmt: skip
    found = {
        "1f1b": one_f_one_b_bubble_s(**counted, virtual_stages=one(v), mean_stage_s=sum(passes.values())),
        "zb_h1": zero_bubble_h1_bubble_s(**counted, **passes),
        "zb_v": zero_bubble_v_bubble_s(**counted, **passes),
        "dualpipe": dualpipe_bubble_s(**stages, **passes, hidden_s=one(0)),
    }
    return float(found[key][0])


def in_flight(key: str, pp: int, m: int, v: int = 1) -> tuple[float, float]:
    """Micro-batches of a whole stage that the first and the last stage hold."""
    group = micro_batch_group(one(pp), one(v), one(m))
    stages = {
        "pipeline_parallel": one(pp), "virtual_stages": one(v), "micro_batches": one(m), "group": group,
        "schedule": one(CODES[key]),
    }  # fmt: skip
    return float(chunks_in_flight(**stages)[0]) / v, float(last_chunks_in_flight(**stages)[0]) / v


@pytest.mark.parametrize(
    ("pp", "m", "expected"),
    [(4, 8, 4), (4, 6, 6), (4, 9, 5), (4, 13, 7), (4, 4, 4), (8, 3, 3), (8, 1, 1), (8, 23, 12)],
)
def test_groups_are_the_smallest_that_leave_no_rest_below_pp(pp: int, m: int, expected: int) -> None:
    assert micro_batch_group(one(pp), one(2), one(m))[0] == expected


@given(pp=st.integers(1, 40), m=st.integers(1, 400))
def test_a_group_is_what_megatron_core_accepts(pp: int, m: int) -> None:
    """Between pp and m, with a rest of none or of at least pp; none smaller is."""
    group = micro_batch_group(one(pp), one(2), one(m))[0]
    accepted = [size for size in range(pp, m + 1) if m % size == 0 or m % size >= pp]
    assert group == (accepted[0] if accepted else m)


def test_published_bubbles_of_equal_passes() -> None:
    """arXiv 2412.19437, table 2, and arXiv 2401.10241, with passes of equal length: F, B and W of 1."""
    assert bubble("1f1b", 8, 32) == 7 * 3
    assert bubble("1f1b", 8, 32, v=4) == 7 * 3 / 4
    assert bubble("zb_h1", 8, 32) == 7 * 1
    assert bubble("zb_v", 8, 32, v=2) == 7 / 2  # from end to end of all stages; each by itself has none
    assert bubble("dualpipe", 8, 32) == 3 * (3 + 2 - 3)


def test_fewer_micro_batches_than_stages_gain_nothing_from_virtual_stages() -> None:
    """One micro-batch goes through all layers one after the other, however they are cut."""
    for v in (1, 2, 5, 10):
        assert bubble("1f1b", 8, 1, v=v) + 3 == pytest.approx(8 * 3)
    assert bubble("1f1b", 4, 2, v=2) + 2 * 3 == pytest.approx((4 + 1 / 2) * 3)


@given(pp=st.integers(1, 32), v=st.integers(1, 12), m=st.integers(1, 128))
def test_no_step_is_shorter_than_one_micro_batch_through_all_stages(pp: int, v: int, m: int) -> None:
    total = bubble("1f1b", pp, m, v=v) + 3 * m
    assert total >= 3 * max(m, pp) - 1e-9


def test_memory_of_schedules() -> None:
    assert in_flight("1f1b", 8, 32) == (8, 1)
    assert in_flight("1f1b", 8, 32, v=2) == ((8 + 2 * 7 + 1) / 2, (8 + 1) / 2)
    assert in_flight("1f1b", 4, 6, v=2) == (12 / 2, (6 + 1) / 2)  # a group of 6, and no more than there are
    assert in_flight("zb_h1", 8, 32) == (8, 8)
    assert in_flight("zb_v", 8, 32, v=2) == (8, 8)
    assert in_flight("dualpipe", 8, 32) == (9, 9)
    assert in_flight("1f1b", 8, 3) == (3, 1)


def test_schedules_need_what_they_say() -> None:
    columns = np.array(
        [(1, 1, 1, 8), (4, 1, 1, 8), (4, 1, 1, 7), (4, 2, 1, 8), (4, 2, 8, 8), (1, 1, 8, 8), (4, 1, 8, 4)],
        dtype=float,
    ).T
    names = ("pipeline_parallel", "virtual_stages", "expert_parallel", "micro_batches")
    possible = possible_schedules(**dict(zip(names, columns, strict=True)))
    found = [
        {SCHEDULES[code].key for code, can in zip(SCHEDULES, column, strict=True) if can}
        for column in possible.T
    ]
    assert found == [
        {"1f1b"}, {"1f1b", "zb_h1", "dualpipe"}, {"1f1b", "zb_h1"}, {"1f1b", "zb_v"}, {"1f1b", "zb_v", "moe_overlap"},
        {"1f1b", "moe_overlap"}, {"1f1b", "zb_h1"},
    ]  # fmt: skip


def test_former_words_are_read() -> None:
    assert set(FORMER_KEYS.values()) <= set(CODES)
