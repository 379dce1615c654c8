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
    experts_in_use,
    spread_with_copies,
)
from app.engine.performance.serving.served_model import served_model
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving.memory_cases import layout
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


def busiest(tokens: float, *, ranks: int, popularity: float = 0) -> float:
    """Tokens of the busiest rank over those of the mean, of 256 experts."""
    found = busiest_rank_ratio(
        routed_tokens=number(tokens),
        expert_parallel=number(ranks),
        spread=number(1),
        experts=number(256),
        popularity=number(popularity),
    )
    return float(found[0])


def test_one_rank_is_its_own_mean() -> None:
    assert busiest(64, ranks=1, popularity=0.5) == 1


def test_many_tokens_even_out() -> None:
    few, many = (busiest(tokens, ranks=32) for tokens in (1e2, 1e8))
    assert 1 < many < 1.01 < few <= 32


def test_popularity_lasts_however_long_a_pass_is() -> None:
    """SGLang over 32 ranks of 256 experts: 1 + 0.45 sqrt(2 ln 32 x 32 / 256) = 1.42, without copies."""
    assert busiest(1e12, ranks=32, popularity=0.45) == pytest.approx(
        1 + 0.45 * np.sqrt(2 * np.log(32) / 8), rel=1e-4
    )
    drawn = np.random.default_rng(7).normal(1, 0.45, size=(4000, 32, 8)).mean(axis=2)
    assert busiest(1e12, ranks=32, popularity=0.45) == pytest.approx(
        (drawn.max(axis=1) / drawn.mean(axis=1)).mean(), rel=0.08
    )


@pytest.mark.slow
@given(tokens=st.floats(1, 1e9), ranks=st.sampled_from([1, 8, 64, 256]), popularity=st.floats(0, 2))
def test_the_busiest_is_between_the_mean_and_all(tokens: float, ranks: int, popularity: float) -> None:
    assert 1 <= busiest(tokens, ranks=ranks, popularity=popularity) <= max(ranks, 1) + 1e-9
    assert busiest(tokens, ranks=ranks, popularity=popularity) >= busiest(tokens, ranks=ranks) - 1e-12


def left(copies: float, ranks: float, spread: float = 1) -> float:
    """Of the spread of 256 experts, with copies."""
    return float(
        spread_with_copies(
            spread=number(spread), redundant_share=number(copies / 256), expert_parallel=number(ranks)
        )[0]
    )


@given(ranks=st.integers(1, 512), spread=st.floats(0, 3))
def test_without_copies_the_spread_stays(ranks: int, spread: float) -> None:
    assert left(0, max(ranks, 2), spread) == spread


@pytest.mark.parametrize("ranks", [2, 8, 32])
def test_every_expert_on_every_rank_is_perfect_balance(ranks: int) -> None:
    assert left(256 * (ranks - 1), ranks) == 0
    assert left(256 * 1000, ranks) == 0


def test_copies_by_hand() -> None:
    """DeepSeek's 32 copies of 256 experts over 32 ranks; two of each expert: half the variance, over 31 of 32."""
    carried = (1 + np.log(8) ** 2) / 8
    assert left(32, 32) == pytest.approx(np.sqrt((1 - carried / 2) * (32 - 1.125) / 31))
    assert left(32, 32) == pytest.approx(0.815, abs=1e-3)
    assert left(256, 32) == pytest.approx(np.sqrt(30 / 31 / 2))


@pytest.mark.slow
def test_copies_of_the_busiest_as_drawn() -> None:
    """Loads of 256 experts drawn from an exponential law; the 32 busiest halved and placed twice."""
    loads = -np.sort(-np.random.default_rng(7).exponential(size=(20_000, 256)), axis=1) - 1
    before = (loads**2).sum(axis=1).mean()
    after = ((loads[:, :32] / 2) ** 2).sum(axis=1).mean() * 2 + (loads[:, 32:] ** 2).sum(axis=1).mean()
    assert left(32, 1e9) == pytest.approx(np.sqrt(after / before), rel=0.01)


@pytest.mark.slow
@given(
    copies=st.floats(0, 2048),
    more=st.floats(0, 2048),
    ranks=st.sampled_from([2, 8, 32, 256]),
)
def test_more_copies_never_load_the_busiest_more(copies: float, more: float, ranks: int) -> None:
    assert 0 <= left(copies + more, ranks) <= left(copies, ranks) + 1e-12 <= 1 + 1e-12


@pytest.mark.parametrize(("tokens", "expected"), [(1, 8), (1e6, 288)])
def test_copies_are_read_too(tokens: float, expected: float) -> None:
    """One token uses 8 of 256 experts, copied or not; many use all 288 that stand on the ranks."""
    found = experts_in_use(served_model(deepseek_v3()), layout(dp=32, ep=32, copies=32), number(tokens))
    assert found[0] == pytest.approx(expected)
