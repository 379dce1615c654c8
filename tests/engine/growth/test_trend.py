"""Exponential trends: worked by hand, exact on an exponential, and as the definition of doubling says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.growth.trend import (
    ENDS,
    annual_factor,
    doubling_time_years,
    drawn_rows,
    ends,
    fit,
    quantile_ends,
    r_squared,
    resampled,
)

YEARS = np.array([2018.0, 2019.0, 2020.0, 2021.0])


def growth(years: np.ndarray, values: np.ndarray) -> float:
    return float(annual_factor(log_slope_per_year=fit(years, values).log_slope_per_year))


def test_worked_by_hand() -> None:
    """1, 3, 3, 9 in three steps of a year: slope (1.5 ln 9 + 0.5 ln 3 - 0.5 ln 3) / 5 = 0.6 ln 3."""
    values = np.array([1.0, 3.0, 3.0, 9.0])
    trend = fit(YEARS, values)
    assert float(trend.log_slope_per_year) == pytest.approx(0.6 * math.log(3))
    assert float(trend.log_level) == pytest.approx(math.log(3))
    assert float(r_squared(years=YEARS, log_values=np.log(values))) == pytest.approx(0.9)
    assert trend.value(np.array([2019.5]))[0] == pytest.approx(3.0)


@pytest.mark.slow
@given(
    factor=st.floats(0.2, 20),
    level=st.floats(1e-3, 1e25),
    first=st.integers(1960, 2030),
    rows=st.integers(2, 30),
)
def test_an_exponential_is_found_exactly(factor: float, level: float, first: int, rows: int) -> None:
    years = first + np.arange(rows, dtype=float) / 2
    values = level * factor ** (years - first)
    assert growth(years, values) == pytest.approx(factor)
    assert fit(years, values).value(years) == pytest.approx(values)
    if abs(factor - 1) > 0.01:
        assert float(r_squared(years=years, log_values=np.log(values))) == pytest.approx(1)


@given(factor=st.floats(1.01, 100), years=st.floats(1.0, 10.0))
def test_doubling_time_is_ln_2_over_ln_of_the_factor(factor: float, years: float) -> None:
    doubling = float(doubling_time_years(annual_factor=np.array(factor)))
    assert doubling == pytest.approx(math.log(2) / math.log(factor))
    assert factor**doubling == pytest.approx(2)
    assert float(doubling_time_years(annual_factor=np.array(2 ** (1 / years)))) == pytest.approx(years)


@given(scale=st.floats(1e-6, 1e6), shift=st.floats(-50, 50))
def test_units_and_calendars_do_not_matter(scale: float, shift: float) -> None:
    values = np.array([1.0, 5.0, 4.0, 20.0])
    assert growth(YEARS + shift, scale * values) == pytest.approx(growth(YEARS, values))


def test_the_seed_draws_the_same_rows() -> None:
    values = np.array([1.0, 2.5, 3.0, 9.0])
    once, again = (resampled(YEARS, values, seed=7).log_slope_per_year for _ in range(2))
    other = resampled(YEARS, values, seed=8).log_slope_per_year
    np.testing.assert_array_equal(once, again)
    assert not np.array_equal(once, other, equal_nan=True)
    assert drawn_rows(4, seed=7, resamples=11).shape == (11, 4)


def test_a_resample_of_one_date_is_left_out() -> None:
    values = np.array([1.0, 2.0, 4.0])
    slopes = resampled(YEARS[:3], values).log_slope_per_year
    assert np.isnan(slopes).any()
    low, high = ends(slopes)
    assert (float(low), float(high)) == pytest.approx((math.log(2), math.log(2)))


@pytest.mark.slow
def test_the_interval_is_that_of_theory() -> None:
    """With many rows the bootstrap comes to the normal interval of least squares, within a tenth."""
    drawn = np.random.default_rng(3)
    years = np.linspace(2010, 2026, 400)
    values = 1e20 * 4.0 ** (years - 2010) * np.exp(drawn.normal(scale=1.2, size=400))
    slope_error = 1.2 / math.sqrt(((years - years.mean()) ** 2).sum())
    low, high = ends(resampled(years, values).log_slope_per_year)
    assert high - low == pytest.approx(2 * 1.645 * slope_error, rel=0.1)
    assert pytest.approx(ENDS) == (0.05, 0.95)


def test_quantiles_have_intervals_about_them() -> None:
    values = np.linspace(0.2, 0.6, 41)
    low, high = quantile_ends(values, (0.25, 0.5, 0.75))
    assert (low < np.quantile(values, (0.25, 0.5, 0.75))).all()
    assert (high > np.quantile(values, (0.25, 0.5, 0.75))).all()
