"""The sites tab: the same design at every site, ranked, with the trade-off drawn."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.charts.facility.sites import SitePoint, sites_figure
from app.charts.figure import Figure
from app.charts.format import Shown, number, show
from app.engine.facility.cooling.plants import PLANTS
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.scenarios.sweeping.fields import with_field
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.fields import in_field_words
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.electrical_report import PLACE_FIELDS, SiteLine
from app.views.facility.sites import (
    RANKED_BY,
    PlantChoice,
    SitesAnswer,
    SitesOptions,
    sites_answer,
)

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
TITLES = {"score": "Weighed", "cost": "Cost", "carbon": "Carbon", "water": "Water", "pue": "PUE"}
PLANT_WORDS = {
    "as_designed": "As designed",
    "cheapest": "The cheapest at each site",
    "auto": "Automatic",
} | {name: plant.label for name, plant in PLANTS.items()}


class Cell(NamedTuple):
    """A figure of a site with its place by it, "" where it has none."""

    shown: Shown
    place: str


class Line(NamedTuple):
    """A site as a line of the table."""

    site: SiteLine
    place: str
    cells: tuple[Cell, ...]
    hottest: str
    price: Shown
    intensity: Shown
    market: Shown | None
    plant: str
    year_kind: str
    distance: str
    studio: str  # the design there, to go on with


class Heading(NamedTuple):
    """A column that the table can be sorted by."""

    title: str
    unit: str
    address: str
    here: bool


@router.get("/facility/{key}/sites")
def sites(request: Request, opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """Every site; `plant`, `sort` and a weight for each figure say how they are compared."""
    if opened.scenario is None:
        return page.page("facility/sites.html", opened=opened)
    given = {name: text.strip()[:20] for name, text in request.query_params.items() if name != "s"}
    options, faults = _options(given)
    answer, refusal = None, ""
    try:
        answer = sites_answer(opened.scenario, opened.catalog, options)
    except ScenarioError as error:
        refusal = error.errors[0].words
        answer = sites_answer(opened.scenario, opened.catalog, SitesOptions())
    weights = options.weights.model_dump()
    typed = {name: given.get(name, number(weights[name])) for name in RANKED_BY}
    return page.page(
        "facility/sites.html",
        status=UNPROCESSABLE if faults or refusal else 200,
        opened=opened,
        answer=answer,
        lines=[_line(opened, site) for site in answer.sites],
        figure=_figure(answer),
        headings=_headings(opened, given, options.sort, market=answer.clean_energy_share is not None),
        plants=[(name, PLANT_WORDS[name]) for name in _plant_names()],
        plant=options.plant,
        weights=[(name, TITLES[name], typed[name]) for name in RANKED_BY],
        sort=options.sort,
        faults=dict.fromkeys(("plant", "sort", *RANKED_BY), "")
        | faults
        | ({"plant": refusal} if refusal else {}),
    )


def _plant_names() -> tuple[str, ...]:
    return get_args(PlantChoice)


def _options(given: dict[str, str]) -> tuple[SitesOptions, dict[str, str]]:
    """What is asked for, or the usual with what is wrong by field."""
    values: dict[str, Any] = {name: given[name] for name in ("plant", "sort") if given.get(name)}
    weights = {name: _number(given[name]) for name in RANKED_BY if given.get(name)}
    try:
        return build_document(SitesOptions, values | {"weights": weights}), {}
    except ScenarioError as error:
        faults = {
            fault.path.rpartition(".")[2]: in_field_words(f"{fault.message} {fault.hint}".strip())
            for fault in error.errors
        }
        return SitesOptions(), faults


def _number(text: str) -> float | str:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return text


def _line(opened: OpenedDesign, site: SiteLine) -> Line:
    figures = {
        "cost": _shown(site.usd_per_accelerator_hour, 2, "USD"),
        "carbon": show(site.operational_kg, "kg"),
        "water": show(site.water_m3_per_year, "m3"),
        "pue": _shown(site.pue, 3),
    }
    distance = site.climate_distance_m
    return Line(
        site=site,
        place="" if site.place is None else str(site.place),
        cells=tuple(
            Cell(
                _known(figures[name]),
                "" if site.place_by[name] is None else str(site.place_by[name]),
            )
            for name in RANKED_BY
        ),
        hottest=_shown(site.pue_hottest_hour, 3).value,
        price=_known(_shown(site.electricity_price_usd_per_kwh, 3)),
        intensity=_known(_shown(site.carbon_intensity_kg_per_kwh, 3)),
        market=None if site.operational_market_kg is None else _known(show(site.operational_market_kg, "kg")),
        plant=PLANT_WORDS[site.plant],
        year_kind=site.year_kind.partition(" (")[0],
        distance=f"{distance / 1e3:,.0f} km away" if distance > 0 else "",
        studio="" if site.here else _studio_at(opened, site.key),
    )


def _shown(value: float, decimals: int, unit: str = "") -> Shown:
    return show(None) if math.isnan(value) else Shown(f"{value:.{decimals}f}", unit)


def _known(shown: Shown) -> Shown:
    return Shown("unknown") if shown == show(None) else shown


def _studio_at(opened: OpenedDesign, key: str) -> str:
    """The studio with the design at another site, at the prices there; what was is one click away."""
    values = with_field(dict(opened.carried.values), "facility.site", key)
    economics = {
        name: value for name, value in (values.get("economics") or {}).items() if name not in PLACE_FIELDS
    }
    if "economics" in values:
        values = {**values, "economics": economics}
    return opened.carried.studio_with(values)


def _headings(opened: OpenedDesign, given: dict[str, str], sort: str, *, market: bool) -> dict[str, Heading]:
    units = {
        "cost": "accelerator-hour",
        "carbon": "of the run",
        "water": "a year",
        "pue": "annual",
        "score": "",
    }
    found = {}
    for name, title in TITLES.items():
        query = {"s": opened.carried.state} if opened.carried.state else {}
        query |= {key: text for key, text in given.items() if text and key != "sort"} | {"sort": name}
        address = f"/facility/{opened.carried.key}/sites?{urlencode(query)}#table"
        found[name] = Heading("Place" if name == "score" else title, units[name], address, name == sort)
    return found


def _figure(answer: SitesAnswer) -> Figure:
    drawn = [
        SitePoint(
            name=site.name,
            usd_per_accelerator_hour=site.usd_per_accelerator_hour,
            operational_kg=site.operational_kg,
            on_front=site.on_front,
            here=site.here,
            words=f"{PLANT_WORDS[site.plant]}, PUE {site.pue:.3f}",
        )
        for site in answer.sites
        if site.rankable and not {"cost", "carbon"} & set(site.unknown)
    ]
    return sites_figure(drawn, left_out=len(answer.sites) - len(drawn))
