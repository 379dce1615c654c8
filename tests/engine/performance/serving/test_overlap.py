"""Two halves of a batch by turns, and the width of slices of experts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.pass_weights import exchange_left_s, slice_efficiency
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving.memory_cases import layout
from tests.engine.performance.serving.speed_cases import prompt, step
from tests.support import number

WIDE = layout(dp=144, ep=144)


def test_what_the_other_half_does_not_hide() -> None:
    found = [
        exchange_left_s(exchange_s=number(5), computed_s=number(computed), overlap=number(overlap))[0]
        for computed, overlap in ((3, 1), (8, 1), (3, 0))
    ]
    assert found == [2, 0, 5]


def test_a_wide_step_hides_its_exchange_behind_the_other_half() -> None:
    """128 sequences a rank: two halves read weights twice and exchange the same, hidden but for what is longer."""
    by_turns = step(deepseek_v3(), WIDE, sequences=144 * 128, two_batch_overlap=1)
    whole = step(deepseek_v3(), WIDE, sequences=144 * 128)
    assert by_turns.step_s[0] < whole.step_s[0]
    half = step(deepseek_v3(), WIDE, sequences=144 * 64).parts_s
    computed = 2 * (half["dense_matmul"] + half["experts"] + half["attention"])
    assert by_turns.parts_s["expert_exchange"][0] == pytest.approx(
        max(float((2 * half["expert_exchange"] - computed)[0]), 0.0)
    )


@pytest.mark.parametrize("sequences", [144, 8 * 144, 128 * 144, 512 * 144])
def test_a_batch_is_split_only_where_it_pays(sequences: int) -> None:
    fixed = {"kernel_time_s": 5e-6, "decode_step_overhead_s": 5e-4}
    split = step(deepseek_v3(), WIDE, sequences=sequences, two_batch_overlap=1, **fixed)
    whole = step(deepseek_v3(), WIDE, sequences=sequences, **fixed)
    assert split.step_s[0] <= whole.step_s[0]
    assert split.step_s[0] == pytest.approx(sum(part[0] for part in split.parts_s.values()))


@pytest.mark.parametrize("cut", [layout(tp=8), layout(dp=8, ep=8), layout(tp=16)])
def test_within_a_server_or_without_replicas_nothing_overlaps(cut: object) -> None:
    plain, asked = (
        step(deepseek_v3(), cut, sequences=256, two_batch_overlap=overlap).step_s[0]  # type: ignore[arg-type]
        for overlap in (0, 1)
    )
    assert plain == asked


def test_prefill_hides_exchange_behind_computing() -> None:
    alone, hidden = (
        prompt(deepseek_v3(), WIDE, tokens=4096, waiting=1e4, two_batch_overlap=overlap).cost_s[0]
        for overlap in (0, 1)
    )
    assert hidden < alone


def test_a_slice_of_the_half_width_reaches_half() -> None:
    """DeepSeek-V3's experts of 2,048 columns over eight ranks: slices of 256."""
    found = slice_efficiency(
        efficiency=number(0.6), expert_hidden=number(2048), slices=number(8), half_width=number(256)
    )
    assert found[0] == pytest.approx(0.3)


@given(slices=st.integers(1, 64), more=st.integers(1, 8), half=st.floats(0, 1000))
def test_thinner_slices_never_reach_more(slices: int, more: int, half: float) -> None:
    wide, thin = (
        slice_efficiency(
            efficiency=number(0.6), expert_hidden=number(1536), slices=number(cut), half_width=number(half)
        )[0]
        for cut in (slices, slices * more)
    )
    assert 0 < thin <= wide <= 0.6
