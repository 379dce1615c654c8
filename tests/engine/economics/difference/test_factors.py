"""Differences of products by factor, and of breakdowns by category."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.difference.shapley import (
    brought_by_category,
    brought_by_factor,
    logarithmic_mean,
    of_the_figure,
)
from tests.support import number

POSITIVE = st.floats(1e-3, 1e6)


def test_logarithmic_mean_by_hand() -> None:
    # (e - 1) / (1 - 0)
    found = logarithmic_mean(first=number(1.0), second=number(np.e))
    assert found[0] == pytest.approx(np.e - 1)
    assert logarithmic_mean(first=number(7.0), second=number(7.0))[0] == 7.0
    with np.errstate(divide="raise", invalid="raise"):
        for one, other in ((0.0, 3.0), (3.0, 0.0), (0.0, 0.0)):
            assert logarithmic_mean(first=number(one), second=number(other))[0] == 0


@pytest.mark.slow
@given(first=POSITIVE, apart=st.floats(-1e-4, 1e-4))
def test_nearly_alike_values_keep_their_digits(first: float, apart: float) -> None:
    second = first * (1 + apart)
    apart = (second - first) / first
    found = logarithmic_mean(first=number(first), second=number(second))[0]
    assert found == pytest.approx(first * (1 + apart / 2 - apart**2 / 12 + apart**3 / 24), rel=1e-14)
    assert logarithmic_mean(first=number(second), second=number(first))[0] == found


def test_values_far_apart() -> None:
    found = logarithmic_mean(first=number(1.0), second=number(np.exp(-50.0)))
    assert found[0] == pytest.approx(1 / 50)


@pytest.mark.slow
@given(first=st.tuples(POSITIVE, POSITIVE, POSITIVE), second=st.tuples(POSITIVE, POSITIVE, POSITIVE))
def test_factors_add_up_to_the_difference(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> None:
    one, other = np.prod(first), np.prod(second)
    brought = [
        brought_by_factor(first_product=number(one), second_product=number(other), ratio=number(b / a))[0]
        for a, b in zip(first, second, strict=True)
    ]
    assert sum(brought) == pytest.approx(other - one, rel=1e-6, abs=1e-9 * (one + other))


def test_categories_take_the_measure_of_the_figure() -> None:
    # 60 and 40 of 100 become 3 and 2 of an hour's 5
    found = of_the_figure({"compute": number(60), "energy": number(40)}, number(5))
    assert found["compute"][0] == pytest.approx(3)
    assert found["energy"][0] == pytest.approx(2)


def test_a_category_that_one_side_lacks() -> None:
    found = brought_by_category({"facility": number(3)}, {"colocation": number(5)})
    assert {name: part[0] for name, part in found.items()} == {"facility": -3, "colocation": 5}
