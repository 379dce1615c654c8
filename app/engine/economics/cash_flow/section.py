"""The cash flow of a pod: quantities called in their order."""

from __future__ import annotations

import numpy as np

from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.bills import EQUIPMENT, yearly_hours
from app.engine.economics.cash_flow import flows, worth
from app.engine.economics.cash_flow.money import Money, money
from app.engine.economics.cash_flow.worth import CashFlow
from app.engine.economics.finance import capital_recovery_factor, unpaid_share
from app.engine.economics.section import Cost
from app.engine.facility.results import Power
from app.engine.operations.section import Reliability
from app.engine.quantities import quantity
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

    bought = _bought(cost)
    purchase = {kind: np.where(is_first, usd, 0.0) for kind, usd in bought.items()}
    purchase_total = _total(purchase)
    facility_worth = flows.facility_worth_share(
        facility_life_years=assumptions.facility_life_years, life_years=life, real_rate=terms.real_rate
    )
    sales = _sales(bought, economics.residual_value, facility_worth, terms, years, last_year)
    sales_total = _total(sales)
    written_off = _written_off(bought, economics, years, assumptions.facility_life_years)
    book = cost.capex_usd - np.cumsum(_total(written_off), axis=-1)
    gain = flows.gain_on_sale_usd(
        sale_usd=sales_total, book_usd=book * terms.fixed_worth, years=years, last_year=last_year
    )
    written_off = {kind: usd * terms.fixed_worth for kind, usd in written_off.items()}
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
        facility_worth_share=facility_worth,
        price_usd_per_accelerator_hour=price,
        used_hours=hours,
        revenue_usd=revenue,
        operating_usd=operating,
        operating_total_usd=operating_total,
        ebitda_usd=ebitda,
        purchase_usd=purchase,
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


def _bought(cost: Cost) -> dict[str, Array]:
    """The bill by what becomes of it: equipment is sold, a facility stands on, land keeps its price."""
    parts = cost.capex_breakdown_usd
    equipment = _total({name: usd for name, usd in parts.items() if name in EQUIPMENT})
    return {"equipment": equipment} | {name: usd for name, usd in parts.items() if name not in EQUIPMENT}


def _sales(
    bought: dict[str, Array],
    residual_value: Array,
    facility_worth_share: Array,
    terms: Money,
    years: Array,
    last_year: Array,
) -> dict[str, Array]:
    """What is got back at the end of the life, in prices of then. Installation is lost; land keeps its price."""
    shares = {"equipment": residual_value, "facility": facility_worth_share, "land": np.ones(1)}
    return {
        kind: flows.sale_usd(
            price_usd=bought[kind],
            worth_share=share,
            years=years,
            last_year=last_year,
            growth=terms.growth,
        )
        for kind, share in shares.items()
        if kind in bought
    }


def _written_off(
    bought: dict[str, Array], economics: Economics, years: Array, facility_life_years: Array
) -> dict[str, Array]:
    """Depreciation for tax, in nominal money. Installation is written off with the equipment; land is not."""
    finance, life = economics.finance, economics.life_years
    return {
        "equipment": equipment_depreciation_usd(
            method=finance.depreciation,
            price_usd=bought["equipment"] + bought["installation"],
            residual_usd=bought["equipment"] * economics.residual_value,
            bonus_depreciation=finance.bonus_depreciation,
            life_years=life,
            years=years,
            year_share=flows.year_share(life_years=life, years=years),
        ),
        "facility": facility_depreciation_usd(
            facility_usd=bought["facility"],
            facility_life_years=facility_life_years,
            year_share=flows.year_share(life_years=np.minimum(life, facility_life_years), years=years),
        ),
    }


def _total(parts: dict[str, Array]) -> Array:
    return sum(parts.values(), np.zeros(1))


_ANNUITY = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), uniform capital recovery"


@quantity(unit="USD/year", source=_ANNUITY)
def level_payment_usd_per_year(*, borrowed_usd: Array, debt_rate: Array, debt_years: Array) -> Array:
    """Level payment on a loan.

    Interest and principal together, the same every year.
    """
    return borrowed_usd * capital_recovery_factor(rate=debt_rate, years=debt_years)


@quantity(unit="USD", source=_ANNUITY)
def agreed_debt_usd(*, borrowed_usd: Array, debt_rate: Array, debt_years: Array, years: Array) -> Array:
    """Debt left at the end of each year by the loan's own plan.

    D (1 - (1 + d)^-(m - y)) / (1 - (1 + d)^-m): the payments still to come, at the rate of the loan.

    Parameters
    ----------
    borrowed_usd : D
    debt_rate : d, nominal
    debt_years : m; a last part of a year is paid at the end of it
    years : y
    """
    return borrowed_usd * unpaid_share(rate=debt_rate, life_years=debt_years, after_years=years)


@quantity(unit="USD", source=_ANNUITY)
def debt_usd(*, agreed_debt_usd: Array, years: Array, last_year: Array) -> Array:
    """Debt left at the end of each year.

    What is left when the equipment is sold is paid back then.
    """
    return np.where(years < last_year, agreed_debt_usd, 0.0)


@quantity(unit="USD", source="definition")
def interest_usd(*, debt_before_usd: Array, debt_rate: Array) -> Array:
    """Interest of each year, on the debt at its beginning."""
    return debt_before_usd * debt_rate


@quantity(unit="USD", source="definition")
def principal_usd(*, debt_before_usd: Array, debt_after_usd: Array) -> Array:
    """Debt paid back in each year."""
    return debt_before_usd - debt_after_usd


def year_before(values: Array) -> Array:
    """What stood a year earlier; nothing before the day of purchase."""
    return np.concatenate([np.zeros_like(values[..., :1]), values[..., :-1]], axis=-1)


_IRS = "[1] IRS Publication 946, MACRS, 5-year property, half-year convention (Table A-1), recalled"
_NREL = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), depreciation"

MACRS_SHARES = (0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576)
"""Of 5-year property, half-year convention: six years, as the first and the last are half ones."""


@quantity(unit="USD", source="definition")
def bonus_depreciation_usd(*, price_usd: Array, kept_usd: Array, bonus_depreciation: Array) -> Array:
    """Bonus depreciation in the first year.

    A share of the price, at most all that can be written off. `kept_usd` is what never is.
    """
    return np.minimum(bonus_depreciation * price_usd, price_usd - kept_usd)


@quantity(unit="USD", source=_NREL)
def straight_line_usd(*, depreciable_usd: Array, life_years: Array, year_share: Array) -> Array:
    """Straight-line depreciation.

    The same in every year; a last part of a year takes its part.
    """
    return np.where(year_share > 0, depreciable_usd / life_years * year_share, 0.0)


@quantity(unit="USD", source=_IRS)
def macrs_usd(*, depreciable_usd: Array, years: Array) -> Array:
    """Depreciation by MACRS, 5-year property.

    What the table has left when the equipment is sold is set against its price then.
    """
    table = np.array([0.0, *MACRS_SHARES, 0.0])
    shares: Array = table[np.minimum(years, len(table) - 1).astype(int)]
    return np.where(shares > 0, depreciable_usd * shares, 0.0)


@quantity(unit="USD", source=_NREL, leaf=True)
def declining_balance_usd(*, book_usd: Array, kept_usd: Array, life_years: Array, years: Array) -> Array:
    """Double declining balance.

    Twice the straight-line rate of what is left on the books, until writing off the rest evenly gives more.
    `book_usd` is what stands on them at first; it never falls below `kept_usd`.
    """
    left, parts = book_usd - kept_usd, [np.zeros_like(book_usd + life_years)]
    for year in years[1:]:
        to_come = life_years - (year - 1)
        declining = 2 / life_years * (left + kept_usd)
        evenly = left / np.maximum(to_come, 1.0)
        part = np.where(to_come <= 1, left, np.minimum(np.maximum(declining, evenly), left))
        parts.append(np.where(to_come <= 0, 0.0, part))
        left = left - parts[-1]
    return np.concatenate(np.broadcast_arrays(*parts), axis=-1)


def equipment_depreciation_usd(
    *,
    method: str,
    price_usd: Array,
    residual_usd: Array,
    bonus_depreciation: Array,
    life_years: Array,
    years: Array,
    year_share: Array,
) -> Array:
    """Of equipment in each year, in nominal money. MACRS writes off the whole price, the others all but the resale."""
    kept = np.zeros_like(residual_usd) if method == "macrs" else residual_usd
    bonus = bonus_depreciation_usd(price_usd=price_usd, kept_usd=kept, bonus_depreciation=bonus_depreciation)
    if method == "macrs":
        rest = macrs_usd(depreciable_usd=price_usd - bonus, years=years)
        rest = np.where(year_share > 0, rest, 0.0)  # nothing is written off of what has been sold
    elif method == "declining_balance":
        rest = declining_balance_usd(
            book_usd=price_usd - bonus, kept_usd=kept, life_years=life_years, years=years
        )
    else:
        rest = straight_line_usd(
            depreciable_usd=price_usd - kept - bonus, life_years=life_years, year_share=year_share
        )
    return rest + np.where(years == 1, bonus, 0.0)


@quantity(unit="USD", source=_NREL)
def facility_depreciation_usd(*, facility_usd: Array, facility_life_years: Array, year_share: Array) -> Array:
    """Straight-line depreciation of the facility, over its own life."""
    return np.where(year_share > 0, facility_usd / facility_life_years * year_share, 0.0)
