"""The cables tab: the schedule with its files, and the comparison with an uploaded file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse
from starlette.concurrency import run_in_threadpool

from app.engine.fabric.cabling.schedule import NetworkCables, cable_counts
from app.scenarios.errors import InputError, ScenarioError
from app.surfaces.files.cables.diff_text import KIND_WORDS, cable_diff_csv
from app.surfaces.files.cables.formats import CABLE_FORMATS, cable_format, written_cables
from app.surfaces.files.file_name import content_disposition
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.uploads import Upload, read_upload
from app.views.fabric.cable_diff import CableDiff, Difference, diff_cables
from app.views.fabric.cables import MOST_BYTES, cables_of

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


ROWS = 25
DIFFERENCES = 200
LONGEST_SEARCH = 80
UNKNOWN = "unknown"


class CountLine(NamedTuple):
    network: str
    tier: str
    part: str
    links: str
    cables: str
    lengths: str
    total: str


class End(NamedTuple):
    node: str
    port: str
    place: str  # rack and height


class CableRow(NamedTuple):
    network: str
    cable: str
    tier: str
    a: End
    z: End
    part: str
    length: str


class CablesPage(NamedTuple):
    """Everything that the page shows; `found` counts the links that the search and the network leave."""

    networks: tuple[tuple[str, str], ...]  # key and name
    network: str
    has_topology_file: bool  # of the network that is shown, else of the first
    search: str
    links: str
    cables: str
    kilometres: str
    counts: tuple[CountLine, ...]
    rows: tuple[CableRow, ...]
    found: int
    faults: tuple[InputError, ...]


class DiffPage(NamedTuple):
    """Result of a comparison; `kinds` are those of which there are differences."""

    name: str
    rows: str
    links: str
    matched: str
    kinds: tuple[tuple[str, str], ...]  # words and count
    differences: tuple[tuple[str, Difference], ...]  # with their words
    hidden: int
    unknown_columns: tuple[str, ...]
    skipped_sheets: tuple[str, ...]


def cables_page(
    networks: Sequence[NetworkCables], *, search: str, network: str, faults: tuple[InputError, ...] = ()
) -> CablesPage:
    """The page as the address asks for it; a network that there is not is as none."""
    sought = search.strip()[:LONGEST_SEARCH]
    keys = [one.network for one in networks]
    chosen = network if network in keys else ""
    shown = [one for one in networks if chosen in ("", one.network)]
    links = {one.network: one.links_at(sought) for one in shown}
    rows: list[CableRow] = []
    for one in shown:
        rows += _rows(one, links[one.network][: ROWS - len(rows)])
    counts = [count for one in shown for count in cable_counts(one)]
    return CablesPage(
        networks=tuple((key, _words(key)) for key in keys),
        network=chosen,
        has_topology_file=bool(shown) and not shown[0].ethernet,
        search=sought,
        links=f"{sum(count.links for count in counts):,}",
        cables=f"{sum(count.cables for count in counts):,}",
        kilometres=_number(sum(count.total_m for count in counts) / 1000, 1),
        counts=tuple(
            CountLine(
                network=_words(count.network),
                tier=_words(count.tier),
                part=count.part or "nothing reaches",
                links=f"{count.links:,}",
                cables=f"{count.cables:,}",
                lengths=_span(count.shortest_m, count.longest_m),
                total=_number(count.total_m, 0),
            )
            for count in counts
        ),
        rows=tuple(rows),
        found=sum(some.size for some in links.values()),
        faults=faults,
    )


def diff_page(diff: CableDiff, name: str) -> DiffPage:
    """The result of a comparison in words."""
    shown = tuple((KIND_WORDS[one.kind], one) for one in diff.differences(DIFFERENCES))
    return DiffPage(
        name=name or "The file",
        rows=f"{diff.file.rows:,}",
        links=f"{diff.design.a.size:,}",
        matched=f"{diff.found.matched:,}",
        kinds=tuple((KIND_WORDS[kind], f"{count:,}") for kind, count in diff.counts.items() if count),
        differences=shown,
        hidden=diff.found.count - len(shown),
        unknown_columns=diff.file.unknown_columns,
        skipped_sheets=diff.file.skipped_sheets,
    )


def _rows(network: NetworkCables, links: np.ndarray) -> list[CableRow]:
    text = {name: [cell.decode() for cell in column.tolist()] for name, column in network.text(links).items()}
    ends = {
        side: [
            End(node, port, f"{rack} U{height}" if rack else "")
            for node, port, rack, height in zip(
                text[f"{side}-Node Name"],
                text[f"{side}-Port"],
                text[f"{side}-Rack"],
                text[units],
                strict=True,
            )
        ]
        for side, units in (("A", "A-U"), ("Z", "Z-RU"))
    }
    return [
        CableRow(_words(network.network), cable, _words(tier), a, z, part or UNKNOWN, length or UNKNOWN)
        for cable, tier, a, z, part, length in zip(
            text["Cable"], text["Tier"], ends["A"], ends["Z"], text["Part"], text["Length (m)"], strict=True
        )
    ]


def _words(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _span(shortest_m: float, longest_m: float) -> str:
    if np.isnan(shortest_m):
        return UNKNOWN
    least, most = (f"{length:.1f}".removesuffix(".0") for length in (shortest_m, longest_m))
    return least if least == most else f"{least} to {most}"


def _number(value: float, digits: int) -> str:
    return UNKNOWN if np.isnan(value) else f"{value:,.{digits}f}"
