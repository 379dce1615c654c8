"""The Uncertainty tab: spread of the figures of a design, and its main drivers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse

from app.catalog.view import CatalogView
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.files.file_name import content_disposition
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.economics.terms_form import (
    pair_choices,
    pair_form,
    range_choices,
    range_form,
    terms_form,
)
from app.surfaces.pages.economics.uncertainty_inputs import TAB, input_cells, pair_cells
from app.surfaces.pages.economics.uncertainty_shown import (
    charts,
    chosen_path,
    figure_cells,
    knowing_cells,
    limit_cells,
    method_words,
    sobol_chart,
    varying_words,
    verdict,
)
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.field import number, select, switch
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.views.plain import report_json
from app.views.uncertainty.answer import Step, answered, uncertainty_steps
from app.views.uncertainty.plan import every_input
from app.views.uncertainty.report import (
    Answered,
    UncertainInput,
    UncertaintyOptions,
    UncertaintyReport,
    samples_csv,
)
from app.views.uncertainty.sensitivity import MOST_SOBOL_INPUTS, SOBOL_SAMPLES

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
MOST_SAMPLES = 8192
"""Of the page, which is to be there at once."""
FIRST_INPUTS = 8
"""In sight; the others open below them."""
LINES = "application/x-ndjson"
TERMS = (
    number("uncertainty.deadline_days", empty="none"),
    number("uncertainty.budget_usd", empty="none"),
    number("uncertainty.samples"),
    number("uncertainty.seed"),
    select(
        "uncertainty.sampler",
        names={"latin_hypercube": "Latin hypercube", "sobol": "Sobol sequence"},
    ),
    switch("uncertainty.catalog_ranges"),
)
SobolQuery = Annotated[str, Query(alias="sobol")]


@router.get("/economics/{key}/uncertainty")
def uncertainty(
    request: Request, opened: OpenedDep, page: TemplatesDep, figure: str = "", sobol: SobolQuery = ""
) -> Response:
    """`figure` is the one that is drawn; `sobol=1` computes its indices in the request. Ranges, pairs and terms that
    are sent change the scenario of the address."""
    if opened.scenario is None:
        return page.page("economics/uncertainty.html", opened=opened)
    typed = request.query_params
    terms = terms_form(opened, TAB, TERMS, typed)
    if terms.address:
        return RedirectResponse(terms.address, 303)
    inputs = _inputs(opened.scenario, opened.catalog)
    ranges, pairs = range_form(opened, inputs, typed), pair_form(opened, inputs, typed)
    if address := ranges.address or pairs.address:
        return RedirectResponse(address, 303)
    report, faults = _report(opened, with_sobol=bool(sobol))
    if report:  # what moves no figure is held, and not offered
        ranges = ranges._replace(choices=range_choices(report.inputs))
        pairs = pairs._replace(choices=pair_choices(report.inputs))
    refused = bool(faults) or terms.is_refused or ranges.is_refused or bool(pairs.error)
    path = chosen_path(report, figure) if report else ""
    return page.page(
        "economics/uncertainty.html",
        status=UNPROCESSABLE if refused else 200,
        opened=opened,
        terms=terms,
        ranges=ranges,
        pairs=pairs,
        faults=faults,
        figure=path,
        sobol=bool(sobol),
        **(_shown(opened, report, path) if report else {"report": None}),
    )


@router.get("/economics/{key}/uncertainty/sobol")
def sobol_lines(opened: OpenedDep, page: TemplatesDep, figure: str = "") -> Response:
    """The indices of one figure as lines of JSON: how far the work is, and at the end what belongs into the page.

    The work stops with its reader.
    """
    steps = _steps(opened, with_sobol=True)
    # Compressed lines would wait for one another.
    headers = {"cache-control": "no-store", "x-accel-buffering": "no", "content-encoding": "identity"}
    return StreamingResponse(_lines(steps, opened, page, figure), media_type=LINES, headers=headers)


@router.get("/economics/{key}/uncertainty/samples.csv")
def samples(opened: OpenedDep) -> Response:
    """Every sample, a row each."""
    found = _whole(opened, with_sobol=False)
    name = content_disposition(f"{found.report.name} samples", ".csv")
    return StreamingResponse(
        samples_csv(found.samples),
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": name},
    )


@router.get("/economics/{key}/uncertainty/report.json")
def report_file(opened: OpenedDep, sobol: SobolQuery = "") -> Response:
    """The whole report, as the API answers it."""
    found = _whole(opened, with_sobol=bool(sobol)).report
    headers = {"content-disposition": content_disposition(f"{found.name} uncertainty", ".json")}
    return Response(orjson.dumps(report_json(found)), media_type="application/json", headers=headers)


def _steps(opened: OpenedDesign, *, with_sobol: bool, whole: bool = False) -> Iterator[Step]:
    """The work from its first step on, so that what cannot be used is refused before anything is sent.

    Raises
    ------
    HTTPException : the scenario, one of its ranges or a correlation cannot be used, 422
    """
    if opened.scenario is None:
        raise HTTPException(UNPROCESSABLE, opened.carried.refusal)
    asked = opened.scenario.document.uncertainty.samples
    options = UncertaintyOptions(samples=asked if whole else min(asked, MOST_SAMPLES), sobol=with_sobol)
    steps = uncertainty_steps(opened.scenario, opened.catalog, options)
    try:
        first = next(steps)
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, str(error)) from None
    return _from(first, steps)


def _inputs(scenario: EvaluatedScenario, catalog: CatalogView) -> tuple[UncertainInput, ...]:
    """What may vary, without a sample: forms that fix a range need it where the report is refused."""
    try:
        return tuple(one.told() for one in every_input(scenario, catalog))
    except ScenarioError:  # the report says why
        return ()


def _from(first: Step, steps: Iterator[Step]) -> Iterator[Step]:
    yield first
    yield from steps


def _whole(opened: OpenedDesign, *, with_sobol: bool) -> Answered:
    """The answer with all the samples that the scenario asks for.

    Raises
    ------
    HTTPException : something cannot be used, or no sample is a design that can be, 422
    """
    try:
        return answered(_steps(opened, with_sobol=with_sobol, whole=True))
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, str(error)) from None


def _report(opened: OpenedDesign, *, with_sobol: bool) -> tuple[UncertaintyReport | None, tuple[str, ...]]:
    """The report, or why there is none."""
    try:
        return answered(_steps(opened, with_sobol=with_sobol)).report, ()
    except HTTPException as refused:
        return None, tuple(str(refused.detail).splitlines())
    except ScenarioError as error:
        return None, tuple(str(fault) for fault in error.errors)


def _lines(steps: Iterator[Step], opened: OpenedDesign, page: Templates, figure: str) -> Iterator[bytes]:
    try:
        for step in steps:
            yield orjson.dumps(_line(step, opened, page, figure)) + b"\n"
    except ScenarioError as error:  # the answer has begun, so the refusal is its last line
        yield orjson.dumps({"refused": str(error)}) + b"\n"


def _line(step: Step, opened: OpenedDesign, page: Templates, figure: str) -> dict[str, Any]:
    if not isinstance(step, Answered):
        return {"done": step.done, "total": step.total}
    path = chosen_path(step.report, figure)
    said = verdict(step.report, path)
    shown = {"opened": opened, "indices": sobol_chart(step.report, path), "verdict": said}
    return {"html": page.text("economics/uncertainty_sobol.html", **shown), "verdict": said}


def _shown(opened: OpenedDesign, report: UncertaintyReport, path: str) -> dict[str, Any]:
    asked = opened.scenario.document.uncertainty.samples if opened.scenario else 0
    return {
        "report": report,
        "verdict": verdict(report, path),
        "figures": figure_cells(report),
        "limits": limit_cells(report),
        "charts": charts(report, path),
        "indices": sobol_chart(report, path) if report.sobol else None,
        "evaluations": (min(len(report.inputs), MOST_SOBOL_INPUTS) + 2) * SOBOL_SAMPLES,
        "knowing": knowing_cells(report),
        "inputs": input_cells(opened, report, path),
        "shown_inputs": max(FIRST_INPUTS, sum(one.origin == "scenario" for one in report.inputs)),
        "varying": varying_words(report.inputs),
        "correlated": pair_cells(opened, report),
        "method": method_words(report, asked),
    }
