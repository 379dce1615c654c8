"""What a choice costs if prices turn out otherwise: regret, and the choice that regrets least."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_SAVAGE = "[1] Savage, The Theory of Statistical Decision, J. Am. Stat. Assoc. 46 (1951): minimax regret"


@quantity(unit="USD", source=_SAVAGE, leaf=True)
def regret_usd(*, cost_usd: Array) -> Array:
    """Cost of a choice on a price path less that of the best choice on the same path.

    Parameters
    ----------
    cost_usd : choices on the first axis, paths on the last; unknown ones take no part
    """
    best = np.min(np.where(np.isnan(cost_usd), np.inf, cost_usd), axis=0)
    return np.where(np.isnan(cost_usd), np.nan, cost_usd - best)


@quantity(unit="USD", source=_SAVAGE, leaf=True)
def most_regret_usd(*, regret_usd: Array) -> Array:
    """The most that a choice is regretted, on whichever path; unknown paths are left out."""
    known = np.isfinite(regret_usd)
    most = np.max(np.where(known, regret_usd, -np.inf), axis=-1)
    return np.where(known.any(axis=-1), most, np.nan)
