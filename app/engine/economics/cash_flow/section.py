"""The cash flow of a pod: quantities called in their order."""

from __future__ import annotations

import numpy as np

from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.bills import yearly_hours
from app.engine.economics.cash_flow import flows, worth
from app.engine.economics.cash_flow.debt import (
    agreed_debt_usd,
    debt_usd,
    interest_usd,
    level_payment_usd_per_year,
    principal_usd,
    year_before,
)
from app.engine.economics.cash_flow.holdings import EQUIPMENT_ASSETS, FACILITY_ASSETS, assets_of, holdings
from app.engine.economics.cash_flow.money import money
from app.engine.economics.cash_flow.worth import CashFlow
from app.engine.economics.section import Cost
from app.engine.facility.results import Power
from app.engine.operations.section import Reliability
from app.engine.specs import Economics, Pod, SuperNode
from app.engine.trace import Array


def evaluate_cash_flow(
    *,
    supernode: SuperNode,
    pod: Pod,
    economics: Economics,
    reliability: Reliability,
    power: Power,
    cost: Cost,
    assumptions: EconomicsAssumptions,
) -> CashFlow:
    """Cash flow of owning a pod over the life of its equipment."""
    finance, life = economics.finance, economics.life_years
    years = np.arange(np.ceil(np.max(life)) + 1)
    last_year = np.ceil(life)
    is_first = years == 0
    terms = money(economics, years)
    share = flows.year_share(life_years=life, years=years)
    stated = finance.price_usd_per_accelerator_hour
    price = economics.rent_usd_per_accelerator_hour if stated is None else stated

    hours = flows.used_hours(
        used_accelerator_hours_per_year=yearly_hours(supernode, pod, economics, reliability, power)["used"],
        year_share=share,
    )
    revenue = flows.revenue_usd(used_hours=hours, price_usd_per_accelerator_hour=price, growth=terms.growth)
    operating = {
        kind: flows.operating_cost_usd(usd_per_year=usd, year_share=share, growth=terms.growth)
        for kind, usd in cost.opex_breakdown_usd_per_year.items()
    }
    operating_total = _total(operating)
    ebitda = flows.ebitda_usd(revenue_usd=revenue, operating_usd=operating_total)

    held = holdings(
        assets_of(cost.capex_breakdown_usd, economics, assumptions),
        land_usd=cost.capex_breakdown_usd["land"],
        economics=economics,
        terms=terms,
        years=years,
    )
    purchase_total, sales, sales_total = _total(held.purchase_usd), held.sales_usd, _total(held.sales_usd)
    book = np.cumsum(
        (purchase_total - held.replaced_sale_usd) / terms.fixed_worth - _total(held.written_off_usd), axis=-1
    )
    gain = flows.gain_on_sale_usd(
        sale_usd=_total(held.end_sale_usd),
        book_usd=book * terms.fixed_worth,
        years=years,
        last_year=last_year,
    )
    written_off = {kind: usd * terms.fixed_worth for kind, usd in held.written_off_usd.items()}
    depreciation_total = _total(written_off)

    borrowed = cost.capex_usd * finance.debt_share
    plan = {"borrowed_usd": borrowed, "debt_rate": terms.debt_rate, "debt_years": finance.debt_years}
    agreed = agreed_debt_usd(**plan, years=years)
    owed = debt_usd(agreed_debt_usd=agreed, years=years, last_year=last_year)
    before = year_before(owed)
    interest = interest_usd(debt_before_usd=before, debt_rate=terms.debt_rate) * terms.fixed_worth
    principal = principal_usd(debt_before_usd=before, debt_after_usd=owed)
    principal = np.where(is_first, 0.0, principal) * terms.fixed_worth
    service = np.where(before > 0, principal_usd(debt_before_usd=before, debt_after_usd=agreed), 0.0)

    profit = {
        "tax_rate": finance.tax_rate,
        "ebitda_usd": ebitda,
        "depreciation_usd": depreciation_total,
        "gain_on_sale_usd": gain,
    }
    tax = flows.tax_usd(**profit, interest_usd=np.zeros_like(interest))
    tax_with_debt = flows.tax_usd(**profit, interest_usd=interest)
    tax_of_work = flows.tax_usd(**profit | {"gain_on_sale_usd": np.zeros_like(gain)}, interest_usd=interest)
    earned = {"ebitda_usd": ebitda, "purchase_usd": purchase_total, "sales_usd": sales_total}
    flow = flows.project_flow_usd(**earned, tax_usd=tax)
    before_tax = flows.project_flow_usd(**earned, tax_usd=np.zeros_like(tax))
    equity = flows.equity_flow_usd(
        **earned,
        borrowed_usd=np.where(is_first, borrowed, 0.0),
        interest_usd=interest,
        principal_usd=principal,
        tax_usd=tax_with_debt,
    )

    at = {"rate": terms.discount_rate, "years": years}
    discounted = worth.discounted_usd(flow_usd=flow, **at)
    served = {"debt_service_usd": service * terms.fixed_worth + interest}
    cover = worth.debt_service_cover(ebitda_usd=ebitda, tax_usd=tax_of_work, **served)
    return CashFlow(
        years=years,
        year_share=share,
        discount_rate=terms.discount_rate,
        real_rate=terms.real_rate,
        nominal_debt_rate=terms.debt_rate,
        worth_share={
            name: held.assets[name].curve.in_use_at(life, terms.real_rate)
            for name in (*EQUIPMENT_ASSETS, *FACILITY_ASSETS)
        },
        price_usd_per_accelerator_hour=price,
        used_hours=hours,
        revenue_usd=revenue,
        operating_usd=operating,
        operating_total_usd=operating_total,
        ebitda_usd=ebitda,
        purchase_usd=held.purchase_usd,
        purchase_total_usd=purchase_total,
        sales_usd=sales,
        sales_total_usd=sales_total,
        depreciation_usd=written_off,
        depreciation_total_usd=depreciation_total,
        gain_on_sale_usd=gain,
        tax_usd=tax,
        flow_before_tax_usd=before_tax,
        flow_usd=flow,
        cumulative_flow_usd=np.cumsum(flow, axis=-1),
        discounted_flow_usd=discounted,
        cumulative_discounted_flow_usd=np.cumsum(discounted, axis=-1),
        borrowed_usd=np.where(is_first, borrowed, 0.0),
        interest_usd=interest,
        principal_usd=principal,
        debt_usd=owed * terms.fixed_worth,
        tax_with_debt_usd=tax_with_debt,
        equity_flow_usd=equity,
        debt_service_cover=cover,
        npv_usd=worth.net_present_value_usd(flow_usd=flow, **at),
        npv_before_tax_usd=worth.net_present_value_usd(flow_usd=before_tax, **at),
        irr=worth.internal_rate_of_return(flow_usd=flow),
        irr_before_tax=worth.internal_rate_of_return(flow_usd=before_tax),
        equity_npv_usd=worth.net_present_value_usd(flow_usd=equity, **at),
        equity_irr=worth.internal_rate_of_return(flow_usd=equity),
        payback_years=worth.payback_years(flow_usd=flow),
        discounted_payback_years=worth.payback_years(flow_usd=discounted),
        least_debt_service_cover=worth.least_debt_service_cover(debt_service_cover=cover, **served),
        level_payment_usd_per_year=level_payment_usd_per_year(**plan),
        levelised_usd_per_used_hour=worth.levelised_usd_per_used_hour(
            purchase_usd=purchase_total,
            operating_usd=operating_total,
            sales_usd=sales_total,
            used_hours=hours,
            growth=terms.growth,
            **at,
        ),
    )


def _total(parts: dict[str, Array]) -> Array:
    return sum(parts.values(), np.zeros(1))
