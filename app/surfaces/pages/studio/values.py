"""Reading and writing one field of a scenario as plain values, by its path."""

from __future__ import annotations

import copy
from typing import Any

MISSING = object()


def value_at(values: Any, path: str) -> Any:
    """What stands at a path, MISSING where nothing does.

    >>> value_at({"pod": {"supernodes": 4}}, "pod.supernodes")
    4
    """
    for name in path.split("."):
        if not isinstance(values, dict) or name not in values:
            return MISSING
        values = values[name]
    return values


def with_value(values: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy with one field set, or taken out when `value` is MISSING; parts left empty go too.

    >>> with_value({"a": {"b": 1}}, "a.b", MISSING), with_value({}, "a.b", 2)
    ({}, {'a': {'b': 2}})
    """
    changed = copy.deepcopy(values)
    names = path.split(".")
    parts = [changed]
    for name in names[:-1]:
        inner = parts[-1].get(name)
        if not isinstance(inner, dict):
            if value is MISSING:
                return changed
            inner = parts[-1][name] = {}
        parts.append(inner)
    if value is not MISSING:
        parts[-1][names[-1]] = value
        return changed
    parts[-1].pop(names[-1], None)
    for depth in range(len(parts) - 1, 0, -1):
        if not parts[depth]:
            del parts[depth - 1][names[depth - 1]]
    return changed
