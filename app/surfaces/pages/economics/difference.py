"""The tab of a difference: what explains how this design's figure differs from another's."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.charts.economics.difference import Brought, difference_figure, drawn
from app.charts.economics.waterfall import Scale, scale_of
from app.charts.figure import Figure
from app.charts.format import MINUS, THIN_SPACE, number, rounded
from app.engine.specs import RENTAL_TERMS
from app.saved.errors import NotSavedError
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_document
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.saved.compare.sides import options as designs_to_choose
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.economics.difference.answer import FIGURES, TERMS, DifferenceOptions, usual_figure
from app.views.economics.difference.causes import DifferenceLine, DifferenceReport, is_same, most_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE, NOT_FOUND = 422, 404
FIGURE_WORDS = {
    "usd_per_run": "Cost per run",
    "usd_per_million_tokens": "Cost per 1 M tokens",
    "tco": "Total cost of ownership",
    "usd_per_accelerator_hour": "Cost per utilised accelerator-hour",
    "usd_per_useful_accelerator_hour": "Cost per useful accelerator-hour",
    "carbon": "Carbon per run",
    "rent": "Rent per utilised accelerator-hour",
}
OF_A_RUN = ("usd_per_run", "usd_per_useful_accelerator_hour", "carbon")
CAPTIONS = {
    "cause": "Each change at its mean effect over all orders in which the changes could be made; no order is preferred.",
    "category": "What stands in the bill of either side; a category that one side lacks is nothing there.",
}


class Line(NamedTuple):
    """A part of the difference as a line of a table; amounts are in the measure of the page."""

    title: str
    said: str
    first: str
    second: str
    amount: str
    share: str
    between: str


class View(NamedTuple):
    """One way to take the difference apart; its lines add up to all of it."""

    key: str
    title: str
    basis: str
    lines: tuple[Line, ...]
    figure: Figure | None


@router.get("/economics/{key}/difference")
def difference(
    request: Request, opened: OpenedDep, source: DesignsDep, work: ReadDep, page: TemplatesDep
) -> HTMLResponse:
    """`other` is the design that is compared, `figure` what is explained, the offers are those of the figure rent."""
    if opened.scenario is None:
        return page.page("economics/difference.html", opened=opened)
    query = request.query_params
    typed = {name: query.get(name, "").strip()[:80] for name in ("other", *DifferenceOptions.model_fields)}
    report, fault, status = None, "", 200
    if typed["other"]:
        try:
            report = _report(opened, source, typed)
        except (KeyError, NotSavedError):
            fault = f"There is no design {typed['other'][:60]}. It may have been deleted; choose another."
            status = NOT_FOUND
        except ScenarioError as error:
            fault, status = error.errors[0].words, UNPROCESSABLE
    return page.page(
        "economics/difference.html",
        status=status,
        opened=opened,
        typed={**typed, "figure": typed["figure"] or usual_figure(opened.scenario)},
        designs=designs_to_choose(source, work),
        figures=_figures_of(opened),
        terms={name: RENTAL_TERMS[name].title for name in TERMS},
        fault=fault,
        report=report,
        **(_told(report) if report else {}),
    )


def _figures_of(opened: OpenedDesign) -> dict[str, str]:
    """Those that the design has, which is none of a run where it serves."""
    return {name: FIGURE_WORDS[name] for name in FIGURES if not (opened.serves and name in OF_A_RUN)}


def _report(opened: OpenedDesign, source: Designs, typed: dict[str, str]) -> DifferenceReport:
    assert opened.scenario is not None
    stated = {name: text for name, text in typed.items() if name != "other" and text}
    options = build_document(DifferenceOptions, stated)
    return source.searches.difference(
        opened.scenario, _other(source, typed["other"]), opened.catalog, options
    )


def _other(source: Designs, key: str) -> EvaluatedScenario:
    """The other design as it is saved, with the catalog of its own workspace."""
    own = source.of(key)
    return own.scenario(own.evaluated(key).document)


def _told(report: DifferenceReport) -> dict[str, Any]:
    """The report as the page shows it: all amounts in one measure."""
    scale = scale_of(max(_known(report.first), _known(report.second)), report.unit)
    return {
        "lead": _lead(report),
        "unit": scale.unit,
        "sides": tuple(_words(value, scale) for value in (report.first, report.second)),
        "gap": _signed(report.difference, scale),
        "views": _views(report, scale),
    }


def _lead(report: DifferenceReport) -> str:
    """How far apart both are, by the names that they have on the page."""
    if not math.isfinite(report.difference):
        return ""
    if is_same(report):
        return f"{report.title} is the same in both."
    if not report.first:
        return f"{report.title}: A is zero."
    return f"{report.title}: B is {number(report.ratio)} times A."


def _known(value: float) -> float:
    return abs(value) if math.isfinite(value) else 0.0


def _views(report: DifferenceReport, scale: Scale) -> tuple[View, ...]:
    found = (
        ("cause", "By cause", "groups of inputs, whatever the order they change in", report.by_cause),
        ("category", "By category", "what each side is made of", report.by_category),
        ("factor", "By factor", "what multiplies to each side", report.by_factor),
    )
    rows = max(len(drawn(_brought(lines))) for key, _, _, lines in found if key in CAPTIONS) + 2
    return tuple(
        View(
            key=key,
            title=title,
            basis=basis,
            lines=tuple(_line(line, scale, of_factor=key == "factor") for line in lines),
            figure=_figure(report, key, lines, rows) if key in CAPTIONS else None,
        )
        for key, title, basis, lines in found
        if lines
    )


def _brought(lines: tuple[DifferenceLine, ...]) -> list[Brought]:
    return [Brought(line.title, line.amount) for line in lines]


def _figure(report: DifferenceReport, key: str, lines: tuple[DifferenceLine, ...], rows: int) -> Figure:
    words = f"{most_of(lines)}." if math.isfinite(report.difference) and not is_same(report) else ""
    return difference_figure(
        _brought(lines),
        view=key,
        first=report.first,
        second=report.second,
        title=report.title,
        unit=report.unit,
        takeaway=f"{words[:1].upper()}{words[1:]}" if words else "The figure is the same in both.",
        caption=CAPTIONS[key],
        least_rows=rows,
    )


def _line(line: DifferenceLine, scale: Scale, *, of_factor: bool) -> Line:
    between = ""
    if line.least is not None and line.most is not None:
        between = f"{_signed(line.least, scale)} to {_signed(line.most, scale)}"
    return Line(
        title=line.title,
        said=line.said,
        first=_side(line.first, scale, of_factor),
        second=_side(line.second, scale, of_factor),
        amount=_signed(line.amount, scale),
        share=_percent(line.share),
        between=between,
    )


def _side(value: float | None, scale: Scale, of_factor: bool) -> str:
    if value is None:
        return ""
    return number(rounded(value, 5), 4) if of_factor else _words(value, scale)


def _words(value: float, scale: Scale) -> str:
    return "unknown" if math.isnan(value) else scale.words(value)


def _signed(value: float, scale: Scale) -> str:
    return "unknown" if math.isnan(value) else scale.signed(value)


def _percent(share: float) -> str:
    if math.isnan(share):
        return ""
    text = f"{abs(100 * share):.1f}"
    return f"{MINUS if share < 0 and text != '0.0' else ''}{text}{THIN_SPACE}%"
