"""The cash flow of a pod as a table."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


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
    facility_worth_share: Array  # of its price, at the end of the life
    price_usd_per_accelerator_hour: Array

    used_hours: Array
    revenue_usd: Array
    operating_usd: dict[str, Array]  # by kind
    operating_total_usd: Array
    ebitda_usd: Array

    purchase_usd: dict[str, Array]  # equipment, installation, facility, land
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
