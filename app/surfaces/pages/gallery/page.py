"""The gallery as pages: every design in a table, and one with its published figures beside ours."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.charts.format import RENT_ONLY, UNKNOWN, Shown, number, percent, show
from app.engine.quantities import label_at
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.catalog.tabs import catalog
from app.surfaces.pages.templating import TemplatesDep
from app.views.gallery.answer import gallery_answer, reference_answer

BOUND = {"equals": "", "at_least": "at least ", "at_most": "at most "}
COLUMNS = (
    ("Accelerators", "accelerators", "1"),
    ("BF16 peak", "peak_bf16_flop_per_s", "FLOP/s"),
    ("MFU of its job", "mfu", "%"),
    ("Peak at the meter", "utility_peak_w", "W"),
    ("To build", "capex_usd", "USD"),
    ("Utilised hour", "usd_per_accelerator_hour", "USD/h"),
)
CHIPS = {
    "agrees": ("good", "Agrees"),
    "stated": ("", "Input"),
    "differs": ("warn", "Differs"),
    "unknown": ("", "Unknown"),
}
VARIANTS = "One job on four machines"
JOB_COLUMNS = (
    ("Accelerators", "accelerators", "1"),
    ("Time", "elapsed_time_s", "s"),
    ("MFU", "mfu", "%"),
    ("Cost of the run", "usd_per_run", "USD"),
    ("Peak at the meter", "utility_peak_w", "W"),
)


class DesignRow(NamedTuple):
    """A design in a table."""

    key: str
    name: str
    system: str
    description: str
    feasible: bool | None  # None while it is computed
    cells: tuple[Shown, ...]
    agrees: int | None
    stated: int | None
    differs: int | None
    unknown: int | None


class Group(NamedTuple):
    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[DesignRow, ...]
    compare: str  # address of a comparison of its first and last, where it is of one job


class FigureRow(NamedTuple):
    """A published figure beside ours."""

    label: str
    of: str
    published: str
    ours: Shown
    ratio: str
    chip: str
    verdict: str
    note: str
    source: str
    explain: str


class RequirementRow(NamedTuple):
    """What the articles ask, beside ours."""

    title: str
    asked: str
    ours: Shown
    chip: str
    verdict: str
    remedy: str
    source: str
    explain: str


class ReferencePage(NamedTuple):
    key: str
    name: str
    group: str
    description: str
    approximation: str
    feasible: bool
    illustrative: bool
    problems: tuple[str, ...]
    figures: tuple[tuple[str, Shown], ...]
    rows: tuple[FigureRow, ...]
    requirements: tuple[RequirementRow, ...]
    provenance: dict[str, Any]


def groups(answer: dict[str, Any]) -> tuple[Group, ...]:
    """The designs of the gallery, group by group."""
    return tuple(
        _group(place, title, list(items))
        for place, (title, items) in enumerate(groupby(answer["items"], key=lambda one: one["group"]))
    )


def reference_page(answer: dict[str, Any]) -> ReferencePage:
    """One design."""
    return ReferencePage(
        key=answer["key"],
        name=answer["name"],
        group=answer["group"],
        description=answer["description"],
        approximation=answer["approximation"],
        feasible=answer["feasible"],
        illustrative=answer["illustrative"],
        problems=tuple(answer["problems"]),
        figures=tuple((name, _cell(answer, figure, unit)) for name, figure, unit in COLUMNS),
        rows=tuple(_figure(answer["key"], one) for one in answer["published"]),
        requirements=tuple(_requirement(answer["key"], one) for one in answer["requirements"]),
        provenance=answer["provenance"],
    )


def formatted(value: float | None, unit: str) -> Shown:
    """A value in the unit that people use for it."""
    if value is None:
        return UNKNOWN
    return percent(value) if unit == "%" else show(value, unit)


def _cell(one: dict[str, Any], figure: str, unit: str) -> Shown:
    """A figure of a design; of what is rent only, the cost of renting in place of that of owning."""
    value = one["figures"][figure]
    if value is not None or not one["rent_only"] or not unit.startswith("USD"):
        return formatted(value, unit)
    rent = one["rented"].get(figure)
    if rent is None:
        return RENT_ONLY
    shown = show(rent, unit)
    return Shown(shown.value, f"{shown.unit} rented")


def _group(place: int, title: str, items: list[dict[str, Any]]) -> Group:
    columns = JOB_COLUMNS if title == VARIANTS else COLUMNS
    ends = {"a": items[0]["key"], "b": items[-1]["key"]}
    return Group(
        id=f"group-{place}",
        title=title,
        columns=tuple(name for name, _, _ in columns),
        rows=tuple(
            DesignRow(
                key=one["key"],
                name=one["name"],
                system=one["system"] or "",
                description=one["description"],
                feasible=one["feasible"],
                cells=tuple(_cell(one, figure, unit) for _, figure, unit in columns),
                agrees=one["agrees"],
                stated=one["stated"],
                differs=one["differs"],
                unknown=one["unknown"],
            )
            for one in items
        ),
        compare=f"/compare?{urlencode(ends)}" if title == VARIANTS else "",
    )


VERDICTS = {"pass": ("good", "Pass"), "fail": ("bad", "Fail"), "does not apply": ("", "Does not apply")}


def _requirement(key: str, one: dict[str, Any]) -> RequirementRow:
    chip, verdict = VERDICTS.get(one["verdict"], ("", "Unknown"))
    place = one["figure"]
    explained = one["ours"] is not None and place and not place.startswith("headline.")
    nines = one["unit"] == "%" and one["ours"] is not None
    return RequirementRow(
        title=one["title"],
        asked=one["asked"],
        ours=Shown(number(100 * one["ours"], 7), "%") if nines else formatted(one["ours"], one["unit"]),
        chip=chip,
        verdict=verdict,
        remedy=one["remedy"],
        source=one["source"],
        explain=f"/designs/{key}/explain/{place}" if explained else "",
    )


def _figure(key: str, one: dict[str, Any]) -> FigureRow:
    chip, verdict = CHIPS[one["verdict"]]
    place = one["figure"]
    explained = place and not place.startswith(("headline.", "inputs.")) and one["ours"] is not None
    return FigureRow(
        label=one["label"],
        of=label_at(place) if place else "no figure of a design",
        published=BOUND[one["compare"]] + formatted(one["published"], one["unit"]).text
        if one["published"] is not None
        else "not published",
        ours=formatted(one["ours"], one["unit"]),
        ratio="" if one["ratio"] is None else f"{one['ratio']:.3g}",
        chip=chip,
        verdict=verdict,
        note=one["note"],
        source=one["source"],
        explain=f"/designs/{key}/explain/{place}" if explained else "",
    )


router = APIRouter(prefix="/gallery", include_in_schema=False, default_response_class=HTMLResponse)

PATIENCE_S = 1.0
"""Longest wait for figures that are not computed yet [s]."""
CatalogDep = Annotated[Catalog, Depends(catalog)]


@router.get("")
def whole(found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    """Every design with our figures, and how many of the published ones agree; those that are still computed say so."""
    answer = gallery_answer(found, PATIENCE_S)
    return page.page("gallery/list.html", groups=groups(answer), computing=answer["computing"])


@router.get("/{key}")
def one(key: str, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    """A design with its published figures beside ours, and what explains the differences."""
    try:
        answer = reference_answer(found, key)
    except ScenarioError as error:
        raise HTTPException(404, str(error)) from error
    return page.page("gallery/design.html", shown=reference_page(answer))
