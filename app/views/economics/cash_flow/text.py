"""A cash flow as lines of text."""

from __future__ import annotations

import math
from typing import NamedTuple

from app.charts.format import MINUS
from app.views.economics.cash_flow.lines import lines
from app.views.economics.cash_flow.report import CashFlowAnswer

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
        _fact("Levelised cost of a used hour", _number(measures.levelised_usd_per_used_hour, 3), "USD")
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
