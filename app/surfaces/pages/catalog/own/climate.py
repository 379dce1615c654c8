"""The form that makes an EPW file a climate year of the workspace."""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from app.catalog.own.known import Known
from app.catalog.weather.epw import MOST_BYTES
from app.catalog.weather.gaps import LONGEST_GAP_HOURS
from app.catalog.weather.year import About
from app.saved.team_catalog.errors import RefusedLinesError, RowChangedError
from app.saved.team_catalog.service import TeamCatalog, own_revision
from app.scenarios.errors import InputError
from app.surfaces.pages.catalog.own.page import TeamDep
from app.surfaces.pages.catalog.tabs import part_link
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.uploads import Upload, read_upload

router = APIRouter(prefix="/climate")

KIND = "climate"
UNPROCESSABLE = 422
MOST_TEXT_BYTES = 4_000
WORDS = tuple(field.name for field in fields(About))


class YearForm(NamedTuple):
    """Typed input; `of_key` is the year that another takes the place of."""

    of_key: str
    key: str
    version: int
    about: dict[str, str]
    faults: tuple[InputError, ...] = ()
    moved: bool = False


@router.get("")
def form(found: TeamDep, page: TemplatesDep, key: str = "") -> HTMLResponse:
    """Where a file is chosen; with a key, one in place of the own year that has it."""
    found.require("write")
    about = dict.fromkeys(WORDS, "")
    if not key:
        return _page(page, YearForm("", "", 0, about))
    part = Known(found.catalog()).part(KIND, key)
    if part is None or not part.own:
        raise HTTPException(404, "The workspace has no such climate year.")
    about |= {"name": part.name, "source": part.source}
    return _page(page, YearForm(key, key, part.revision, about))


@router.post("")
async def upload(request: Request, found: TeamDep, page: TemplatesDep) -> Response:
    """The year of the file, or the form with what is wrong."""
    found.require("write")
    sent = await read_upload(
        request, most_bytes=MOST_BYTES, most_fields=len(WORDS) + 6, most_text_bytes=MOST_TEXT_BYTES
    )
    return await run_in_threadpool(_uploaded, found, page, sent)


def _uploaded(found: TeamCatalog, page: Templates, sent: Upload) -> Response:
    typed = {name: text.strip() for name, text in sent.fields.items()}
    of_key = typed.get("of_key", "")
    key = of_key or typed.get("key", "")
    version = int(typed["version"]) if typed.get("version", "").isdecimal() else 0
    filled = YearForm(of_key, key, version, {name: typed.get(name, "") for name in WORDS})
    try:
        found.put_climate(key, sent.content, About(**filled.about), version)
    except RefusedLinesError as error:
        return _page(page, filled._replace(faults=error.errors), UNPROCESSABLE)
    except RowChangedError:
        now = own_revision(found.catalog(), KIND, key)
        return _page(page, filled._replace(of_key=key, version=now, moved=True), 409)
    return RedirectResponse(part_link(KIND, key), 303)


def _page(page: Templates, filled: YearForm, status: int = 200) -> HTMLResponse:
    return page.page(
        "catalog/own/climate.html",
        status=status,
        form=filled,
        most_megabytes=MOST_BYTES // 1_000_000,
        longest_gap=LONGEST_GAP_HOURS,
    )
