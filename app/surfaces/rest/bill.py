"""The bill of materials of a scenario's networks: an answer, or a file."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response

from app.engine.fabric.materials.parts import ROLES
from app.engine.fabric.media.medium import FAMILIES
from app.scenarios.errors import ScenarioError
from app.surfaces.files.file_name import content_disposition
from app.surfaces.rest.bodies import JSON, Body, BodyDep
from app.surfaces.rest.documented import query_parameter
from app.surfaces.rest.parameters import only, parameter_fault
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, options_and_evaluation, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import request_shapes
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.bill_files import FORMATS, bill_format
from app.views.fabric.materials import BillOptions, fabric_bill

router = APIRouter()

NUMBER = {"type": ["number", "null"]}
TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}

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
        "FabricBillRequest", "A scenario and how its bill is calculated.", lengths="floor"
    )
    | {"parameters": [FORMAT]},
)
async def fabric_bill_of(body: BodyDep, found: ServicesDep, given: Given) -> Response:
    """Purchases for every network of a pod, piece by piece: switches, line cards, NICs, DPUs, modules,
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
    options, scenario = options_and_evaluation(BillOptions, body, found)
    bill = fabric_bill(scenario, found.catalog(), options)
    if chosen.name == "json":
        return json_response(bill_answer(bill))
    headers = {"content-disposition": content_disposition(bill.name, chosen.suffix)}
    return Response(chosen.content(bill), headers=headers, media_type=chosen.media_type)


def bill_schemas() -> dict[str, Any]:
    """JSON Schemas by name."""
    return request_shapes("FabricBillRequest", BillOptions) | {"FabricBill": _bill_schema()}


def _bill_schema() -> dict[str, Any]:
    price = _object(dict.fromkeys(("low", "typical", "high"), NUMBER), "USD; null if not published.")
    totals = {
        "price_usd": price,
        "priced_usd": {"type": "number", "description": "Typical, of the lines whose price is known [USD]."},
        "unpriced_lines": COUNT,
        "power_w": _number("Of what is installed [W]."),
        "rack_units": _number("Of what is installed."),
        "installation_hours": _number("Work of one person [h]."),
    }
    line = {
        "network": TEXT,
        "role": {"type": "string", "enum": list(ROLES)},
        "tier": {"type": "string", "description": "Empty where the line belongs to no tier."},
        "item": TEXT,
        "part": TEXT,
        "part_key": {"type": "string", "description": "Of the catalog; empty for what it does not have."},
        "installed": _number("Pieces in place."),
        "spare": _number("Pieces beyond those."),
        "bought": _number("Both, in whole pieces."),
        "unit_price_usd": price,
        "price_usd": price,
        "power_w": _number("Typical, of what is installed [W]."),
        "rack_units": _number("Of what is installed."),
        "installation_hours": _number("Work of one person [h]."),
        "note": {"type": "string", "description": "Where the price is from, or why there is none."},
    }
    medium = {
        "tier": TEXT,
        "medium": {"type": ["string", "null"], "description": "Null where nothing reaches."},
        "name": {"type": ["string", "null"]},
        "family": {"type": ["string", "null"], "enum": [*FAMILIES, None]},
        "links": COUNT,
        "cables": {"type": ["integer", "null"]},
        "length_m": _number("Of all these links together [m]."),
        "reach_m": _number("Of the medium [m]."),
    }
    network = {
        "network": TEXT, "title": TEXT, "totals": _object(totals), "media": _list(medium),
    }  # fmt: skip
    rack = {"kind": TEXT, "racks": COUNT, "used_units": COUNT, "installation_hours": _number("Work [h].")}
    tier = {
        "tier": TEXT,
        "links": COUNT,
        "mean_m": _number("On the floor plan [m]."),
        "longest_m": _number("On the floor plan [m]."),
        "assumed_m": _number("By the evaluation [m]."),
        "assumption": {"type": "string", "description": "Of the fabric room; empty where none sets it."},
    }
    difference = {
        "group": TEXT, "bought": NUMBER, "evaluated_bought": NUMBER, "price_usd": NUMBER, "evaluated_price_usd": NUMBER,
    }  # fmt: skip
    return _object(
        {
            "name": TEXT,
            "options": {"type": "object"},
            "lines": _list(line),
            "totals": _object(totals),
            "networks": _list(network),
            "racks": _list(rack),
            "tier_lengths": _list(tier),
            "measured_assumptions": {
                "type": "object",
                "description": "Lengths of the floor plan, as `assumptions` of a scenario state them [m].",
                "additionalProperties": {"type": "number"},
            },
            "differences": _list(difference),
            "reasons": {"type": "array", "items": TEXT, "description": "Why the two bills differ."},
            "problems": {"type": "array", "items": {"type": "object"}},
        }
    ) | {"title": "FabricBill"}


def _number(description: str) -> dict[str, Any]:
    return NUMBER | {"description": description}


def _list(row: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": _object(row)}


def _object(properties: dict[str, Any], description: str = "") -> dict[str, Any]:
    said = {"description": description} if description else {}
    return {"type": "object", "properties": properties, "required": [*properties], **said}
