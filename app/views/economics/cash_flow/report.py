"""Report of a cash flow. Unknown is NaN here and null where it is sent."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from app.charts.format import MINUS
from app.views.economics.cash_flow.refresh import Refresh


@dataclass(frozen=True, slots=True, kw_only=True)
class CashAsset:
    """Something with a life of its own; shares are over its price."""

    price_usd: float
    life_years: float
    used_value_share: float  # what is no longer new fetches
    value_decline_per_year: float
    residual_value: float  # at the end of its life
    worth_share: float  # at the end of the table, where it goes on to be used


@dataclass(frozen=True, slots=True, kw_only=True)
class CashTerms:
    """Terms of the cash flow: what is bought, what it does, and how it is paid for."""

    prices: str  # nominal | real
    life_years: float
    jurisdiction: str  # whose rules hold
    assets: dict[str, CashAsset]  # servers, network, storage, plant, shell
    residual_is_stated: bool  # else it goes by the age
    equipment_usd: float
    installation_usd: float
    duties_usd: float
    facility_usd: float
    land_usd: float
    discount_rate: float
    real_rate: float  # the same without inflation
    inflation: float
    utilisation: float
    available_hours_per_year: float
    price_usd_per_accelerator_hour: float
    price_is_stated: bool  # else the rent that owning avoids
    rented: str  # on which terms that is, in a sentence; "" where the price is stated
    price_source: str
    electricity_price_usd_per_kwh: float
    energy_at_full_use_kwh_per_year: float
    idle_power_share: float
    operating_usd_per_year: dict[str, float]
    tax_rate: float
    depreciation: str
    bonus_depreciation: float
    debt_share: float
    debt_rate: float
    nominal_debt_rate: float
    debt_years: float
    equipment_write_off_years: float  # by the law of the place
    building_write_off_share_per_year: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CashYear:
    """One year. Costs, sales and tax are positive amounts; what ends in `flow_usd` carries its sign."""

    year: int  # 0 is the day of purchase
    used_hours: float
    revenue_usd: float
    operating_usd: dict[str, float]
    operating_total_usd: float
    ebitda_usd: float
    purchase_usd: float
    sales_usd: float  # equipment, facility and land at the end of the life
    depreciation_usd: float
    gain_on_sale_usd: float
    tax_usd: float  # without debt; below 0 what a loss saves
    flow_before_tax_usd: float
    flow_usd: float
    cumulative_flow_usd: float
    discounted_flow_usd: float
    cumulative_discounted_flow_usd: float
    borrowed_usd: float
    interest_usd: float
    principal_usd: float
    debt_usd: float  # left at the end of the year
    tax_with_debt_usd: float
    equity_flow_usd: float
    debt_service_cover: float  # unknown in years without debt to serve


@dataclass(frozen=True, slots=True, kw_only=True)
class CashTotals:
    """Sums over all years."""

    used_hours: float
    revenue_usd: float
    operating_usd: dict[str, float]
    operating_total_usd: float
    ebitda_usd: float
    purchase_usd: float
    sales_usd: float
    depreciation_usd: float
    tax_usd: float
    flow_before_tax_usd: float
    flow_usd: float
    discounted_flow_usd: float
    borrowed_usd: float
    interest_usd: float
    principal_usd: float
    tax_with_debt_usd: float
    equity_flow_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CashMeasures:
    """Financial measures of the cash flow. A rate that there is none of is unknown, as is a payback that never comes."""

    npv_usd: float
    npv_before_tax_usd: float
    irr: float
    irr_before_tax: float
    equity_npv_usd: float
    equity_irr: float
    pays_back: bool | None  # within the life; None: unknown
    payback_years: float
    discounted_payback_years: float
    least_debt_service_cover: float
    level_payment_usd_per_year: float  # nominal
    levelised_usd_per_used_hour: float
    usd_per_accelerator_hour: float  # of the build-up, for comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherCurrency:
    """Money in a currency that the scenario names, at its rate of a stated day."""

    code: str
    per_usd: float
    as_of: str
    age_days: int
    is_old: bool
    note: str
    npv: float
    capex: float
    levelised_per_used_hour: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CashFlowAnswer:
    """The cash flow of a scenario."""

    name: str
    verdict: str
    basis: tuple[str, ...]
    terms: CashTerms
    purchase_usd: dict[str, float]
    sales_usd: dict[str, float]
    years: tuple[CashYear, ...]
    totals: CashTotals
    measures: CashMeasures
    refresh: tuple[Refresh, ...]
    currency: OtherCurrency | None
    notes: tuple[str, ...]


class Line(NamedTuple):
    """One line: its place in a year of the answer, what it is, and how it is read.

    `sign` is -1 where the amount is paid. `total` is None where a sum over years says nothing. A part is
    counted in the line below it.
    """

    name: str
    label: str
    group: str
    sign: int
    values: tuple[float, ...]
    total: float | None
    is_sum: bool = False
    is_part: bool = False


KINDS = {
    "property_tax": "Property tax",
    "demand": "Demand charge",
    "engineers": "Cluster engineers",
    "staff": "Facility staff",
}

OPERATION, PROJECT, DEBT, OWNERS = "Operation", "Project", "Debt", "Owners"


def kind_label(kind: str) -> str:
    """A kind of running cost in words.

    >>> kind_label("electricity"), kind_label("property_tax")
    ('Electricity', 'Property tax')
    """
    return KINDS.get(kind, kind.replace("_", " ").capitalize())


def lines(answer: CashFlowAnswer) -> Iterator[Line]:
    """All lines; those of a loan only where there is one."""
    yield _line(answer, "revenue_usd", "Revenue", OPERATION)
    for kind in answer.totals.operating_usd:
        if any(year.operating_usd[kind] != 0 for year in answer.years):
            yield Line(
                f"operating_{kind}_usd",
                kind_label(kind),
                OPERATION,
                -1,
                tuple(year.operating_usd[kind] for year in answer.years),
                answer.totals.operating_usd[kind],
                is_part=True,
            )
    yield _line(answer, "operating_total_usd", "Running cost", OPERATION, -1)
    yield _line(
        answer, "ebitda_usd", "Earnings before interest, tax and depreciation", OPERATION, is_sum=True
    )
    yield _line(answer, "purchase_usd", "Purchase", PROJECT, -1)
    yield _line(answer, "sales_usd", "Worth at the end", PROJECT)
    yield _line(answer, "flow_before_tax_usd", "Cash flow before tax", PROJECT, is_sum=True)
    if answer.terms.tax_rate > 0:
        yield _line(answer, "depreciation_usd", "Depreciation, no cash", PROJECT)
        yield _line(answer, "gain_on_sale_usd", "Gain over the books, no cash", PROJECT)
        yield _line(answer, "tax_usd", "Tax", PROJECT, -1)
        yield _line(answer, "flow_usd", "Cash flow after tax", PROJECT, is_sum=True)
    yield _line(answer, "cumulative_flow_usd", "Cumulative", PROJECT)
    yield _line(answer, "discounted_flow_usd", "Discounted", PROJECT)
    yield _line(answer, "cumulative_discounted_flow_usd", "Discounted, cumulative", PROJECT)
    if answer.terms.debt_share > 0:
        yield from _of_debt(answer)


def _of_debt(answer: CashFlowAnswer) -> Iterator[Line]:
    yield _line(answer, "borrowed_usd", "Borrowed", DEBT)
    yield _line(answer, "interest_usd", "Interest", DEBT, -1)
    yield _line(answer, "principal_usd", "Paid back", DEBT, -1)
    yield _line(answer, "debt_usd", "Remaining debt", DEBT)
    yield _line(answer, "debt_service_cover", "Debt service cover", DEBT)
    if answer.terms.tax_rate > 0:
        yield _line(answer, "tax_with_debt_usd", "Tax, interest deducted", OWNERS, -1)
    yield _line(answer, "equity_flow_usd", "Cash flow of the owners", OWNERS, is_sum=True)


def _line(
    answer: CashFlowAnswer, name: str, label: str, group: str, sign: int = 1, *, is_sum: bool = False
) -> Line:
    return Line(
        name, label, group, sign, _over_years(answer.years, name), getattr(answer.totals, name, None), is_sum
    )


def _over_years(years: tuple[CashYear, ...], name: str) -> tuple[float, ...]:
    return tuple(getattr(year, name) for year in years)


NAME_WIDTH = 48
WIDTH = 10
SMALL_USD = 20e6  # bought for less than that: thousands say more than millions


def cash_flow_text(answer: CashFlowAnswer) -> str:
    """The verdict, key figures, and the years."""
    measures, unit = answer.measures, _unit(answer)
    shown = [answer.verdict, *answer.basis, ""]
    shown += [
        _fact("Net present value", unit.shown(measures.npv_usd), unit.name),
        _fact("Net present value before tax", unit.shown(measures.npv_before_tax_usd), unit.name),
        _fact("Rate of return", _percent(measures.irr), "a year"),
        _fact("Rate of return of the owners", _percent(measures.equity_irr), "a year"),
        _fact("Payback", _payback(answer, measures.payback_years), "years"),
        _fact("Payback, discounted", _payback(answer, measures.discounted_payback_years), "years"),
    ]
    if answer.terms.debt_share > 0:
        shown.append(_fact("Lowest debt service cover", _number(measures.least_debt_service_cover, 2), ""))
    shown.append(
        _fact("Levelised cost per utilised hour", _number(measures.levelised_usd_per_used_hour, 3), "USD")
    )
    if answer.currency is not None:
        here = answer.currency
        shown.append(
            _fact(
                f"Net present value in {here.code}", unit.shown(here.npv), unit.name.replace("USD", here.code)
            )
        )
    shown += ["", _row(unit.name, [str(year.year) for year in answer.years], "total")]
    for line in lines(answer):
        if line.name.endswith("_usd"):
            total = "" if line.total is None else unit.shown(line.sign * line.total)
            shown.append(_row(line.label, [unit.shown(line.sign * value) for value in line.values], total))
        else:
            shown.append(
                _row(
                    line.label, ["" if math.isnan(value) else _number(value, 2) for value in line.values], ""
                )
            )
    shown += ["", *(one.said for one in answer.refresh)]
    return "\n".join([*shown, "", *(f"- {note}" for note in answer.notes)])


class Unit(NamedTuple):
    """Unit of all amounts."""

    name: str
    usd: float

    def shown(self, usd: float) -> str:
        """With one decimal."""
        text = _number(usd / self.usd, 1)
        return text if any(digit in "123456789" for digit in text) else text.removeprefix(MINUS)


def _unit(answer: CashFlowAnswer) -> Unit:
    return Unit("k USD", 1e3) if answer.totals.purchase_usd < SMALL_USD else Unit("M USD", 1e6)


def _row(label: str, cells: list[str], total: str) -> str:
    return f"{label:<{NAME_WIDTH}}" + "".join(f"{cell:>{WIDTH}}" for cell in (*cells, total))


def _fact(label: str, value: str, unit: str) -> str:
    return f"{label:<{NAME_WIDTH}}{value:>{WIDTH}} {unit if value[-1].isdigit() or value[-1] == '%' else ''}".rstrip()


def _payback(answer: CashFlowAnswer, years: float) -> str:
    if answer.measures.pays_back is None:
        return "unknown"
    return "never" if math.isnan(years) else f"{years:.1f}"


def _percent(share: float) -> str:
    return "none" if math.isnan(share) else f"{_number(100 * share, 2)} %"


def _number(value: float, digits: int) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.{digits}f}".replace("-", MINUS)
