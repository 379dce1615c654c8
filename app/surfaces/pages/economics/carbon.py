"""The carbon tab: what a run emits by every boundary, why they differ, and the same run elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.charts.economics.carbon import CarbonShare, CarbonStep, build_up_figure, parts_figure
from app.charts.figure import Figure
from app.charts.format import Shown, percent, rounded, show
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.economics.terms_form import terms_form, typed_number
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.choices import Choice
from app.surfaces.pages.studio.field import Field, number
from app.surfaces.pages.studio.fields import in_field_words
from app.surfaces.pages.studio.state import value_at
from app.surfaces.pages.templating import TemplatesDep
from app.views.economics.carbon.answer import carbon_answer
from app.views.economics.carbon.report import CarbonOptions, CarbonReport, SiteCarbon

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
LEVELS_AND_WAITING = 5  # bars of the build-up beside its factors and making


class BoundaryCells(NamedTuple):
    title: str
    said: str
    run: Shown
    year: Shown
    tokens: Shown
    hour: Shown
    ratio: str


class SiteCells(NamedTuple):
    site: SiteCarbon
    place: str
    intensity: Shown
    pue: str
    run: Shown
    total: Shown


@router.get("/economics/{key}/carbon", response_model=None)
def carbon(request: Request, opened: OpenedDep, source: DesignsDep, page: TemplatesDep) -> Response:
    """Terms change the scenario of the address; the other parameters stay in the address."""
    if opened.scenario is None:
        return page.page("economics/carbon.html", opened=opened)
    query = request.query_params
    typed = beside_of(query)
    form = terms_form(
        opened, "carbon", terms_of(opened, source.of(opened.carried.key).choices()["sites"]), query
    )
    if form.address:
        return RedirectResponse(form.address_with(typed), 303)
    options, errors = options_of(typed)
    try:
        report = carbon_answer(opened.scenario, opened.catalog, options)
    except ScenarioError as error:  # a pod that serves has no run
        words = " ".join(in_field_words(f"{fault.message} {fault.hint}") for fault in error.errors)
        return page.page("economics/refused.html", opened=opened, tab="carbon", title="Carbon", words=words)
    return page.page(
        "economics/carbon.html",
        status=UNPROCESSABLE if errors or form.is_refused else 200,
        opened=opened,
        form=form,
        boxes=boxes_of(typed, errors),
        report=report,
        lead=_lead(report),
        build_up=carbon_build_up(report),
        parts=_parts(report),
        boundaries=_boundaries(report),
        factors=_factors(report),
        embodied=_embodied(report),
        facts=_facts(report),
        sites=[_site(site) for site in report.sites],
    )


def _lead(report: CarbonReport) -> str:
    meter = report.boundaries[1].kg_per_run
    if math.isnan(meter):
        return "The emissions of a run of this design are unknown: the grid's carbon or the power of the design is missing."
    return (
        f"A run emits {_kg(meter).text} by the electricity that it draws at the meter, "
        f"{_ratio(report.ratio)} times the figure by accelerator design power alone."
    )


def carbon_build_up(report: CarbonReport) -> Figure:
    """From design power to the emissions at the meter, and the making."""
    boundaries = {boundary.key: boundary.kg_per_run for boundary in report.boundaries}
    return build_up_figure(
        [CarbonStep(factor.title, factor.added_kg) for factor in report.factors],
        tdp_only_kg=boundaries["accelerators"],
        meter_kg=boundaries["meter"],
        making=[CarbonStep(part.title, part.kg_per_run) for part in report.parts if part.kind == "embodied"],
        idle_kg=report.waiting.idle_kg,
    )


def _parts(report: CarbonReport) -> Figure:
    making = sum(part.kind == "embodied" for part in report.parts)
    beside = len(report.factors) + making + LEVELS_AND_WAITING
    return parts_figure([CarbonShare(one.title, one.kind, one.kg_per_run) for one in report.parts], beside)


def _boundaries(report: CarbonReport) -> list[BoundaryCells]:
    return [
        BoundaryCells(
            title=boundary.title,
            said=boundary.said,
            run=_kg(boundary.kg_per_run),
            year=_kg(boundary.kg_per_year),
            tokens=Shown("n/a")
            if boundary.kg_per_million_tokens is None
            else _kg(boundary.kg_per_million_tokens),
            hour=_kg(boundary.kg_per_useful_accelerator_hour),
            ratio=_ratio(boundary.over_tdp_only),
        )
        for boundary in report.boundaries
    ]


def _factors(report: CarbonReport) -> list[tuple[str, str, str]]:
    rows = [(factor.title, factor.said, _ratio(factor.factor)) for factor in report.factors]
    rows.append(("Total", "The meter over design power.", _ratio(report.ratio)))
    restarts = (
        "Elapsed over productive time. Both boundaries have it; a card that counts productive hours lacks it."
    )
    return [*rows, ("Restarts, in both", restarts, _ratio(report.restarts_factor))]


def _embodied(report: CarbonReport) -> list[tuple[str, Shown, Shown, str]]:
    return [
        (part.title, _kg(part.pod_kg or 0.0), _kg(part.kg_per_run), part.source)
        for part in report.parts
        if part.kind == "embodied"
    ]


def _facts(report: CarbonReport) -> list[tuple[str, Shown, str]]:
    """Waiting, contracts and hours: label, value, and what is shown next to it."""
    waiting = report.waiting
    rows = [
        (
            "Idle floor of the run",
            _share(waiting.floor_share),
            "of its electricity is what the same machines would draw without work",
        ),
        ("Waiting SuperNodes", _kg(waiting.beside_kg), "spares, and what the job leaves free"),
        (
            "The pod between runs",
            _kg(waiting.between_kg),
            f"{show(rounded(waiting.hours_between_runs), 'h').text} without work that fall to this run",
        ),
    ]
    if report.clean:
        rows.append(
            (
                "Contracts, by the year",
                _kg(report.clean.market_kg),
                f"{_share(report.clean.contracted_share).text} of the energy counts as nothing (market based)",
            )
        )
        rows += [
            (
                f"The same from {matched.plants}, by the hour",
                _kg(matched.kg_per_run),
                f"{_share(matched.matched_share).text} of the load in the hour that it is generated, no storage",
            )
            for matched in report.clean.matched
        ]
    if report.hourly:
        hourly = report.hourly
        mean = rounded(hourly.mean_kg_per_kwh, 4)
        rows.append(
            (
                "By the hours of the grid",
                _kg(hourly.kg_per_run),
                f"at {rounded(hourly.by_load_kg_per_kwh, 4):g} kg/kWh in the hours of the load; plain mean {mean:g}",
            )
        )
    return rows


def _site(site: SiteCarbon) -> SiteCells:
    return SiteCells(
        site=site,
        place="" if site.place is None else str(site.place),
        intensity=Shown("unknown")
        if math.isnan(site.intensity_kg_per_kwh)
        else Shown(f"{1e3 * site.intensity_kg_per_kwh:,.0f}"),
        pue="unknown" if math.isnan(site.pue) else f"{site.pue:.3f}",
        run=_kg(site.operational_kg),
        total=_kg(site.total_kg),
    )


def _kg(value: float) -> Shown:
    return Shown("unknown") if math.isnan(value) else show(rounded(value), "kg")


def _share(value: float) -> Shown:
    return Shown("unknown") if math.isnan(value) else percent(rounded(value))


def _ratio(value: float) -> str:
    return "unknown" if not math.isfinite(value) else f"{value:.3g}" if value >= 100 else f"{value:.2f}"


SITE = "facility.site"
TERMS = tuple(
    number(path, used=path)
    for path in ("facility.clean_energy_share", "economics.utilisation", "economics.life_years")
)
BESIDE = {
    "network_embodied_kg": ("Embodied carbon of the network", "kg"),
    "storage_embodied_kg": ("Embodied carbon of the storage", "kg"),
    "building_embodied_kg": ("Embodied carbon of the building", "kg"),
    "intensity_by_hour": ("Hourly grid intensity: 24 values, or 12 months of 24", "kg/kWh"),
}
MOST_TYPED = 4_000


class Box(NamedTuple):
    """What can be known beside the scenario."""

    name: str
    label: str
    unit: str
    text: str
    error: str


def beside_of(query: Mapping[str, str]) -> dict[str, str]:
    """What was typed into the boxes beside the terms."""
    return {name: query.get(name, "").strip()[:MOST_TYPED] for name in BESIDE}


def boxes_of(typed: Mapping[str, str], errors: Mapping[str, str]) -> list[Box]:
    """The boxes beside the terms, with what is wrong in them."""
    return [Box(name, *words, typed[name], errors.get(name, "")) for name, words in BESIDE.items()]


def terms_of(opened: OpenedDesign, sites: tuple[Choice, ...]) -> tuple[Field, ...]:
    """A site that is written out stays as it is; one of the catalog can be another."""
    if isinstance(value_at(opened.carried.values, SITE), dict):
        return TERMS
    words = tuple((site.key, site.name) for site in sites)
    return (Field(path=SITE, label="Site", control="select", words=words), *TERMS)


def options_of(typed: Mapping[str, str]) -> tuple[CarbonOptions, dict[str, str]]:
    """What is known beside the scenario, or nothing with what is wrong by box."""
    values: dict[str, Any] = {}
    for name in BESIDE:
        text = typed.get(name, "")
        if not text:
            continue
        if name == "intensity_by_hour":
            values[name] = [typed_number(word) for word in text.replace(",", " ").replace(";", " ").split()]
        else:
            values[name] = typed_number(text)
    try:
        return build_document(CarbonOptions, values), {}
    except ScenarioError as error:
        faults = {fault.path.split(".")[0].split("[")[0]: fault.words for fault in error.errors}
        return CarbonOptions(), faults
