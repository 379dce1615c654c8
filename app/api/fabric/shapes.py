"""JSON Schemas of what is asked of a fabric and answered, from the types that are read and written."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from app.scenarios.fields import Part

REFERENCE = "#/components/schemas/{model}"
SCENARIO = {"$ref": REFERENCE.format(model="ScenarioDocument")}


def answer_shapes(title: str, answer: Any) -> dict[str, Any]:
    """The schemas of an answer and of its parts, by name."""
    schema = TypeAdapter(answer).json_schema(mode="serialization", ref_template=REFERENCE)
    return {**schema.pop("$defs", {}), title: schema | {"title": title}}


def request_shapes(title: str, options: type[Part]) -> dict[str, Any]:
    """The schemas of a scenario with options beside it, and of parts of these, by name."""
    schema = options.model_json_schema(ref_template=REFERENCE)
    parts = schema.pop("$defs", {})
    schema["properties"] = {"scenario": SCENARIO, **schema.get("properties", {})}
    return {**parts, title: schema | {"title": title, "required": ["scenario", *schema.get("required", ())]}}
