"""Parts common to the declarations of these routes: parameters, headers and problem answers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path

from app.saved.tags import LONGEST_TAG, MOST_TAGS
from app.saved.team_catalog.received import CONFLICTS
from app.saved.writing import LONGEST_NOTE
from app.scenarios.fields import LINE, PARAGRAPH, WORDS
from app.surfaces.rest.documented import (
    ETAG,
    NOT_MODIFIED,
    OF_A_BODY,
    header_parameter,
    problem_answers,
    query_parameter,
)
from app.surfaces.rest.preconditions import IF_MATCH_PATTERN, REPLAYED
from app.surfaces.rest.problem_types import (
    CHANGED_MEANWHILE,
    DATABASE_BUSY,
    FOREIGN_SITE,
    INVALID_PARAMETER,
    KEY_IN_FLIGHT,
    KEY_REUSED,
    NOT_FOUND,
    NOT_READY,
    PRECONDITION_REQUIRED,
    READ_ONLY,
    STORAGE_FULL,
    TOO_BUSY,
    TOOK_TOO_LONG,
    ProblemType,
)

Responses = dict[int | str, dict[str, Any]]
Problems = tuple[ProblemType, ...]

EXAMPLE_ID = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e"
TAG_SCHEMA = {"type": "string", "minLength": 1, "maxLength": LONGEST_TAG, "pattern": WORDS}
Id = Annotated[str, Path(description="id, as its list gives it.", examples=[EXAMPLE_ID])]
Number = Annotated[int, Path(ge=1, le=1_000_000_000, description="A revision, counted from 1.", examples=[1])]

IF_MATCH = header_parameter(
    "If-Match",
    "The ETag of what is changed, or several; * for whatever its state. 428 without it.",
    {"type": "string", "pattern": IF_MATCH_PATTERN},
) | {"required": True, "example": "*"}
NOTE = query_parameter(
    "note", "Note of this save.", {"type": "string", "maxLength": LONGEST_NOTE, "pattern": PARAGRAPH}
)
TAGS = query_parameter(
    "tag",
    "A tag; may be given several times.",
    {"type": "array", "items": TAG_SCHEMA, "maxItems": MOST_TAGS},
    style="form",
    explode=True,
)
NAME = query_parameter(
    "name",
    "Name of the duplicate; without it the same name with (copy).",
    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": LINE},
)
OWN_PRICES = query_parameter(
    "own_prices",
    "Whether the own rows that the scenario rests on travel with their prices: `own_rows.left_out` names what "
    "stays behind. It needs the role editor in the workspace of the rows.",
    {"type": "string", "enum": ["true", "false"], "default": "false"},
)
CONFLICT = query_parameter(
    "conflicts",
    "What becomes of a row that the workspace has with other values: refuse the import, rename the row that "
    "arrives, or keep the workspace's own. A row of the workspace is never overwritten.",
    {"type": "string", "enum": list(CONFLICTS), "default": "refuse"},
)
LOCATION = {"Location": {"description": "Its address.", "schema": {"type": "string"}}}

READING = (INVALID_PARAMETER, NOT_FOUND, NOT_READY, DATABASE_BUSY)
WRITING = (
    INVALID_PARAMETER,
    FOREIGN_SITE,
    NOT_FOUND,
    NOT_READY,
    TOO_BUSY,
    TOOK_TOO_LONG,
    DATABASE_BUSY,
    READ_ONLY,
    STORAGE_FULL,
)
MAKING = (*WRITING, KEY_IN_FLIGHT, KEY_REUSED)
CHANGING = (*WRITING, CHANGED_MEANWHILE, PRECONDITION_REQUIRED)


def reading(model: Any, description: str, *more: dict[str, Any], also: Problems = ()) -> Responses:
    """Declared answers of a route that reads, on condition that the caller has not read the same already."""
    return {
        200: _tagged(model, description, *more),
        304: NOT_MODIFIED,
        **problem_answers(*READING, *also),
    }


def making(model: Any, description: str, also: Problems = ()) -> Responses:
    """Declared answers of a route that makes something."""
    return {
        201: _tagged(model, description, LOCATION, REPLAYED),
        **problem_answers(*dict.fromkeys((*MAKING, *also))),
    }


def changing(model: Any, description: str, also: Problems = ()) -> Responses:
    """Declared answers of a route that changes what If-Match names."""
    return {
        200: _tagged(model, description),
        **problem_answers(*dict.fromkeys((*CHANGING, *also))),
    }


def deleting() -> Responses:
    """Declared answers of a route that puts away what If-Match names."""
    return {204: {"description": "It is put away."}, **problem_answers(*CHANGING)}


def restoring(model: Any, description: str) -> Responses:
    """Declared answers of a route that changes something whatever its state."""
    return {200: _tagged(model, description), **problem_answers(*WRITING)}


def body_problems(invalid: ProblemType) -> Problems:
    """Problems of a body that is saved."""
    return (*OF_A_BODY, invalid)


def _tagged(model: Any, description: str, *headers: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"description": description, "headers": dict(ETAG)}
    for more in headers:
        found["headers"] |= more
    return found | ({"model": model} if model else {})
