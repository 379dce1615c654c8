"""How rental prices go on from today: prices of a month over today's.

Months count from one; today's price holds in the first. Rental prices are no decaying curve: accelerators on
contracts of a year became 38 % dearer within five months of 2025 and 2026. So a path is chosen, not fitted.
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
