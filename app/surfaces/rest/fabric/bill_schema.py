"""The shapes of a bill of materials: what is asked, and what is answered."""

from __future__ import annotations

from typing import Any

from app.engine.fabric.materials.lines import ROLES
from app.engine.fabric.media.medium import FAMILIES
from app.surfaces.rest.shapes import request_shapes
from app.views.fabric.materials import BillOptions

NUMBER = {"type": ["number", "null"]}
TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}


def bill_schemas() -> dict[str, Any]:
    """JSON Schemas by name."""
    return request_shapes("FabricBillRequest", BillOptions) | {"FabricBill": _bill()}


def _bill() -> dict[str, Any]:
    price = _object(
        dict.fromkeys(("low", "typical", "high"), NUMBER), "USD; null where nobody published one."
    )
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
