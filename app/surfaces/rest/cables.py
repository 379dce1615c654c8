"""The cables of a scenario: the schedule as a file, and its comparison with an uploaded file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from app.engine.fabric.cabling.compare import KINDS
from app.engine.fabric.cabling.schedule import NetworkCables
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.surfaces.files.cables.diff_text import cable_diff_csv
from app.surfaces.files.cables.formats import CABLE_FORMAT_NAMES, CABLE_FORMATS, cable_format, written_cables
from app.surfaces.files.file_name import content_disposition
from app.surfaces.rest.bodies import BYTES, JSON, Body, BodyDep, body_beside
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.documented import OF_A_BODY, problem_answers, query_parameter
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.parameters import beyond_schema, only, parameter_fault
from app.surfaces.rest.problem_types import (
    DATABASE_BUSY,
    INVALID_INPUT,
    INVALID_PARAMETER,
    INVALID_SCENARIO,
    NOT_FOUND,
    NOT_READY,
    TOO_BUSY,
    TOOK_TOO_LONG,
)
from app.surfaces.rest.problems import ProblemError, json_response
from app.surfaces.rest.saved.referred import OF, referred_scenario
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.scenario_requests import PROBLEMS, options_and_evaluation, options_body, small_scenario
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import request_shapes
from app.views.fabric.cable_diff import CableDiff, diff_cables
from app.views.fabric.cables import cables_of
from app.views.file_format import XLSX_TYPE

router = APIRouter()

NETWORK = "One network: compute, storage, in_band or out_of_band. Without it all that the design has."

CSV = "text/csv"
FILE_TYPES = (CSV, XLSX_TYPE, BYTES)
FILE = {"schema": {"type": "string", "format": "binary"}}
EXAMPLE_CABLES = "A-Node Name,A-Port,Z-Node Name,Z-Port\r\nnode-0001,1,leaf-01-1,1/1\r\n"
ONE_NETWORK = query_parameter("network", NETWORK, {"type": "string", "maxLength": 80})
FORMAT = query_parameter(
    "format", "The kind of file.", {"type": "string", "enum": list(CABLE_FORMAT_NAMES), "default": "csv"}
)
GivenFile = Annotated[dict[str, str], only("scenario", "format", "network")]
GivenDiff = Annotated[dict[str, str], only("scenario", "network")]
READING = (INVALID_PARAMETER, NOT_FOUND, INVALID_SCENARIO, TOO_BUSY, TOOK_TOO_LONG, NOT_READY, DATABASE_BUSY)


class CableOptions(Part):
    """Options of the cable schedule of a scenario."""

    format: Literal["csv", "xlsx", "topo", "dot", "netbox"] = Field("csv", description="The kind of file.")
    network: str = Field("", description=NETWORK, max_length=80)


class CableDiffOptions(Part):
    """File to compare with the cables of a scenario."""

    cables: str = Field(
        description="A point-to-point file or cables of NetBox as CSV with headings, "
        "the text of ibnetdiscover, or neighbours of LLDP as JSON.",
        min_length=1,
    )
    network: str = Field("", description=NETWORK, max_length=80)


class DifferenceAnswer(Answer):
    """One difference."""

    kind: str = Field(json_schema_extra={"enum": list(KINDS)})
    sheet: str = Field(description="Of the workbook; empty in a CSV file.")
    line: int = Field(description="Of the file; 0 for a cable that it does not have.")
    other_line: int = Field(
        description="Of the cable it is swapped with, or of the row that has its port already; else 0."
    )
    network: str
    designed: str = Field(description="Both ends as designed, or the part or length.")
    listed: str = Field(description="The same as the file has it.")


class CableDiffAnswer(Answer):
    """A point-to-point file against a design."""

    rows: int = Field(description="Cables in the file.")
    links: int = Field(description="Cables of the design.")
    matched: int = Field(description="Cables of the design whose two ends are as the file has them.")
    same: bool
    counts: dict[str, int] = Field(description="Differences by kind.")
    unknown_columns: list[str] = Field(description="Headings that are not known, and were not read.")
    skipped_sheets: list[str] = Field(description="Sheets without the headings of cables.")
    differences: list[DifferenceAnswer]
    left_out: int = Field(description="Differences beyond those listed; the CSV has all.")


def _file_answer() -> dict[str, Any]:
    disposition = {"description": "attachment, with a name for the file.", "schema": {"type": "string"}}
    return {
        "description": "The file, as it is written.",
        "content": {one.media_type.partition(";")[0]: FILE for one in CABLE_FORMATS},
        "headers": {"Content-Disposition": disposition},
    }


@router.get(
    "/cables",
    summary="Write the cable schedule of a saved scenario",
    response_class=StreamingResponse,
    responses={200: _file_answer(), **problem_answers(*READING)},
    openapi_extra={"parameters": [OF | {"required": True}, FORMAT, ONE_NETWORK]},
)
async def saved_cables(found: ServicesDep, given: GivenFile) -> Response:
    """A row a link with rack, height, name, type and port of both ends, length and part; as CSV, as a point-to-point
    workbook, as a topology file for ibdiagnet or as a graph. It is sent while it is written.
    """
    return await found.workers.run(_saved_file, found, given)


@router.post(
    "/cables",
    summary="Write the cable schedule",
    response_class=StreamingResponse,
    responses={200: _file_answer(), **PROBLEMS},
    openapi_extra=options_body("CablesRequest", "A scenario, and what is written of it.", format="csv"),
    dependencies=[only()],
)
async def write_cables(body: BodyDep, found: ServicesDep) -> Response:
    """The same for the scenario of the body. Nothing is saved."""
    return await found.workers.run(_posted_file, body, found)


@router.post(
    "/cables/diff",
    summary="Compare a point-to-point file with a design",
    response_model=CableDiffAnswer,
    responses={
        200: {
            "description": "Differences, as JSON; or every difference as CSV where Accept asks for text/csv.",
            "content": {CSV: {"schema": {"type": "string"}}},
        },
        **problem_answers(*dict.fromkeys((*READING, *OF_A_BODY, INVALID_INPUT))),
    },
    openapi_extra={
        "parameters": [OF, ONE_NETWORK],
        "requestBody": {
            "required": True,
            "description": "A file, CSV or a workbook, and `scenario` in the address; or as JSON a scenario with CSV "
            "in `cables`. A file may be sent as text/csv or by the type of a workbook, too.",
            "content": {
                JSON: {
                    "schema": {"$ref": "#/components/schemas/CableDiffRequest"},
                    "examples": {
                        "edge_node": {
                            "summary": "A small one",
                            "value": {"scenario": small_scenario(), "cables": EXAMPLE_CABLES},
                        }
                    },
                },
                BYTES: FILE,
            },
        },
    },
)
async def compare_cables(request: Request, found: ServicesDep, given: GivenDiff) -> Response:
    """Each cable of a point-to-point file, of NetBox, `ibnetdiscover` or LLDP against the design: missing, unexpected, at a wrong port,
    swapped with another, of a wrong part or length, or at a port that another row has. Columns may be in any order
    and either end first; headings that are not known are named.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in FILE_TYPES:
        content = await request.body()
        diff = await found.workers.run(_diff_of_file, found, given, content)
    else:
        body = await body_beside(request, FILE_TYPES)
        diff = await found.workers.run(_diff_of_body, found, given, body)
    if CSV in (accept := request.headers.get("accept", "")) and JSON not in accept:
        return _streamed(cable_diff_csv(diff), "text/csv; charset=utf-8", "differences", ".csv")
    return json_response(diff.as_json(), {"cache-control": PRIVATE})


def _saved_file(found: Services, given: dict[str, str]) -> Response:
    try:
        chosen = cable_format(given.get("format", "csv"))
        return _file(found, referred_scenario(found, given), chosen.name, given.get("network", ""))
    except ScenarioError as error:
        raise _of_a_parameter(error) from None


def _posted_file(body: Body, found: Services) -> Response:
    options, scenario = options_and_evaluation(CableOptions, body, found)
    return _file(found, scenario, options.format, options.network)


def _file(found: Services, scenario: EvaluatedScenario, format: str, network: str) -> Response:
    chosen = cable_format(format)
    parts = written_cables(cables_of(scenario, found.catalog(), network), chosen)
    return _streamed(parts, chosen.media_type, scenario.document.name, chosen.suffix)


def _streamed(parts: Iterator[bytes], media_type: str, name: str, suffix: str) -> Response:
    headers = {"cache-control": PRIVATE, "content-disposition": content_disposition(name, suffix)}
    return StreamingResponse(parts, media_type=media_type, headers=headers)


def _diff_of_file(found: Services, given: dict[str, str], content: bytes) -> CableDiff:
    if not given.get("scenario"):  # of a file alone, so that the schema cannot ask for it
        hint = "Name a saved scenario by its id, or an example by its key; or send a scenario as JSON."
        raise beyond_schema("scenario", "required", "scenario is missing.", hint)
    try:
        networks = cables_of(referred_scenario(found, given), found.catalog(), given.get("network", ""))
    except ScenarioError as error:
        raise _of_a_parameter(error) from None
    return _diff(found, networks, content)


def _diff_of_body(found: Services, given: dict[str, str], body: Body) -> CableDiff:
    if given:
        name = next(iter(given))
        raise beyond_schema(name, "given_twice", f"{name} goes into the body where that is JSON.")
    options, scenario = options_and_evaluation(CableDiffOptions, body, found)
    networks = cables_of(scenario, found.catalog(), options.network)
    return _diff(found, networks, options.cables.encode())


def _diff(found: Services, networks: Sequence[NetworkCables], content: bytes) -> CableDiff:
    try:
        return diff_cables(networks, content)
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, INVALID_INPUT) from None


def _of_a_parameter(error: ScenarioError) -> Exception:
    """A fault of a parameter as its problem; any other as it is."""
    fault = error.errors[0]
    if fault.path not in ("format", "network"):
        return error
    problem: ProblemError = parameter_fault(fault.path, fault)
    return problem


def cable_schemas() -> dict[str, Any]:
    """JSON Schemas of what is asked, by name."""
    return request_shapes("CablesRequest", CableOptions) | request_shapes(
        "CableDiffRequest", CableDiffOptions
    )
