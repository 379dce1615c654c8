"""Files of what is open: the scenario as it is, and its figures."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Response
from fastapi.responses import HTMLResponse

from app.saved.records import Saved
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.files.file_name import content_disposition
from app.surfaces.files.formats import FORMATS, Format, format_of
from app.surfaces.files.work import Work, saved_work, work_of
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.saved.rights import ReadDep, saved_key
from app.surfaces.pages.studio.requests import own_json
from app.surfaces.pages.studio.state import decode_state
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

BodyDep = Annotated[dict[str, Any], Depends(own_json)]


@router.get("/designs/{key}/export")
def choose(key: str, source: DesignsDep, work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    """The kinds of file, as a page: what a menu opens."""
    try:
        title = source.evaluated(key).document.name
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error
    asks = asks_for_prices(work, _workspace(work, key))
    return page.page("saved/export.html", key=key, title=title, formats=FORMATS, asks_for_prices=asks)


@router.get("/designs/{key}/export/{what}/{name}")
def export(
    key: str, what: str, name: str, source: DesignsDep, work: ReadDep, s: str = "", own_prices: str = ""
) -> Response:
    """A file of a design, or of the unsaved scenario that the address carries in `s`."""
    values, named, prices = decode_state(s) if s else None, saved_key(key), own_prices == "yes"
    try:
        if values is not None:
            holder = holder_of(work, key)
            return _file(
                format_of(name, what), work_of(build_scenario(values), work, holder, own_prices=prices)
            )
        if named is not None:
            return _file(
                format_of(name, what), saved_work(work, named.id, named.revision or None, own_prices=prices)
            )
        return _file(format_of(name, what), work_of(source.evaluated(key).document, work, own_prices=prices))
    except ScenarioError as error:
        raise HTTPException(422, str(error)) from None
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error


@router.post("/studio/export/{what}/{name}")
def export_state(what: str, name: str, body: BodyDep, work: ReadDep) -> Response:
    """The same for what is open in the studio, however large it is."""
    try:
        holder = holder_of(work, str(body.get("key", "")))
        prices = body.get("own_prices") is True
        document = build_scenario(body.get("scenario"))
        return _file(format_of(name, what), work_of(document, work, holder, own_prices=prices))
    except ScenarioError as error:
        raise HTTPException(422, str(error)) from None


def asks_for_prices(work: SavedWork, workspace_id: int) -> bool:
    """Return whether there are own rows that the caller may pass on with their prices."""
    return work.may_take_prices(workspace_id) and bool(work.catalog(workspace_id).own_parts())


def _workspace(work: SavedWork, key: str) -> int:
    """The workspace whose catalog a design is computed with."""
    named = saved_key(key)
    if named is None:
        return work.workspace_id
    holder = (
        work.shown("scenario", named.id, named.revision) if named.revision else work.get("scenario", named.id)
    )
    return holder.workspace_id


def holder_of(work: SavedWork, key: str) -> Saved | None:
    """What an unsaved scenario is made from, where that is saved."""
    named = saved_key(key)
    return work.get("scenario", named.id) if named else None


def _file(format: Format, exported: Work) -> Response:
    content = format.write(exported)
    headers = {
        "content-disposition": content_disposition(exported.document.name, format.suffix),
        "cache-control": "no-store",
    }
    return Response(content, media_type=format.media_type, headers=headers)
