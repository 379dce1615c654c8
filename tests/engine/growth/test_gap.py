"""The gap between two devices: worked by hand from data sheets, and as far from a claim as it is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.engine.growth.gap import (
    best_factor,
    closest,
    compute_factors,
    distance_from_claim,
    factor_per_year,
    usable,
)

V100 = np.array([125e12, np.nan, np.nan])
A100 = np.array([312e12, np.nan, np.nan])
H100 = np.array([989.4e12, 1979e12, np.nan])
B200 = np.array([2250e12, 4500e12, 9000e12])
CLAIM = np.array([40.0, 9.0, 4.0])


def test_a_device_without_a_precision_uses_the_next_wider_one() -> None:
    np.testing.assert_array_equal(usable(V100), [125e12] * 3)
    np.testing.assert_array_equal(usable(H100), [989.4e12, 1979e12, 1979e12])


def test_v100_to_b200() -> None:
    """2,250, 4,500 and 9,000 over 125 TFLOP/s."""
    np.testing.assert_allclose(compute_factors(V100, B200), [18.0, 36.0, 72.0])
    assert float(best_factor(V100, B200)) == 72.0


def test_what_the_later_device_has_not_is_unknown() -> None:
    found = compute_factors(V100, H100)
    assert found[1] == pytest.approx(15.832)
    assert math.isnan(found[2])
    assert math.isnan(compute_factors(V100, A100)[1])
    assert float(best_factor(V100, A100)) == pytest.approx(2.496)


def test_growth_a_year() -> None:
    assert float(factor_per_year(growth_factor=np.array(40.0), years=np.array(8.0))) ** 8 == pytest.approx(40)


def test_distance_from_a_claim() -> None:
    assert float(distance_from_claim(growth_factors=CLAIM, claimed=CLAIM)) == 0
    twice = distance_from_claim(growth_factors=2 * CLAIM, claimed=CLAIM)
    half = distance_from_claim(growth_factors=CLAIM / 2, claimed=CLAIM)
    assert float(twice) == pytest.approx(math.log(2))
    assert float(half) == pytest.approx(float(twice))
    one_off = distance_from_claim(growth_factors=CLAIM * [2, 1, 1], claimed=CLAIM)
    assert float(one_off) == pytest.approx(math.log(2) / math.sqrt(3))


def test_the_closest_come_first_and_unknown_ones_never() -> None:
    rows, columns = closest(np.array([[0.3, np.nan], [0.1, 0.2]]), 5)
    assert list(zip(rows, columns, strict=True)) == [(1, 0), (1, 1), (0, 0)]
