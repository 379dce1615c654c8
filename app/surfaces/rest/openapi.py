"""The OpenAPI document: `python -m app.surfaces.rest.openapi` writes docs/openapi.json."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import orjson
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app import __version__
from app.surfaces.rest.documented import example_scenarios, problem_answers, query_parameter
from app.surfaces.rest.parameters import WORKSPACE_KEY
from app.surfaces.rest.problem_types import (
    BEYOND_SCHEMA,
    FORBIDDEN,
    NO_CSRF_TOKEN,
    NOT_FOUND,
    NOT_READY,
    SIGN_IN_REQUIRED,
)
from app.surfaces.rest.schemas import named_schemas
from app.teams.identify import SIGN_IN_COOKIE

DESCRIPTION = (
    "Designs AI SuperNodes and SuperPODs. A scenario goes in: what must be trained, on which hardware, where, "
    "on what terms. An evaluation comes out: speed, fabric, power, cooling, cost, failures and carbon, every "
    "figure explained down to its source.\n\n"
    "Numbers are in SI units and US dollars, named last in each field. Errors are problem details (RFC 9457)."
)
CONTACT = {"name": "Podwright"}
TAGS = [
    {"name": "evaluations", "description": "Evaluation of scenarios and explanation of their figures."},
    {
        "name": "questions",
        "description": "Designs found by a question: train, serve, compare, size, plan a site, extend.",
    },
    {"name": "searches", "description": "Searches over many designs of a scenario, ranked."},
    {
        "name": "facility",
        "description": "Power and cooling of a scenario, from the chips to the utility feed and heat rejection.",
    },
    {
        "name": "economics",
        "description": "Cost, carbon and uncertainty of a scenario: owned, financed, rented and compared.",
    },
    {
        "name": "operations",
        "description": "Failures of a run: goodput, simulated runs, checkpoint intervals, spares, calibration.",
    },
    {
        "name": "serving",
        "description": "A served model: latency vs load, roofline, memory, sizing, cost of tokens, edge or cloud.",
    },
    {"name": "fabric", "description": "The fabric of a scenario: its devices, links, cables and faults."},
    {"name": "jobs", "description": "Background sweeps of a scenario over many values."},
    {
        "name": "projections",
        "description": "Scaling-law projections of a model and of the design that trains it.",
    },
    {"name": "trends", "description": "Growth rates with confidence bands and physical limits."},
    {"name": "calibrations", "description": "Calibration of a scenario by measured runs."},
    {"name": "figures", "description": "The charts of a design."},
    {"name": "gallery", "description": "Reference designs with published and computed figures."},
    {
        "name": "saved scenarios",
        "description": "Saved scenarios; every save is an immutable revision.",
    },
    {"name": "saved designs", "description": "SuperNode and SuperPOD designs that scenarios share."},
    {
        "name": "saved projections",
        "description": "Saved scaling-law projections; every save is an immutable revision.",
    },
    {
        "name": "saved studies",
        "description": "Saved studies and their reviews; every save is an immutable revision.",
    },
    {
        "name": "saved fleets",
        "description": "Saved fleets, with the answer of a run where one was kept; every save is an immutable revision.",
    },
    {"name": "exports", "description": "Scenarios and their figures as files."},
    {"name": "catalog", "description": "Parts, prices, sites and assumptions, each value with its source."},
    {"name": "validation", "description": "Accuracy of the engine on published measurements."},
    {"name": "claims", "description": "Claims of the articles, each with a verdict and a correction."},
    {"name": "people", "description": "Account, tokens, teams with their members, and the audit log."},
    {"name": "scenarios", "description": "Schema and examples of scenarios."},
    {"name": "health", "description": "Liveness and readiness of the server."},
]
CONSTRAINTS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
"""Words of pydantic that it leaves in schemas where a validator comes before a limit, and those of JSON Schema."""

TEXT = "^[^\x00]*$"
"""What a text may be whose schema says no more."""
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
UNUSABLE = {str(status): answer for status, answer in problem_answers(BEYOND_SCHEMA).items()}
NO_WORKSPACE = {str(status): answer for status, answer in problem_answers(NOT_FOUND).items()}
OF_A_WORKSPACE = (
    "questions",
    "evaluations",
    "searches",
    "fabric",
    "facility",
    "economics",
    "operations",
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
    {"type": "string", "pattern": WORKSPACE_KEY},
    example="personal",
)


def openapi_document(api: FastAPI, prefix: str = "/api") -> dict[str, Any]:
    """The document of the API as it is mounted below `prefix`."""
    api.state.on_demand.load()
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
    schemas = _Names(found["components"]["schemas"] | named_schemas())
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas.name_parts(paths)
    schemas.take_only_text(paths)
    found["security"] = [{"token": []}, {"browser": []}, {}]  # none without sign-in
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
    if "422" in answers:
        answers["422"] = answers["422"] | {
            "description": f"{answers['422']['description']}, or: {BEYOND_SCHEMA.title}"
        }
    elif any(one["in"] == "query" for one in operation.get("parameters", ())):
        answers |= UNUSABLE
    for parameter in operation.get("parameters", ()):
        parameter["schema"] = _of_text(parameter["schema"])
    operation["responses"] = dict(sorted(answers.items()))
    operation["description"] = " ".join(operation["description"].split())


def _of_text(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with what every text must be, where it says no more of one."""
    if isinstance(schema.get("items"), dict):
        return schema | {"items": _of_text(schema["items"])}
    kinds = schema["type"] if isinstance(schema.get("type"), list) else [schema.get("type")]
    if "string" in kinds and not {"enum", "const", "pattern", "format"} & {*schema}:
        return schema | {"pattern": TEXT}
    return schema


class _Names(dict[str, Any]):
    """Schemas by name, from which clients in other languages are generated.

    Generators name what has no name by its place or by a running number, and some leave it out. So each object and
    each list of words inside a schema becomes a schema of its own, named by the way to it; unions say which member
    tells their kinds apart.
    """

    def name_parts(self, paths: dict[str, Any]) -> None:
        """Give names to the parts of all schemas, and to the bodies of requests and answers."""
        for name in sorted(self):
            self[name] = self._plain(self[name], name)
        for item in paths.values():
            for operation in item.values():
                for said in (operation.get("requestBody", {}), *operation["responses"].values()):
                    for content in said.get("content", {}).values():
                        schema = content["schema"]
                        content["schema"] = self._part(schema, schema.get("title", ""))

    def take_only_text(self, paths: dict[str, Any]) -> None:
        """State in what is sent what every text must be. Answers do not say it: nothing else is ever kept."""
        bodies = [operation.get("requestBody", {}) for item in paths.values() for operation in item.values()]
        waiting = [content["schema"] for body in bodies for content in body.get("content", {}).values()]
        seen: set[str] = set()
        self["Text"] = {"type": "string", "pattern": TEXT, "title": "Text"}
        while waiting:
            schema = waiting.pop()
            name = schema.get("$ref", "").rpartition("/")[2]
            if name and name not in seen:
                seen.add(name)
                waiting.append(self[name])
            text = {"$ref": "#/components/schemas/Text"}  # without a name generators number them
            if schema.get("items") == {"type": "string"}:
                schema["items"] = text
            if "prefixItems" in schema:
                schema["prefixItems"] = [
                    text if item == {"type": "string"} else item for item in schema["prefixItems"]
                ]
                waiting += schema["prefixItems"]
            waiting += [*schema.get("properties", {}).values()]
            waiting += [
                schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)
            ]
            waiting += [choice for key in ("anyOf", "oneOf", "allOf") for choice in schema.get(key, ())]
            if isinstance(schema.get("additionalProperties"), dict):
                schema.setdefault("propertyNames", {"pattern": TEXT})
            schema |= _of_text(schema)

    def _part(self, schema: dict[str, Any], name: str, *, is_choice: bool = False) -> dict[str, Any]:
        """A schema inside another: a reference where it has to have a name."""
        plain = self._plain(schema, name)
        kinds = plain["type"] if isinstance(plain.get("type"), list) else [plain.get("type")]
        may_be_null = "null" in kinds and ("object" in kinds or "enum" in plain)
        is_map = "object" in kinds and "properties" not in plain
        is_object = "object" in kinds and (not is_map or may_be_null or is_choice)
        if is_map and is_choice:
            name += "Map"
        if is_word := is_choice and "const" in plain:  # openapi-python-client refuses all else for a constant
            name += _pascal_case(str(plain["const"]))
            plain["enum"] = [plain.pop("const")]
        if is_text := is_choice and kinds == ["string"] and "pattern" in plain:
            name += "Text"
        if not (is_object or is_word or is_text or len(plain.get("enum", ())) > 1):
            return plain
        about = {key: plain.pop(key) for key in ("description", "default") if key in plain}
        if may_be_null:
            plain["type"] = next(kind for kind in kinds if kind != "null")
            if "enum" in plain:
                plain["enum"] = [word for word in plain["enum"] if word is not None]
        plain["title"] = name
        if self.setdefault(name, plain) != plain:
            raise ValueError(f"Two schemas would have the name {name}; rename one.")
        reference = {"$ref": f"#/components/schemas/{name}"}
        return ({"anyOf": [reference, {"type": "null"}]} if may_be_null else reference) | about

    def _plain(self, schema: dict[str, Any], name: str) -> dict[str, Any]:
        """The schema with names for its parts."""
        plain = {CONSTRAINTS.get(key, key): value for key, value in schema.items()}
        for pattern, value in plain.pop("patternProperties", {}).items():  # of which pydantic writes one
            plain |= {"additionalProperties": value, "propertyNames": {"pattern": pattern}}
        if plain.get("properties") == {}:
            del plain["properties"]
        if "object" in str(plain.get("type")) and "properties" not in plain:
            plain.setdefault("additionalProperties", True)  # else some take it for an empty one
        if "oneOf" in plain and isinstance(plain.get("default"), dict):
            del plain["default"]  # openapi-python-client leaves out a choice of models that has one
        if "properties" in plain:
            plain["properties"] = {
                key: self._part(value, name + _pascal_case(key)) for key, value in plain["properties"].items()
            }
        for key in ("items", "additionalProperties"):
            if isinstance(plain.get(key), dict):
                plain[key] = self._part(plain[key], _one_of(name))
        for key in ("anyOf", "oneOf"):
            if key in plain:
                plain[key] = [self._part(value, name, is_choice=True) for value in plain[key]]
        if "allOf" in plain:
            plain["allOf"] = [self._plain(value, name) for value in plain["allOf"]]
        match plain.get("anyOf"):
            case [{"type": str(kind)}, {"type": "null"}]:
                (known, _) = plain.pop("anyOf")
                plain = {**known, **plain, "type": [kind, "null"]}
        choices = plain.get("oneOf", plain.get("anyOf", ()))
        if "discriminator" not in plain and (found := self._told_apart_by(choices)):
            plain["discriminator"] = found
        return plain

    def _told_apart_by(self, choices: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
        """The member that each of several objects must have, with a value of its own."""
        if len(choices) < 2 or not all("$ref" in choice for choice in choices):
            return None
        objects = [self[choice["$ref"].rpartition("/")[2]] for choice in choices]
        for key in objects[0].get("properties", ()):
            words = [each.get("properties", {}).get(key, {}).get("const") for each in objects]
            if None not in words and len({*words}) == len(words):
                mapping = {word: choice["$ref"] for word, choice in zip(words, choices, strict=True)}
                return {"propertyName": key, "mapping": mapping}
        return None


def _pascal_case(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"\W+|_", name))


def _one_of(name: str) -> str:
    """Name of one of several."""
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else f"{name}Value"


def _health_paths() -> dict[str, Any]:
    health = {"application/json": {"schema": {"$ref": "#/components/schemas/Health"}}}
    up = {"200": {"description": "It is.", "content": health}}
    not_ready = {str(status): answer for status, answer in problem_answers(NOT_READY).items()}
    return {
        "/healthz": {
            "get": {
                "tags": ["health"],
                "summary": "Check liveness",
                "description": "Answers as long as the process does, with its version.",
                "operationId": "healthz",
                "responses": up,
            }
        },
        "/readyz": {
            "get": {
                "tags": ["health"],
                "summary": "Check readiness",
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

    from app.settings import get_settings
    from app.surfaces.rest.router import create_api

    target = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"
    target.write_bytes(openapi_json(create_api(get_settings())))
    sys.stdout.write(f"{target}\n")
