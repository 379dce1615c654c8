"""Break-even of owning and renting: the utilisation, the month, and the price."""

from __future__ import annotations

import numpy as np

from app.engine.economics.renting.worth import worth_so_far_usd
from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition")
def break_even_use_over_months(
    *,
    own_fixed_usd: Array,
    own_at_full_use_usd: Array,
    rent_fixed_usd: Array,
    rent_at_full_use_usd: Array,
    most_use: Array,
) -> Array:
    """Utilisation from which owning is cheaper.

    u* with F + V u* = E + R u*: fixed cost F and use-dependent cost V of owning, fixed cost E and cost of all
    hours R of renting. Infinite where it lies beyond the use up to which rent grows with it.

    Parameters
    ----------
    most_use : one; for a commitment to the peak the use at which the peak fills the pod
    """
    fixed, rising = own_fixed_usd - rent_fixed_usd, rent_at_full_use_usd - own_at_full_use_usd
    crossing = fixed / rising
    found = np.where(rising > 0, np.where(crossing > most_use, np.inf, np.maximum(crossing, 0)), np.inf)
    always = (rising <= 0) & (fixed <= most_use * rising)
    return np.where(np.isnan(crossing), np.nan, np.where(always, 0.0, found))


@quantity(unit="months", source="definition", leaf=True)
def break_even_month(
    *, price_usd: Array, gain_usd_per_month: Array, month: Array, monthly_rate: Array
) -> Array:
    """First month at whose end rent saved has paid for the price of owning.

    First m with -C + sum 730 (p u - v) / (1 + r)^t >= 0; infinite where it does not come in these months.

    Parameters
    ----------
    price_usd : C, paid at the start, less what renting would have asked for then; a last axis of one
    gain_usd_per_month : rent of the month less running cost, months on the last axis
    """
    worth = worth_so_far_usd(usd_per_month=gain_usd_per_month, month=month, monthly_rate=monthly_rate)
    short_usd = price_usd - worth
    paid = short_usd <= 0
    first = np.where(paid.any(axis=-1), month[np.argmax(paid, axis=-1)], np.inf)
    return np.where(np.isnan(short_usd).any(axis=-1), np.nan, first)


@quantity(unit="USD/h", source="definition")
def usd_per_used_hour(*, cost_usd: Array, used_hours_per_month: Array, worth_of_payments: Array) -> Array:
    """Levelised cost of a used hour: cost over hours, both in today's worth."""
    return cost_usd / (used_hours_per_month * worth_of_payments)
