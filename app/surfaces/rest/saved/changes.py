"""Fields that a PATCH may change: name, tags, and whether it is a template."""

from __future__ import annotations

from typing import Any, TypedDict

from app.likeness import nearest_names
from app.saved.tags import MOST_TAGS
from app.scenarios.errors import InputError, ScenarioError, refuse, shorten
from app.scenarios.fields import LINE
from app.surfaces.rest.bodies import JSON, BodyValues
from app.surfaces.rest.saved.declared import TAG_SCHEMA

MEMBERS = ("name", "tags", "template")
CHANGE: dict[str, Any] = {
    "type": "object",
    "title": "SavedChange",
    "description": "A new name, which makes a revision, or other tags or whether it is a template, which make none.",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": LINE},
        "tags": {
            "type": "array",
            "description": "In place of all there were. They are kept in lower case and in alphabetical order.",
            "items": TAG_SCHEMA,
            "maxItems": MOST_TAGS,
        },
        "template": {"type": "boolean", "description": "Whether it is offered where something new begins."},
    },
    "minProperties": 1,
    "additionalProperties": False,
}


class Change(TypedDict, total=False):
    """Fields of a body; those left out stay."""

    name: str
    tags: list[str]
    template: bool


def change_body() -> dict[str, Any]:
    """The body as a declaration."""
    reference = {"$ref": "#/components/schemas/SavedChange"}
    example = {"name": "Another name", "tags": ["2027", "draft"]}
    return {
        "required": True,
        "description": "Changes; fields left out stay.",
        "content": {
            JSON: {
                "schema": reference,
                "examples": {"both": {"summary": "Name and tags", "value": example}},
            },
        },
    }


def read_change(values: BodyValues) -> Change:
    """The change that a body states.

    Raises
    ------
    ScenarioError : it states none, something else, or what can be none of these
    """
    given = values.values
    if not isinstance(given, dict):
        raise refuse(
            "The body is not a mapping.", rule="mapping", hint="It has name, tags or template.", stated=True
        )
    faults = [_unknown(name) for name in given if name not in MEMBERS]
    if not given:
        faults.append(_fault("", "required", "The body changes nothing.", "It has name, tags or template."))
    if "name" in given and not isinstance(given["name"], str):
        faults.append(_fault("name", "text", f"{shorten(given['name'])} must be text.", ""))
    if "tags" in given and not isinstance(given["tags"], list):
        faults.append(
            _fault("tags", "list", f"{shorten(given['tags'])} must be a list.", 'Such as ["draft"].')
        )
    if "template" in given and not isinstance(given["template"], bool):
        faults.append(_fault("template", "flag", f"{shorten(given['template'])} must be true or false.", ""))
    if faults:
        raise ScenarioError(faults)
    change: Change = {}
    if "name" in given:
        change["name"] = given["name"]
    if "tags" in given:
        change["tags"] = given["tags"]
    if "template" in given:
        change["template"] = given["template"]
    return change


def _unknown(name: str) -> InputError:
    near = nearest_names(name[:80], MEMBERS, count=1)
    hint = f"Did you mean {near}?" if near else "Known here: name, tags, template."
    shown = "".join(letter if letter.isprintable() else "?" for letter in name[:160])
    return _fault(shown, "unknown_key", "is not a known key.", hint)


def _fault(path: str, rule: str, message: str, hint: str) -> InputError:
    return InputError(path=path, value=None, rule=rule, message=message, hint=hint, stated=True)
