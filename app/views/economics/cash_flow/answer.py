"""The cash flow of an evaluated scenario."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime

import numpy as np

from app.catalog.values import STALE_PRICE_DAYS
from app.engine.economics.cash_flow.section import evaluate_cash_flow
from app.engine.economics.cash_flow.worth import CashFlow
from app.engine.economics.residual import value_curves
from app.engine.facility.power_supply.supplied import as_supplied
from app.engine.specs import RENTAL_TERMS
from app.engine.trace import Array, first_of, quotient
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.cash_flow.refresh import refreshes
from app.views.economics.cash_flow.report import (
    CashAsset,
    CashFlowAnswer,
    CashMeasures,
    CashTerms,
    CashTotals,
    CashYear,
    OtherCurrency,
)

STATED = "stated in the scenario"


def cash_flow_answer(scenario: EvaluatedScenario, *, today: date | None = None) -> CashFlowAnswer:
    """Annual cash flow of ownership with its present value. `today` tells the age of a rate."""
    found = _cash_flow(scenario)
    terms, measures = _terms(scenario, found), _measures(scenario, found)
    currency = _currency(scenario, measures, today or datetime.now(UTC).date())
    return CashFlowAnswer(
        name=scenario.document.name,
        verdict=verdict(terms, measures),
        basis=basis(terms),
        terms=terms,
        purchase_usd={kind: float(np.sum(usd)) for kind, usd in found.purchase_usd.items()},
        sales_usd={kind: float(np.sum(usd)) for kind, usd in found.sales_usd.items()},
        years=tuple(_year(found, place) for place in range(found.years.size)),
        totals=_totals(found),
        measures=measures,
        refresh=refreshes(
            scenario, found.price_usd_per_accelerator_hour, terms.available_hours_per_year * terms.utilisation
        ),
        currency=currency,
        notes=notes(terms, measures, currency),
    )


def _cash_flow(scenario: EvaluatedScenario) -> CashFlow:
    sections = scenario.evaluation.sections
    with np.errstate(invalid="ignore", divide="ignore"):  # unknown inputs are NaN
        design = scenario.resolved.whole
        return evaluate_cash_flow(
            supernode=design.supernode,
            pod=design.pod,
            economics=design.economics,
            reliability=sections.reliability,
            power=sections.power,
            cost=sections.cost,
            assumptions=design.assumptions.rooms["economics"],
        )


def _terms(scenario: EvaluatedScenario, found: CashFlow) -> CashTerms:
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    terms, finance = design.economics, design.economics.finance
    bought = {kind: first_of(usd[..., :1]) for kind, usd in found.purchase_usd.items()}
    used_hours = _at(found.used_hours, 1) / _at(found.year_share, 1)
    is_stated = finance.price_usd_per_accelerator_hour is not None
    against = RENTAL_TERMS[terms.renting.compared_with]
    origin = scenario.resolved.origins.get(against.place)
    return CashTerms(
        prices=finance.prices,
        life_years=first_of(terms.life_years),
        **{f"{kind}_usd": usd for kind, usd in bought.items()},
        jurisdiction=terms.jurisdiction,
        assets=_assets(scenario, found),
        residual_is_stated=terms.residual_value is not None,
        discount_rate=first_of(found.discount_rate),
        real_rate=first_of(found.real_rate),
        inflation=first_of(finance.inflation),
        utilisation=first_of(terms.utilisation),
        available_hours_per_year=quotient(used_hours, first_of(terms.utilisation)),
        price_usd_per_accelerator_hour=first_of(found.price_usd_per_accelerator_hour),
        price_is_stated=is_stated,
        rented="" if is_stated else against.choice,
        price_source=STATED if is_stated or origin is None or origin.kind == "scenario" else origin.source,
        electricity_price_usd_per_kwh=first_of(
            as_supplied(design, sections.power, sections.cooling).site.electricity_price_usd_per_kwh
        ),
        energy_at_full_use_kwh_per_year=first_of(sections.power.energy_utility_kwh_per_year),
        idle_power_share=quotient(
            first_of(sections.power.it_power_idle_w), first_of(sections.power.it_power_mean_w)
        ),
        operating_usd_per_year={
            kind: first_of(usd) for kind, usd in sections.cost.opex_breakdown_usd_per_year.items()
        },
        tax_rate=first_of(finance.tax_rate),
        depreciation=finance.depreciation,
        bonus_depreciation=first_of(finance.bonus_depreciation),
        debt_share=first_of(finance.debt_share),
        debt_rate=first_of(finance.debt_rate),
        nominal_debt_rate=first_of(found.nominal_debt_rate),
        debt_years=first_of(finance.debt_years),
        equipment_write_off_years=first_of(finance.equipment_write_off_years),
        building_write_off_share_per_year=first_of(finance.building_write_off_share_per_year),
    )


def _assets(scenario: EvaluatedScenario, found: CashFlow) -> dict[str, CashAsset]:
    """Price, life and worth of what is bought, by its kind; land keeps its price."""
    design, parts = scenario.resolved.whole, scenario.evaluation.sections.cost.capex_breakdown_usd
    assumptions, curves = design.assumptions.rooms["economics"], value_curves(design.economics)
    shell = parts["facility"] * assumptions.shell_share
    prices = {
        "servers": parts["servers"] + parts["spares"],
        "network": parts["network"],
        "storage": parts["storage"],
        "plant": parts["facility"] - shell,
        "shell": shell,
    }
    lives = {kind: curve.life_years for kind, curve in curves.items()} | {
        "plant": assumptions.facility_life_years,
        "shell": assumptions.shell_life_years,
    }
    return {
        kind: CashAsset(
            price_usd=first_of(usd),
            life_years=first_of(lives[kind]),
            used_value_share=first_of(curves[kind].used_value_share) if kind in curves else 0.0,
            value_decline_per_year=first_of(curves[kind].value_decline_per_year) if kind in curves else 1.0,
            residual_value=first_of(curves[kind].residual_value) if kind in curves else 0.0,
            worth_share=first_of(found.worth_share[kind]),
        )
        for kind, usd in prices.items()
    }


def _year(found: CashFlow, place: int) -> CashYear:
    return CashYear(
        year=place,
        used_hours=_at(found.used_hours, place),
        revenue_usd=_at(found.revenue_usd, place),
        operating_usd={kind: _at(usd, place) for kind, usd in found.operating_usd.items()},
        operating_total_usd=_at(found.operating_total_usd, place),
        ebitda_usd=_at(found.ebitda_usd, place),
        purchase_usd=_at(found.purchase_total_usd, place),
        sales_usd=_at(found.sales_total_usd, place),
        depreciation_usd=_at(found.depreciation_total_usd, place),
        gain_on_sale_usd=_at(found.gain_on_sale_usd, place),
        tax_usd=_at(found.tax_usd, place),
        flow_before_tax_usd=_at(found.flow_before_tax_usd, place),
        flow_usd=_at(found.flow_usd, place),
        cumulative_flow_usd=_at(found.cumulative_flow_usd, place),
        discounted_flow_usd=_at(found.discounted_flow_usd, place),
        cumulative_discounted_flow_usd=_at(found.cumulative_discounted_flow_usd, place),
        borrowed_usd=_at(found.borrowed_usd, place),
        interest_usd=_at(found.interest_usd, place),
        principal_usd=_at(found.principal_usd, place),
        debt_usd=_at(found.debt_usd, place),
        tax_with_debt_usd=_at(found.tax_with_debt_usd, place),
        equity_flow_usd=_at(found.equity_flow_usd, place),
        debt_service_cover=_at(found.debt_service_cover, place),
    )


def _totals(found: CashFlow) -> CashTotals:
    return CashTotals(
        used_hours=float(np.sum(found.used_hours)),
        revenue_usd=float(np.sum(found.revenue_usd)),
        operating_usd={kind: float(np.sum(usd)) for kind, usd in found.operating_usd.items()},
        operating_total_usd=float(np.sum(found.operating_total_usd)),
        ebitda_usd=float(np.sum(found.ebitda_usd)),
        purchase_usd=float(np.sum(found.purchase_total_usd)),
        sales_usd=float(np.sum(found.sales_total_usd)),
        depreciation_usd=float(np.sum(found.depreciation_total_usd)),
        tax_usd=float(np.sum(found.tax_usd)),
        flow_before_tax_usd=float(np.sum(found.flow_before_tax_usd)),
        flow_usd=float(np.sum(found.flow_usd)),
        discounted_flow_usd=float(np.sum(found.discounted_flow_usd)),
        borrowed_usd=float(np.sum(found.borrowed_usd)),
        interest_usd=float(np.sum(found.interest_usd)),
        principal_usd=float(np.sum(found.principal_usd)),
        tax_with_debt_usd=float(np.sum(found.tax_with_debt_usd)),
        equity_flow_usd=float(np.sum(found.equity_flow_usd)),
    )


def _measures(scenario: EvaluatedScenario, found: CashFlow) -> CashMeasures:
    payback = first_of(found.payback_years)
    return CashMeasures(
        npv_usd=first_of(found.npv_usd),
        npv_before_tax_usd=first_of(found.npv_before_tax_usd),
        irr=first_of(found.irr),
        irr_before_tax=first_of(found.irr_before_tax),
        equity_npv_usd=first_of(found.equity_npv_usd),
        equity_irr=first_of(found.equity_irr),
        pays_back=None if math.isnan(payback) else math.isfinite(payback),
        payback_years=_finite(payback),
        discounted_payback_years=_finite(first_of(found.discounted_payback_years)),
        least_debt_service_cover=first_of(found.least_debt_service_cover),
        level_payment_usd_per_year=first_of(found.level_payment_usd_per_year),
        levelised_usd_per_used_hour=first_of(found.levelised_usd_per_used_hour),
        usd_per_accelerator_hour=first_of(scenario.evaluation.sections.cost.usd_per_accelerator_hour),
    )


def _currency(scenario: EvaluatedScenario, measures: CashMeasures, today: date) -> OtherCurrency | None:
    stated = scenario.document.economics.finance.currency
    if stated is None:
        return None
    age_days = (today - stated.as_of).days
    is_old = age_days > STALE_PRICE_DAYS
    as_of = stated.as_of.isoformat()
    return OtherCurrency(
        code=stated.code,
        per_usd=stated.per_usd,
        as_of=as_of,
        age_days=age_days,
        is_old=is_old,
        note=currency_note(stated.code, stated.per_usd, as_of, age_days, is_old),
        npv=measures.npv_usd * stated.per_usd,
        capex=first_of(scenario.evaluation.sections.cost.capex_usd) * stated.per_usd,
        levelised_per_used_hour=measures.levelised_usd_per_used_hour * stated.per_usd,
    )


def _at(values: Array, place: int) -> float:
    """One year of a column."""
    return float(values[place])


def _finite(value: float) -> float:
    return value if math.isfinite(value) else math.nan


METHODS = {
    "straight_line": "straight line",
    "declining_balance": "double declining balance",
    "macrs": "MACRS, 5-year property",
    "tax_life": "the straight line over the years that its law gives",
}
LOSSES = "A loss saves tax at once, as it is set against other profit of the owner."
SETTLED = (
    "Flows stand at the ends of years. The life ends within its last year, which takes that share of revenue and "
    "cost and is settled at its end: an hour costs a little more than in the build-up, which counts the part of a year "
    "exactly."
)
ONE_LIFE = "Nothing is replaced within the life."
FACILITY = (
    "At the end the facility, and equipment that outlives the SuperNodes, is worth what its remaining years are when "
    "each of its years is charged the same, as in the build-up; what that is beyond its books counts as profit."
)
FIXED_LOAN = (
    "A loan is agreed in nominal money: in money of the day of purchase its payments fall from year to year, and less "
    "is paid back than was borrowed."
)
UNKNOWN_COST = "The present value is unknown, as a price that goes into the purchase or the running cost is."
UNKNOWN_PRICE = (
    "The revenue per utilised hour is unknown: no such rent is published for this accelerator. Set a price; the cost "
    "below holds all the same."
)


def verdict(terms: CashTerms, measures: CashMeasures) -> str:
    """Return whether owning is worth it at these terms, in a sentence or two."""
    if math.isnan(measures.npv_usd):
        return UNKNOWN_PRICE if math.isnan(terms.price_usd_per_accelerator_hour) else UNKNOWN_COST
    earned = (
        f"At {terms.price_usd_per_accelerator_hour:,.2f} USD per utilised hour"
        if terms.price_is_stated
        else f"Against {terms.rented} at {terms.price_usd_per_accelerator_hour:,.2f} USD per hour"
    )
    rate = f"a cost of capital of {_percent(terms.discount_rate)}"
    money = _money(abs(measures.npv_usd))
    taxed = "after tax" if terms.tax_rate > 0 else "before tax"
    if math.isnan(measures.irr):
        outcome = "worth" if measures.npv_usd >= 0 else "a loss of"
        return f"{earned}, owning is {outcome} {money} {taxed} at {rate}; it has no single rate of return."
    made = f"{'earns' if measures.irr >= 0 else 'loses'} {_percent(abs(measures.irr))} per year {taxed}"
    if measures.npv_usd >= 0:
        return f"{earned}, owning {made}, more than {rate}: it is worth {money}."
    return (
        f"{earned}, owning {made}, against {rate}: that is a loss of {money} in money of the day of purchase."
    )


def basis(terms: CashTerms) -> tuple[str, ...]:
    """In which money, before or after tax, and whose flows."""
    growth = _percent(terms.inflation)
    if terms.prices == "real":
        money = f"Real: all amounts are in money of the day of purchase, and rates are without inflation, which is {growth} per year."
    else:
        money = f"Nominal: prices grow by {growth} per year, and rates include that."
    if terms.tax_rate > 0:
        bonus = (
            f", {_percent(terms.bonus_depreciation)} of it at once" if terms.bonus_depreciation > 0 else ""
        )
        building = terms.building_write_off_share_per_year
        tax = (
            f"Rules of {terms.jurisdiction}: after tax at {_percent(terms.tax_rate)}; equipment is written off by "
            f"{METHODS[terms.depreciation]}{bonus}, the facility by "
            + (f"{_percent(building)} of its price a year." if building > 0 else "nothing.")
        )
    else:
        tax = f"Before tax: the rate of tax is 0. Other rules are those of {terms.jurisdiction}."
    revenue = (
        "Revenue is utilised hours at a stated price."
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
    again = [kind for kind, asset in terms.assets.items() if asset.life_years < terms.life_years]
    said = ONE_LIFE
    if again:
        said = f"The life of {_and(again)} ends before that of the SuperNodes: it is bought again at the prices of then."
    found.append(SETTLED if terms.life_years % 1 else f"Flows stand at the ends of years. {said}")
    is_known = not math.isnan(measures.levelised_usd_per_used_hour)
    if terms.prices == "nominal" and terms.inflation != 0 and is_known:
        found.append(
            f"In prices of the day of purchase a utilised hour costs {measures.levelised_usd_per_used_hour:,.2f} USD here "
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


def _and(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _money(usd: float) -> str:
    for size, word in ((1e9, "billion USD"), (1e6, "million USD")):
        if usd >= 0.9995 * size:
            return f"{usd / size:,.3g} {word}"
    return f"{usd:,.0f} USD"
