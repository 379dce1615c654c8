"""How many experts a batch uses, and the busiest of many ranks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.expert_load import (
    active_experts,
    busiest_active_experts,
    busiest_rank_ratio,
)
from tests.support import number


@pytest.mark.parametrize(("tokens", "expected"), [(0, 0), (1, 8), (1e6, 256)])
def test_active_experts_at_the_limits(tokens: float, expected: float) -> None:
    found = active_experts(tokens=number(tokens), experts=number(256), expert_share=number(8 / 256))
    assert found[0] == pytest.approx(expected)


def test_active_experts_by_hand() -> None:
    """Two of four experts a token, two tokens: 4 (1 - 1/4) = 3."""
    assert active_experts(tokens=number(2), experts=number(4), expert_share=number(0.5))[0] == 3


def test_dense_models_use_no_experts() -> None:
    assert active_experts(tokens=number(9), experts=number(0), expert_share=number(0))[0] == 0


@given(
    tokens=st.floats(0, 1e5),
    ranks=st.sampled_from([1, 2, 4, 8, 32, 256]),
    spread=st.floats(0, 2),
)
def test_busiest_rank_has_at_least_the_mean_and_at_most_all(
    tokens: float, ranks: float, spread: float
) -> None:
    active = active_experts(tokens=number(tokens), experts=number(256), expert_share=number(8 / 256))
    found = busiest_active_experts(
        active_experts=active, experts=number(256), expert_parallel=number(ranks), spread=number(spread)
    )
    assert found[0] >= active[0] / ranks - 1e-9 or found[0] == pytest.approx(256 / ranks)
    assert found[0] <= 256 / ranks + 1e-9


def test_balls_into_bins() -> None:
    """Eight experts of one token over eight ranks: simulated, the busiest of them holds 2.6 on average."""
    draws = np.random.default_rng(7).integers(0, 8, size=(20_000, 8))
    simulated = np.mean([np.bincount(row, minlength=8).max() for row in draws])
    found = busiest_active_experts(
        active_experts=number(8), experts=number(256), expert_parallel=number(8), spread=number(0.8)
    )
    assert found[0] == pytest.approx(simulated, rel=0.05)


def test_one_rank_is_its_own_mean() -> None:
    assert busiest_rank_ratio(routed_tokens=number(64), expert_parallel=number(1), spread=number(1))[0] == 1


def test_many_tokens_even_out() -> None:
    few, many = (
        busiest_rank_ratio(routed_tokens=number(tokens), expert_parallel=number(32), spread=number(1))[0]
        for tokens in (1e2, 1e8)
    )
    assert 1 < many < 1.01 < few <= 32
