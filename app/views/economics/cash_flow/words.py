"""A cash flow in words: the verdict, on what basis, and what to know before believing it."""

from __future__ import annotations

import math

from app.views.economics.cash_flow.report import CashMeasures, CashTerms, OtherCurrency

METHODS = {
    "straight_line": "straight line",
    "declining_balance": "double declining balance",
    "macrs": "MACRS, 5-year property",
}
LOSSES = "A loss saves tax at once, as it is set against other profit of the owner."
SETTLED = (
    "Flows stand at the ends of years. The life ends within its last year, which takes that share of revenue and "
    "cost and is settled at its end: an hour costs a little more than in the build-up, which counts the part of a year "
    "exactly."
)
ONE_LIFE = "Nothing is replaced within the life."
FACILITY = (
    "At the end the facility is worth what its remaining years are when each of its years is charged the same, as in "
    "the build-up; what that is beyond its books counts as profit."
)
FIXED_LOAN = (
    "A loan is agreed in nominal money: in money of the day of purchase its payments fall from year to year, and less "
    "is paid back than was borrowed."
)
UNKNOWN_COST = "What it is worth is unknown, as a price that goes into the purchase or the running cost is."
UNKNOWN_PRICE = (
    "What a used hour earns is unknown: no rent on demand is published for this accelerator. Set a price; the cost "
    "below holds all the same."
)


def verdict(terms: CashTerms, measures: CashMeasures) -> str:
    """Return whether owning is worth it at these terms, in a sentence or two."""
    if math.isnan(measures.npv_usd):
        return UNKNOWN_PRICE if math.isnan(terms.price_usd_per_accelerator_hour) else UNKNOWN_COST
    earned = (
        f"At {terms.price_usd_per_accelerator_hour:,.2f} USD for a used hour"
        if terms.price_is_stated
        else f"Against rent on demand at {terms.price_usd_per_accelerator_hour:,.2f} USD an hour"
    )
    rate = f"a cost of capital of {_percent(terms.discount_rate)}"
    money = _money(abs(measures.npv_usd))
    taxed = "after tax" if terms.tax_rate > 0 else "before tax"
    if math.isnan(measures.irr):
        outcome = "worth" if measures.npv_usd >= 0 else "a loss of"
        return f"{earned}, owning is {outcome} {money} {taxed} at {rate}; it has no single rate of return."
    made = f"{'earns' if measures.irr >= 0 else 'loses'} {_percent(abs(measures.irr))} a year {taxed}"
    if measures.npv_usd >= 0:
        return f"{earned}, owning {made}, more than {rate}: it is worth {money}."
    return (
        f"{earned}, owning {made}, against {rate}: that is a loss of {money} in money of the day of purchase."
    )


def basis(terms: CashTerms) -> tuple[str, ...]:
    """In which money, before or after tax, and whose flows."""
    growth = _percent(terms.inflation)
    if terms.prices == "real":
        money = f"Real: all money is of the day of purchase, and rates are without inflation, which is {growth} a year."
    else:
        money = f"Nominal: prices grow by {growth} a year, and rates include that."
    if terms.tax_rate > 0:
        bonus = (
            f", {_percent(terms.bonus_depreciation)} of it at once" if terms.bonus_depreciation > 0 else ""
        )
        tax = f"After tax at {_percent(terms.tax_rate)}; equipment is written off by {METHODS[terms.depreciation]}{bonus}."
    else:
        tax = "Before tax: the rate of tax is 0."
    revenue = (
        "Revenue is used hours at a stated price."
        if terms.price_is_stated
        else "Revenue is the rent avoided."
    )
    return money, tax, revenue


def notes(terms: CashTerms, measures: CashMeasures, currency: OtherCurrency | None) -> tuple[str, ...]:
    """Caveats of the figures."""
    found = []
    if terms.tax_rate > 0:
        found.append(LOSSES)
    if terms.facility_usd > 0:
        found.append(FACILITY)
    found.append(SETTLED if terms.life_years % 1 else f"Flows stand at the ends of years. {ONE_LIFE}")
    is_known = not math.isnan(measures.levelised_usd_per_used_hour)
    if terms.prices == "nominal" and terms.inflation != 0 and is_known:
        found.append(
            f"In prices of the day of purchase a used hour costs {measures.levelised_usd_per_used_hour:,.2f} USD here "
            f"and {measures.usd_per_accelerator_hour:,.2f} in the build-up, which takes the cost of capital as it is "
            "and lets no price grow: with real prices, or without inflation, both are the same."
        )
    if terms.debt_share > 0 and terms.debt_years > terms.life_years:
        found.append("The loan outlives the equipment: what is left of it is paid back from the sale.")
    if terms.debt_share > 0 and terms.prices == "real" and terms.inflation > 0:
        found.append(FIXED_LOAN)
    if currency is not None:
        found.append(currency.note)
    return tuple(found)


def currency_note(code: str, per_usd: float, as_of: str, age_days: int, is_old: bool) -> str:
    """The rate, its day, and its age where it is old."""
    said = f"{code} at {per_usd:,.6g} for one USD, the rate of {as_of}; figures themselves are in USD."
    return f"{said} The rate is {age_days:,} days old: state a newer one." if is_old else said


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _money(usd: float) -> str:
    for size, word in ((1e9, "billion USD"), (1e6, "million USD")):
        if usd >= 0.9995 * size:
            return f"{usd / size:,.3g} {word}"
    return f"{usd:,.0f} USD"
