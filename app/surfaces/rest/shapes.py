"""JSON Schemas of what is asked of a scenario in detail and answered, from the types that are read and written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from app.scenarios.fields import Part

REFERENCE = "#/components/schemas/{model}"
SCENARIO = {"$ref": REFERENCE.format(model="ScenarioDocument")}


def answer_shapes(title: str, answer: Any, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The schemas of an answer and of its parts, by name; `names` are those of parts that their types do not have."""
    schema = TypeAdapter(answer).json_schema(mode="serialization", ref_template=REFERENCE)
    parts = {part["title"]: part for part in schema.pop("$defs", {}).values()}
    found = {**parts, title: schema | {"title": title}}
    return {(names or {}).get(name, name): _as_sent(part, names or {}) for name, part in found.items()}


def _as_sent(schema: Any, names: Mapping[str, str], key: str = "") -> Any:
    """The same with other names of parts, and with null where records say NaN, as JSON has none."""
    if isinstance(schema, dict):
        return {name: _as_sent(value, names, name) for name, value in schema.items()}
    if isinstance(schema, list):
        return [_as_sent(value, names) for value in schema]
    if key == "$ref":
        before, _, name = schema.rpartition("/")
        return f"{before}/{names.get(name, name)}"
    if key == "title":
        return names.get(schema, schema)
    return schema.replace("NaN", "null") if key == "description" else schema


def with_unknown(schema: Any, known: Collection[str] = (), name: str = "") -> Any:
    """The same with null beside every number but those of the names in `known`: it is unknown, or there is none."""
    if isinstance(schema, dict):
        inside = {key: with_unknown(value, known, key) for key, value in schema.items()}
        unknown = schema.get("type") == "number" and name not in known
        return inside | {"type": ["number", "null"]} if unknown else inside
    return [with_unknown(value, known) for value in schema] if isinstance(schema, list) else schema


def request_shapes(
    title: str, options: type[Part], scenarios: Sequence[str] = ("scenario",)
) -> dict[str, Any]:
    """The schemas of scenarios with options alongside them, and of parts of these, by name."""
    schema = options.model_json_schema(ref_template=REFERENCE)
    parts = schema.pop("$defs", {})
    schema["properties"] = dict.fromkeys(scenarios, SCENARIO) | schema.get("properties", {})
    return {**parts, title: schema | {"title": title, "required": [*scenarios, *schema.get("required", ())]}}
