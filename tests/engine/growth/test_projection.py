"""Projections: never above a limit, rising with a trend that rises, and met when the line says so."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.growth.projection import crossing, project

YEARS = np.arange(2014.0, 2027.0, 0.5)
GRID = np.arange(2014.0, 2030.5, 0.5)
NAMES = ("central", "low", "high", "least", "most")


def scattered(factor: float, spread: float, seed: int = 1) -> np.ndarray:
    drawn = np.random.default_rng(seed)
    return 1e3 * factor ** (YEARS - 2014) * np.exp(drawn.normal(scale=spread, size=len(YEARS)))


@pytest.mark.slow
@settings(max_examples=15)
@given(factor=st.floats(1.2, 6), spread=st.floats(0.01, 1.0), limit=st.floats(1e2, 1e9))
def test_no_band_goes_beyond_the_limit(factor: float, spread: float, limit: float) -> None:
    band = project(YEARS, scattered(factor, spread), GRID, limit)
    for name in NAMES:
        assert (getattr(band, name) <= limit).all()
    assert (band.least <= band.low).all()
    assert (band.low <= band.high).all()
    assert (band.high <= band.most).all()


def test_a_rising_trend_rises_until_it_is_capped() -> None:
    values = scattered(3.0, 0.2)
    band = project(YEARS, values, GRID, limit=1e9)
    for name in NAMES:
        assert (np.diff(getattr(band, name)) >= 0).all()
    assert band.central[-1] == 1e9
    assert (np.diff(project(YEARS, values, GRID).central) > 0).all()


def test_the_band_holds_the_line_and_the_figures() -> None:
    values = scattered(2.0, 0.4)
    band = project(YEARS, values, YEARS)
    assert ((band.low <= band.central) & (band.central <= band.high)).all()
    held = ((band.least <= values) & (values <= band.most)).mean()
    assert 0.8 <= held <= 1.0
    again = project(YEARS, values, YEARS)
    np.testing.assert_array_equal(band.most, again.most)


def test_without_scatter_the_bands_are_the_line() -> None:
    values = 5.0 * 2.0 ** (YEARS - 2014)
    band = project(YEARS, values, GRID)
    for name in NAMES:
        assert getattr(band, name) == pytest.approx(5.0 * 2.0 ** (GRID - 2014))


def test_when_a_limit_is_met() -> None:
    """1,000 in 2014, twice as much each year: a million after ln 1000/ln 2 years."""
    values = 1e3 * 2.0 ** (YEARS - 2014)
    met = crossing(YEARS, values, 1e6)
    expected = 2014 + math.log(1e3) / math.log(2)
    assert (float(met.year), float(met.early), float(met.late)) == pytest.approx((expected,) * 3)


def test_a_trend_that_falls_never_meets_it() -> None:
    met = crossing(YEARS, 1e3 * 0.5 ** (YEARS - 2014), 1e6)
    assert math.isinf(float(met.year))
    assert math.isinf(float(met.early))


def test_the_interval_of_the_year_holds_it() -> None:
    met = crossing(YEARS, scattered(2.0, 0.5), 1e8)
    assert met.early < met.year < met.late
