"""Statistics of samples: percentiles, histogram and probability of meeting a limit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.trace import Array

PERCENTILES = (0.1, 0.5, 0.9)
BARS = 40
REACH = 1.5
"""Reach of the bars beyond the 80 % interval, in widths of it; without a limit, outliers would leave all
others in one bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Statistics of the known samples. `edges` has one entry more than `counts`; both are empty without any.

    The outermost bars hold every sample that lies further out.
    """

    p10: float
    p50: float
    p90: float
    mean: float
    unknown_share: float
    edges: tuple[float, ...]
    counts: tuple[int, ...]


def summary(values: Array) -> Summary:
    """Percentiles and histogram of one figure.

    Parameters
    ----------
    values : (n,), not a number where unknown
    """
    known = values[np.isfinite(values)]
    unknown_share = 1 - known.size / values.size
    if known.size == 0:
        return Summary(
            p10=np.nan, p50=np.nan, p90=np.nan, mean=np.nan, unknown_share=unknown_share, edges=(), counts=()
        )
    p10, p50, p90 = np.quantile(known, PERCENTILES).tolist()
    # sampled or not, a figure that nothing moves differs by rounding only
    varies = np.ptp(known) > 1e-12 * np.abs(known).max()
    reach = REACH * (p90 - p10)
    near = np.clip(known, p10 - reach, p90 + reach) if reach > 0 else known
    counts, edges = np.histogram(near, bins=BARS if varies else 1)
    return Summary(
        p10=p10,
        p50=p50,
        p90=p90,
        mean=float(known.mean()),
        unknown_share=unknown_share,
        edges=tuple(edges.tolist()),
        counts=tuple(counts.tolist()),
    )


def share_within(values: Array, limit: Array | float) -> float:
    """Share of the samples at or below a limit, which may differ by sample; unknown ones count for neither side."""
    known = np.isfinite(values) & np.isfinite(limit)
    if not known.any():
        return float("nan")
    return float(np.mean((values <= limit)[known]))


def weighted_quantile(values: Array, weights: Array, share: float) -> Array:
    """The value below which a share of the weight lies, between neighbours in proportion.

    Parameters
    ----------
    values : (n,)
    weights : (..., n), not negative; each row is a weighting of its own
    share : 0 to 1

    Returns
    -------
    (...): one value a weighting

    >>> weighted_quantile(np.array([3.0, 1.0, 2.0]), np.ones(3), 0.5)
    array(2.)
    """
    order = np.argsort(values)
    in_order, weight = values[order], weights[..., order]
    upto = np.cumsum(weight, axis=-1)
    middle = upto - weight / 2
    wanted = share * upto[..., -1:]
    # The neighbours of what is wanted: the last value with its middle below, and the one after.
    after = np.clip(np.sum(middle < wanted, axis=-1), 0, len(values) - 1)
    before = np.maximum(after - 1, 0)
    low, high = (np.take_along_axis(middle, np.expand_dims(index, -1), -1) for index in (before, after))
    span = np.where(high > low, high - low, 1.0)
    between = np.clip((wanted - low) / span, 0.0, 1.0)[..., 0]
    below, above = in_order[before], in_order[after]
    # As a step from one neighbour towards the other, held between them, rounding never makes a higher share lower.
    return np.asarray(np.minimum(below + between * (above - below), above))
