"""Value of information before a decision.

A decision chooses among actions by their mean cost. With every input known the choice
is made for each sample by itself; with one input known, by the mean costs at its value. The difference in
cost is the value of the information: no more should be paid for a quote, a measurement or a study.
"""

from __future__ import annotations

import numpy as np
from scipy.special import chdtri, ndtri

from app.engine.quantities import quantity
from app.engine.trace import Array

_VALUE = "[1] Strong, Oakley and Brennan 2014, Estimating Multiparameter Partial EVPI, Medical Decision Making 34(3)"
CHANCE = 0.01


@quantity(unit="USD", source=_VALUE)
def value_of_perfect_information_usd(*, costs_usd: Array) -> Array:
    """Value of perfect information on every input.

    Parameters
    ----------
    costs_usd : (actions, n), what each action costs in each sample
    """
    return np.asarray(np.min(np.mean(costs_usd, axis=1)) - np.mean(np.min(costs_usd, axis=0)))


@quantity(unit="USD", source=_VALUE)
def value_of_knowing_usd(*, costs_usd: Array, expected_usd: Array) -> Array:
    """Value of perfect information on one input [1].

    Parameters
    ----------
    costs_usd : (actions, n)
    expected_usd : (actions, n), mean cost of each action at the input's value in each sample
    """
    return np.asarray(np.min(np.mean(costs_usd, axis=1)) - np.mean(np.min(expected_usd, axis=0)))


def value_of_each_usd(costs_usd: Array, shares: Array) -> Array:
    """Value of perfect information on each input: (inputs,).

    The mean cost at a value is found by regression on the samples that are there [1]: a cubic in the share that
    the input was drawn by, with its normal score for long tails. Where chance alone would fit as well, the input is taken not to bear on the decision.

    Parameters
    ----------
    costs_usd : (actions, n), all known
    shares : (n, inputs), the shares of probability that the inputs were drawn by
    """
    values = []
    for share in shares.T:
        score = ndtri(np.clip(share, 1e-9, 1 - 1e-9))
        terms = np.column_stack([np.vander(share, 4), score])
        # only differences between actions bear on the decision, so only they are fitted
        beyond = costs_usd - costs_usd[0]
        fitted = np.stack([_fitted(terms, difference) for difference in beyond])
        expected = fitted + costs_usd[0].mean()
        values.append(float(value_of_knowing_usd(costs_usd=costs_usd, expected_usd=expected)))
    return np.asarray(np.maximum(np.array(values), 0.0))


def _fitted(terms: Array, values: Array) -> Array:
    """Values as the regression has them; their mean where chance would fit as well."""
    mean = np.full_like(values, values.mean())
    spread = values.var()
    if spread == 0:
        return mean
    weights, *_ = np.linalg.lstsq(terms, values, rcond=None)
    found: Array = terms @ weights
    explained = 1 - np.mean((values - found) ** 2) / spread
    return found if len(values) * explained > chdtri(terms.shape[1] - 1, CHANCE) else mean
