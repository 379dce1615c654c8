"""The OpenAPI document: `python -m app.api.openapi` writes docs/openapi.json."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app import __version__
from app.api.documented import example_scenarios, problem_answers, query_parameter
from app.api.problem_types import FORBIDDEN, NO_CSRF_TOKEN, NOT_FOUND, NOT_READY, SIGN_IN_REQUIRED
from app.api.schemas import named_schemas
from app.teams.identify import SIGN_IN_COOKIE

DESCRIPTION = (
    "Designs AI SuperNodes and SuperPODs. A scenario goes in: what must be trained, on which hardware, where, "
    "on what terms. An evaluation comes out: speed, fabric, power, cooling, cost, failures and carbon, every "
    "figure explained down to its source.\n\n"
    "Numbers are in SI units and US dollars, named last in each field. Errors are problem details (RFC 9457)."
)
CONTACT = {"name": "Podwright"}
TAGS = [
    {"name": "evaluations", "description": "From a scenario to its figures, and each figure's explanation."},
    {"name": "searches", "description": "Many designs of a scenario beside one another, the best first."},
    {
        "name": "facility",
        "description": "Power and cooling of a scenario, from the chips to utility and sky.",
    },
    {
        "name": "economics",
        "description": "Money, carbon and uncertainty of a scenario: owned, financed, rented, compared.",
    },
    {
        "name": "serving",
        "description": "A served model: latency against load, roofline, memory, sizing, cost of tokens, edge or cloud.",
    },
    {"name": "fabric", "description": "The fabric of a scenario: its devices, links, cables and faults."},
    {"name": "jobs", "description": "Sweeps of a scenario over many values, made in the background."},
    {
        "name": "projections",
        "description": "What scaling laws say of a model and of the design that trains it.",
    },
    {"name": "trends", "description": "What grows how fast, how sure that is, and where it meets a limit."},
    {"name": "calibrations", "description": "A scenario, corrected by one's own measured runs."},
    {"name": "figures", "description": "The charts of a design."},
    {"name": "gallery", "description": "Reference designs, and what others published of them beside ours."},
    {
        "name": "saved scenarios",
        "description": "Scenarios that last, every save a revision that never changes.",
    },
    {"name": "saved designs", "description": "SuperNode and SuperPOD designs that scenarios share."},
    {
        "name": "saved projections",
        "description": "Projections of scaling laws that last, every save a revision that never changes.",
    },
    {"name": "exports", "description": "Scenarios and their figures as files."},
    {"name": "catalog", "description": "Parts, prices, sites and assumptions, each value with its source."},
    {"name": "validation", "description": "How right the engine is on published measurements."},
    {"name": "claims", "description": "The claims of the articles, each with a verdict and what is true."},
    {"name": "people", "description": "Whoever asks, tokens, teams with their members, and the log."},
    {"name": "scenarios", "description": "What is needed to write a scenario."},
    {"name": "health", "description": "Whether the server is up."},
]
METHODS = ("get", "post", "put", "patch", "delete")
SECURITY = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of an account, as Account, Tokens or POST /tokens makes it.",
    },
    "browser": {
        "type": "apiKey",
        "in": "cookie",
        "name": SIGN_IN_COOKIE,
        "description": "A browser that is signed in; changes need X-CSRF-Token as well.",
    },
}
UNKNOWN_TO_US = problem_answers(SIGN_IN_REQUIRED, FORBIDDEN, NO_CSRF_TOKEN)
NO_WORKSPACE = {str(status): answer for status, answer in problem_answers(NOT_FOUND).items()}
OF_A_WORKSPACE = (
    "evaluations",
    "searches",
    "fabric",
    "facility",
    "economics",
    "serving",
    "jobs",
    "calibrations",
    "exports",
    "catalog",
)
"""Tags of what a workspace has a part in, besides what is saved."""

WORKSPACE = query_parameter(
    "workspace",
    "Key of the workspace that is asked for; without it one's own.",
    {"type": "string", "pattern": "^[a-z][a-z0-9-]{2,62}$"},
    example="personal",
)


def openapi_document(api: FastAPI, prefix: str = "/api") -> dict[str, Any]:
    """The document of the API as it is mounted below `prefix`."""
    found = get_openapi(
        title="Podwright",
        version=__version__,
        openapi_version="3.1.0",
        description=DESCRIPTION,
        contact=CONTACT,
        license_info={"name": "Apache-2.0"},
        servers=[{"url": "/", "description": "This server."}],
        tags=TAGS,
        routes=api.routes,
    )
    paths = {f"{prefix}{path}": item for path, item in found["paths"].items()}
    for path, item in paths.items():
        for method in METHODS:
            if method in item:
                _finish(path, item[method])
    found["paths"] = paths | _health_paths()
    schemas = found["components"]["schemas"] | named_schemas()
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    found["security"] = [{"token": []}, {"browser": []}, {}]  # none where nobody signs in
    found["components"] |= {
        "securitySchemes": SECURITY,
        "schemas": dict(sorted(schemas.items())),
        "examples": example_scenarios(),
    }
    return found


def _finish(path: str, operation: dict[str, Any]) -> None:
    """Leave out the 422 that FastAPI adds by itself, put in what all have, and put answers in order."""
    answers = operation["responses"]
    for status, answer in UNKNOWN_TO_US.items():
        answers.setdefault(str(status), answer)
    tags = operation["tags"]
    if "{" not in path and any(tag in OF_A_WORKSPACE or tag.startswith("saved ") for tag in tags):
        operation.setdefault("parameters", []).append(WORKSPACE)
        answers |= {status: answers.get(status, answer) for status, answer in NO_WORKSPACE.items()}
    if "HTTPValidationError" in str(answers.get("422")):
        del answers["422"]
    operation["responses"] = dict(sorted(answers.items()))
    operation["description"] = " ".join(operation["description"].split())


def _health_paths() -> dict[str, Any]:
    health = {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}
    up = {"200": {"description": "It is.", "content": health}}
    not_ready = {str(status): answer for status, answer in problem_answers(NOT_READY).items()}
    return {
        "/healthz": {
            "get": {
                "tags": ["health"],
                "summary": "Is the server up?",
                "description": "Answers as long as the process does, with its version.",
                "operationId": "healthz",
                "responses": up,
            }
        },
        "/readyz": {
            "get": {
                "tags": ["health"],
                "summary": "Can the server work?",
                "description": "Whether the database can be read and holds a catalog.",
                "operationId": "readyz",
                "responses": up | not_ready,
            }
        },
    }


def openapi_json(api: FastAPI) -> bytes:
    """The document as text, the same for the same code."""
    return orjson.dumps(openapi_document(api), option=orjson.OPT_INDENT_2) + b"\n"


if __name__ == "__main__":
    import sys
    from pathlib import Path

    from app.api.router import create_api
    from app.settings import get_settings

    target = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
    target.write_bytes(openapi_json(create_api(get_settings())))
    sys.stdout.write(f"{target}\n")
