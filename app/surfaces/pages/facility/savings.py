"""The savings tab: from an air-cooled baseline step by step, and the hours of clean energy."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.charts.facility.matching import WeekHours, matched_map_figure, week_figure
from app.charts.facility.savings_waterfall import Drop, energy_shown, savings_figure
from app.charts.figure import Figure
from app.charts.format import MINUS, Shown, number, percent, rounded, show
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.studio.fields import in_field_words
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.savings.answer import savings_answer
from app.views.facility.savings.document import STEPS, SavingsOptions
from app.views.facility.savings.report import (
    CleanPlant,
    HourlyMatching,
    MatchedWeek,
    SavingsAccount,
    SavingsReport,
)
from app.views.facility.savings.states import TITLES

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
        status=422 if form.is_refused and set(request.query_params) - {"s"} else 200,
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
        _state("Current design", report.as_stated),
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
    """Label, value and what is shown next to it."""
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
        ("Used as generated", percent(rounded(matching.direct_share)).text, "of the load"),
        ("Through the battery", percent(rounded(matching.discharged_share)).text, "of the load"),
        (
            "Lost in the battery",
            percent(rounded(matching.battery_loss_share)).text,
            "of the load, generated alongside it",
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


LONGEST = 40
PLACE = re.compile(r"[1-9][0-9]{0,3}")
ASKED = "asked"
"""In the address once the form was sent: boxes that are not ticked are not in it."""


class Box(NamedTuple):
    """A value of a step; `unit` stands behind its label."""

    name: str
    label: str
    unit: str = ""


BOXES: dict[str, tuple[Box, ...]] = {
    "warmer_chilled_water": (Box("baseline_chilled_water_supply_c", "Chilled water of the baseline", "°C"),),
    "liquid_cooling": (Box("cold_coolant_supply_c", "Coolant at first", "°C"),),
    "warmer_coolant": (Box("warm_coolant_supply_c", "Warmer coolant", "°C"),),
    "rack_batteries": (),
    "dc_800": (),
    "power_cap": (Box("power_cap", "Cap", "of TDP"),),
    "demand_aware": (
        Box("flexible_share", "Deferrable work", "share"),
        Box("window_h", "Done within", "h"),
    ),
    "renewables": (
        Box("solar_over_load", "Solar", "× load"),
        Box("wind_over_load", "Wind", "× load"),
        Box("battery_h", "Battery", "h of load"),
        Box("battery_power_over_load", "Battery power", "× load"),
        Box("round_trip_efficiency", "Battery efficiency", "share"),
        Box("clean_price_usd_per_kwh", "Price of clean energy", "USD/kWh"),
        Box("solar_capacity_factor", "Solar capacity factor", "share"),
        Box("wind_capacity_factor", "Wind capacity factor", "share"),
    ),
}
NUMBERS = tuple(box.name for boxes in BOXES.values() for box in boxes)
FOLLOWED = {"pue": "hours of low PUE", "clean": "hours of much clean energy"}


class StepRow(NamedTuple):
    """A step as a line of the form."""

    key: str
    title: str
    on: bool
    order: str
    boxes: tuple[Box, ...]


class SavingsForm(NamedTuple):
    """`options` is None where something cannot be used; `faults` belong to no box."""

    texts: dict[str, str]
    rows: tuple[StepRow, ...]
    errors: dict[str, str]
    faults: tuple[str, ...]
    options: SavingsOptions | None

    @property
    def is_refused(self) -> bool:
        return bool(self.errors or self.faults)


def savings_form(typed: Mapping[str, str]) -> SavingsForm:
    """The form as the address has it; the steps as they come where it was not sent yet."""
    texts = {name: typed.get(name, "").strip()[:LONGEST] for name in NUMBERS}
    texts["follow"] = typed.get("follow", "pue").strip()[:LONGEST]
    asked = ASKED in typed
    rows = tuple(
        StepRow(
            key=step,
            title=TITLES[step],
            on=not asked or f"on_{step}" in typed,
            order=typed.get(f"order_{step}", str(place)).strip()[:LONGEST],
            boxes=BOXES[step],
        )
        for place, step in enumerate(STEPS, start=1)
    )
    form = SavingsForm(texts, rows, {}, (), None)
    wrong = {
        f"order_{row.key}": f"{row.order or 'Nothing'} is no place in the order: write a whole number from 1."
        for row in rows
        if row.on and not PLACE.fullmatch(row.order)
    }
    try:
        options = build_document(SavingsOptions, _stated(texts, rows))
    except ScenarioError as error:
        form = refused(form, error.errors)
        return form._replace(errors=wrong | form.errors)
    return form._replace(errors=wrong, options=None if wrong else options)


def refused(form: SavingsForm, faults: tuple[InputError, ...]) -> SavingsForm:
    """The form with what is wrong beside its boxes, and the rest above them."""
    errors: dict[str, str] = {}
    above = []
    for fault in faults:
        message = in_field_words(f"{fault.message} {fault.hint}".strip())
        if fault.path in form.texts:
            errors.setdefault(fault.path, message)
        else:
            above.append(f"{fault.path}: {message}" if fault.path else message)
    return form._replace(errors=errors, faults=tuple(above), options=None)


def _stated(texts: Mapping[str, str], rows: tuple[StepRow, ...]) -> dict[str, Any]:
    """What was typed as the options have it; what is no number stays text, to be refused by name."""
    chosen = sorted(
        (row for row in rows if row.on), key=lambda row: int(row.order) if PLACE.fullmatch(row.order) else 0
    )
    numbers = {name: _number(texts[name]) for name in NUMBERS if texts[name]}
    return {"steps": [row.key for row in chosen], "follow": texts["follow"], **numbers}


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text
