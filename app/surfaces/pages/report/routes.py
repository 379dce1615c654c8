"""The page on which a report is put together, and the report itself, on paper or as a file."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, StreamingResponse

from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.settings import Settings
from app.surfaces.files.file_name import content_disposition
from app.surfaces.files.pdf import NoPdfError, chromium_path
from app.surfaces.files.redaction import KINDS, read_kinds
from app.surfaces.files.work import Work, saved_work, work_of
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.report.design import DesignSubject
from app.surfaces.pages.report.document import CONTENT_SECURITY_POLICY, chapters_of, report_html
from app.surfaces.pages.report.options import (
    LOGO_HINT,
    MOST_LOGO_BYTES,
    ReportOptions,
    logo_address,
    report_options,
)
from app.surfaces.pages.report.pack import Pack
from app.surfaces.pages.report.printing import report_pdf
from app.surfaces.pages.saved.exporting import holder_of
from app.surfaces.pages.saved.rights import ReadDep, saved_key
from app.surfaces.pages.studio.state import decode_state
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.uploads import read_upload

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE, UNAVAILABLE = 422, 503
MOST_FIELDS, MOST_TEXT_BYTES = 60, 400_000
IN_OUR_FRAME = {
    "content-security-policy": f"{CONTENT_SECURITY_POLICY}; frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
    "cache-control": "no-store",
}
"""Of the report as a page: it runs nothing, asks for nothing, and is shown inside the page that it is put
together on."""
LINES = "application/x-ndjson"
PDF, HTML, ZIP = "application/pdf", "text/html; charset=utf-8", "application/zip"
Several = Annotated[list[str], Query()]


@router.get("/designs/{key}/report")
def choose(
    key: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, request: Request, s: str = ""
) -> Response:
    """The choices of a report, and the report as it would be."""
    opened = opened_work(source, work, key, s)
    try:
        subject = DesignSubject(opened, source.of(key).catalog())
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, str(error)) from None
    settings: Settings = request.app.state.settings
    return page.page(
        "report/page.html",
        here="design",
        address=f"/designs/{key}/report/document",
        preview=f"/designs/{key}/report/document{f'?s={s}' if s else ''}",
        hidden={"s": s},
        back=f"/designs/{key}{f'?s={s}' if s else ''}",
        title=opened.document.name,
        chapters=chapters_of(subject),
        without=KINDS,
        has_pdf=bool(chromium_path(settings)),
        logo_hint=LOGO_HINT,
        pack=f"/designs/{key}/pack",
        workbook="",
        lead="Two pages for a board, or every room with its sources, made for paper.",
        full="Full, all rooms",
    )


@router.get("/designs/{key}/report/document")
def document(
    key: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, request: Request, s: str = "", format: str = "page",
    section: Several = [], without: Several = [],  # noqa: B006 - fastapi copies them
) -> Response:  # fmt: skip
    """The report as the address describes it: as a page, or as a file."""
    given = dict(request.query_params)
    return _answer(source, work, page, request, key, s, format, given, b"", section, without)


@router.post("/designs/{key}/report/document")
async def document_with_logo(
    key: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, request: Request
) -> Response:
    """The same for a form that brings a logo, or more than an address holds. Nothing of it is kept."""
    upload = await read_upload(
        request, most_bytes=MOST_LOGO_BYTES, most_fields=MOST_FIELDS, most_text_bytes=MOST_TEXT_BYTES
    )
    form = await request.form()
    several = [[str(one) for one in form.getlist(name)] for name in ("section", "without")]
    state, format = upload.fields.get("s", ""), upload.fields.get("format", "page")
    return await run_in_threadpool(
        _answer, source, work, page, request, key, state, format, upload.fields, upload.content, *several
    )


@router.get("/designs/{key}/pack")
def pack(
    key: str, source: DesignsDep, work: ReadDep, request: Request, s: str = "", without: Several = []  # noqa: B006 - fastapi copies them
) -> Response:  # fmt: skip
    """What vendors need to quote and to build, as a ZIP."""
    found = _pack(source, work, request, key, s, without)
    headers = {"content-disposition": _name_of(found), "cache-control": "no-store"}
    return Response(found.written(), media_type=ZIP, headers=headers)


@router.get("/designs/{key}/pack/steps")
def pack_steps(
    key: str, source: DesignsDep, work: ReadDep, request: Request, s: str = "", without: Several = []  # noqa: B006 - fastapi copies them
) -> Response:  # fmt: skip
    """The same as lines of JSON: how far it is, file by file, and at the end the ZIP in base64.

    The work stops with its reader, after the file that is being made.
    """
    found = _pack(source, work, request, key, s, without)
    # Compressed lines would wait for one another.
    headers = {"cache-control": "no-store", "x-accel-buffering": "no", "content-encoding": "identity"}
    return StreamingResponse(_lines(found), media_type=LINES, headers=headers)


def _pack(
    source: Designs, work: SavedWork, request: Request, key: str, state: str, without: list[str]
) -> Pack:
    opened = opened_work(source, work, key, state)
    try:
        return Pack(opened, source.of(key).catalog(), read_kinds(without), request.app.state.settings)
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, error.errors[0].words) from None


def _lines(found: Pack) -> Iterator[bytes]:
    for step in found.steps():
        told: dict[str, object] = {"done": step.done, "of": step.of, "file": step.name}
        if step.content:
            told = {
                "name": f"{found.name} vendor pack.zip",
                "content": base64.b64encode(step.content).decode(),
            }
        yield json.dumps(told).encode() + b"\n"


def _name_of(found: Pack) -> str:
    return content_disposition(f"{found.name} vendor pack", ".zip")


def _answer(
    source: Designs, work: SavedWork, page: Templates, request: Request, key: str, state: str, format: str,
    given: dict[str, str], logo: bytes, sections: list[str], without: list[str],
) -> Response:  # fmt: skip
    try:
        options = report_options(given, lists={"sections": sections, "without": without})
        opened = opened_work(source, work, key, state)
        html = _html(opened, source, key, options, logo)
        if format == "pdf":
            content = report_pdf(html, request.app.state.settings)
            return Response(content, media_type=PDF, headers=_as_file(options, opened, ".pdf"))
    except ScenarioError as error:
        return refused(page, error.errors[0].words, UNPROCESSABLE)
    except NoPdfError as error:
        return refused(page, str(error), UNAVAILABLE)
    if format == "html":
        return Response(html, media_type=HTML, headers=_as_file(options, opened, ".html"))
    return HTMLResponse(html, headers=IN_OUR_FRAME)


def _html(opened: Work, source: Designs, key: str, options: ReportOptions, logo: bytes) -> str:
    subject = DesignSubject(opened, source.of(key).catalog(), options.without)
    return report_html(subject, options, logo_address(logo))


def _as_file(options: ReportOptions, opened: Work, suffix: str) -> dict[str, str]:
    name = options.title or ("Report" if "names" in options.without else f"{opened.document.name} report")
    return {"content-disposition": content_disposition(name, suffix), "cache-control": "no-store"}


def refused(page: Templates, message: str, status: int) -> Response:
    """Why there is no report, in its place."""
    text = page.text("report/refused.html", message=message)
    return HTMLResponse(text, status_code=status, headers=IN_OUR_FRAME)


def opened_work(source: Designs, work: SavedWork, key: str, state: str) -> Work:
    """A design on its way out, or the unsaved scenario that the address carries."""
    values, named = decode_state(state) if state else None, saved_key(key)
    try:
        if values is not None:
            return work_of(build_scenario(values), work, holder_of(work, key))
        if named is not None:
            return saved_work(work, named.id, named.revision or None)
        return work_of(source.evaluated(key).document, work)
    except ScenarioError as error:
        raise HTTPException(UNPROCESSABLE, str(error)) from None
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error
