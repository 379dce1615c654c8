"""FLOPs of a token: conventions, windows and published totals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.workload.flops import (
    attended_tokens,
    flop_counts,
    training_accelerator_days,
)
from app.engine.workload.transformer import parameter_counts
from tests.engine.workload.test_transformer import PUBLISHED, model
from tests.support import llama_3_1_405b, number


def test_7b_on_a_trillion_tokens_is_1620_gpu_days() -> None:
    days = training_accelerator_days(
        parameters=number(7e9), tokens=number(1e12), achieved_flop_per_s=number(300e12)
    )
    assert days[0] == pytest.approx(1620, abs=1)


def test_llama_405b_pre_training_is_3_8e25_flop() -> None:
    """Meta 2024, arXiv 2407.21783, section 3: 3.8e25 FLOPs on 15.6T tokens (6 N D)."""
    architecture = llama_3_1_405b()
    counts = flop_counts(
        architecture=architecture,
        counts=parameter_counts(architecture=architecture),
        sequence_length=number(8192),
    )
    assert counts.model[0] * 15.6e12 == pytest.approx(3.8e25, rel=0.05)


def test_against_the_formula_of_narayanan() -> None:
    """72 l h^2 (1 + s / 6h + V / 12 l h) with the attention term halved (arXiv 2104.04473)."""
    layers, hidden, sequence, vocabulary = 96, 12288, 2048, 51200
    architecture = model(layers, hidden, 96, 4 * hidden, vocabulary, tied_embedding=1, mlp_matrices=2)
    counts = flop_counts(
        architecture=architecture,
        counts=parameter_counts(architecture=architecture),
        sequence_length=number(sequence),
    )
    expected = 72.0 * layers * hidden**2
    expected *= 1 + sequence / (12 * hidden) + vocabulary / (12 * layers * hidden)
    assert counts.model[0] == pytest.approx(expected, rel=1e-9)


def test_forward_is_a_third_of_the_model() -> None:
    architecture = PUBLISHED["DeepSeek-V3"][0]
    counts = flop_counts(
        architecture=architecture,
        counts=parameter_counts(architecture=architecture),
        sequence_length=number(4096),
    )
    assert counts.model[0] == 3 * counts.forward[0]
    # DeepSeek-AI 2024, arXiv 2412.19437: about 250 GFLOP a token at 4K.
    assert counts.model[0] == pytest.approx(250e9, rel=0.05)


@pytest.mark.parametrize(
    ("sequence", "window", "expected"),
    [(8192, 0, 4096), (8192, 8192, 4096), (8192, 16384, 4096), (8192, 1024, 960), (1e9, 128, 128)],
)
def test_attended_tokens(sequence: float, window: float, expected: float) -> None:
    attended = attended_tokens(sequence_length=number(sequence), window_tokens=number(window))
    assert attended[0] == pytest.approx(expected, rel=1e-6)


@given(sequence=st.integers(1, 10**6), window=st.integers(1, 10**6))
def test_a_window_never_attends_to_more(sequence: int, window: int) -> None:
    windowed = attended_tokens(sequence_length=number(sequence), window_tokens=number(window))
    full = attended_tokens(sequence_length=number(sequence), window_tokens=number(0))
    assert 0 < windowed[0] <= full[0] * (1 + 1e-12)


def test_window_layers_save_attention_only() -> None:
    full = model(26, 4096, 32, 16384, 32000)
    windowed = model(26, 4096, 32, 16384, 32000, window_layers=13, window_tokens=1024)
    flops = [
        flop_counts(
            architecture=architecture,
            counts=parameter_counts(architecture=architecture),
            sequence_length=number(8192),
        )
        for architecture in (full, windowed)
    ]
    saved = flops[0].model[0] - flops[1].model[0]
    assert saved == pytest.approx(3 * 13 * 2 * 32 * 256 * (4096 - 960), rel=1e-9)


def test_sparse_attention_reads_what_its_index_chose() -> None:
    """By hand: 26 layers choose 2,048 of 8,192 tokens, 1,792 on average for 4,096; 64 heads of 128 score all of those."""
    full, sparse = (
        flop_counts(
            architecture=architecture,
            counts=parameter_counts(architecture=architecture),
            sequence_length=number(8192),
        ).forward[0]
        for architecture in (
            model(26, 4096, 32, 16384, 32000),
            model(26, 4096, 32, 16384, 32000, sparse_tokens=2048, index_elements=128, index_heads=64),
        )
    )
    read, scored = 2 * 32 * 256 * (4096 - 1792), 2 * 64 * 128 * 4096
    assert full - sparse == pytest.approx(26 * (read - scored), rel=1e-9)


@given(sequence=st.integers(1, 10**6), chosen=st.integers(1, 10**5))
def test_a_choice_without_an_index_never_costs_more(sequence: int, chosen: int) -> None:
    full, sparse = (
        flop_counts(
            architecture=architecture,
            counts=parameter_counts(architecture=architecture),
            sequence_length=number(sequence),
        ).model[0]
        for architecture in (
            model(26, 4096, 32, 16384, 32000),
            model(26, 4096, 32, 16384, 32000, sparse_tokens=chosen),
        )
    )
    assert 0 < sparse <= full * (1 + 1e-12)
