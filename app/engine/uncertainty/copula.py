"""Correlated inputs: a Gaussian copula with the rank correlations that are asked for [1].

[1] Nelsen 2006, An Introduction to Copulas, section 2; ranks are put back as by Iman and Conover 1982,
Communications in Statistics 11(3), so that each input stays as evenly spread as it was drawn
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from app.engine.trace import Array

ROUNDS = 200
SLACK = 1e-10
"""By how much rounding may make an eigenvalue of a matrix that is possible negative."""


def gaussian_correlation(*, rank_correlation: Array) -> Array:
    """Correlation of normal numbers whose ranks have this correlation: 2 sin(pi r / 6)."""
    return np.asarray(2 * np.sin(np.pi / 6 * rank_correlation))


def is_possible(rank_correlation: Array) -> bool:
    """Return whether inputs can have these correlations all at once: the matrix of their normal numbers is not negative."""
    matrix = gaussian_correlation(rank_correlation=rank_correlation)
    return bool(np.linalg.eigvalsh(matrix).min() >= -SLACK * len(matrix))


def correlated(shares: Array, rank_correlation: Array) -> Array:
    """The same shares of each input in another order, so that their ranks have these correlations.

    Parameters
    ----------
    shares : (n, inputs), independent of one another
    rank_correlation : (inputs, inputs), possible
    """
    involved = np.flatnonzero((rank_correlation != np.eye(len(rank_correlation))).any(axis=0))
    matrix = gaussian_correlation(rank_correlation=rank_correlation[np.ix_(involved, involved)])
    drawn = shares[:, involved]
    together = ndtri(np.clip(drawn, 1e-12, 1 - 1e-12)) @ _root(matrix)
    ranks = np.argsort(np.argsort(together, axis=0), axis=0)
    found = shares.copy()
    found[:, involved] = np.take_along_axis(np.sort(drawn, axis=0), ranks, axis=0)
    return found


def nearest_possible(rank_correlation: Array) -> Array:
    """The nearest correlations that are possible, to two decimals.

    Alternating projections of Higham 2002, IMA Journal of Numerical Analysis 22(3); rounding may leave the
    possible again, so that all are then taken a little smaller until they are.
    """
    matrix = gaussian_correlation(rank_correlation=rank_correlation)
    correction = np.zeros_like(matrix)
    for _ in range(ROUNDS):
        lifted = _without_negative(matrix - correction)
        correction = lifted - (matrix - correction)
        matrix = lifted.copy()
        np.fill_diagonal(matrix, 1.0)
    found = 6 / np.pi * np.arcsin(np.clip(matrix, -1, 1) / 2)
    for shrink in np.linspace(1, 0, 101):
        rounded = np.round(shrink * found, 2)
        np.fill_diagonal(rounded, 1.0)
        if is_possible(rounded):
            break
    return np.asarray(rounded)


def _without_negative(matrix: Array) -> Array:
    sizes, directions = np.linalg.eigh(matrix)
    return np.asarray((directions * np.maximum(sizes, 0)) @ directions.T)


def _root(matrix: Array) -> Array:
    """The symmetric square root, which also exists where one input follows wholly from others."""
    sizes, directions = np.linalg.eigh(matrix)
    return np.asarray((directions * np.sqrt(np.maximum(sizes, 0))) @ directions.T)
