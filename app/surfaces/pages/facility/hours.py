"""The hours tab: usage effectiveness, the year by month and hour, duration curves, and a hall that fills."""

from __future__ import annotations

import math
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import HTMLResponse

from app.charts import FIGURES
from app.charts.facility.duration import duration_figures
from app.charts.facility.month_hours import MONTHS_IN_FULL, month_hour_figures
from app.charts.facility.part_load import part_load_figure
from app.charts.format import Shown, number, show, temperature
from app.engine.facility.hours.metrics import Metric
from app.engine.facility.hours.tables import Moment
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.download import download
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.hours import HOURS_CSV, USUAL_RAMP_MONTHS, HoursOptions, hours_answer, unit_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
MEASURES = {
    "pue": ("PUE", "facility over IT energy"),
    "tue": ("TUE", "facility energy over what reaches silicon and drives"),
    "wue_l_per_kwh": ("WUE", "water on site over IT energy"),
    "wue_with_grid_l_per_kwh": ("WUE with power stations", "a recalled 1 to 2 L for each kWh of the grid"),
    "cue_kg_per_kwh": ("CUE, location based", "carbon of the grid over IT energy"),
    "cue_market_kg_per_kwh": ("CUE, market based", "contracted clean electricity counts as zero"),
    "ere": ("ERE", "facility less reused over IT energy"),
    "erf": ("ERF", "reused over facility energy"),
}


class Line(NamedTuple):
    """A measure as a line of the table."""

    title: str
    words: str
    path: str
    annual: Shown
    hottest_hour: Shown
    band: str


@router.get("/facility/{key}/hours")
def hours(opened: OpenedDep, page: TemplatesDep, ramp: str = str(USUAL_RAMP_MONTHS)) -> HTMLResponse:
    """The year of a design; `ramp` is the months in which its load grows to the full mean."""
    if opened.scenario is None:
        return page.page("facility/hours.html", opened=opened)
    typed, fault, options = ramp.strip()[:20], "", HoursOptions()
    try:
        months = int(typed) if typed.isdecimal() else typed
        options = build_document(HoursOptions, {"ramp_months": months})
    except ScenarioError as error:
        fault = error.errors[0].words
    answer = hours_answer(opened.scenario, options)
    return page.page(
        "facility/hours.html",
        status=UNPROCESSABLE if fault else 200,
        opened=opened,
        answer=answer,
        lines=[_line(metric) for metric in answer.metrics],
        has_band=any(not math.isnan(metric.low) for metric in answer.metrics),
        hottest=_moment(answer.hottest_hour),
        reuses_heat=any(metric.name == "erf" for metric in answer.metrics),
        flow=FIGURES["power_flow"](opened.scenario.as_json),
        maps=month_hour_figures(answer.months_and_hours, answer.site),
        durations=duration_figures(answer.duration, answer.site),
        filling=part_load_figure(answer.part_load, answer.first_year),
        ramp=typed,
        fault=fault,
    )


@router.get("/facility/{key}/hours/file")
def hours_file(opened: OpenedDep) -> Response:
    """Every hour as CSV, sent while it is written."""
    if opened.scenario is None:
        raise HTTPException(404, opened.carried.refusal)
    return download(HOURS_CSV, hours_answer(opened.scenario), f"{opened.carried.title} hours")


def _line(metric: Metric) -> Line:
    title, words = MEASURES[metric.name]
    unit = unit_of(metric.path)
    band = "" if math.isnan(metric.low) else f"{_number(metric.low)} to {_number(metric.high)}"
    return Line(
        title=title,
        words=words,
        path=metric.path,
        annual=_shown(metric.annual, unit),
        hottest_hour=_shown(metric.hottest_hour, unit),
        band=band,
    )


def _shown(value: float, unit: str) -> Shown:
    """Ratios with three decimals: the third is what designs differ by."""
    if math.isnan(value):
        return show(None)
    return Shown(f"{value:.3f}") if unit == "1" else Shown(number(value), unit)


def _number(value: float) -> str:
    return f"{value:.2f}" if value >= 1 else number(value, 2)


def _moment(hottest: Moment | None) -> str:
    if hottest is None:
        return ""
    return (
        f"{hottest.day} {MONTHS_IN_FULL[hottest.month - 1]}, {hottest.hour:02d}:00, "
        f"at {temperature(hottest.dry_bulb_c).text} dry and {temperature(hottest.wet_bulb_c).text} wet bulb: "
        f"{show(hottest.utility_w, 'W').text} at the meter"
    )
