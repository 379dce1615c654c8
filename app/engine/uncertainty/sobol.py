"""Sobol indices: how much of the variance of a figure each input makes, alone and together with others.

They split a variance among inputs that are independent of one another; correlated inputs are treated as
independent, which must be stated where the indices are shown.
"""

from __future__ import annotations

import functools

import numpy as np
import scipy

from app.engine.quantities import quantity
from app.engine.trace import Array

_SALTELLI = "[1] Saltelli et al. 2010, Variance based sensitivity analysis of model output, table 2"
RESAMPLES = 200
INTERVAL = (0.05, 0.95)


def saltelli_samples(*, count: int, inputs: int, seed: int) -> Array:
    """Shares of probability at which the model is to be evaluated: (inputs + 2, count, inputs).

    Two samples A and B that are independent of each other, then for each input A with its column taken from B
    [1]. `count` is a power of two.
    """
    sequence = scipy.stats.qmc.Sobol(2 * inputs, rng=np.random.default_rng(seed))
    both = sequence.random_base2(count.bit_length() - 1)
    one, other = both[:, :inputs], both[:, inputs:]
    mixed = np.broadcast_to(one, (inputs, count, inputs)).copy()
    place = np.arange(inputs)
    mixed[place, :, place] = other.T
    return np.concatenate([one[None], other[None], mixed])


@quantity(unit="1", source=_SALTELLI)
def first_order_share(*, at_a: Array, at_b: Array, at_mixed: Array) -> Array:
    """Share of the variance that an input makes alone [1].

    Parameters
    ----------
    at_a, at_b : (n,), the figure at two independent samples
    at_mixed : (inputs, n), at the first with one input taken from the second
    """
    both = np.concatenate([at_a, at_b])
    covered = np.mean((at_b - np.mean(both)) * (at_mixed - at_a), axis=-1)
    return np.asarray(covered / np.var(both))


@quantity(unit="1", source=_SALTELLI)
def total_share(*, at_a: Array, at_b: Array, at_mixed: Array) -> Array:
    """Share of the variance that an input has a part in, alone or with others [1].

    Parameters as for the share of an input alone; Jansen's estimator, which is never negative.
    """
    both = np.concatenate([at_a, at_b])
    missed = np.mean((at_a - at_mixed) ** 2, axis=-1) / 2
    return np.asarray(missed / np.var(both))


def indices(figures: Array) -> tuple[Array, Array]:
    """First-order and total shares of each input, each with its interval: two arrays (3, inputs), of value, low, high.

    The interval holds 90 % of resamples of the samples.

    Parameters
    ----------
    figures : (inputs + 2, n), one figure at `saltelli_samples`; samples that are unknown anywhere are left out
    """
    inputs = len(figures) - 2
    known = figures[:, np.isfinite(figures).all(axis=0)]
    if known.shape[1] < 2 or np.ptp(known) <= 1e-12 * np.abs(known).max():
        return np.zeros((3, inputs)), np.zeros((3, inputs))
    known = known - known[:2].mean()  # a spread far below the mean would drown in the rounding of squares
    at_a, at_b, at_mixed = known[0], known[1], known[2:]
    both = np.concatenate([at_a, at_b])
    first, total = (
        share(at_a=at_a, at_b=at_b, at_mixed=at_mixed) for share in (first_order_share, total_share)
    )
    return (
        _with_interval(first, (at_b - both.mean()) * (at_mixed - at_a), at_a, at_b),
        _with_interval(total, (at_a - at_mixed) ** 2 / 2, at_a, at_b),
    )


def _with_interval(share: Array, products: Array, at_a: Array, at_b: Array) -> Array:
    """A share with what resamples make of it: each weighs the samples by how often it draws them."""
    weights = _resample_weights(len(at_a))
    mean = weights @ (at_a + at_b) / 2
    variance = weights @ (at_a**2 + at_b**2) / 2 - mean**2
    # threads of a matrix product would wait longer for each other than it takes where others compute too
    again = np.einsum("in,rn->ir", products, weights) / variance
    low, high = np.quantile(again, INTERVAL, axis=1)
    return np.array([share, low, high])


@functools.lru_cache(maxsize=1)
def _resample_weights(count: int) -> Array:
    """How often each resample draws each sample, over their number: (resamples, count).

    The samples are drawn by the seed; their resamples need none of their own.
    """
    chosen = np.random.default_rng(count).integers(count, size=(RESAMPLES, count))
    flat = chosen + count * np.arange(RESAMPLES)[:, None]
    drawn: Array = np.bincount(flat.ravel(), minlength=RESAMPLES * count).reshape(RESAMPLES, count) / count
    return drawn
