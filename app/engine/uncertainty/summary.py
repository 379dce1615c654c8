"""Statistics of samples: percentiles, histogram and probability of meeting a limit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.trace import Array

PERCENTILES = (0.1, 0.5, 0.9)
BARS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Of the samples that are known. `edges` has one entry more than `counts`; both are empty where none is known."""

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
    counts, edges = np.histogram(known, bins=BARS if varies else 1)
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
