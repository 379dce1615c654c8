"""Tokens guessed ahead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.speculation import guessing_ratio, tokens_standing
from tests.support import number


@pytest.mark.parametrize(
    ("guessed", "acceptance", "expected"), [(0, 0.7, 1), (1, 0.7, 1.7), (3, 0, 1), (3, 1, 4), (2, 0.5, 1.75)]
)
def test_tokens_of_a_step(guessed: float, acceptance: float, expected: float) -> None:
    """CloudMatrix384 (arXiv 2506.12708): one token guessed, 70 % stand, 1.7 tokens a step."""
    found = tokens_standing(guessed=number(guessed), acceptance=number(acceptance))
    assert found[0] == pytest.approx(expected)


@given(guessed=st.integers(0, 16), acceptance=st.floats(0, 1))
def test_between_one_and_all(guessed: int, acceptance: float) -> None:
    found = tokens_standing(guessed=number(guessed), acceptance=number(acceptance))
    assert 1 <= found[0] <= guessed + 1 + 1e-9


def test_a_guess_passes_one_layer_more() -> None:
    assert guessing_ratio(guessed=number(1), layers=number(50))[0] == pytest.approx(1.02)
