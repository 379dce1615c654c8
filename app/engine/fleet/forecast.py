"""Demand to come: seasonal exponential smoothing with an interval, held against the week before in a
back-test.

Holt and Winters' additive smoothing without a trend: a level and a season of a week, each moved by a share of
the last error. Both shares are those with the least squared error one step ahead. The interval is empirical:
quantiles of the errors of back-tests at the same distance. Nothing is learned beyond that.

References
----------
.. [1] Winters, Management Science 6 (1960) 324-342
.. [2] Hyndman, Athanasopoulos, Forecasting: Principles and Practice, 3rd ed., 5.2 (seasonal naive), 8.3 (Holt-Winters)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from app.engine.trace import Array

WEEK_HOURS = 168
LEAST_WEEKS = 4
"""Two to begin with, and two that are held out."""
FROM, TO = 0.1, 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """A week ahead by the hour, and how weeks that were held out went.

    Parameters
    ----------
    mean, low, high : shape (168,); between low and high are 80 % of the errors of weeks that were held out
    method : smoothing, or last_week where that had the smaller error
    error, naive_error : mean absolute error of held-out weeks over their mean, of smoothing and of the week
        before
    level_share, season_share : shares of the last error that move level and season
    """

    mean: Array
    low: Array
    high: Array
    method: str
    error: float
    naive_error: float
    weeks: int
    level_share: float
    season_share: float


def forecast_week(by_hour: Array) -> Forecast:
    """The week after a series by hour.

    Raises
    ------
    ValueError : there are fewer than four whole weeks
    """
    weeks = by_hour.size // WEEK_HOURS
    if weeks < LEAST_WEEKS:
        raise ValueError(f"a forecast needs {LEAST_WEEKS} whole weeks, and there are {weeks}")
    series = np.asarray(by_hour[-weeks * WEEK_HOURS :], dtype=float)
    held = max(weeks // 3, 1)
    smoothed, naive = [], []
    for week in range(weeks - held, weeks):
        known, true = series[: week * WEEK_HOURS], series[week * WEEK_HOURS : (week + 1) * WEEK_HOURS]
        smoothed.append(true - _week_after(known, *_shares(known)))
        naive.append(true - known[-WEEK_HOURS:])
    level_share, season_share = _shares(series)
    scale = max(float(series[-held * WEEK_HOURS :].mean()), 1e-12)
    error, naive_error = (float(np.mean(np.abs(one))) / scale for one in (smoothed, naive))
    better = error <= naive_error
    mean = _week_after(series, level_share, season_share) if better else series[-WEEK_HOURS:]
    errors = np.concatenate(smoothed if better else naive)
    low, high = np.quantile(errors, (FROM, TO))
    return Forecast(
        mean=np.maximum(mean, 0.0),
        low=np.maximum(mean + low, 0.0),
        high=np.maximum(mean + high, 0.0),
        method="smoothing" if better else "last_week",
        error=error,
        naive_error=naive_error,
        weeks=held,
        level_share=level_share,
        season_share=season_share,
    )


def _shares(series: Array) -> tuple[float, float]:
    """Shares with the least squared error of the week ahead."""

    def loss(shares: Array) -> float:
        return float(np.mean(_smoothed(series, float(shares[0]), float(shares[1]))[2] ** 2))

    found = scipy.optimize.minimize(
        loss, np.array([0.2, 0.2]), bounds=[(0.0, 1.0), (0.0, 1.0)], method="L-BFGS-B"
    )
    return float(found.x[0]), float(found.x[1])


def _week_after(series: Array, level_share: float, season_share: float) -> Array:
    level, season, _ = _smoothed(series, level_share, season_share)
    return level + season


def _smoothed(series: Array, level_share: float, season_share: float) -> tuple[float, Array, Array]:
    """Level and season after the series, week by week, and the errors of every week but the first."""
    weeks = series.reshape(-1, WEEK_HOURS)
    level = float(weeks[0].mean())
    season: Array = weeks[0] - level
    errors = []
    for week in weeks[1:]:
        error = week - level - season
        errors.append(error)
        moved = level_share * float(error.mean())
        level += moved
        season = season + season_share * (error - error.mean())
    return level, season, np.concatenate(errors)
