"""The cables tab: the schedule with its files, and the comparison with a file of somebody's."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse
from starlette.concurrency import run_in_threadpool

from app.scenarios.errors import InputError, ScenarioError
from app.surfaces.files.cables.diff_csv import cable_diff_csv
from app.surfaces.files.cables.formats import CABLE_FORMATS, cable_format, written_cables
from app.surfaces.files.file_name import content_disposition
from app.surfaces.pages.fabric.cables_page import cables_page, diff_page
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.uploads import Upload, read_upload
from app.views.fabric.cable_diff import diff_cables
from app.views.fabric.cable_tables import MOST_BYTES
from app.views.fabric.cables import cables_of

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422


@router.get("/fabric/{key}/cables")
def cables(opened: OpenedDep, page: TemplatesDep, q: str = "", network: str = "") -> HTMLResponse:
    """Counts by tier and medium, the first rows of the schedule, and its files."""
    return _page(opened, page, search=q, network=network)


@router.get("/fabric/{key}/cables/file")
def cables_file(opened: OpenedDep, format: str = "csv", network: str = "") -> Response:
    """The whole schedule as a file, sent while it is written."""
    if opened.scenario is None:
        raise HTTPException(404, opened.carried.refusal)
    try:
        chosen = cable_format(format)
        parts = written_cables(cables_of(opened.scenario, opened.catalog, network), chosen)
    except ScenarioError as error:
        raise HTTPException(404, str(error.errors[0])) from None
    headers = {"content-disposition": content_disposition(opened.carried.title, chosen.suffix)}
    return StreamingResponse(parts, media_type=chosen.media_type, headers=headers)


@router.post("/fabric/{key}/cables/diff")
async def compare(request: Request, opened: OpenedDep, page: TemplatesDep) -> Response:
    """A point-to-point file against the design; nothing is kept of it."""
    sent = await read_upload(request, most_bytes=MOST_BYTES, most_fields=4, most_text_bytes=MOST_BYTES)
    return await run_in_threadpool(_compared, opened, page, sent)


def _compared(opened: OpenedDesign, page: Templates, sent: Upload) -> Response:
    if opened.scenario is None:
        return _page(opened, page)
    network = sent.fields.get("network", "")
    if not sent.content:
        chosen = InputError(
            path="", value=None, rule="required", message="No file was chosen.",
            hint="Choose a CSV file or an Excel workbook of cables.",
        )  # fmt: skip
        return _page(opened, page, network=network, faults=(chosen,))
    try:
        diff = diff_cables(cables_of(opened.scenario, opened.catalog, network), sent.content)
    except ScenarioError as error:
        return _page(opened, page, network=network, faults=error.errors)
    if sent.fields.get("answer") == "csv":
        headers = {"content-disposition": content_disposition(f"{opened.carried.title} differences", ".csv")}
        return StreamingResponse(cable_diff_csv(diff), media_type="text/csv; charset=utf-8", headers=headers)
    return page.page("fabric/cable_diff.html", opened=opened, diff=diff_page(diff, sent.name))


def _page(
    opened: OpenedDesign,
    page: Templates,
    *,
    search: str = "",
    network: str = "",
    faults: tuple[InputError, ...] = (),
) -> HTMLResponse:
    shown = None
    if opened.scenario is not None:
        networks = cables_of(opened.scenario, opened.catalog)
        shown = cables_page(networks, search=search, network=network, faults=faults)
    formats = [one for one in CABLE_FORMATS if one.name != "topo" or (shown and shown.has_topology_file)]
    context = {"opened": opened, "shown": shown, "formats": formats}
    return page.page("fabric/cables.html", status=UNPROCESSABLE if faults else 200, **context)
