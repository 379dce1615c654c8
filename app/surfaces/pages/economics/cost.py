"""The build-up tab: what a design costs to own, part by part, what decides it, and in which building."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.charts.economics.build_up import BuildUpPart, build_up_figure
from app.charts.economics.tornado import SwingBar, tornado_figure
from app.charts.figure import Figure, is_rent_only
from app.charts.format import RENT_ONLY, THIN_SPACE, Shown, number, percent, show_computed
from app.surfaces.pages.download import download
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.economics.terms_form import terms_form
from app.surfaces.pages.studio.field import number as number_field
from app.surfaces.pages.studio.field import text as text_field
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.templating import TemplatesDep
from app.views.economics.cost_files import FORMATS
from app.views.economics.cost_levers import BuildingCase, CostLever
from app.views.economics.cost_tree import CostTree, CostTreePart, CostTreeSum, cost_tree

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "cost"
TERMS = (
    "economics.supernode_price_usd",
    "economics.purchase_channel",
    "economics.price_discount",
    "economics.life_years",
    "economics.residual_value",
    "economics.wacc",
    "economics.utilisation",
    "economics.building",
    "economics.colocation_usd_per_kw_month",
    "economics.electricity_price_usd_per_kwh",
)
BESIDE_THE_STUDIO = (
    "economics.network_life_years",
    "economics.storage_life_years",
    "economics.import_duty_share",
    "economics.sales_tax_share",
    "economics.construction_cost_factor",
    "economics.labour_cost_factor",
)
"""Terms that the studio has no control for."""
HARDLY = ("electricity", "pue")
SHARES = ("utilisation", "wacc")


class TreeRow(NamedTuple):
    """A branch or a part of it as a line of the table; with paths where figures can be explained."""

    title: str
    price: Shown | None
    yearly: Shown
    life: Shown
    hour: str
    share: str
    source: str = ""
    basis: str = ""
    path: str = ""
    price_path: str = ""


class BuildingRow(NamedTuple):
    label: str
    owned: Shown
    colocation: Shown


@router.get("/economics/{key}/cost", response_model=None)
def cost(request: Request, opened: OpenedDep, page: TemplatesDep) -> Response:
    """The terms of the form are those of the scenario: a form that was sent changes the address."""
    known = fields_by_path()
    fields = (
        *(known[path] for path in TERMS),
        *(number_field(path, used=path) for path in BESIDE_THE_STUDIO),
        text_field("economics.jurisdiction"),
    )
    form = terms_form(opened, TAB, fields, request.query_params)
    if form.address:
        return RedirectResponse(form.address, 303)
    if opened.scenario is None:
        return page.page("economics/cost.html", opened=opened, form=form)
    tree = cost_tree(opened.scenario, opened.catalog)
    return page.page(
        "economics/cost.html",
        status=422 if form.is_refused else 200,
        opened=opened,
        form=form,
        tree=tree,
        key_figures=_key_figures(tree, opened.scenario.as_json),
        hours=_hours(tree, opened.scenario.as_json["not_applicable"]),
        build_up=_build_up(tree),
        decides=_decides(tree),
        hardly=_hardly(tree),
        branches=[
            (_sum_row(one.title, one.together), [_row(part) for part in one.parts]) for one in tree.branches
        ],
        together=_sum_row("Total", tree.together),
        buildings=_buildings(tree),
        stated=next(case.building for case in tree.buildings if case.is_stated),
        files=[(one.title, opened.file_address(TAB, {"format": name})) for name, one in FORMATS.items()],
    )


@router.get("/economics/{key}/cost/file")
def cost_file(opened: OpenedDep, format: str = "csv") -> Response:
    """The tree as a file."""
    if format not in FORMATS:
        raise HTTPException(404, f"There is no cost tree of the kind {format[:40]}.")
    if opened.scenario is None:
        raise HTTPException(422, opened.carried.refusal)
    tree = cost_tree(opened.scenario, opened.catalog)
    return download(FORMATS[format], tree, tree.name)


def _key_figures(tree: CostTree, evaluation: dict[str, Any]) -> list[tuple[str, str, Shown, str]]:
    """Path, label, value and what is shown next to it; "rent only" for a cost of owning what is not sold."""
    together = tree.together
    found = [
        ("cost.capex_usd", "Capex", show_computed(together.price_usd, "USD"), "capital expenditure"),
        ("cost.annual_cost_usd_per_year", "Annualised cost", show_computed(together.usd_per_year, "USD/year"), "with capital as level payments"),
        ("cost.tco_usd", "Lifetime TCO", show_computed(together.tco_usd, "USD"), f"{number(tree.life_years)} years"),
        (
            "cost.usd_per_accelerator_hour",
            "Cost per utilised accelerator-hour",
            _hourly(together.usd_per_accelerator_hour),
            f"at a utilisation of {percent(tree.utilisation).text}",
        ),
    ]  # fmt: skip
    return [
        (path, label, RENT_ONLY if is_rent_only(evaluation, path) else shown, beside)
        for path, label, shown, beside in found
    ]


def _hours(tree: CostTree, missing: Collection[str]) -> list[tuple[str, str, str]]:
    """`missing` are figures that do not apply: a pod that serves has no useful hours of a run."""
    hours = tree.hours
    found = [
        ("cost.usd_per_installed_accelerator_hour", "installed", _hourly(hours.installed_usd).text),
        ("cost.usd_per_available_accelerator_hour", "available", _hourly(hours.available_usd).text),
        ("cost.usd_per_accelerator_hour", "used", _hourly(hours.used_usd).text),
        ("cost.usd_per_useful_accelerator_hour", "useful", _hourly(hours.useful_usd).text),
    ]
    return [hour for hour in found if hour[0] not in missing]


def _build_up(tree: CostTree) -> Figure:
    parts = [
        BuildUpPart(part.title, part.kind, part.usd_per_accelerator_hour, part.path) for part in tree.parts
    ]
    return build_up_figure(parts, tree.together.usd_per_accelerator_hour)


def _decides(tree: CostTree) -> Figure:
    hour = tree.together.usd_per_accelerator_hour
    bars = [
        SwingBar(
            name=_lever_title(lever),
            low_words=_lever_value(lever, lever.low),
            high_words=_lever_value(lever, lever.high),
            at_low=lever.usd_per_accelerator_hour_low,
            at_high=lever.usd_per_accelerator_hour_high,
        )
        for lever in tree.levers
        if math.isfinite(lever.swing_usd)
    ]
    return tornado_figure(
        "Cost per utilised accelerator-hour", "USD/h", None if math.isnan(hour) else hour, bars
    )


def _lever_value(lever: CostLever, value: float) -> str:
    """Short label of a bar; `_lever_title` names the unit."""
    if lever.lever in SHARES:
        return f"{100 * value:.3g}{THIN_SPACE}%"
    if lever.lever == "pue":
        return f"{value:.2f}"
    return f"{value / 1e3:,.4g}k" if value >= 1e4 else f"{value:.3g}"


def _lever_title(lever: CostLever) -> str:
    return lever.title if lever.unit == "1" else f"{lever.title}, {lever.unit}"


def _hardly(tree: CostTree) -> str:
    """What electricity and PUE do beside the widest term, where all of it is known."""
    hour = tree.together.usd_per_accelerator_hour
    small = [lever for lever in tree.levers if lever.lever in HARDLY and math.isfinite(lever.swing_usd)]
    if math.isnan(hour) or len(small) < len(HARDLY) or tree.levers[0].lever in HARDLY:
        return ""
    widest = tree.levers[0]
    said = [
        f"{_lever_title(lever)}, from {_lever_value(lever, lever.low)} to {_lever_value(lever, lever.high)} "
        f"({lever.said}) changes the cost per utilised hour by {100 * lever.swing_usd / hour:.2g}{THIN_SPACE}%"
        for lever in small
    ]
    return f"{'; '.join(said)}. {widest.title} moves it by {100 * widest.swing_usd / hour:.0f}{THIN_SPACE}%."


def _row(part: CostTreePart) -> TreeRow:
    return TreeRow(
        title=part.title,
        price=None if part.price_usd is None else show_computed(part.price_usd, "USD"),
        yearly=show_computed(part.usd_per_year, "USD"),
        life=show_computed(part.tco_usd, "USD"),
        hour=_hour(part.usd_per_accelerator_hour),
        share=_share(part.share),
        source=f"{part.source}{f', {part.as_of}' if part.as_of else ''}",
        basis=part.basis,
        path=part.path,
        price_path=part.price_path,
    )


def _sum_row(title: str, together: CostTreeSum) -> TreeRow:
    return TreeRow(
        title=title,
        price=show_computed(together.price_usd, "USD") if together.price_usd else None,
        yearly=show_computed(together.usd_per_year, "USD"),
        life=show_computed(together.tco_usd, "USD"),
        hour=_hour(together.usd_per_accelerator_hour),
        share=_share(together.share),
    )


def _buildings(tree: CostTree) -> list[BuildingRow]:
    owned, hired = tree.buildings

    def row(label: str, field: str) -> BuildingRow:
        return BuildingRow(label, *(_of(case, field) for case in (owned, hired)))

    return [
        row("Capex, with building and land", "capex_usd"),
        row("Running cost per year", "opex_usd_per_year"),
        row("A year of the building: its capital, upkeep and tax, or the rent", "building_usd_per_year"),
        row("A year of ownership", "annual_cost_usd_per_year"),
        row("Lifetime TCO", "tco_usd"),
        row("Cost per utilised accelerator-hour", "usd_per_accelerator_hour"),
    ]


def _of(case: BuildingCase, field: str) -> Shown:
    value: float = getattr(case, field)
    return _hourly(value) if field == "usd_per_accelerator_hour" else show_computed(value, "USD")


def _hourly(usd: float) -> Shown:
    return Shown("unknown") if math.isnan(usd) else Shown(f"{usd:.2f}", "USD/h")


def _hour(usd: float) -> str:
    return "unknown" if math.isnan(usd) else f"{usd:,.3f}"


def _share(share: float) -> str:
    return "unknown" if math.isnan(share) else f"{100 * share:.1f}"
