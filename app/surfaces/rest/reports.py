"""A report of a scenario, as HTML made for paper or as PDF."""

from __future__ import annotations

import dataclasses
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from app.likeness import nearest_names
from app.scenarios.errors import ScenarioError, shorten
from app.scenarios.load import build_scenario
from app.settings import Settings
from app.surfaces.files.file_name import content_disposition
from app.surfaces.files.pdf import NoPdfError, svg_png
from app.surfaces.files.redaction import KINDS, read_kinds
from app.surfaces.files.work import Work, work_of
from app.surfaces.pages.report.design import DesignSubject
from app.surfaces.pages.report.document import CONTENT_SECURITY_POLICY, report_html
from app.surfaces.pages.report.options import ReportOptions, report_options
from app.surfaces.pages.report.pack import Pack
from app.surfaces.pages.report.pictures import HIGH, WIDE, Pictures, Theme, read_theme
from app.surfaces.pages.report.printing import report_pdf
from app.surfaces.rest.bodies import BYTES, Body, BodyDep, read_body
from app.surfaces.rest.documented import OF_A_BODY, problem_answers, query_parameter, scenario_body
from app.surfaces.rest.figures import THEME
from app.surfaces.rest.parameters import only, parameter_fault
from app.surfaces.rest.problem_types import INVALID_PARAMETER, INVALID_SCENARIO, NO_PDF, NOT_FOUND, TOO_BUSY
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.services import Services, ServicesDep

router = APIRouter(tags=["exports"])

TYPES = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}
PARAMETERS = [
    query_parameter(
        "version",
        "`board` is two pages to decide on, `full` every room with its sources.",
        {"type": "string", "enum": ["board", "full"], "default": "board"},
    ),
    query_parameter(
        "title", "Title; the scenario's name when left out.", {"type": "string", "maxLength": 200}
    ),
    query_parameter(
        "notes", "Own words, shown in front of the findings.", {"type": "string", "maxLength": 4000}
    ),
    query_parameter(
        "sections",
        "Chapters of the full version by key, separated by commas; all when left out.",
        {"type": "string"},
    ),
    query_parameter(
        "paper", "Size of the sheets.", {"type": "string", "enum": ["a4", "letter"], "default": "a4"}
    ),
    query_parameter(
        "without",
        f"What is left out, separated by commas: {', '.join(KINDS)}. The report lists what was left out.",
        {"type": "string"},
    ),
]
Format = Annotated[
    str, Path(description="The kind of file.", json_schema_extra={"enum": list(TYPES)}, examples=["html"])
]
WithoutGiven = Annotated[dict[str, str], only("without")]
Given = Annotated[dict[str, str], only("version", "title", "notes", "sections", "paper", "without")]


@router.post(
    "/reports/{format}",
    summary="Report of a scenario",
    responses={
        200: {
            "description": "The report.",
            "content": {name.partition(";")[0]: {"schema": {"type": "string"}} for name in TYPES.values()},
            "headers": {
                "Content-Disposition": {
                    "description": "attachment, with a name for the file.",
                    "schema": {"type": "string"},
                }
            },
        },
        **problem_answers(INVALID_PARAMETER, NOT_FOUND, INVALID_SCENARIO, TOO_BUSY, NO_PDF, *OF_A_BODY),
    },
    openapi_extra={"requestBody": scenario_body(), "parameters": PARAMETERS},
)
async def report_scenario(
    format: Format, request: Request, body: BodyDep, found: ServicesDep, given: Given
) -> Response:
    """The scenario of the body as a report made for paper. HTML is one file that needs nothing else; PDF is
    printed from it by Chromium, where the server has one. Nothing is saved.
    """
    if format not in TYPES:
        detail = f"There is no format {shorten(format)}. Nearest: {nearest_names(format[:80], TYPES)}."
        raise ProblemError(NOT_FOUND, detail)
    try:
        options = report_options(given)
    except ScenarioError as error:
        raise parameter_fault(error.errors[0].path, error.errors[0]) from None
    return await found.workers.run(_report, found, body, options, format, request.app.state.settings)


@router.post(
    "/packs",
    summary="Vendor pack of a scenario",
    response_class=Response,
    responses={
        200: {
            "description": "The pack.",
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        },
        **problem_answers(INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY, *OF_A_BODY),
    },
    openapi_extra={"requestBody": scenario_body(), "parameters": PARAMETERS[-1:]},
)
async def pack_scenario(request: Request, body: BodyDep, found: ServicesDep, given: WithoutGiven) -> Response:
    """Files for vendors to quote and to build from, as one ZIP: bill to quote against, cables, floor and racks, power and cooling
    per rack, NetBox, assumptions and open questions. It never has an amount of money; nothing is saved.
    """
    try:
        without = read_kinds(given.get("without", "").split(","))
    except ScenarioError as error:
        raise parameter_fault(error.errors[0].path, error.errors[0]) from None
    return await found.workers.run(_pack, found, body, without, request.app.state.settings)


def _pack(found: Services, body: Body, without: tuple[str, ...], settings: Settings) -> Response:
    work = _work(found, body)
    made = Pack(work, found.catalog(), without, settings)
    headers = {
        "content-disposition": content_disposition(f"{made.name} vendor pack", ".zip"),
        "cache-control": "no-store",
    }
    return Response(made.written(), headers=headers, media_type="application/octet-stream")


def _work(found: Services, body: Body) -> Work:
    read = read_body(body, found.limits)
    document = build_scenario(read.values, read.positions)
    return dataclasses.replace(work_of(document, found.saved), evaluate=lambda: found.evaluated(document))


def _report(found: Services, body: Body, options: ReportOptions, format: str, settings: Settings) -> Response:
    work = _work(found, body)
    html = report_html(DesignSubject(work, found.catalog(), options.without), options)
    return report_answer(html, work.written.name, options, format, settings)


def report_answer(html: str, of: str, options: ReportOptions, format: str, settings: Settings) -> Response:
    """A report as the file that was asked for; its name is the title, or says what it is `of`.

    Raises
    ------
    ProblemError : there is no Chromium to make a PDF
    """
    name = options.title or ("Report" if "names" in options.without else f"{of} report")
    headers = {
        "content-disposition": content_disposition(name, f".{format}"),
        "content-security-policy": f"{CONTENT_SECURITY_POLICY}; frame-ancestors 'none'",
        "cache-control": "no-store",
    }
    try:
        content = html.encode() if format == "html" else report_pdf(html, settings)
    except NoPdfError as error:
        raise ProblemError(NO_PDF, str(error)) from None
    return Response(content, headers=headers, media_type=TYPES[format])


PICTURE_TYPES = {"svg": "image/svg+xml", "png": BYTES}
PictureFormat = Annotated[
    str,
    Path(description="The kind of file.", json_schema_extra={"enum": list(PICTURE_TYPES)}, examples=["svg"]),
]
ChartName = Annotated[
    str, Path(description="Name of a chart or drawing, such as `tco` or `floor`.", examples=["step_time"])
]
GivenOfPicture = Annotated[dict[str, str], only("theme", "without")]


@router.post(
    "/pictures/{name}/{format}",
    summary="Picture of a chart",
    response_class=Response,
    responses={
        200: {
            "description": "The picture, 1920 by 1080.",
            "content": {
                "image/svg+xml": {"schema": {"type": "string"}},
                BYTES: {"schema": {"type": "string", "format": "binary"}},
            },
        },
        **problem_answers(INVALID_PARAMETER, NOT_FOUND, INVALID_SCENARIO, TOO_BUSY, NO_PDF, *OF_A_BODY),
    },
    openapi_extra={"requestBody": scenario_body(), "parameters": [THEME, PARAMETERS[-1]]},
)
async def picture_of_a_chart(
    name: ChartName,
    format: PictureFormat,
    request: Request,
    body: BodyDep,
    found: ServicesDep,
    given: GivenOfPicture,
) -> Response:
    """A chart or drawing of the scenario in the body as a slide: its takeaway as title, the chart, and a line
    of its source. An unknown name is answered with all there are; charts of a room of the report begin with
    its key and a dot. PNG is made by Chromium, where the server has one. Nothing is saved.
    """
    if format not in PICTURE_TYPES:
        detail = (
            f"There is no format {shorten(format)}. Nearest: {nearest_names(format[:80], PICTURE_TYPES)}."
        )
        raise ProblemError(NOT_FOUND, detail)
    try:
        theme, without = (
            read_theme(given.get("theme", "light")),
            read_kinds(given.get("without", "").split(",")),
        )
    except ScenarioError as error:
        raise parameter_fault(error.errors[0].path, error.errors[0]) from None
    return await found.workers.run(
        _picture, found, body, (name, format), theme, without, request.app.state.settings
    )


def _picture(
    found: Services,
    body: Body,
    asked: tuple[str, str],
    theme: Theme,
    without: tuple[str, ...],
    settings: Settings,
) -> Response:
    name, format = asked
    work = _work(found, body)
    try:
        drawing = Pictures(work, found.catalog(), without).svg(name, theme)
    except ScenarioError as error:
        if error.errors[0].path != "name":
            raise
        raise ProblemError(NOT_FOUND, f"{error.errors[0].message} {error.errors[0].hint}".strip()) from None
    try:
        content = drawing.encode() if format == "svg" else svg_png(drawing, WIDE, HIGH, settings)
    except NoPdfError as error:
        raise ProblemError(NO_PDF, str(error)) from None
    headers = {"content-disposition": content_disposition(name, f".{format}"), "cache-control": "no-store"}
    return Response(content, headers=headers, media_type=PICTURE_TYPES[format])
