"""A loss as a power of one quantity."""

from __future__ import annotations

import pytest

from app.engine.scaling.curve import loss_after_growth
from tests.support import number


@pytest.mark.parametrize(("growth", "exponent", "expected"), [(1, 0.076, 1), (10, 0.076, 0.839), (100, 0.095, 0.646), (10, 0, 1)])  # fmt: skip
def test_kaplans_exponents(growth, exponent, expected):
    found = loss_after_growth(growth=number(growth), exponent=number(exponent))
    assert found == pytest.approx(expected, abs=1e-3)
