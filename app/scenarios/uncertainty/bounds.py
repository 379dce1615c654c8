"""What a field of a scenario may be at all, as its document says."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from app.scenarios.document import ScenarioDocument
from app.scenarios.sweeping.fields import ASSUMPTIONS

LEAST = ("minimum", "exclusiveMinimum", "ge", "gt")
MOST = ("maximum", "exclusiveMaximum", "le", "lt")
"""As JSON Schema has them, and as pydantic leaves them where a number is read by rules of its own."""


def bounds_of_field(field: str, low: float) -> tuple[float, float]:
    """The least and the most that a field may be; an assumption has no bounds but that what is positive stays so.

    >>> bounds_of_field("economics.utilisation", 0.4)
    (0.0, 1.0)
    """
    if field.startswith(ASSUMPTIONS):
        return (0.0 if low >= 0 else -np.inf, np.inf)
    rules = _rules(_schema(), field.split("."))
    least = [rule[name] for rule in rules for name in LEAST if name in rule]
    most = [rule[name] for rule in rules for name in MOST if name in rule]
    return (float(max(least, default=-np.inf)), float(min(most, default=np.inf)))


def _rules(part: dict[str, Any], names: list[str]) -> list[dict[str, Any]]:
    """The schemas of numbers below a part, whichever of its forms has the field."""
    forms = [form for form in _forms(part) if form]
    if not names:
        return [form for form in forms if form.get("type") in ("number", "integer")]
    inside = [form["properties"][names[0]] for form in forms if names[0] in form.get("properties", {})]
    return [rule for one in inside for rule in _rules(one, names[1:])]


def _forms(part: dict[str, Any]) -> list[dict[str, Any]]:
    if "$ref" in part:
        return _forms(_schema()["$defs"][part["$ref"].rsplit("/", 1)[-1]])
    choices = part.get("anyOf") or part.get("oneOf")
    return [form for choice in choices for form in _forms(choice)] if choices else [part]


@functools.cache
def _schema() -> dict[str, Any]:
    return ScenarioDocument.model_json_schema()
