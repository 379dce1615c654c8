"""The page on which a report of a study is put together, the report itself, and its workbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from app.saved.errors import NotSavedError
from app.scenarios.errors import ScenarioError
from app.surfaces.files.file_name import content_disposition
from app.surfaces.files.pdf import NoPdfError, chromium_path
from app.surfaces.files.redaction import KINDS, read_kinds
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.report.document import GLOSSARY, report_html
from app.surfaces.pages.report.options import LOGO_HINT, MOST_LOGO_BYTES, logo_address, report_options
from app.surfaces.pages.report.printing import report_pdf
from app.surfaces.pages.report.routes import (
    HTML,
    IN_OUR_FRAME,
    MOST_FIELDS,
    MOST_TEXT_BYTES,
    PDF,
    UNAVAILABLE,
    UNPROCESSABLE,
    refused,
)
from app.surfaces.pages.report.study import ReportedStudy, StudySubject, reported
from app.surfaces.pages.report.study_chapters import CHAPTERS
from app.surfaces.pages.report.study_workbook import study_xlsx, workbook_name
from app.surfaces.pages.saved.rights import ReadDep, saved_key
from app.surfaces.pages.studies.opened import OpenedStudy, opened, unsaved
from app.surfaces.pages.studio.state import decode_state
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.uploads import read_upload
from app.teams.reviews import Review
from app.views.file_format import XLSX_TYPE

router = APIRouter(prefix="/studies", include_in_schema=False, default_response_class=HTMLResponse)

NEW = "new"
"""In the place of an id: the study that the address carries."""
Several = Annotated[list[str], Query()]
DONE = {"draft": "is a draft", "in_review": "is in review", "approved": "was approved"}


@router.get("/{id}/report")
def choose(
    id: str, work: ReadDep, page: TemplatesDep, request: Request, s: str = "", revision: int = 0
) -> Response:
    """The choices of a report, and the report as it would be."""
    study = _opened(work, id, s, revision)
    query = (
        f"?s={study.state}"
        if study.saved is None
        else f"?revision={study.shown.revision}"
        if study.shown
        else ""
    )
    return page.page(
        "report/page.html",
        here="studies",
        address=f"/studies/{id}/report/document",
        preview=f"/studies/{id}/report/document{query}",
        hidden={"s": study.state}
        if study.saved is None
        else {"revision": str(study.shown.revision if study.shown else 0)},
        back=f"/studies/{id}{query}",
        title=study.name,
        chapters=(*((key, one.title) for key, one in CHAPTERS.items()), GLOSSARY),
        without=KINDS,
        has_pdf=bool(chromium_path(request.app.state.settings)),
        logo_hint=LOGO_HINT,
        pack="",
        workbook=f"/studies/{id}/workbook",
        lead="Two pages for a board, or all of the answer with its sources, made for paper.",
        full="Full, all of the answer",
    )


@router.get("/{id}/report/document")
def document(
    id: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, request: Request, s: str = "", revision: int = 0,
    format: str = "page", section: Several = [], without: Several = [],  # noqa: B006 - fastapi copies them
) -> Response:  # fmt: skip
    """The report: to look at and to print, or as a file of HTML or PDF."""
    given = {
        name: value for name, value in request.query_params.items() if name not in ("section", "without")
    }
    study = _opened(work, id, s, revision)
    return _answer(source, page, request, study, format, given, b"", section, without)


@router.post("/{id}/report/document")
async def document_with_logo(
    id: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, request: Request
) -> Response:
    """The same for a form that brings a logo, or more than an address holds. Nothing of it is kept."""
    upload = await read_upload(
        request, most_bytes=MOST_LOGO_BYTES, most_fields=MOST_FIELDS, most_text_bytes=MOST_TEXT_BYTES
    )
    form = await request.form()
    several = [[str(one) for one in form.getlist(name)] for name in ("section", "without")]
    fields = upload.fields
    number = fields.get("revision", "")

    def answered() -> Response:
        study = _opened(work, id, fields.get("s", ""), int(number) if number.isdecimal() else 0)
        format = fields.get("format", "page")
        return _answer(source, page, request, study, format, fields, upload.content, *several)

    return await run_in_threadpool(answered)


@router.get("/{id}/workbook")
def workbook(
    id: str, source: DesignsDep, work: ReadDep, s: str = "", revision: int = 0, without: Several = []  # noqa: B006 - fastapi copies them
) -> Response:  # fmt: skip
    """The candidates of the board as a workbook, a sheet a room."""
    return _workbook(source, _opened(work, id, s, revision), without)


@router.post("/{id}/workbook")
async def workbook_of_choices(id: str, source: DesignsDep, work: ReadDep, request: Request) -> Response:
    """The same for the form of the report, by what it leaves out."""
    form = await request.form()
    number, state = str(form.get("revision", "")), str(form.get("s", ""))

    def answered() -> Response:
        study = _opened(work, id, state, int(number) if number.isdecimal() else 0)
        return _workbook(source, study, [str(one) for one in form.getlist("without")])

    return await run_in_threadpool(answered)


def _workbook(source: Designs, study: OpenedStudy, without: Sequence[str]) -> Response:
    try:
        kinds = read_kinds(without)
        content = study_xlsx(_reported(source, study), kinds)
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, error.errors[0].words) from None
    headers = {
        "content-disposition": content_disposition(workbook_name(study.name, kinds), ".xlsx"),
        "cache-control": "no-store",
    }
    return Response(content, media_type=XLSX_TYPE, headers=headers)


def _answer(
    source: Designs, page: Templates, request: Request, study: OpenedStudy, format: str, given: Mapping[str, str],
    logo: bytes, sections: Sequence[str], without: Sequence[str],
) -> Response:  # fmt: skip
    try:
        options = report_options(given, lists={"sections": sections, "without": without})
        subject = StudySubject(_reported(source, study), options.without)
        html = report_html(subject, options, logo_address(logo))
        name = options.title or ("Report" if "names" in options.without else f"{study.name} report")
        if format == "pdf":
            return Response(
                report_pdf(html, request.app.state.settings), media_type=PDF, headers=_as_file(name, ".pdf")
            )
    except ScenarioError as error:
        return refused(page, error.errors[0].words, UNPROCESSABLE)
    except NoPdfError as error:
        return refused(page, str(error), UNAVAILABLE)
    if format == "html":
        return Response(html, media_type=HTML, headers=_as_file(name, ".html"))
    return HTMLResponse(html, headers=IN_OUR_FRAME)


def _as_file(name: str, suffix: str) -> dict[str, str]:
    return {"content-disposition": content_disposition(name, suffix), "cache-control": "no-store"}


def _reported(source: Designs, study: OpenedStudy) -> ReportedStudy:
    """The study with the answer that is kept with its revision, else with one of today.

    Raises
    ------
    ScenarioError : it is no study, or cannot be answered
    """
    if study.document is None:
        raise ScenarioError(study.errors)
    designs = source.held_by(study.saved) if study.saved else source
    answer = study.kept or designs.studies.answer(study.document, designs.catalog())
    facts: tuple[tuple[str, str], ...] = (("Revision", "not saved"),)
    note = study.shown.note if study.shown is not None else ""
    if study.shown is not None:
        facts = (
            ("Revision", f"{study.shown.revision}, {note}" if note else f"{study.shown.revision}"),
            ("Saved", f"{study.shown.created_at:%d %B %Y}"),
        )
    return reported(study.document, answer, designs, facts, _review(study), note)


def _review(study: OpenedStudy) -> tuple[str, ...]:
    """Where the review of the newest revision is, and which one was approved."""
    review: Review | None = study.review
    if review is None:
        return ()
    by = f", by {review.step.by} on {review.step.at:%d %B %Y}" if review.step else ""
    said = [f"Revision {review.revision} {DONE[review.state]}{by}."]
    if review.baseline and review.baseline.revision != review.revision:
        said.append(
            f"Revision {review.baseline.revision} was approved by {review.baseline.by} on {review.baseline.at:%d %B %Y}."
        )
    return tuple(said)


def _opened(work: ReadDep, id: str, state: str, revision: int) -> OpenedStudy:
    if id == NEW:
        values = decode_state(state)
        if values is None:
            raise HTTPException(404, "The address holds no study that can be read. It may have been cut off.")
        return unsaved(values)
    if saved_key(id) is None or "@" in id:
        raise NotSavedError("study", id[:60])
    return opened(work, id, revision)
