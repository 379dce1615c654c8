"""The bill of materials of a scenario's networks."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response

from app.scenarios.errors import ScenarioError
from app.surfaces.files.file_name import content_disposition
from app.surfaces.files.materials.formats import FORMATS, bill_format
from app.surfaces.rest.bodies import JSON, Body, BodyDep
from app.surfaces.rest.documented import query_parameter
from app.surfaces.rest.parameters import only, parameter_fault
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.materials import BillOptions, fabric_bill

router = APIRouter()

FORMAT = query_parameter(
    "format",
    "JSON as the answer, or the bill as a file.",
    {"type": "string", "enum": list(FORMATS), "default": "json"},
)
Given = Annotated[dict[str, str], only("format")]


def _answer() -> dict[str, Any]:
    disposition = {"description": "attachment, for a file.", "schema": {"type": "string"}}
    content: dict[str, Any] = {
        one.media_type.partition(";")[0]: {"schema": {"type": "string"}} for one in FORMATS.values()
    }
    content[JSON] = {"schema": {"$ref": "#/components/schemas/FabricBill"}}
    return {
        "description": "Every line of the bill.",
        "content": content,
        "headers": {"Content-Disposition": disposition},
    }


@router.post(
    "/bill",
    summary="Bill of materials",
    responses={200: _answer(), **PROBLEMS},
    openapi_extra=options_body(
        "FabricBillRequest", "A scenario and how its bill is drawn up.", lengths="floor"
    )
    | {"parameters": [FORMAT]},
)
async def fabric_bill_of(body: BodyDep, found: ServicesDep, given: Given) -> Response:
    """What is bought for every network of a pod, piece by piece: switches, line cards, NICs, DPUs, modules,
    cables, fibres and patch panels, installed and spare, with prices low, typical and high, watts, rack units
    and hours of work; the medium of every tier by the length of its links; and where the bill differs from
    that of the evaluation.
    """
    return await found.workers.run(_bill, body, found, given.get("format", "json"))


def _bill(body: Body, found: Services, name: str) -> Response:
    try:
        chosen = bill_format(name)
    except ScenarioError as error:
        raise parameter_fault(error.errors[0].path, error.errors[0]) from None
    options, scenario = asked(BillOptions, body, found)
    bill = fabric_bill(scenario, found.catalog(), options)
    if chosen.name == "json":
        return json_response(bill_answer(bill))
    headers = {"content-disposition": content_disposition(bill.name, chosen.suffix)}
    return Response(chosen.write(bill), headers=headers, media_type=chosen.media_type)
