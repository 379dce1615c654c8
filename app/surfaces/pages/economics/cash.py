"""The tab of the cash flow: verdict, key figures, the years, files, and the terms of finance."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.charts.economics.cash_flow import CashYears, cash_flow_figure
from app.charts.figure import Figure
from app.charts.format import MINUS, THIN_SPACE, WIDE_SPACE, Shown, percent, rounded, show_computed
from app.charts.tco import Scale, money_scale
from app.surfaces.pages.download import download
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.economics.terms_form import terms_form
from app.surfaces.pages.studio.field import Field, number, select, text
from app.surfaces.pages.templating import TemplatesDep
from app.views.economics.cash_flow import CashFlowAnswer, cash_flow_answer
from app.views.economics.cash_flow.files import FORMATS
from app.views.economics.cash_flow.report import Line, lines

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "cash"
FINANCE = "economics.finance"
UNKNOWN = Shown("unknown")


def _used(path: str) -> Field:
    """A number with what is used where its box is empty."""
    return number(path, used=path)


FIELDS = (
    _used("economics.life_years"),
    _used("economics.wacc"),
    _used("economics.utilisation"),
    _used("economics.residual_value"),
    _used("economics.network_life_years"),
    _used("economics.storage_life_years"),
    text("economics.jurisdiction"),
    number(
        f"{FINANCE}.price_usd_per_accelerator_hour",
        used="economics.rent_usd_per_accelerator_hour",
    ),
    select(f"{FINANCE}.prices", names={"nominal": "Nominal", "real": "Real"}),
    _used(f"{FINANCE}.inflation"),
    _used(f"{FINANCE}.tax_rate"),
    select(
        f"{FINANCE}.depreciation",
        names={
            "straight_line": "Straight line",
            "declining_balance": "Double declining balance",
            "macrs": "MACRS, 5 years",
            "tax_life": "Years of the place",
        },
    ),
    _used(f"{FINANCE}.bonus_depreciation"),
    _used(f"{FINANCE}.debt_share"),
    _used(f"{FINANCE}.debt_rate"),
    _used(f"{FINANCE}.debt_years"),
    text(f"{FINANCE}.currency.code"),
    number(f"{FINANCE}.currency.per_usd"),
    text(f"{FINANCE}.currency.as_of"),
)


class KeyFigure(NamedTuple):
    label: str
    shown: Shown
    beside: str


class YearRow(NamedTuple):
    """A line of the table in words."""

    title: str
    cells: tuple[str, ...]
    total: str
    look: str  # sum | part | ""


@router.get("/economics/{key}/cash", response_model=None)
def cash(request: Request, opened: OpenedDep, page: TemplatesDep) -> Response:
    """The terms of the form are those of the scenario: a form that was sent changes the address."""
    form = terms_form(opened, TAB, FIELDS, request.query_params)
    if form.address:
        return RedirectResponse(form.address, 303)
    if opened.scenario is None:
        return page.page("economics/cash.html", opened=opened, form=form)
    answer = cash_flow_answer(opened.scenario)
    scale = _scale(answer)
    return page.page(
        "economics/cash.html",
        status=422 if form.is_refused else 200,
        opened=opened,
        form=form,
        answer=answer,
        key_figures=cash_key_figures(answer),
        figure=cash_figure(answer),
        unit=scale.unit,
        years=[year.year for year in answer.years],
        groups=[
            (group, [_row(line, scale) for line in of_group])
            for group, of_group in groupby(lines(answer), key=lambda line: line.group)
        ],
        files=[(one.title, opened.file_address(TAB, {"format": name})) for name, one in FORMATS.items()],
        **_refresh(answer),
    )


def _refresh(answer: CashFlowAnswer) -> dict[str, Any]:
    """The table of ages under the decline that the successor makes; no rows where it is unknown."""
    by_successor = answer.refresh[0]
    if not by_successor.is_known:
        return {"refresh_rows": []}
    scale = money_scale(max(abs(year.gain_usd_per_month) for year in by_successor.years))
    rows = [
        (
            str(year.age_years),
            f"{100 * year.worth_share:.1f}",
            f"{year.rent_usd_per_accelerator_hour:.2f}",
            _amount(year.gain_usd_per_month, scale),
            _amount(year.level_worth_usd_per_month, scale),
        )
        for year in by_successor.years
    ]
    decline = f"{100 * by_successor.decline_per_year:.3g} %"
    return {"refresh_rows": rows, "refresh_unit": scale.unit, "refresh_decline": decline}


@router.get("/economics/{key}/cash/file")
def cash_file(opened: OpenedDep, format: str = "csv") -> Response:
    """The cash flow as a file."""
    if format not in FORMATS:
        raise HTTPException(404, f"There is no cash flow of the kind {format[:40]}.")
    if opened.scenario is None:
        raise HTTPException(422, opened.carried.refusal)
    return download(FORMATS[format], cash_flow_answer(opened.scenario), opened.carried.title)


def cash_key_figures(answer: CashFlowAnswer) -> tuple[KeyFigure, ...]:
    """Net present value, rates of return and payback."""
    measures, terms = answer.measures, answer.terms
    taxed = "after tax" if terms.tax_rate > 0 else "before tax"
    before_tax = (
        f"{show_computed(measures.npv_before_tax_usd, 'USD').text} before tax" if terms.tax_rate > 0 else ""
    )
    here = answer.currency
    worth = (
        f"{here.npv / 1e6:,.3g} M {here.code}".replace("-", MINUS)
        if here and not math.isnan(here.npv)
        else ""
    )
    has_debt = terms.debt_share > 0
    return (
        KeyFigure(
            f"Net present value, {taxed}",
            show_computed(measures.npv_usd, "USD"),
            "; ".join(filter(None, (before_tax, worth))),
        ),
        KeyFigure(
            f"Rate of return, {taxed}",
            _rate(measures.irr, answer),
            f"cost of capital {_share(terms.discount_rate)}",
        ),
        KeyFigure(
            "Return of the owners",
            _rate(measures.equity_irr, answer),
            f"{_share(terms.debt_share)} borrowed" if has_debt else "nothing is borrowed",
        ),
        KeyFigure(
            "Payback",
            _payback(measures.payback_years, answer),
            f"{_payback(measures.discounted_payback_years, answer).text} when discounted",
        ),
        KeyFigure(
            "Lowest debt service cover",
            _cover(measures.least_debt_service_cover) if has_debt else Shown("no debt"),
            "earned over interest and principal" if has_debt else "",
        ),
        KeyFigure(
            "A utilised hour costs",
            _hour(measures.levelised_usd_per_used_hour),
            f"{_hour(measures.usd_per_accelerator_hour).text} in the build-up",
        ),
    )


def cash_figure(answer: CashFlowAnswer) -> Figure:
    """Payments by year, and what they come to."""
    years = answer.years
    return cash_flow_figure(
        CashYears(
            revenue=[year.revenue_usd for year in years],
            sales=[year.sales_usd for year in years],
            purchase=[year.purchase_usd for year in years],
            running=[year.operating_total_usd for year in years],
            tax=[year.tax_usd for year in years],
            cumulative=[year.cumulative_flow_usd for year in years],
            discounted=[year.cumulative_discounted_flow_usd for year in years],
        ),
        revenue_label="Revenue" if answer.terms.price_is_stated else "Rent avoided",
        takeaway=_takeaway(answer),
        has_tax=answer.terms.tax_rate > 0,
    )


def _takeaway(answer: CashFlowAnswer) -> str:
    measures = answer.measures
    if measures.pays_back is None:
        return "Revenue is unknown; only payments are drawn."
    if not measures.pays_back:
        return f"Not paid back within {answer.terms.life_years:g} years."
    return f"Paid back after {measures.payback_years:.1f} years; {show_computed(answer.totals.flow_usd, 'USD').text} is left in the end."


def _scale(answer: CashFlowAnswer) -> Scale:
    """By the largest sum that is known."""
    sums = (answer.totals.purchase_usd, answer.totals.revenue_usd)
    return money_scale(max((usd for usd in sums if not math.isnan(usd)), default=0.0))


def _row(line: Line, scale: Scale) -> YearRow:
    if not line.name.endswith("_usd"):
        covers = tuple("" if math.isnan(value) else _cover(value).value for value in line.values)
        return YearRow(line.label, covers, "", "")
    return YearRow(
        line.label,
        tuple(_amount(line.sign * value, scale) for value in line.values),
        "" if line.total is None else _amount(line.sign * line.total, scale),
        "sum" if line.is_sum else "part" if line.is_part else "",
    )


def _amount(usd: float, scale: Scale) -> str:
    """With one decimal throughout, so that columns add up in sight."""
    if math.isnan(usd):
        return "unknown"
    shown = f"{abs(usd) / scale.divisor:,.1f}"
    return f"{MINUS if usd < 0 and shown != '0.0' else ''}{shown}"


def _rate(rate: float, answer: CashFlowAnswer) -> Shown:
    if math.isnan(rate):
        return UNKNOWN if math.isnan(answer.measures.npv_usd) else Shown("none")
    return Shown(f"{100 * rate:.1f}".replace("-", MINUS), "% per year")


def _payback(years: float, answer: CashFlowAnswer) -> Shown:
    if answer.measures.pays_back is None:
        return UNKNOWN
    return Shown("never") if math.isnan(years) else Shown(f"{years:.1f}", f"{WIDE_SPACE}years")


def _cover(cover: float) -> Shown:
    return UNKNOWN if math.isnan(cover) else Shown(f"{cover:.2f}".replace("-", MINUS))


def _hour(usd: float) -> Shown:
    return UNKNOWN if math.isnan(usd) else Shown(f"{usd:,.2f}", "USD")


def _share(share: float) -> str:
    return percent(rounded(share)).text.replace(THIN_SPACE, WIDE_SPACE)
