"""How bodies of the serving routes are declared: with a scenario that serves a model."""

from __future__ import annotations

from typing import Any

from app.surfaces.rest.documented import example_scenarios
from app.surfaces.rest.scenario_requests import examples_body

EXAMPLE = "deepseek_r1_on_8_h200"


def served_body(schema: str, description: str, **options: Any) -> dict[str, Any]:
    """Declares a body whose example is a served model with these options."""
    example = {"scenario": example_scenarios()[EXAMPLE]["value"], **options}
    return examples_body(schema, description, {EXAMPLE: {"summary": "A served model", "value": example}})
