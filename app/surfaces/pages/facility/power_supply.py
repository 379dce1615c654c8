"""The power supply tab: a year by source, typical weeks, prices by duration, and what is short."""

from __future__ import annotations

import math
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import HTMLResponse

from app.catalog.power_markets import power_markets
from app.charts.facility.power_supply import (
    BATTERY,
    GRID,
    NOT_CARRIED,
    SupplyHours,
    battery_figure,
    price_duration_figure,
    supply_week_figure,
)
from app.charts.format import THIN_SPACE, Shown, number, show
from app.engine.facility.power_supply.kinds import WEATHER_BOUND
from app.surfaces.pages.download import download
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.power_supply import SUPPLY_CSV, PowerSupplyReport, SupplySource, power_supply_answer

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


class Line(NamedTuple):
    """A source as a line of the table."""

    label: str
    units: str
    firm: Shown
    energy: Shown
    efficiency: Shown
    cost: Shown
    capital: Shown
    carbon: Shown
    ready: str


class Fact(NamedTuple):
    """A figure of the whole supply."""

    label: str
    value: Shown
    words: str = ""


@router.get("/facility/{key}/power_supply")
def power_supply(opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """The year of a design's supply; the grid alone where nothing else is stated."""
    if opened.scenario is None:
        return page.page("facility/power_supply.html", opened=opened)
    report = power_supply_answer(opened.scenario).report
    weeks = [
        SupplyHours(
            title=week.title,
            load_w=week.load_w,
            parts=[
                *((one.label, power_w) for one, power_w in zip(report.sources, week.sources_w, strict=True)),
                (GRID, week.grid_w),
                *([] if report.battery is None else [(BATTERY, week.discharged_w)]),
                *([(NOT_CARRIED, week.unmet_w)] if report.short_hours else []),
            ],
            stored_wh=week.stored_wh,
        )
        for week in report.weeks
    ]
    return page.page(
        "facility/power_supply.html",
        opened=opened,
        report=report,
        market=power_markets()[report.market].label if report.market else "",
        lines=[_line(one) for one in report.sources],
        facts=_facts(report),
        weeks=[supply_week_figure(week, f"supply_week_{place + 1}") for place, week in enumerate(weeks)],
        batteries=[battery_figure(week, f"battery_{place + 1}") for place, week in enumerate(weeks)]
        if report.battery is not None
        else [],
        prices=price_duration_figure(
            report.price_duration.hours, report.price_duration.price_usd_per_kwh, report.market
        ),
    )


@router.get("/facility/{key}/power_supply/file")
def power_supply_file(opened: OpenedDep) -> Response:
    """Every hour as CSV."""
    if opened.scenario is None:
        raise HTTPException(404, opened.carried.refusal)
    return download(SUPPLY_CSV, power_supply_answer(opened.scenario), f"{opened.carried.title} power supply")


def _line(one: SupplySource) -> Line:
    return Line(
        label=one.label,
        units="" if one.kind in WEATHER_BOUND else f"{one.units:,.0f}",
        firm=show(one.firm_w, "W"),
        energy=show(one.energy_kwh, "kWh"),
        efficiency=Shown("") if math.isnan(one.efficiency) else _share(one.efficiency),
        cost=_usd(one.usd_per_kwh),
        capital=show(one.capital_usd, "USD"),
        carbon=show(one.co2_kg + one.methane_kg, "kg"),
        ready=f"{one.lead_time_years:g} years",
    )


def _facts(report: PowerSupplyReport) -> list[Fact]:
    ready = Shown("never") if report.ready_years is None else _known(report.ready_years, "years")
    firm = Shown("no limit") if report.firm_w is None else show(report.firm_w, "W")
    facts = [
        Fact("Electricity", _usd(report.price_usd_per_kwh), "fuel, upkeep and contracts in it, capital not"),
        Fact("Carbon", _known(report.carbon_kg_per_kwh, "kg/kWh"), "location based, with own fuel"),
        Fact("Peak at the meter", show(report.peak_w, "W"), "in the hottest hour"),
        Fact("Firm supply", firm, "grid and own plant without spare units in the hottest hour, no battery"),
        Fact("Peak carried after", ready, "lead times of plant and queue of the grid"),
        Fact("From the grid", show(report.grid_kwh, "kWh"), f"at most {show(report.grid_peak_w, 'W').text}"),
        Fact(
            "Own plant and battery",
            show(report.capital_usd, "USD") if report.capital_usd else Shown("none"),
            "price, with spare units",
        ),
        Fact(
            "Clean energy, hourly matched",
            _share(report.matched_share),
            f"over the year {_share(report.annual_matched_share).text}",
        ),
        Fact("Curtailed", show(report.curtailed_kwh, "kWh"), "sun and wind that find no use"),
        Fact("Not carried", show(report.unmet_kwh, "kWh"), f"in {report.short_hours:,} hours"),
    ]
    if report.purchased_kwh:
        facts.append(
            Fact(
                "Contracts",
                show(report.purchased_kwh, "kWh"),
                f"{show(report.purchased_usd, 'USD').text} above the market a year",
            )
        )
    battery = report.battery
    if battery is not None:
        facts += [
            Fact(
                "Battery losses",
                show(battery.lost_kwh, "kWh"),
                f"{battery.cycles:,.0f} cycles per year, {battery.life_years:,.0f} years",
            ),
            Fact(
                "Swings seen by the feed",
                show(battery.swing_left_w, "W"),
                f"of {show(battery.swing_w, 'W').text}; {show(battery.smoothing_energy_wh, 'Wh').text} smooth all of it",
            ),
        ]
    if report.response is not None:
        one = report.response
        facts += [
            Fact(
                "Demand response earns",
                show(one.credit_usd + one.saved_usd, "USD"),
                f"for {show(one.shed_kwh, 'kWh').text} in {one.hours_per_year:,.0f} hours",
            ),
            Fact(
                "Lost accelerator-hours",
                _known(one.lost_accelerator_hours, "h"),
                f"a run of a year is {100 * one.longer_run_share:.2f}{THIN_SPACE}% longer",
            ),
        ]
    return facts


def _known(value: float, unit: str) -> Shown:
    return show(None) if math.isnan(value) else Shown(number(value), unit)


def _share(value: float) -> Shown:
    return show(None) if math.isnan(value) else Shown(f"{100 * value:.1f}", "%")


def _usd(value: float) -> Shown:
    return show(None) if math.isnan(value) else Shown(f"{value:.4f}", "USD/kWh")
