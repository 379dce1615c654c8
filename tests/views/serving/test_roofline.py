"""Prefill and decode on the roof: never above it, and further right with the batch."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app.views.serving.roofline import roofline_view
from tests.views.serving.cases import RACK, changed, example


@pytest.mark.parametrize("key", ["deepseek_r1_on_8_h200", RACK])
def test_no_point_is_above_the_roof(key: str) -> None:
    view = roofline_view(example(key))
    assert {point.phase for point in view.points} == {"decode", "prefill"}
    for point in view.points:
        assert 0 < point.flop_per_s <= point.attainable_flop_per_s <= view.peak_flop_per_s
        assert point.roof_share == pytest.approx(point.flop_per_s / point.attainable_flop_per_s)
        assert point.bound == (
            "memory" if point.arithmetic_intensity < view.ridge_intensity else "arithmetic"
        )


def test_a_larger_batch_does_more_for_each_byte() -> None:
    decode = [point for point in roofline_view(example()).points if point.phase == "decode"]
    assert decode[0].batch == 1
    assert all(after.arithmetic_intensity > before.arithmetic_intensity for before, after in pairwise(decode))


def test_prefill_does_more_for_each_byte_than_decode_of_one_sequence() -> None:
    points = roofline_view(example()).points
    decode, prefill = (next(one for one in points if one.phase == phase) for phase in ("decode", "prefill"))
    assert prefill.arithmetic_intensity > 10 * decode.arithmetic_intensity


def test_a_prompt_longer_than_a_chunk_shares_no_pass() -> None:
    view = roofline_view(changed(requests={"input_tokens": 60_000, "output_tokens": 100}))
    assert [point.batch for point in view.points if point.phase == "prefill"] == [1]


def test_the_roof_is_the_highest_peak_that_parts_are_multiplied_at() -> None:
    view = roofline_view(example(RACK))
    assert view.peak_flop_per_s > view.peak_16_bit_flop_per_s
    assert view.ridge_intensity == pytest.approx(view.peak_flop_per_s / view.memory_bandwidth_bytes_per_s)
