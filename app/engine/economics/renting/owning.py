"""What owning costs until a month, at present value, when what lives longer is credited.

The cash view pays prices when things are bought and credits what is left; the level view spreads them over the
lives. Both come to the same at the end of a life.
"""

from __future__ import annotations

import numpy as np

from app.engine.economics.finance import capital_recovery_factor, yearly_capital_share
from app.engine.economics.renting.bill import worth_of_a_dollar, worth_of_payments, worth_so_far_usd
from app.engine.quantities import quantity
from app.engine.trace import Array

_RESALE = (
    "[1] residual values of H100 servers: 0.30 (0.25 to 0.35) of the price after 36 months, autumn 2026; the curve "
    "falls by what hardware gets better for its money a year"
)
_COMPARISON = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995): same horizon, leftover value credited"


@quantity(unit="1", source="definition")
def purchases(*, month: Array, life_months: Array) -> Array:
    """Times that equipment has been bought until a month: first at the start, then whenever it has served."""
    return np.maximum(np.ceil(month / life_months), 1)


@quantity(unit="1", source="definition")
def worth_of_purchases(*, purchases: Array, life_months: Array, monthly_rate: Array) -> Array:
    """Present value of one dollar at every purchase.

    (1 - q^n) / (1 - q) with q, the worth of a dollar a life later.
    """
    later = worth_of_a_dollar(month=life_months, monthly_rate=monthly_rate)
    alike = 1 - later < 1e-15
    summed = (1 - later**purchases) / np.where(alike, 1.0, 1 - later)
    return np.where(alike, purchases, summed)


@quantity(unit="USD", source=_RESALE)
def resale_by_age_usd(
    *, equipment_usd: Array, used_value_share: Array, value_decline_per_year: Array, age_months: Array
) -> Array:
    """Resale value of used equipment.

    C f (1 - d)^(age / 12): less as soon as it is used, and the same share less every year.
    """
    return equipment_usd * used_value_share * (1 - value_decline_per_year) ** (age_months / 12)


@quantity(unit="USD", source=_COMPARISON)
def equipment_net_usd(
    *,
    equipment_usd: Array,
    used_value_share: Array,
    value_decline_per_year: Array,
    life_months: Array,
    month: Array,
    monthly_rate: Array,
) -> Array:
    """Equipment of one life until a month.

    Purchases at today's price, less what is sold when it has served, less what the last would fetch then.
    """
    bought = purchases(month=month, life_months=life_months)
    worth = worth_of_purchases(purchases=bought, life_months=life_months, monthly_rate=monthly_rate)
    left_usd = resale_by_age_usd(
        equipment_usd=equipment_usd,
        used_value_share=used_value_share,
        value_decline_per_year=value_decline_per_year,
        age_months=month - (bought - 1) * life_months,
    )
    sold_usd = resale_by_age_usd(
        equipment_usd=equipment_usd,
        used_value_share=used_value_share,
        value_decline_per_year=value_decline_per_year,
        age_months=life_months,
    )
    return (
        equipment_usd * worth
        - sold_usd * (worth - 1)
        - left_usd * worth_of_a_dollar(month=month, monthly_rate=monthly_rate)
    )


@quantity(unit="USD", source=_COMPARISON)
def installation_net_usd(
    *, installation_usd: Array, life_months: Array, month: Array, monthly_rate: Array
) -> Array:
    """Installation until a month: paid with every purchase, and worth nothing after."""
    bought = purchases(month=month, life_months=life_months)
    return installation_usd * worth_of_purchases(
        purchases=bought, life_months=life_months, monthly_rate=monthly_rate
    )


@quantity(unit="USD/month", source=_COMPARISON)
def level_usd_per_month(
    *, price_usd: Array, residual_value: Array, life_months: Array, monthly_rate: Array
) -> Array:
    """Level payment of a month that pays for a price over its life.

    (C - S (1 + r)^-n) r / (1 - (1 + r)^-n), with S left at the end: the charge of a year, with months for years.
    """
    recovery = capital_recovery_factor(rate=monthly_rate, years=life_months)
    return price_usd * yearly_capital_share(
        capital_recovery_factor=recovery, rate=monthly_rate, residual_value=residual_value
    )


@quantity(unit="USD", source=_COMPARISON)
def facility_net_usd(
    *, facility_usd: Array, facility_life_months: Array, month: Array, monthly_rate: Array
) -> Array:
    """Facility until a month.

    Its level payments: what is not yet paid off stays in the building, which goes on to be used.
    """
    level = level_usd_per_month(
        price_usd=facility_usd,
        residual_value=np.zeros(1),
        life_months=facility_life_months,
        monthly_rate=monthly_rate,
    )
    return level * worth_of_payments(month=month, monthly_rate=monthly_rate)


@quantity(unit="USD", source=_COMPARISON)
def land_net_usd(*, land_usd: Array, month: Array, monthly_rate: Array) -> Array:
    """Land until a month: interest alone, as it is taken to sell for what it cost."""
    return land_usd * (1 - worth_of_a_dollar(month=month, monthly_rate=monthly_rate))


@quantity(unit="USD", source="definition")
def running_so_far_usd(*, usd_per_year: Array, month: Array, monthly_rate: Array) -> Array:
    """Running cost until a month."""
    return usd_per_year / 12 * worth_of_payments(month=month, monthly_rate=monthly_rate)


@quantity(unit="USD", source="definition")
def replaced_so_far_usd(
    *, price_usd: Array, residual_value: Array, life_months: Array, month: Array, monthly_rate: Array
) -> Array:
    """Cash paid for what has served its life, until a month: its price less what the old one is sold for."""
    bought = purchases(month=month, life_months=life_months)
    again = worth_of_purchases(purchases=bought, life_months=life_months, monthly_rate=monthly_rate) - 1
    return again * price_usd * (1 - residual_value)


@quantity(unit="USD", source="definition")
def own_cash_usd(*, capex_usd: Array, replaced_usd: Array, running_usd: Array) -> Array:
    """Cash paid until a month, nothing credited but equipment that has been replaced.

    All purchases at the start, operating cost by the month, and the replacement of each kind at the end of its life.
    """
    return capex_usd + running_usd + replaced_usd


_SCREENING = "[1] Stoft, Power System Economics (2002), chapter 2-2: load-duration and screening curves"


@quantity(unit="USD", source=_SCREENING)
def mix_usd(
    *,
    owned_share: Array,
    served_share: Array,
    utilisation: Array,
    own_fixed_usd: Array,
    own_at_full_use_usd: Array,
    rent_fixed_usd: Array,
    rent_at_full_use_usd: Array,
) -> Array:
    """Cost when a share of the pod is owned and the rest of the demand is rented.

    What is fixed in owning goes with the share; what is fixed in renting is paid whenever anything is rented.
    """
    rented = np.maximum(utilisation - served_share, 0)
    own = own_fixed_usd * owned_share + own_at_full_use_usd * served_share
    return own + rent_at_full_use_usd * rented + np.where(rented > 0, rent_fixed_usd, 0.0)


@quantity(unit="USD", source=_SCREENING)
def reserved_base_usd(
    *,
    reserved_share: Array,
    served_share: Array,
    utilisation: Array,
    rent_fixed_usd: Array,
    reserved_at_full_use_usd: Array,
    on_demand_at_full_use_usd: Array,
) -> Array:
    """Cost when a share of the pod is reserved and the rest of the demand is rented on demand."""
    rented = np.maximum(utilisation - served_share, 0)
    return reserved_at_full_use_usd * reserved_share + on_demand_at_full_use_usd * rented + rent_fixed_usd


@quantity(unit="1", source="definition", leaf=True)
def cheapest_share(*, share: Array, cost_usd: Array) -> Array:
    """The share that costs least; the smallest of several, unknown where a cost is."""
    known = np.where(np.isnan(cost_usd), np.inf, cost_usd)
    return np.where(np.isnan(cost_usd).any(axis=-1), np.nan, share[np.argmin(known, axis=-1)])


@quantity(unit="1", source=_SCREENING)
def reserve_above_use(*, reserved_usd: Array, on_demand_usd: Array) -> Array:
    """Utilisation above which a reserved accelerator is cheaper than one on demand.

    p_res / p_od: a commitment is paid whether it is used or not.
    """
    return reserved_usd / on_demand_usd


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
    """Levelised cost per utilised hour: cost over hours, both at present value."""
    return cost_usd / (used_hours_per_month * worth_of_payments)
