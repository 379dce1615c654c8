"""Fields of a scenario that a sweep may vary: which there are, and putting a value in their place."""

from __future__ import annotations

import functools
from typing import Any

from app.catalog.view import CatalogView
from app.likeness import nearest_names
from app.scenarios.document.ranges import without_range
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import refuse
from app.scenarios.reading.messages import all_paths
from app.scenarios.resolve.rooms import ROOMS

PARTS = ("workload", "supernode", "pod", "parallelism", "facility", "operations", "economics")
ASSUMPTIONS = "assumptions."


@functools.cache
def scenario_fields() -> tuple[str, ...]:
    """Every field below the parts of the document that an evaluation reads, assumptions aside."""
    found = (path for path in all_paths(ScenarioDocument) if path.split(".")[0] in PARTS)
    return tuple(dict.fromkeys(found))


def check_field(field: str, catalog: CatalogView, place: str) -> None:
    """Refuse what is no field of a scenario.

    Raises
    ------
    ScenarioError : the nearest names are in the message
    """
    known = set(scenario_fields())
    known |= {
        f"{ASSUMPTIONS}{room}.{name}"
        for room in (*ROOMS, "scenario")
        for name in catalog.assumption_names(room)
    }
    if field not in known:
        raise refuse(
            f"{field!r} is not a field of a scenario.",
            rule="unknown_field",
            path=place,
            value=field,
            hint=f"Nearest: {nearest_names(field, sorted(known))}.",
        )


def with_field(values: dict[str, Any], field: str, value: Any, place: str = "") -> dict[str, Any]:
    """The plain values of a scenario with one field put otherwise, which then has no range; nothing else is touched.

    Raises
    ------
    ScenarioError : a word stands where the field would have its part
    """
    return _with_field(without_range(values, field), field, value, place)


def _with_field(values: dict[str, Any], field: str, value: Any, place: str) -> dict[str, Any]:
    if field.startswith(ASSUMPTIONS):
        name = field.removeprefix(ASSUMPTIONS)
        return {**values, "assumptions": {**values.get("assumptions", {}), name: value}}
    name, _, rest = field.partition(".")
    if not rest:
        return {**values, name: value}
    part = values.get(name)
    if part is None:
        part = {}
    if not isinstance(part, dict):
        raise refuse(
            f"{name} is {part!r} in the scenario, so {field} has no place.",
            rule="no_place",
            path=place,
            value=field,
            hint=f"Write {name} out in the scenario, or vary {name} itself.",
        )
    return {**values, name: _with_field(part, rest, value, place)}
