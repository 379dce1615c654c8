"""The savings tab: from an air-cooled baseline step by step, and the hours of clean energy."""

from __future__ import annotations

import math
from typing import NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.charts.facility.matching import WeekHours, matched_map_figure, week_figure
from app.charts.facility.savings_waterfall import Drop, energy_shown, savings_figure
from app.charts.figure import Figure
from app.charts.format import MINUS, Shown, number, percent, rounded, show
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.facility.savings_form import FOLLOWED, NUMBERS, refused, savings_form
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.savings.answer import savings_answer
from app.views.facility.savings.document import SavingsOptions
from app.views.facility.savings.report import (
    CleanPlant,
    HourlyMatching,
    MatchedWeek,
    SavingsAccount,
    SavingsReport,
)

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


class StepCells(NamedTuple):
    """What one step saves, as a line of the table."""

    title: str
    said: str
    energy: str
    share: str
    displaced: str
    money: str
    carbon: str
    water: str
    pue: str
    slower: str


class StateCells(NamedTuple):
    """A state as a line of the table."""

    title: str
    energy: Shown
    grid: Shown
    per_token: Shown
    money: Shown
    carbon: Shown
    water: Shown
    pue: str


@router.get("/facility/{key}/savings")
def savings(request: Request, opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """The steps and their values are in the address, so that a what-if can be passed on."""
    form = savings_form(request.query_params)
    if opened.scenario is None:
        return page.page("facility/savings.html", opened=opened)
    report = None
    try:
        report = savings_answer(opened.scenario, opened.catalog, form.options or SavingsOptions())
    except ScenarioError as error:
        form = refused(form, error.errors)
    return page.page(
        "facility/savings.html",
        status=422 if form.is_refused else 200,
        opened=opened,
        form=form,
        has_run=not opened.serves,
        followed=FOLLOWED,
        used_here=_used_here(report),
        runs=_runs(report),
        report=report,
        figure=_figure(report) if report else None,
        steps=_steps(report) if report else (),
        states=_states(report) if report else (),
        matching=_matching_facts(report.matching) if report and report.matching else (),
        matching_figures=_matching_figures(report.matching) if report and report.matching else (),
        used=[(one, _used(one.value, one.unit)) for one in report.assumptions] if report else (),
    )


def _figure(report: SavingsReport) -> Figure:
    return savings_figure(
        [Drop(step.title, step.energy_kwh) for step in report.steps if step.step != "renewables"],
        baseline_kwh=report.baseline.energy_kwh,
        energy_kwh=report.final.energy_kwh,
        grid_kwh=report.final.grid_kwh,
    )


def _steps(report: SavingsReport) -> tuple[StepCells, ...]:
    return tuple(
        StepCells(
            title=step.title,
            said=step.said,
            energy=_saved(step.energy_kwh * report.runs_per_year, "kWh"),
            share=_share(step.energy_share),
            displaced=_saved(step.displaced_kwh * report.runs_per_year, "kWh"),
            money=_saved(step.utilities_usd * report.runs_per_year, "USD"),
            carbon=_saved(step.carbon_kg * report.runs_per_year, "kg"),
            water=_saved(step.water_m3 * report.runs_per_year, "m3"),
            pue=_ratio(step.after.pue),
            slower=_share(step.slower) if step.slower else "",
        )
        for step in report.steps
    )


def _states(report: SavingsReport) -> tuple[StateCells, ...]:
    return (
        _state("Baseline", report.baseline),
        _state("After all steps", report.final),
        _state("This design as it is stated", report.as_stated),
    )


def _state(title: str, account: SavingsAccount) -> StateCells:
    per_token = account.energy_j_per_token
    return StateCells(
        title=title,
        energy=energy_shown(account.energy_kwh),
        grid=energy_shown(account.grid_kwh),
        per_token=Shown("n/a") if per_token is None else _known(per_token, "J"),
        money=_known(account.utilities_usd, "USD"),
        carbon=_known(account.carbon_kg, "kg"),
        water=_known(account.water_m3, "m3"),
        pue=_ratio(account.pue),
    )


def _matching_facts(matching: HourlyMatching) -> tuple[tuple[str, str, str], ...]:
    """Label, value and what stands beside it."""
    rows = [
        (
            "Matched hour by hour",
            percent(rounded(matching.matched_share)).text,
            "of the load, battery included",
        ),
        (
            "Matched by the year's volumes",
            percent(rounded(matching.annual_claim_share)).text,
            "what an annual claim would count",
        ),
        ("Used as it comes", percent(rounded(matching.direct_share)).text, "of the load"),
        ("Through the battery", percent(rounded(matching.discharged_share)).text, "of the load"),
        (
            "Lost in the battery",
            percent(rounded(matching.battery_loss_share)).text,
            "of the load, generated beside it",
        ),
        (
            "Without a use",
            percent(rounded(matching.curtailed_share)).text,
            "of the load, generated all the same",
        ),
        (
            "Battery",
            energy_shown(matching.battery_wh / 1e3).text,
            f"{show(matching.battery_power_w, 'W').text} in or out",
        ),
    ]
    rows += [
        (
            f"{plant.name.capitalize()}, rated",
            show(plant.rated_w, "W").text,
            _factors(plant),
        )
        for plant in matching.plants
    ]
    return tuple(rows)


def _factors(plant: CleanPlant) -> str:
    here = f"the weather here gives {plant.capacity_factor_of_the_weather:.2f}: {plant.said}"
    return f"at a capacity factor of {plant.capacity_factor:.2f}; {here}"


def _matching_figures(matching: HourlyMatching) -> tuple[Figure, ...]:
    weeks = (week_figure(_week(week), f"week_{place}") for place, week in enumerate(matching.weeks))
    return (*weeks, matched_map_figure(matching.matched_by_month_and_hour))


def _week(week: MatchedWeek) -> WeekHours:
    generated = [solar + wind for solar, wind in zip(week.solar_w, week.wind_w, strict=True)]
    return WeekHours(week.title, week.load_w, week.direct_w, week.discharged_w, week.grid_w, generated)


def _used(value: float, unit: str) -> Shown:
    return show(rounded(value), unit)


def _used_here(report: SavingsReport | None) -> dict[str, str]:
    """What is used where a box is empty, by the name of the box."""
    found = {one.name: f"{one.value:.4g}" for one in report.assumptions} if report else {}
    if report and report.matching:
        found |= {
            f"{plant.name}_capacity_factor": f"{plant.capacity_factor_of_the_weather:.2f}"
            for plant in report.matching.plants
        }
    return {name: found.get(name, "unknown" if name == "clean_price_usd_per_kwh" else "") for name in NUMBERS}


def _runs(report: SavingsReport | None) -> str:
    if report is None or math.isnan(report.runs_per_year):
        return ""
    runs = number(report.runs_per_year)
    return f"{runs} run{'' if runs in ('1', '1.00') else 's'}"


def _known(value: float, unit: str) -> Shown:
    return Shown("unknown") if math.isnan(value) else show(rounded(value), unit)


def _saved(value: float, unit: str) -> str:
    """What is saved is less of it; nothing is nothing."""
    if math.isnan(value):
        return "unknown"
    if abs(value) < 1e-6:
        return "0"
    shown = energy_shown(abs(value)) if unit == "kWh" else show(rounded(abs(value)), unit)
    return f"{'' if value > 0 else MINUS}{shown.text}"


def _share(share: float) -> str:
    if math.isnan(share):
        return "unknown"
    text = f"{abs(100 * share):.1f}"
    return f"{MINUS if share < 0 and text != '0.0' else ''}{text}\u202f%"


def _ratio(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:.3f}"
