"""Repeated tokens: fresh at first, worth nothing in the end."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.scaling.routing import effective_amount
from tests.engine.scaling.laws import array, curve

DECAY = array(15.387756)


@pytest.mark.parametrize(("epochs", "worth"), [(1, 1.0), (2, 1.968), (4, 3.726), (16, 10.58), (44, 15.45)])
def test_epochs(epochs: float, worth: float) -> None:
    """Muennighoff et al. 2023: four epochs keep 93 %, sixteen 66 %."""
    found = effective_amount(total=array(epochs * 1e9), unique=array(1e9), decay=DECAY)
    assert found / 1e9 == pytest.approx(worth, rel=1e-3)


def test_a_corpus_is_worth_sixteen_of_itself_at_most() -> None:
    assert effective_amount(total=array(np.inf), unique=array(1.0), decay=DECAY) == pytest.approx(1 + DECAY)


def test_less_than_the_corpus_is_all_fresh() -> None:
    assert effective_amount(total=array(3.0), unique=array(9.0), decay=DECAY) == 3.0


@pytest.mark.parametrize(
    ("parameters", "tokens", "published"),
    [(6.34e9, 242e9, 2.2256440889984477), (8.67e9, 178e9, 2.2269634075087867)],
)
def test_published_losses(parameters: float, tokens: float, published: float) -> None:
    """Muennighoff et al. 2023, figure 1, 25e9 unique tokens."""
    found = curve("data_constrained").loss(array(parameters), array(tokens))
    assert found == pytest.approx(published, rel=1e-12)


def test_repeating_never_beats_fresh_tokens() -> None:
    plenty, little = (curve("data_constrained", unique_tokens=unique) for unique in (1e15, 25e9))
    for tokens in (1e9, 25e9, 1e11, 1e12):
        fresh, repeated = (one.loss(array(5e9), array(tokens)) for one in (plenty, little))
        assert repeated >= fresh - 1e-12
