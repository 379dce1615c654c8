"""The lines of a cash flow in their order, as every table of it has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from app.views.economics.cash_flow.report import CashFlowAnswer, CashYear


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
    yield _line(answer, "debt_usd", "Debt left", DEBT)
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
