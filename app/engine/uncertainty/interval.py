"""The interval of a prediction, from the errors of measured runs.

An error counts the more the nearer its run lies. Far from every run the interval is that of all runs, widened
by the distance to the nearest; mixtures of experts have a wider one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array
from app.engine.uncertainty.summary import weighted_quantile

LOW_SHARE, HIGH_SHARE = 0.1, 0.9
PROBABILITY = HIGH_SHARE - LOW_SHARE
"""Coverage of the interval, 80 %."""

_LOCAL = (
    "[1] Lei et al. 2018, Distribution-Free Predictive Inference for Regression, JASA 113(523); "
    "[2] Guan 2023, Localized Conformal Prediction, Biometrika 110(1)"
)
_CHOSEN = (
    "assumption: checked on runs whose source and accelerator were left out of the fit, docs/validation.md"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Bounds of measured over predicted, for m designs: (m,)."""

    low: Array
    high: Array
    nearest_distance: Array


@quantity(unit="1", source=_LOCAL)
def run_weight(*, distance: Array) -> Array:
    """Weight of the error of a run: a factor of e less for each unit of distance [2].

    Parameters
    ----------
    distance : (m, n), of each design to each run; the nearest counts 1
    """
    nearest: Array = np.min(distance, axis=-1, keepdims=True)
    return np.exp(nearest - distance)


@quantity(unit="1", source=_CHOSEN)
def widening(*, nearest_distance: Array, experts: Array) -> Array:
    """Widening of the interval by distance from all runs, and for experts.

    Routing, dispatch and permutation differ more between programs than dense layers do.

    Parameters
    ----------
    experts : 1 in a mixture of experts, else 0
    """
    return 1 + 0.1 * nearest_distance + 0.4 * experts


@quantity(unit="1", source=_LOCAL)
def measured_over_predicted_low(*, errors: Array, weight: Array, widening: Array) -> Array:
    """Lower bound of measured over predicted: P10 of comparable runs [1].

    Parameters
    ----------
    errors : (n,), logarithms of measured over predicted of each run
    weight : (m, n)
    widening : (m,)
    """
    return np.exp(widening * weighted_quantile(errors, weight, LOW_SHARE))


@quantity(unit="1", source=_LOCAL)
def measured_over_predicted_high(*, errors: Array, weight: Array, widening: Array) -> Array:
    """Upper bound of measured over predicted: P90 of comparable runs [1].

    Parameters as for the lower bound.
    """
    return np.exp(widening * weighted_quantile(errors, weight, HIGH_SHARE))


def spread(*, distance: Array, errors: Array, experts: Array) -> Spread:
    """The interval of each design, from the runs it is compared with.

    Parameters
    ----------
    distance : (m, n)
    errors : (n,), logarithms of measured over predicted
    experts : (m,), 1 for a mixture of experts, else 0
    """
    weight = run_weight(distance=distance)
    nearest = np.min(distance, axis=-1)
    wider = widening(nearest_distance=nearest, experts=experts)
    return Spread(
        low=measured_over_predicted_low(errors=errors, weight=weight, widening=wider),
        high=measured_over_predicted_high(errors=errors, weight=weight, widening=wider),
        nearest_distance=nearest,
    )
