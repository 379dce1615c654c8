"""How rental prices go on from today: prices of a month over today's.

Months count from one; today's price holds in the first. Rental prices are no decaying curve: accelerators on
contracts of a year became 38 % dearer within five months of 2025 and 2026. So a path is chosen, not fitted.

What rental prices did: a matched index of dated offers.

Sellers enter and leave price surveys, and a hyperscaler asks three times what a small cloud does: the median of
the sellers listed on a day jumps when the list changes. Each seller is therefore compared with itself.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition")
def flat_over_today(*, month: Array) -> Array:
    """Price over today's on the path flat."""
    return np.ones_like(month)


@quantity(unit="1", source="definition")
def decayed_over_today(*, month: Array, price_change_per_year: Array) -> Array:
    """Price over today's on the path decay.

    (1 + c)^((m - 1) / 12): the change of a year, compounded month by month.
    """
    return np.exp(np.log1p(price_change_per_year) * (month - 1) / 12)


@quantity(unit="1", source="definition")
def shocked_over_today(*, month: Array, shock_month: Array, shock_share: Array) -> Array:
    """Price over today's on the path shock.

    Today's until the month of the jump; from then on the price after it.
    """
    return np.where(month >= shock_month, 1 + shock_share, np.ones_like(month + shock_share))


@quantity(unit="1", source="definition")
def undoing_share(*, share: Array) -> Array:
    """The jump that takes another back.

    -s / (1 + s): a rise of a quarter is undone by a fall of a fifth.
    """
    return -share / (1 + share)


@quantity(unit="1", source="definition", leaf=True)
def replayed_over_today(*, month: Array, history_index: Array) -> Array:
    """Price over today's on the path history.

    What the index did from its first month is done again from today; where it ends, its last value stays.

    Parameters
    ----------
    history_index : prices of consecutive months over those of the first
    """
    last = history_index.shape[-1] - 1
    return history_index[..., np.minimum(month.astype(int) - 1, last)]


@quantity(unit="1", source="definition", leaf=True)
def committed_over_today(*, month: Array, price_over_today: Array, commitment_months: Array) -> Array:
    """Price over today's under commitments.

    What is reserved keeps its price until the commitment ends, then takes that of the month.
    """
    held = np.floor((month - 1) / commitment_months) * commitment_months
    return np.take_along_axis(
        price_over_today, np.broadcast_to(held, price_over_today.shape).astype(int), axis=-1
    )


_JEVONS = (
    "[1] ILO and others, Consumer Price Index Manual: Concepts and Methods (2020), matched-model Jevons index"
)


@quantity(unit="USD/h", source="definition", leaf=True)
def held_usd_per_hour(*, month: Array, offer_month: Array, offer_usd_per_hour: Array) -> Array:
    """A seller's price in each month between its first and its last offer.

    What was asked last, until something else is seen; unknown before the first offer and after the last.

    Parameters
    ----------
    offer_month : in rising order
    """
    newest = np.searchsorted(offer_month, month, side="right") - 1
    seen = (newest >= 0) & (month <= offer_month[-1])
    return np.where(seen, offer_usd_per_hour[np.maximum(newest, 0)], np.nan)


@quantity(unit="1", source=_JEVONS, leaf=True)
def matched_index(*, usd_per_hour: Array) -> Array:
    """Prices of months over those of the first.

    Chained geometric mean of what sellers ask over what the same sellers asked a month before; unknown from a
    month on in which no seller can be compared.

    Parameters
    ----------
    usd_per_hour : of sellers (first axis) in months (last axis), unknown where nothing was seen
    """
    move = np.diff(np.log(usd_per_hour), axis=-1)
    matched = np.isfinite(move)
    mean = np.where(matched, move, 0.0).sum(axis=0) / matched.sum(axis=0)
    index: Array = np.exp(np.concatenate([np.zeros(1), np.cumsum(mean)]))
    return index


@quantity(unit="months", source="definition", leaf=True)
def matched_since(*, usd_per_hour: Array) -> Array:
    """Months from the start after which every move can be matched to a seller."""
    matched = np.isfinite(np.diff(np.log(usd_per_hour), axis=-1)).any(axis=0)
    gaps = np.flatnonzero(~matched)
    return np.array([float(gaps[-1] + 1) if gaps.size else 0.0])


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
