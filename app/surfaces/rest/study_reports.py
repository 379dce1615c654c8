"""The report of a study, as HTML made for paper or as PDF, and its workbook."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.likeness import nearest_names
from app.scenarios.errors import ScenarioError, shorten
from app.scenarios.load import build_document
from app.scenarios.study.document import StudyDocument
from app.settings import Settings
from app.surfaces.files.file_name import content_disposition
from app.surfaces.files.redaction import read_kinds
from app.surfaces.pages.report.document import report_html
from app.surfaces.pages.report.options import ReportOptions, report_options
from app.surfaces.pages.report.study import ReportedStudy, StudySubject, reported_here
from app.surfaces.pages.report.study_workbook import study_xlsx, workbook_name
from app.surfaces.rest.bodies import BYTES, Body, BodyDep, read_body
from app.surfaces.rest.documented import OF_A_BODY, problem_answers
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.parameters import parameter_fault
from app.surfaces.rest.problem_types import INVALID_PARAMETER, INVALID_STUDY, NO_PDF, NOT_FOUND, TOO_BUSY
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.reports import PARAMETERS, TYPES, Format, Given, WithoutGiven, report_answer
from app.surfaces.rest.scenario_requests import examples_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.study import EXAMPLES, answered_body
from app.views.study.report import StudyAnswer

router = APIRouter(tags=["searches"])

NAMED = {
    "Content-Disposition": {
        "description": "attachment, with a name for the file.",
        "schema": {"type": "string"},
    }
}
BODY = examples_body("StudyDocument", "A question, its limits and its candidates.", EXAMPLES)


@router.post(
    "/study/reports/{format}",
    summary="Report of a study",
    responses={
        200: {
            "description": "The report.",
            "content": {name.partition(";")[0]: {"schema": {"type": "string"}} for name in TYPES.values()},
            "headers": NAMED,
        },
        **problem_answers(INVALID_PARAMETER, NOT_FOUND, INVALID_STUDY, TOO_BUSY, NO_PDF, *OF_A_BODY),
    },
    openapi_extra={**BODY, "parameters": PARAMETERS},
)
async def report_study(
    format: Format, request: Request, body: BodyDep, found: ServicesDep, given: Given
) -> Response:
    """The study of the body, answered, as a report made for paper: its question, options, cost, time, risk
    and decision on two pages, or all of its answer. Nothing is saved.
    """
    if format not in TYPES:
        detail = f"There is no format {shorten(format)}. Nearest: {nearest_names(format[:80], TYPES)}."
        raise ProblemError(NOT_FOUND, detail)
    try:
        options = report_options(given)
    except ScenarioError as error:
        raise parameter_fault(error.errors[0].path, error.errors[0]) from None
    answer = await answered_body(request, body, found)
    settings = request.app.state.settings
    return await found.workers.run(_report, found, body, answer, options, format, settings)


@router.post(
    "/study/workbook",
    summary="Workbook of a study",
    response_class=Response,
    responses={
        200: {
            "description": "The workbook.",
            "content": {BYTES: {"schema": {"type": "string", "format": "binary"}}},
            "headers": NAMED,
        },
        **problem_answers(INVALID_PARAMETER, INVALID_STUDY, TOO_BUSY, *OF_A_BODY),
    },
    openapi_extra={**BODY, "parameters": PARAMETERS[-1:]},
)
async def study_workbook(
    request: Request, body: BodyDep, found: ServicesDep, given: WithoutGiven
) -> Response:
    """The candidates of the study side by side: a sheet a room, costs and cash flow as formulas that can be followed and changed,
    inputs and sources. Its sheet About lists what was left out. Nothing is saved.
    """
    try:
        without = read_kinds(given.get("without", "").split(","))
    except ScenarioError as error:
        raise parameter_fault(error.errors[0].path, error.errors[0]) from None
    answer = await answered_body(request, body, found)
    return await found.workers.run(_workbook, found, body, answer, without)


def _reported(found: Services, body: Body, answer: StudyAnswer) -> ReportedStudy:
    read = read_body(body, found.limits)
    document = build_document(StudyDocument, read.values, read.positions)
    return reported_here(document, answer, found)


def _report(
    found: Services, body: Body, answer: StudyAnswer, options: ReportOptions, format: str, settings: Settings
) -> Response:
    try:
        html = report_html(StudySubject(_reported(found, body, answer), options.without), options)
    except ScenarioError as error:  # of a chapter that there is not
        raise scenario_problem(error, found.limits, INVALID_STUDY) from None
    return report_answer(html, answer.name, options, format, settings)


def _workbook(found: Services, body: Body, answer: StudyAnswer, without: tuple[str, ...]) -> Response:
    name = content_disposition(workbook_name(answer.name, without), ".xlsx")
    headers = {"content-disposition": name, "cache-control": "no-store"}
    content = study_xlsx(_reported(found, body, answer), without)
    return Response(content, headers=headers, media_type=BYTES)
