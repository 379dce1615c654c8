"""Forecasts: a season without noise, noise, a shift, and weeks that were held out."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fleet.forecast import WEEK_HOURS, forecast_week

SEASON = 50 + 30 * np.sin(2 * np.pi * np.arange(WEEK_HOURS) / 24)


def test_a_season_without_noise_is_known() -> None:
    found = forecast_week(np.tile(SEASON, 8))
    assert found.mean == pytest.approx(SEASON)
    assert found.error == pytest.approx(0.0, abs=1e-9)


def test_noise_is_smoothed_and_the_interval_holds_the_next_week() -> None:
    held, better = [], []
    for seed in range(20):
        random = np.random.default_rng(seed)
        series = np.tile(SEASON, 13) + random.normal(0.0, 8.0, 13 * WEEK_HOURS)
        found = forecast_week(series[:-WEEK_HOURS])
        following = series[-WEEK_HOURS:]
        held.append(np.mean((found.low <= following) & (following <= found.high)))
        better.append(found.error < found.naive_error)
    assert np.mean(held) == pytest.approx(0.8, abs=0.04)
    assert np.mean(better) == 1.0


def test_the_week_before_wins_where_it_is_better() -> None:
    steps = np.repeat(np.cumsum(np.random.default_rng(2).normal(0.0, 40.0, 12)), WEEK_HOURS)
    found = forecast_week(np.tile(SEASON, 12) + 500 + steps)
    assert found.method in ("smoothing", "last_week")
    best = min(found.error, found.naive_error)
    assert (found.error if found.method == "smoothing" else found.naive_error) == best


def test_too_few_weeks() -> None:
    with pytest.raises(ValueError, match="needs 4 whole weeks, and there are 3"):
        forecast_week(np.ones(3 * WEEK_HOURS + 5))
