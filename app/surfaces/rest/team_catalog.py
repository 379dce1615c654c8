"""Own rows of a workspace in the catalog: imported, exported, stated one by one, and looked over."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from app.catalog.errors import CatalogLookupError
from app.catalog.kinds import KINDS
from app.catalog.own.columns import own_kinds
from app.catalog.own.entries import FaultError, Place
from app.catalog.own.known import Known
from app.catalog.own.planning import Line
from app.saved.team_catalog.errors import NotOwnError, RefusedLinesError, RowChangedError
from app.saved.team_catalog.service import own_revision
from app.scenarios.errors import ScenarioError
from app.scenarios.reading.messages import input_errors
from app.surfaces.files.catalog_table import (
    CSV_TYPE,
    catalog_csv,
    catalog_lines,
    catalog_xlsx,
    exported_kinds,
)
from app.surfaces.files.file_name import content_disposition
from app.surfaces.rest.bodies import BYTES, BodyDep, read_body
from app.surfaces.rest.catalog import Kind
from app.surfaces.rest.catalog_models import PartAnswer, part_answer
from app.surfaces.rest.conditional import content_etag
from app.surfaces.rest.documented import ETAG, OF_A_BODY, header_parameter, problem_answers, query_parameter
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.parameters import beyond_schema, only, parameter_problem
from app.surfaces.rest.preconditions import IF_MATCH_PATTERN, changed_meanwhile, required_precondition
from app.surfaces.rest.problem_types import (
    CHANGED_MEANWHILE,
    DATABASE_BUSY,
    FORBIDDEN,
    INVALID_CATALOG_ROW,
    INVALID_PARAMETER,
    NOT_FOUND,
    NOT_READY,
    PRECONDITION_REQUIRED,
    READ_ONLY,
    UNSUPPORTED_MEDIA_TYPE,
)
from app.surfaces.rest.problems import ProblemError, json_response
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.team_catalog_models import (
    ImportAnswer,
    OwnRow,
    ReviewAnswer,
    entries_of,
    finding_answer,
    import_answer,
)
from app.views.file_format import XLSX_TYPE

router = APIRouter(prefix="/catalog", tags=["catalog"])

CSV = "text/csv"
TYPES = (CSV, XLSX_TYPE, BYTES)
YES_OR_NO = {"type": "string", "enum": ["true", "false"]}
KIND = query_parameter(
    "kind",
    "A kind, as /catalog lists them; without it the file says so itself.",
    {"type": "string", "enum": list(KINDS)},
)
GivenImport = Annotated[dict[str, str], only("kind", "dry_run", "skip_refused", "name")]
GivenExport = Annotated[dict[str, str], only("kind", "format", "own")]
IF_MATCH = header_parameter(
    "If-Match",
    "ETag of the row that was read; * for whatever it is. 428 without it where the row is there already.",
    {"type": "string", "pattern": IF_MATCH_PATTERN},
) | {"example": "*"}
OF_A_WRITE = (FORBIDDEN, NOT_FOUND, INVALID_PARAMETER, READ_ONLY, DATABASE_BUSY, NOT_READY)
FILE = {"schema": {"type": "string", "format": "binary"}}


Key = Annotated[str, Path(description="The row, own or built-in.", examples=["acme_accelerator"])]
EXAMPLE_TABLE = (
    "key,part_key,item,unit,condition,typical,source,as_of,value_kind\n"
    "acme_quote,dgx_h100,DGX H100 as quoted,USD/system,quote,285000,Quote 4711,2026-11,vendor\n"
)
EXAMPLE_ROW = {
    "lines": [
        {
            "values": {"name": "One", "vendor": "Acme", "generation": "other", "tdp_w": 500},
            "source": {"citation": "Data sheet of 3 November", "as_of": "2026-11", "kind": "vendor"},
        }
    ]
}


@router.get(
    "/export",
    summary="Export rows of the catalog",
    responses={
        200: {
            "description": "The rows.",
            "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/ExportAnswer"}},
                CSV: FILE,
                XLSX_TYPE: FILE,
            },
        },
        **problem_answers(INVALID_PARAMETER, NOT_FOUND, NOT_READY),
    },
    openapi_extra={
        "parameters": [
            KIND | {"schema": {"type": "string", "enum": list(own_kinds())}},
            query_parameter("format", "The kind of file.", {"type": "string", "enum": ["json", "csv", "xlsx"], "default": "json"}),
            query_parameter("own", "Only values of the workspace itself.", {**YES_OR_NO, "default": "false"}),
        ]
    },
)  # fmt: skip
def export_catalog(found: ServicesDep, given: GivenExport) -> Response:
    """Rows in the columns that imports read, one line for each source of a row. CSV holds one kind; a workbook has
    a sheet a kind. Climate years are left out: they are 8,760 hours each.
    """
    kind, form, own = given.get("kind", ""), given.get("format", "json"), _flag(given, "own")
    if form not in ("json", "csv", "xlsx"):
        raise parameter_problem("format", "one_of", "format is none of json, csv and xlsx.")
    hint = f"One of {', '.join(own_kinds())}."
    if "kind" in given and kind not in own_kinds():
        raise parameter_problem("kind", "one_of", f"There is no table of the kind {kind[:60]!r}.", hint)
    if form == "csv" and not kind:
        raise beyond_schema("kind", "required", "A CSV file holds one kind, and kind names none.", hint)
    found.team_catalog.require("read")
    catalog = found.catalog()
    if form == "json":
        items = catalog_lines(catalog, exported_kinds(kind), own=own)
        return json_response({"items": items}, {"cache-control": "no-cache"})
    name = f"{'own-' if own else ''}{kind or 'catalog'}"
    if form == "csv":
        content, media = catalog_csv(catalog, kind, own=own), CSV_TYPE
    else:
        content, media = catalog_xlsx(catalog, exported_kinds(kind), own=own), XLSX_TYPE
    headers = {"content-disposition": content_disposition(name, f".{form}"), "cache-control": "no-cache"}
    return Response(content, media_type=media, headers=headers)


@router.get(
    "/review",
    summary="Review own rows",
    response_model=ReviewAnswer,
    response_description="All.",
    responses=problem_answers(INVALID_PARAMETER, NOT_READY),
    dependencies=[only()],
)
def review_catalog(found: ServicesDep) -> Response:
    """Own values that the built-in catalog says too by now, or has newer ones of, and rows that have lost what they
    are about. Upgrades of the built-in catalog leave own rows alone.
    """
    return json_response({"items": [finding_answer(one) for one in found.team_catalog.review()]})


@router.post(
    "/imports",
    summary="Import rows into the catalog of the workspace",
    response_model=ImportAnswer,
    response_description="Outcome of each line, or of the dry run.",
    responses=problem_answers(*OF_A_WRITE, *OF_A_BODY, INVALID_CATALOG_ROW),
    openapi_extra={
        "parameters": [
            KIND,
            query_parameter("dry_run", "Only report.", {**YES_OR_NO, "default": "true"}),
            query_parameter("skip_refused", "Write the other lines.", {**YES_OR_NO, "default": "false"}),
            query_parameter("name", "The name of the file, which may say the kind.", {"type": "string"}),
        ],
        "requestBody": {
            "required": True,
            "description": "A table with a header, CSV or a workbook, in the columns of the export; or a line a "
            "field. Also as text/csv or by the type of a workbook.",
            "content": {BYTES: {**FILE, "examples": {"prices": {"value": EXAMPLE_TABLE}}}},
        },
    },
)
async def import_catalog(request: Request, found: ServicesDep, given: GivenImport) -> Response:
    """Every line is reported: added, changed with old and new value, the same, or refused with the reason. Without
    `dry_run=false` nothing is written. Then all of it is written or nothing; lines that are refused stop it, unless
    `skip_refused=true` leaves them out. Blank cells leave what is there; built-in rows are never changed.
    """
    content = await _content(request)
    return await run_in_threadpool(_imported, found, content, given)  # not given up half-way, as it may write


@router.put(
    "/{kind}/{key:path}",
    summary="Set an own row",
    response_model=PartAnswer,
    response_description="The row as it is now.",
    responses={
        200: {"headers": ETAG},
        **problem_answers(
            *OF_A_WRITE, *OF_A_BODY, INVALID_CATALOG_ROW, CHANGED_MEANWHILE, PRECONDITION_REQUIRED
        ),
    },
    openapi_extra={
        "parameters": [IF_MATCH],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {"$ref": "#/components/schemas/OwnRow"},
                    "examples": {"accelerator": {"value": EXAMPLE_ROW}},
                }
            },
        },
    },
    dependencies=[only()],
)
async def put_own_row(kind: Kind, key: Key, request: Request, body: BodyDep, found: ServicesDep) -> Response:
    """New values of a row in the workspace: a part of its own, or single values of a built-in one, whose
    other values stay and are upgraded with it. A row that is there already needs If-Match.
    """
    return await run_in_threadpool(_put, found, kind, key, request, body)


@router.delete(
    "/{kind}/{key:path}",
    summary="Remove an own row",
    status_code=204,
    response_description="It is gone; the built-in row of this key counts again, where there is one.",
    responses=problem_answers(*OF_A_WRITE, INVALID_CATALOG_ROW, CHANGED_MEANWHILE, PRECONDITION_REQUIRED),
    openapi_extra={"parameters": [IF_MATCH | {"required": True}]},
    dependencies=[only()],
)
def remove_own_row(kind: Kind, key: Key, request: Request, found: ServicesDep) -> Response:
    """An own row goes; built-in rows stay as they are."""
    found.team_catalog.require("write")
    revision = _seen(found, kind, key, request)
    try:
        found.team_catalog.remove(kind, key, revision)
    except NotOwnError as error:
        raise ProblemError(NOT_FOUND, str(error)) from None
    except RowChangedError as error:
        raise changed_meanwhile(_tag(found, kind, key), str(error)) from None
    return Response(status_code=204)


def _imported(found: Services, content: bytes, given: dict[str, str]) -> Response:
    dry_run, kind = _flag(given, "dry_run", default=True), given.get("kind", "")
    if "kind" in given and kind not in KINDS:
        raise parameter_problem("kind", "one_of", f"There is no kind {kind[:60]!r}.")
    try:
        imported = found.team_catalog.import_file(
            content,
            filename=given.get("name", ""),
            kind=kind,
            dry_run=dry_run,
            skip_refused=_flag(given, "skip_refused"),
        )
    except RefusedLinesError:
        raise
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, INVALID_CATALOG_ROW) from None
    return json_response(import_answer(imported, dry_run=dry_run))


def _put(found: Services, kind: str, key: str, request: Request, body: Any) -> Response:
    catalog = found.team_catalog
    catalog.require("write")
    if kind not in KINDS:
        raise CatalogLookupError(f"there is no kind {kind!r}")
    revision = _seen(found, kind, key, request)
    try:
        row = OwnRow.model_validate(read_body(body, found.limits).values)
        entries = entries_of(kind, key, row)
    except ValidationError as error:
        faults = ScenarioError(input_errors(error.errors(include_url=False), OwnRow))
        raise scenario_problem(faults, found.limits, INVALID_CATALOG_ROW) from None
    except FaultError as error:
        line = Line(place=Place(), kind=kind, key=key, outcome="refused", faults=(error.fault,))
        raise RefusedLinesError([line]) from None
    try:
        catalog.put(entries, revision)
    except RowChangedError as error:
        raise changed_meanwhile(_tag(found, kind, key), str(error)) from None
    now = found.catalog()
    content = part_answer(now, now.part(kind, key))
    return json_response(content, {"etag": content_etag(content), "cache-control": "no-cache"})


def _seen(found: Services, kind: str, key: str, request: Request) -> int | None:
    """The revision of the own row that the caller has seen. A new row needs no If-Match; one that is sent must be one."""
    catalog = found.catalog()
    is_there = kind in KINDS and Known(catalog).part(kind, key) is not None
    if is_there or "if-match" in request.headers:
        precondition = required_precondition(request)
        if is_there:
            precondition.check(_tag(found, kind, key))
    return own_revision(catalog, kind, key) if kind in KINDS else 0


def _tag(found: Services, kind: str, key: str) -> str:
    catalog = found.catalog()
    part = Known(catalog).part(kind, key)
    return content_etag(part_answer(catalog, part)) if part is not None else '"none"'


def _flag(given: dict[str, str], name: str, *, default: bool = False) -> bool:
    text = given.get(name, str(default).lower())
    if text not in ("true", "false"):
        raise parameter_problem(name, "one_of", f"{name} is neither true nor false.")
    return text == "true"


async def _content(request: Request) -> bytes:
    """The bytes of a file.

    Raises
    ------
    ProblemError : it is of another type
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in TYPES:
        detail = f"Send a table as {CSV}, a workbook as {XLSX_TYPE}, or either as {BYTES}."
        raise ProblemError(UNSUPPORTED_MEDIA_TYPE, detail, headers={"accept-post": ", ".join(TYPES)})
    return await request.body()
