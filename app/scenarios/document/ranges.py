"""Ranges in the plain values of a scenario: finding, setting and taking out one, all else as it was."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

Values = dict[str, Any]


def range_at(values: Values, field: str) -> dict[str, Any] | None:
    """The range of a field, None where it has none.

    >>> range_at({"uncertainty": {"inputs": {"economics.wacc": {"low": 1, "high": 2}}}}, "economics.wacc")
    {'low': 1, 'high': 2}
    """
    found = _part(_part(values, "uncertainty"), "inputs").get(field)
    return found if isinstance(found, dict) else None


def with_range(values: Values, field: str, written: dict[str, Any]) -> Values:
    """With a range in `uncertainty.inputs`, in place of the one that the field had."""
    doubt = _part(values, "uncertainty")
    return {**values, "uncertainty": {**doubt, "inputs": {**_part(doubt, "inputs"), field: written}}}


def without_range(values: Values, field: str) -> Values:
    """Without the range of a field and without its correlations; the field keeps its number.

    >>> without_range({"uncertainty": {"inputs": {"economics.wacc": {"low": 1, "high": 2}}}}, "economics.wacc")
    {}
    """
    doubt = _part(values, "uncertainty")
    inputs = _part(doubt, "inputs")
    if field not in inputs:
        return values
    left = {**doubt, "inputs": {name: one for name, one in inputs.items() if name != field}}
    pairs = doubt.get("correlations")
    if isinstance(pairs, list | tuple):
        left["correlations"] = [pair for pair in pairs if field not in (_part(pair, "").get("between") or ())]
    left = {name: part for name, part in left.items() if part not in ({}, [])}
    return {
        name: part for name, part in {**values, "uncertainty": left}.items() if name != "uncertainty" or left
    }


RANGES = "uncertainty.inputs."


def ranged_field(path: str) -> tuple[str, str]:
    """The field and the part of its range that stand at a place, ("", "") elsewhere.

    >>> ranged_field("uncertainty.inputs.economics.wacc.low"), ranged_field("economics.wacc")
    (('economics.wacc', 'low'), ('', ''))
    """
    if not path.startswith(RANGES):
        return "", ""
    field, _, part = path.removeprefix(RANGES).rpartition(".")
    return field, part


def field_of_fault(path: str, fields: Collection[str]) -> str:
    """The field that a fault is told beside: of a range the field that has it.

    >>> field_of_fault("uncertainty.inputs.economics.wacc.low", ["economics.wacc"])
    'economics.wacc'
    """
    inside = path.removeprefix(RANGES)
    return next(
        (name for name in (inside, inside.rpartition(".")[0]) if inside != path and name in fields), path
    )


def _part(values: Any, name: str) -> dict[str, Any]:
    """A mapping inside values, empty where there is none; of no name the values themselves."""
    part = values.get(name) if name and isinstance(values, dict) else values if not name else None
    return part if isinstance(part, dict) else {}
