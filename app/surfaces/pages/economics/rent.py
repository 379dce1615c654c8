"""The tab of own or rent: terms, verdict, cost by the month, break-even, price paths, regret, offers."""

from __future__ import annotations

import datetime
import math
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.charts.economics.rent_curves import hour_cost_figure, rent_lines_figure, use_by_price_figure
from app.charts.economics.rent_map import rent_map_figure
from app.charts.economics.rent_mix import rent_mix_figure
from app.charts.economics.rent_prices import Drawn, OfferPoint, PathLine, rent_prices_figure
from app.charts.figure import Figure
from app.charts.format import THIN_SPACE, Shown, percent
from app.charts.tco import Scale, money_scale
from app.engine.specs import RENTAL_TERMS
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.catalog.words import date_text
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.economics.terms_form import terms_form
from app.surfaces.pages.studio.field import number, select
from app.surfaces.pages.templating import TemplatesDep
from app.views.economics.own_or_rent import OwnOrRent, own_or_rent_answer
from app.views.economics.own_or_rent.report import Numbers, RentTerm, spread_dates
from app.views.economics.own_or_rent.terms import OwnOrRentOptions
from app.views.economics.own_or_rent.words import ON_PATH, choice_words, money

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
FIELDS = (
    number("economics.utilisation"),
    number("economics.renting.peak_over_mean"),
    number("economics.renting.horizon_months"),
    number("economics.life_years"),
    number("economics.wacc"),
    select(
        "economics.renting.price_path",
        names={"flat": "Flat", "decay": "Decay", "history": "Repeat history", "shock": "Shock"},
    ),
    number("economics.rental_on_demand_usd_per_accelerator_hour"),
    number("economics.rental_reserved_usd_per_accelerator_hour"),
    number("economics.renting.contract_usd_per_accelerator_hour"),
    select(
        "economics.renting.compared_with",
        names={"auto": "Auto", "contract": "Contract", "reserved": "Reserved", "on_demand": "On demand"},
    ),
    select(
        "economics.renting.vendor_class",
        names={
            "any": "Any",
            "hyperscaler": "Hyperscaler",
            "neocloud": "Neocloud",
            "marketplace": "Marketplace",
        },
    ),
    number("economics.renting.commitment_months"),
    number("economics.renting.spot_usd_per_accelerator_hour"),
    number("economics.renting.capacity_block_usd_per_accelerator_hour"),
    number("economics.renting.price_change_per_year"),
    number("economics.renting.shock_share"),
    number("economics.renting.shock_month"),
    number("economics.renting.goodput_ratio"),
    number("economics.renting.storage_usd_per_tb_month"),
    number("economics.renting.egress_tb_per_month"),
    number("economics.renting.egress_usd_per_tb"),
    number("economics.renting.support_share"),
    number("economics.renting.setup_usd"),
)


class TermCells(NamedTuple):
    """One way to pay as a line of the table."""

    term: RentTerm
    price: Shown
    dated: str
    total: str
    per_hour: Shown
    parts: str
    own_from: str
    pays_back: str


class RegretCells(NamedTuple):
    title: str
    regrets: tuple[str, ...]
    most: str
    is_least: bool


@router.get("/economics/{key}/rent")
def rent(request: Request, opened: OpenedDep, page: TemplatesDep) -> Response:
    """`against` says which rental terms the map and the mix are about; the rest is of the scenario."""
    if opened.scenario is None:
        return page.page("economics/rent.html", opened=opened)
    query = request.query_params
    form = terms_form(opened, "rent", FIELDS, query)
    asked = query.get("against", "").strip()[:40]
    if form.address:
        return RedirectResponse(form.address_with({"against": asked}), 303)
    refused, options = "", OwnOrRentOptions()
    try:
        options = build_document(OwnOrRentOptions, {"against": asked} if asked else {})
    except ScenarioError as error:
        refused = error.errors[0].words
    report = own_or_rent_answer(opened.scenario, opened.catalog, options)
    scale = _scale(report)
    return page.page(
        "economics/rent.html",
        status=UNPROCESSABLE if form.is_refused or refused else 200,
        opened=opened,
        form=form,
        refused=refused,
        asked=asked,
        report=report,
        owning=_owning(report, scale),
        lines=[_line(report, term, scale) for term in report.terms],
        against=[(term.term, term.title) for term in report.terms if not math.isnan(term.usd_per_hour)],
        mixed=_amount(report.mix.total_usd, scale) if report.mix else "",
        reserving=_reserving(report),
        scale=scale.unit,
        regrets=_regrets(report, scale),
        path_titles={path.path: path.title for path in report.paths},
        offers=[
            (
                offer,
                RENTAL_TERMS[offer.kind].title,
                date_text(offer.date),
                f"{offer.usd_per_accelerator_hour:,.2f}",
            )
            for offer in report.offers
        ],
        market=[
            (
                spread,
                RENTAL_TERMS[spread.kind].title,
                spread_dates(spread),
                *(f"{value:,.2f}" for value in (spread.low, spread.typical, spread.high)),
            )
            for spread in report.market
        ],
        **rent_figures(report),
    )


def _owning(report: OwnOrRent, scale: Scale) -> dict[str, Any]:
    own = report.own
    return {
        "total": _amount(own.total_usd, scale),
        "per_hour": _hour(own.usd_per_used_hour),
        "equipment": _money(own.equipment_usd),
        "installation": _money(own.installation_usd),
        "facility": _money(own.facility_usd),
        "running": _money(own.running_usd),
        "level": _money(own.level_usd_per_month),
        "capex": _money(own.capex_usd),
    }


def _line(report: OwnOrRent, term: RentTerm, scale: Scale) -> TermCells:
    parts = {
        "hours": term.parts.hours_usd,
        "support": term.parts.support_usd,
        "storage": term.parts.storage_usd,
        "data taken out": term.parts.egress_usd,
        "set-up": term.parts.setup_usd,
    }
    use = {
        "yes": percent(round(term.break_even_utilisation, 3)).text,
        "never": "no use",
        "unknown": "unknown",
    }
    if term.pays_back == "yes":
        back = f"month {term.break_even_month:.0f}"
        back += ", beyond its life" if term.break_even_month > report.own.life_months else ""
    else:
        back = term.pays_back
    return TermCells(
        term=term,
        price=_hour(term.usd_per_hour),
        dated="stated here" if term.is_stated else date_text(term.as_of) if term.as_of else "",
        total=_amount(term.total_usd, scale),
        per_hour=_hour(term.usd_per_used_hour),
        parts=", ".join(f"{name} {_money(usd).text}" for name, usd in parts.items() if usd),
        own_from=use[term.owning_pays],
        pays_back=back,
    )


def _scale(report: OwnOrRent) -> Scale:
    """The prefix that all totals share."""
    totals = [report.own.total_usd, *(term.total_usd for term in report.terms)]
    return money_scale(max((total for total in totals if math.isfinite(total)), default=0.0))


def _amount(value: float, scale: Scale) -> str:
    return scale.words(value) if math.isfinite(value) else "unknown"


def _reserving(report: OwnOrRent) -> str:
    found = report.reserving
    if found.reserve_all == "unknown":
        return "When to reserve is unknown: a price on demand and one reserved are needed."
    above = f"Reserve capacity used more than {percent(round(found.above_utilisation, 3)).text} of the time"
    if found.above_utilisation >= 1:
        return "Reserving is dearer than renting on demand even where every hour is used."
    share = percent(round(found.reserved_share, 2)).text
    return (
        f"{above}, the reserved price over that on demand. By this demand that is {share} of the pod, the peak on "
        f"demand: {_money(found.total_usd).text} in all."
    )


def _regrets(report: OwnOrRent, scale: Scale) -> list[RegretCells]:
    table = report.regret
    return [
        RegretCells(
            title=_title(choice),
            regrets=tuple(_amount(value, scale) for value in values),
            most=_amount(most, scale),
            is_least=choice == table.least_regretted,
        )
        for choice, values, most in zip(table.choices, table.regret_usd, table.most_regret_usd, strict=True)
    ]


def _title(choice: str) -> str:
    titles = {"own": "Own", "mix": "Own and rent"}
    return titles.get(choice) or RENTAL_TERMS[choice].title


def _money(value: float) -> Shown:
    amount, _, unit = money(value).partition(THIN_SPACE)
    return Shown(amount, unit)


def _hour(value: float) -> Shown:
    return Shown("unknown") if math.isnan(value) else Shown(f"{value:,.2f}", "USD")


def rent_figures(report: OwnOrRent) -> dict[str, Figure | None]:
    """By their names in the template; None where there is nothing to be set against."""
    term = next((term for term in report.terms if term.term == report.against), None)
    words = choice_words(report.against) if report.against else "renting"
    return {
        "paid": rent_lines_figure(
            [Drawn(line.choice, line.title, _known(line.usd)) for line in report.lines],
            path=ON_PATH[report.price_path],
            against=report.against,
            meets=term.break_even_month if term else math.nan,
        ),
        "heat": _map(report, words),
        "use_by_price": use_by_price_figure(
            report.curves.usd_per_hour,
            [None if math.isnan(use) else use for use in report.curves.break_even_utilisation],
            [
                Drawn(term.term, term.title, _known((term.usd_per_hour,)))
                for term in report.terms
                if term.pays == "used"
            ],
            report.utilisation,
        ),
        "hour_cost": hour_cost_figure(
            report.curves.utilisation,
            [
                Drawn("own", "Own", _known(report.curves.own_usd_per_used_hour)),
                *(
                    Drawn(term.term, term.title, _known(values))
                    for term, values in zip(report.terms, report.curves.rent_usd_per_used_hour, strict=True)
                ),
            ],
            report.utilisation,
        ),
        "mix": _mix(report),
        "prices": _prices(report, term, words),
    }


def _map(report: OwnOrRent, words: str) -> Figure | None:
    heat = report.heat_map
    if heat is None:
        return None
    return rent_map_figure(
        words=words,
        utilisation=heat.utilisation,
        months=heat.months,
        share=[_known(line) for line in heat.own_less_rent_share],
        even=_known(heat.break_even_utilisation),
        here=(report.horizon_months, report.utilisation),
    )


def _mix(report: OwnOrRent) -> Figure | None:
    mix = report.mix
    if mix is None:
        return None
    best, best_usd, served = _known((mix.owned_share, mix.total_usd, mix.served_share))
    return rent_mix_figure(
        mix.share,
        _known(mix.total_by_share_usd),
        best=best,
        best_usd=best_usd,
        served=served,
        peak_over_mean=report.peak_over_mean,
        words=choice_words(mix.term),
    )


def _prices(report: OwnOrRent, term: RentTerm | None, words: str) -> Figure:
    return rent_prices_figure(
        [
            OfferPoint(
                offer.kind,
                RENTAL_TERMS[offer.kind].title,
                _year(offer.date),
                offer.usd_per_accelerator_hour,
                f"{offer.provider}, {offer.term}, {offer.date}",
            )
            for offer in report.offers
        ],
        [
            PathLine(path.path, path.title, path.over_today, path.is_chosen)
            for path in report.paths
            if path.is_known
        ],
        today_year=_year(report.today),
        usd_per_hour=None if term is None or math.isnan(term.usd_per_hour) else term.usd_per_hour,
        words=words,
    )


def _known(values: Numbers) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values]


def _year(date: str) -> float:
    """A date in years; a month counts from its middle, a year from its middle too."""
    parts = [int(part) for part in date.split("-")]
    year, month, day = [*parts, 7, 1][:3] if len(parts) == 1 else [*parts, 15][:3]
    first = datetime.date(year, 1, 1)
    return year + (datetime.date(year, month, day) - first).days / 365.25
