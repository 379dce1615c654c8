"""Routes of own rows: the list of them, the form of one, and imports with their report."""

from __future__ import annotations

import base64
import binascii
import datetime
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from app.catalog.kinds import KINDS
from app.catalog.own.columns import NOT_OWN, own_kinds
from app.catalog.own.entries import Fault
from app.catalog.own.known import Known
from app.saved.team_catalog.errors import NotOwnError, RefusedLinesError, RowChangedError
from app.saved.team_catalog.service import TeamCatalog
from app.saved.team_catalog.tables import MOST_BYTES
from app.scenarios.errors import InputError, ScenarioError
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.own import climate, model_routes
from app.surfaces.pages.catalog.own.form import entries_of_form, row_form
from app.surfaces.pages.catalog.own.page import TeamDep, own_page, report
from app.surfaces.pages.catalog.tabs import part_link
from app.surfaces.pages.saved.forms import FormDep, version_of
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.uploads import read_upload

router = APIRouter(prefix="/catalog/own", include_in_schema=False, default_response_class=HTMLResponse)

router.include_router(climate.router)
router.include_router(model_routes.router)

UNPROCESSABLE = 422
MOST_TEXT_BYTES = 2 * MOST_BYTES


@router.get("")
def own_rows(found: TeamDep, page: TemplatesDep) -> HTMLResponse:
    """Every own row, and what of them is worth another look."""
    found.require("read")
    today = datetime.datetime.now(datetime.UTC).date()
    return page.page("catalog/own/rows.html", own=own_page(found.rows(), found.review(), today))


@router.get("/edit")
def edit(found: TeamDep, page: TemplatesDep, kind: str = "", key: str = "", part: str = "") -> Response:
    """The form of a row; new where no key is named, for the part that is named. Models have a form of their own."""
    found.require("write")
    catalog = found.catalog()
    _check_row(found, kind, key)
    if kind == "models" and Known(catalog).builtin(kind, key) is None:
        return RedirectResponse(f"/catalog/own/model{f'?key={quote(key)}' if key else ''}", 303)
    typed = {"part_key": part, "as_of": "", "unit": "USD/unit", "condition": "quote"} if part else None
    return page.page("catalog/own/edit.html", form=row_form(catalog, kind, key, typed=typed))


@router.post("/edit")
def save(form: FormDep, found: TeamDep, page: TemplatesDep) -> Response:
    """The row says what the form says, or the form comes back with its faults."""
    found.require("write")
    kind, key = form.get("kind", ""), form.get("of_key", "")
    _check_row(found, kind, key)
    catalog = found.catalog()
    entries = entries_of_form(catalog, kind, key, form)
    try:
        if not key and Known(catalog).part(kind, entries[0].key) is not None:
            raise _taken(kind, entries[0].key)
        found.put(entries, version_of(form) or 0)
    except RefusedLinesError as error:
        faults = [fault for line in error.lines for fault in line.faults]
        shown = row_form(catalog, kind, key, typed=form, faults=faults)
        return page.page("catalog/own/edit.html", status=UNPROCESSABLE, form=shown)
    except RowChangedError:
        shown = row_form(found.catalog(), kind, key, typed=form, moved=True)
        return page.page("catalog/own/edit.html", status=409, form=shown)
    except _TakenError as error:
        shown = row_form(catalog, kind, "", typed=form, faults=[error.fault])
        return page.page("catalog/own/edit.html", status=UNPROCESSABLE, form=shown)
    return RedirectResponse(part_link(kind, entries[0].key), 303)


@router.post("/remove")
def remove(form: FormDep, found: TeamDep, page: TemplatesDep) -> Response:
    """An own row goes."""
    kind, key = form.get("kind", ""), form.get("key", "")
    found.require("write")
    if kind not in KINDS:
        raise HTTPException(404, "There are no rows of this kind.")
    try:
        found.remove(kind, key, version_of(form))
    except NotOwnError:
        pass  # someone else removed it
    except (RefusedLinesError, RowChangedError) as error:
        raise HTTPException(409, str(error)) from None
    there = Known(found.catalog()).part(kind, key) is not None
    return RedirectResponse(part_link(kind, key) if there else f"/catalog/{quote(kind)}", 303)


@router.get("/import")
def import_form(found: TeamDep, page: TemplatesDep, kind: str = "") -> HTMLResponse:
    """Where a file is chosen."""
    found.require("write")
    return _import_page(page, kind=kind if kind in own_kinds() else "")


@router.post("/import")
async def look(request: Request, found: TeamDep, page: TemplatesDep) -> Response:
    """What a file would change. Nothing is written; the file stays in the page until it is applied."""
    found.require("write")
    sent = await read_upload(request, most_bytes=MOST_BYTES, most_fields=8, most_text_bytes=MOST_TEXT_BYTES)
    text, kind = sent.fields.get("text", ""), sent.fields.get("kind", "")
    content = sent.content or text.encode()
    return await run_in_threadpool(_looked_at, found, page, content, sent.name, kind, text)


@router.post("/import/apply")
def apply(form: FormDep, found: TeamDep, page: TemplatesDep) -> Response:
    """Write what was looked at, as a whole."""
    kind, name = form.get("kind", ""), form.get("name", "")
    try:
        content = base64.b64decode(form.get("content", ""), validate=True)
    except binascii.Error:
        raise HTTPException(400, "The file did not come back whole. Choose it again.") from None
    skip = form.get("skip_refused") == "yes"
    try:
        found.import_file(content, filename=name, kind=kind, dry_run=False, skip_refused=skip)
    except RefusedLinesError:  # someone changed the catalog meanwhile
        return _looked_at(found, page, content, name, kind, "")
    except ScenarioError as error:
        return _import_page(page, kind=kind, faults=error.errors, status=UNPROCESSABLE)
    return RedirectResponse("/catalog/own", 303)


def _looked_at(
    found: TeamCatalog, page: Templates, content: bytes, name: str, kind: str, text: str
) -> Response:
    try:
        if kind and kind not in own_kinds():
            kind = ""
        plan = found.import_file(content, filename=name, kind=kind).plan
    except ScenarioError as error:
        return _import_page(page, kind=kind, text=text, faults=error.errors, status=UNPROCESSABLE)
    return page.page(
        "catalog/own/report.html",
        report=report(plan),
        name=name,
        kind=kind,
        content=base64.b64encode(content).decode(),
    )


def _import_page(
    page: Templates, *, kind: str, text: str = "", faults: tuple[InputError, ...] = (), status: int = 200
) -> HTMLResponse:
    kinds = [(name, VIEWS[name].tab) for name in VIEWS if name not in NOT_OWN]
    context = {"kind": kind, "kinds": kinds, "text": text, "faults": faults}
    return page.page("catalog/own/import.html", status=status, **context)


class _TakenError(Exception):
    def __init__(self, fault: Fault) -> None:
        self.fault = fault


def _taken(kind: str, key: str) -> _TakenError:
    """A new row never takes the key of another unsaid."""
    return _TakenError(
        Fault(
            column="key",
            value=key,
            rule="unique",
            message=f"{VIEWS[kind].tab} have a row {key} already.",
            hint="Open it and override its values, or choose another key.",
        )
    )


def _check_row(found: TeamCatalog, kind: str, key: str) -> None:
    if kind not in KINDS or kind in NOT_OWN:
        raise HTTPException(404, "There are no own rows of this kind.")
    if key and Known(found.catalog()).part(kind, key) is None:
        raise HTTPException(404, f"The catalog has no {key} among its {VIEWS[kind].noun}.")
