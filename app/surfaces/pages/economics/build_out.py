"""The tab of the build-out: phases, power, cash, emissions, ways to pay, and the terms of both."""

from __future__ import annotations

import math
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.charts.economics.build_out import (
    PhaseBar,
    SiteCash,
    SitePower,
    YearCarbon,
    carbon_figure,
    cash_figure,
    phases_figure,
    power_figure,
)
from app.charts.figure import Figure
from app.charts.format import MINUS, Shown, show_computed
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.download import download
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.economics.terms_form import terms_form
from app.surfaces.pages.studio.field import Field, number, select, text
from app.surfaces.pages.studio.fields import in_field_words
from app.surfaces.pages.templating import TemplatesDep
from app.views.economics.build_out.answer import build_out_answer
from app.views.economics.build_out.files import FORMATS
from app.views.economics.build_out.report import WAYS, BuildOutReport, BuildOutWay

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "build_out"
BUILT = "economics.build_out"
FINANCED = "economics.financing"
BRIDGES = {
    "none": "None",
    "gas_turbine": "Gas turbine",
    "gas_engine": "Gas engine",
    "fuel_cell": "Fuel cell",
    "diesel_engine": "Diesel engine",
}
FIELDS: tuple[Field, ...] = (
    number(f"{BUILT}.phase_count"),
    number(f"{BUILT}.months_between"),
    text(f"{BUILT}.first_order"),
    number(f"{BUILT}.construction_months"),
    select(f"{BUILT}.drawing", names={"s_curve": "Along an S-curve", "even": "Evenly"}),
    number(f"{BUILT}.equipment_months"),
    number(f"{BUILT}.ramp_months"),
    number(f"{BUILT}.grid_month"),
    select(f"{BUILT}.bridge", names=BRIDGES),
    number(f"{BUILT}.bridge_lead_months"),
    number(f"{BUILT}.bridge_usd_per_kw_month"),
    number(f"{BUILT}.bridge_usd_per_kwh"),
    number(f"{BUILT}.bridge_kg_per_kwh"),
    select(f"{FINANCED}.funding", names=WAYS),
    *(
        number(f"{FINANCED}.{name}")
        for name in (
            "loan_share", "loan_rate", "loan_months", "interest_only_months", "upfront_fee", "commitment_fee",
            "target_dscr", "lease_rate", "lease_months",
        )
    ),
    select(f"{FINANCED}.lease_payments", names={"advance": "In advance", "arrears": "In arrears"}),
    *(
        number(f"{FINANCED}.{name}")
        for name in (
            "leaseback_rate", "leaseback_months", "leaseback_buy_out", "colocation_wait_months",
            "colocation_ramp_months", "colocation_escalator", "cross_connects", "cross_connect_usd_per_month",
        )
    ),
)  # fmt: skip


class KeyFigure(NamedTuple):
    label: str
    shown: Shown
    beside: str


class WayRow(NamedTuple):
    """A way to pay in words."""

    title: str
    is_chosen: bool
    cells: tuple[str, ...]


@router.get("/economics/{key}/build_out", response_model=None)
def build_out(request: Request, opened: OpenedDep, page: TemplatesDep) -> Response:
    """The terms of the form are those of the scenario: a form that was sent changes the address."""
    form = terms_form(opened, TAB, FIELDS, request.query_params)
    if form.address:
        return RedirectResponse(form.address, 303)
    if opened.scenario is None:
        return page.page("economics/build_out.html", opened=opened, form=form)
    try:
        report = build_out_answer(opened.scenario, opened.catalog)
    except ScenarioError as error:
        words = " ".join(in_field_words(f"{fault.message} {fault.hint}") for fault in error.errors)
        return page.page("economics/refused.html", opened=opened, tab=TAB, title="Build-out", words=words)
    return page.page(
        "economics/build_out.html",
        status=422 if form.is_refused else 200,
        opened=opened,
        form=form,
        report=report,
        key_figures=_key_figures(report),
        figures=_figures(report),
        ways=[_row(way, report) for way in report.ways],
        bridges=BRIDGES,
        files=[(one.title, opened.file_address(TAB, {"format": name})) for name, one in FORMATS.items()],
    )


@router.get("/economics/{key}/build_out/file")
def build_out_file(opened: OpenedDep, format: str = "csv") -> Response:
    """The build-out as a file."""
    if format not in FORMATS:
        raise HTTPException(404, f"There is no build-out of the kind {format[:40]}.")
    if opened.scenario is None:
        raise HTTPException(422, opened.carried.refusal)
    try:
        report = build_out_answer(opened.scenario, opened.catalog)
    except ScenarioError as error:
        raise HTTPException(422, str(error.errors[0])) from None
    return download(FORMATS[format], report, opened.carried.title)


def _key_figures(report: BuildOutReport) -> tuple[KeyFigure, ...]:
    funding = WAYS[report.funding].lower()
    return (
        KeyFigure(
            "Full power",
            _month(report.full_power_month),
            report.full_power_date or "months from the first order",
        ),
        KeyFigure(
            "Full load",
            _month(report.full_load_month),
            report.full_load_date or "months from the first order",
        ),
        KeyFigure("Capital", show_computed(report.capital_usd, "USD"), "nominal, all phases"),
        KeyFigure(
            "Interest during construction",
            show_computed(report.construction_interest_usd, "USD"),
            f"paid for by {funding}",
        ),
        KeyFigure("Net present value", show_computed(report.npv_usd, "USD"), f"of the owners, {funding}"),
        KeyFigure("Return of the owners", Shown(_rate(report.irr)), "a year"),
    )


def _month(month: float) -> Shown:
    return Shown("never") if math.isnan(month) else Shown(f"month {month:.0f}")


def _figures(report: BuildOutReport) -> tuple[Figure, ...]:
    months = report.months
    interest, so_far = [], 0.0
    for month in months:
        so_far += month.capitalised_interest_usd
        interest.append(so_far)
    payback = report.payback_month
    takeaway = (
        "Not paid back within the life." if math.isnan(payback) else f"Paid back after {payback:.0f} months."
    )
    years = range(1, math.ceil((len(months) - 1) / 12) + 1)
    return (
        phases_figure(
            [
                PhaseBar(one.name, one.start_month, one.ready_month, one.delivery_month, one.full_load_month, one.end_month)
                for one in report.phases
            ],
            report.full_power_month,
        ),
        power_figure(
            SitePower(
                needed=[month.needed_w for month in months],
                grid=[month.grid_w for month in months],
                bridge=[month.bridge_w for month in months],
            )
        ),
        cash_figure(
            SiteCash(
                capital=[month.capital_usd for month in months],
                earned=[month.revenue_usd - month.operating_usd - month.tax_usd for month in months],
                interest=interest,
                owed=[month.owed_usd for month in months],
                cumulative=[month.cumulative_usd for month in months],
            ),
            takeaway,
            has_debt=any(month.drawn_usd > 0 for month in months),
        ),
        carbon_figure(
            [
                YearCarbon(
                    year,
                    sum(month.grid_kg for month in months[12 * year - 11 : 12 * year + 1]),
                    sum(month.bridge_kg for month in months[12 * year - 11 : 12 * year + 1]),
                )
                for year in years
            ]
        ),
    )  # fmt: skip


def _row(way: BuildOutWay, report: BuildOutReport) -> WayRow:
    return WayRow(
        way.title,
        way.key == report.funding,
        (
            show_computed(way.npv_usd, "USD").text,
            _rate(way.irr),
            show_computed(way.equity_usd, "USD").text,
            show_computed(way.borrowed_usd, "USD").text if way.borrowed_usd else "none",
            show_computed(way.construction_interest_usd, "USD").text
            if way.construction_interest_usd
            else "none",
            _cover(way.least_cover, way),
            _cover(way.full_load_cover, way),
            _rate(way.effective_rate) if way.borrowed_usd else "n/a",
        ),
    )


def _cover(cover: float, way: BuildOutWay) -> str:
    if not way.borrowed_usd:
        return "n/a"
    return "unknown" if math.isnan(cover) else f"{cover:.2f}".replace("-", MINUS)


def _rate(rate: float) -> str:
    return "none" if math.isnan(rate) else f"{100 * rate:.1f} %".replace("-", MINUS)
