"""What flows are worth: present value, rates of return, payback, cover of debt, and the cost of an hour.

Flows have their years on the last axis; a measure has one entry there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_NREL = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995)"
LEAST_RATE = -0.9
HALVINGS = 80  # of an interval of ten: far below what a float can tell apart
ROUNDING = 1e-12  # of all that flows: less than that is owed by rounding only


@quantity(unit="USD", source=f"{_NREL}, present value")
def discounted_usd(*, flow_usd: Array, rate: Array, years: Array) -> Array:
    """Flow of each year in money of the day of purchase."""
    return flow_usd / (1 + rate) ** years


@quantity(unit="USD", source=f"{_NREL}, net present value")
def net_present_value_usd(*, flow_usd: Array, rate: Array, years: Array) -> Array:
    """Net present value.

    All flows in money of the day of purchase.

    Examples
    --------
    >>> flow = np.array([-100.0, 40, 40, 40, 40])
    >>> net_present_value_usd(flow_usd=flow, rate=np.array([0.1]), years=np.arange(5.0)).round(4)
    array([26.7946])
    """
    worth: Array = np.sum(flow_usd / (1 + rate) ** years, axis=-1, keepdims=True)
    return worth


@quantity(unit="1/year", source=f"{_NREL}, internal rate of return", leaf=True)
def internal_rate_of_return(*, flow_usd: Array) -> Array:
    """Internal rate of return.

    The rate at which the present value is nothing. There is one, and only one, where money is first paid
    and then got back; flows that change their sign never, or more than once, have none here.

    Examples
    --------
    >>> internal_rate_of_return(flow_usd=np.array([-100.0, 40, 40, 40, 40])).round(5)
    array([0.21862])
    """
    columns = np.arange(flow_usd.shape[-1])
    last_paid = np.max(np.where(flow_usd < 0, columns, -1), axis=-1, keepdims=True)
    first_got = np.min(np.where(flow_usd > 0, columns, columns.size), axis=-1, keepdims=True)
    has_one = (last_paid >= 0) & (last_paid < first_got) & (first_got < columns.size)
    # By Descartes' rule the polynomial in 1 / (1 + rate) has one positive root: negative below, positive above.
    low = np.zeros(has_one.shape)
    high = np.full(has_one.shape, 1 / (1 + LEAST_RATE))
    has_one &= _polynomial(flow_usd, high) >= 0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_above = _polynomial(flow_usd, middle) >= 0
        low, high = np.where(is_above, low, middle), np.where(is_above, middle, high)
    return np.where(has_one, 1 / np.where(has_one, high, 1.0) - 1, np.nan)


def _polynomial(flow_usd: Array, factor: Array) -> Array:
    value: Array = np.sum(flow_usd * factor ** np.arange(flow_usd.shape[-1]), axis=-1, keepdims=True)
    return value


@quantity(unit="years", source=f"{_NREL}, payback", leaf=True)
def payback_years(*, flow_usd: Array) -> Array:
    """Years until what was paid is got back.

    The first time the sum of flows is not negative, even within a year; infinite when that never comes.
    """
    total = np.cumsum(flow_usd, axis=-1)
    paid_back = total >= -ROUNDING * np.sum(np.abs(flow_usd), axis=-1, keepdims=True)
    first = np.argmax(paid_back, axis=-1)[..., None]
    within = np.take_along_axis(flow_usd, first, axis=-1)
    owed = within - np.take_along_axis(total, first, axis=-1)
    years = np.where(first == 0, 0.0, first - 1 + owed / np.where(within == 0, 1.0, within))
    never = np.where(np.isnan(total[..., -1:]), np.nan, np.inf)
    return np.where(np.any(paid_back, axis=-1, keepdims=True), years, never)


@quantity(unit="1", source=f"{_NREL}, debt service coverage")
def debt_service_cover(*, ebitda_usd: Array, tax_usd: Array, debt_service_usd: Array) -> Array:
    """Debt service cover of each year.

    What is earned after tax over interest and principal as agreed; unknown in years without any. What is
    paid back when the equipment is sold comes from the sale, and is not counted; nor is the tax on the sale.
    """
    has_service = debt_service_usd > 0
    return np.where(
        has_service, (ebitda_usd - tax_usd) / np.where(has_service, debt_service_usd, 1.0), np.nan
    )


@quantity(unit="1", source="definition", leaf=True)
def least_debt_service_cover(*, debt_service_cover: Array, debt_service_usd: Array) -> Array:
    """Lowest debt service cover of all years that have debt to serve."""
    cover = np.where(debt_service_usd > 0, debt_service_cover, np.inf)
    least = np.min(cover, axis=-1, keepdims=True)
    return np.where(np.isinf(least), np.nan, least)


@quantity(unit="USD/h", source=f"{_NREL}, levelised cost")
def levelised_usd_per_used_hour(
    *,
    purchase_usd: Array,
    operating_usd: Array,
    sales_usd: Array,
    used_hours: Array,
    growth: Array,
    rate: Array,
    years: Array,
) -> Array:
    """Levelised cost of a utilised accelerator-hour from the cash flows.

    The price, in money of the day of purchase and growing as prices do, at which the project is worth nothing
    before tax: present value of all cost over that of the hours.
    """
    factor = (1 + rate) ** -years
    cost_usd: Array = np.sum((purchase_usd + operating_usd - sales_usd) * factor, axis=-1, keepdims=True)
    hours: Array = np.sum(used_hours * growth * factor, axis=-1, keepdims=True)
    return cost_usd / hours


@dataclass(frozen=True, slots=True, kw_only=True)
class CashFlow:
    """Years on the last axis, from 0; measures have one entry there. Unknown is NaN.

    Costs, sales and tax are positive amounts; what ends in `flow_usd` carries its sign.
    """

    years: Array
    year_share: Array
    discount_rate: Array
    real_rate: Array  # the discount rate without inflation
    nominal_debt_rate: Array
    worth_share: dict[str, Array]  # over its price, at the end of the table, by asset
    price_usd_per_accelerator_hour: Array

    used_hours: Array
    revenue_usd: Array
    operating_usd: dict[str, Array]  # by kind
    operating_total_usd: Array
    ebitda_usd: Array

    purchase_usd: dict[str, Array]  # equipment, installation, duties, facility, land
    purchase_total_usd: Array
    sales_usd: dict[str, Array]  # equipment, facility, land
    sales_total_usd: Array

    depreciation_usd: dict[str, Array]  # equipment, facility
    depreciation_total_usd: Array
    gain_on_sale_usd: Array
    tax_usd: Array
    flow_before_tax_usd: Array
    flow_usd: Array  # of the project, after tax
    cumulative_flow_usd: Array
    discounted_flow_usd: Array
    cumulative_discounted_flow_usd: Array

    borrowed_usd: Array
    interest_usd: Array
    principal_usd: Array
    debt_usd: Array  # left at the end of the year
    tax_with_debt_usd: Array
    equity_flow_usd: Array
    debt_service_cover: Array

    npv_usd: Array
    npv_before_tax_usd: Array
    irr: Array  # NaN: there is none
    irr_before_tax: Array
    equity_npv_usd: Array
    equity_irr: Array
    payback_years: Array  # infinite: never
    discounted_payback_years: Array
    least_debt_service_cover: Array
    level_payment_usd_per_year: Array  # nominal
    levelised_usd_per_used_hour: Array
