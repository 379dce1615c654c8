"""The roofline of prefill and decode, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.roofline import (
    achieved_flop_per_s,
    arithmetic_intensity,
    attainable_flop_per_s,
    decode_flop,
    prompt_flop,
    prompt_flop_of_a_rank,
    prompt_kv_bytes,
    prompt_traffic_bytes,
    ridge_intensity,
)
from tests.support import number

ROOF = {"peak_flop_per_s": number(2e15), "memory_bandwidth_bytes_per_s": number(4e12)}


def test_the_ridge_and_both_sides_of_it() -> None:
    """2 PFLOP/s over 4 TB/s: 500 FLOP/B; at 100 FLOP/B the memory feeds 0.4 PFLOP/s."""
    assert ridge_intensity(**ROOF)[0] == 500
    found = attainable_flop_per_s(intensity=np.array([0.0, 100.0, 500.0, 1e4]), **ROOF)
    assert found.tolist() == [0, 4e14, 2e15, 2e15]


def test_a_decode_step() -> None:
    """64 sequences of 1 token at 80 GFLOP on 8 accelerators: 640 GFLOP each; in 40 ms, 16 TFLOP/s."""
    flop = decode_flop(
        batch=number(64), step_tokens=number(1), model_flop_per_token=number(80e9), accelerators=number(8)
    )
    assert flop[0] == 640e9
    assert achieved_flop_per_s(flop=flop, time_s=number(0.04))[0] == pytest.approx(16e12)
    assert arithmetic_intensity(flop=flop, traffic_bytes=number(64e9))[0] == 10


def test_a_prompt() -> None:
    """1,000 tokens by 10 G dense parameters, 2 of many experts of 1 G in 4 layers: 36 TFLOP; attention and its index: 1 and 2."""
    flop = prompt_flop(
        tokens=number(1_000),
        dense_parameters=number(10e9),
        expert_layers=number(4),
        experts_per_token=number(2),
        expert_parameters=number(1e9),
        pairs=number(1e6),
        score_flop=number(1e6),
        index_pairs=number(4e6),
        index_flop=number(5e5),
    )
    assert flop[0] == pytest.approx(2 * 1_000 * 18e9 + 1e12 + 2e12)
    assert prompt_flop_of_a_rank(prompt_flop=flop, accelerators=number(8))[0] == pytest.approx(flop[0] / 8)


def test_what_a_prompt_reads_and_writes() -> None:
    """60 layers of 500 elements of 2 B: 60 kB per token; 1,000 read and 600 of them written, over 8 ranks: 12 MB."""
    kv = prompt_kv_bytes(
        attention_layers=number(60),
        kv_elements=number(500),
        element_bytes=number(2),
        input_tokens=number(1_000),
        new_tokens=number(600),
        accelerators=number(8),
    )
    assert kv[0] == 12e6
    alone = prompt_traffic_bytes(
        pass_weight_bytes=number(80e9), passes=number(1), reads=number(1), kv_bytes=kv
    )
    shared = prompt_traffic_bytes(
        pass_weight_bytes=number(80e9), passes=number(0.25), reads=number(0.5), kv_bytes=kv
    )
    assert (alone[0], shared[0]) == (80e9 + 12e6, 10e9 + 12e6)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_more_intensity_never_allows_less(first: float, second: float) -> None:
    low, high = sorted((first, second))
    found = attainable_flop_per_s(intensity=np.array([low, high]), **ROOF)
    assert found[0] <= found[1] <= ROOF["peak_flop_per_s"][0]
