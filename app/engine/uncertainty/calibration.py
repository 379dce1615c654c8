"""Calibration of the predicted speed of a design by a few own runs.

Errors are logarithms of measured over predicted speed. Each is a sum of three: the bias that runs of one
deployment share (one accelerator, framework and precision in one place), what is peculiar to the design, and
what differs when the same job is run again. How large the first two are, the validated runs say, the nearest
counting most. All are taken for normal, so that own runs are weighed against them by linear algebra [1]: a run
of the design itself says nearly all, one of another design of the deployment its share.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from app.engine.quantities import quantity
from app.engine.trace import Array
from app.engine.uncertainty.interval import HIGH_SHARE, PROBABILITY
from app.engine.uncertainty.summary import weighted_quantile

Designs = NDArray[np.intp]
"""Which design each own run is of: 0 is the one that is asked about."""

DEVIATIONS = float(ndtri(HIGH_SHARE))
"""Standard deviations from the middle to either end of an interval."""

REPEAT_SPREAD = 0.02
"""Standard deviation of the same job run again: clocks, temperatures and neighbours on the network."""

_NORMAL = "[1] Rasmussen and Williams 2006, Gaussian Processes for Machine Learning, section 2.2"
_RUNS = "validated runs, docs/validation.md"


@quantity(unit="1", source=_RUNS)
def error_spread(*, errors: Array, weight: Array, widening: Array) -> Array:
    """Spread of the errors of comparable runs, as a standard deviation.

    Of the size that 80 % of them stay below, so that a few outliers do not dominate.

    Parameters
    ----------
    errors : (n,)
    weight : (n,)
    widening : for the distance to the nearest run, as of an interval
    """
    return widening * weighted_quantile(np.abs(errors), weight, PROBABILITY) / DEVIATIONS


@quantity(unit="1", source=_RUNS)
def design_spread(*, deviations: Array, weight: Array) -> Array:
    """Spread of the errors of a deployment's designs around their mean, as a standard deviation.

    Parameters
    ----------
    deviations : (n,), of each error from the mean of its deployment
    weight : (n,)
    """
    return weighted_quantile(np.abs(deviations), weight, PROBABILITY) / DEVIATIONS


@quantity(unit="1", source=_RUNS)
def bias_spread(*, error_spread: Array, design_spread: Array) -> Array:
    """Spread of the biases of deployments: what designs leave of the errors, at least a tenth of the variance."""
    return np.sqrt(np.maximum(error_spread**2 - design_spread**2, 0.1 * error_spread**2))


@quantity(unit="1", source=_NORMAL)
def belief(*, bias_spread: Array, design_spread: Array, designs: Designs) -> Array:
    """Share of each own run's error that is believed of the design asked about.

    The solution of K w = k, with K the covariance of own errors and k theirs with the error of the design.

    Parameters
    ----------
    designs : (r,), which design each own run is of; 0 is the one asked about

    Returns
    -------
    (r,)
    """
    among_runs = covariance(bias_spread, design_spread, designs) + REPEAT_SPREAD**2 * np.eye(len(designs))
    with_design = _with_the_design(bias_spread, design_spread, designs)
    return np.asarray(np.linalg.solve(among_runs, with_design))


@quantity(unit="1", source=_NORMAL)
def speed_correction(*, own_errors: Array, belief: Array) -> Array:
    """Factor on the predicted speed, from own runs as far as each is believed.

    Parameters
    ----------
    own_errors : (r,), logarithms of measured over predicted speed
    belief : (r,)
    """
    return np.exp(belief @ own_errors)


@quantity(unit="1", source=_NORMAL)
def corrected_spread(*, bias_spread: Array, design_spread: Array, belief: Array, designs: Designs) -> Array:
    """Standard deviation of the error of the next run of the design, once it is corrected."""
    known = belief @ _with_the_design(bias_spread, design_spread, designs)
    return np.sqrt(bias_spread**2 + design_spread**2 - known + REPEAT_SPREAD**2)


@quantity(unit="1", source=_NORMAL)
def corrected_low(*, speed_correction: Array, corrected_spread: Array) -> Array:
    """Lower bound of measured over predicted speed: one run of ten lies below."""
    return speed_correction * np.exp(-DEVIATIONS * corrected_spread)


@quantity(unit="1", source=_NORMAL)
def corrected_high(*, speed_correction: Array, corrected_spread: Array) -> Array:
    """Upper bound of measured over predicted speed: one run of ten lies above."""
    return speed_correction * np.exp(DEVIATIONS * corrected_spread)


def covariance(bias_spread: Array, design_spread: Array, designs: Designs) -> Array:
    """Covariance of the errors of own runs, but for what differs from repeat to repeat: (r, r)."""
    same: Array = (designs[:, None] == designs[None, :]).astype(float)
    return bias_spread**2 + design_spread**2 * same


def _with_the_design(bias_spread: Array, design_spread: Array, designs: Designs) -> Array:
    """Covariance of the errors of own runs with that of the design asked about: (r,)."""
    same: Array = (designs == 0).astype(float)
    return bias_spread**2 + design_spread**2 * same


def deviations(*, errors: Array, deployment: NDArray[np.intp]) -> Array:
    """How far each error lies from the mean of its deployment, widened by sqrt(r / (r - 1)) as that is its own.

    Parameters
    ----------
    errors : (n,)
    deployment : (n,), whole numbers from 0

    Returns
    -------
    (n,): not a number where a deployment has one run
    """
    runs = np.bincount(deployment)
    mean = np.bincount(deployment, weights=errors) / runs
    widened = np.sqrt(runs / np.where(runs > 1, runs - 1.0, np.nan))
    found: Array = (errors - mean[deployment]) * widened[deployment]
    return found
