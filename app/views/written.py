"""Answers as plain values that are stored, and from them again."""

from __future__ import annotations

import math
from typing import Any, TypeVar

from pydantic import TypeAdapter

Report = TypeVar("Report")


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def written(answer: Any) -> dict[str, Any]:
    """An answer, which is a dataclass, as JSON can hold it; numbers that it cannot are words.

    >>> _plain({"a": math.nan, "b": (1, -math.inf)})
    {'a': 'NaN', 'b': [1, '-Infinity']}
    """
    found: dict[str, Any] = _plain(_adapter(type(answer)).dump_python(answer))
    return found


def read_back(kind: type[Report], values: dict[str, Any]) -> Report:
    """The answer that was written."""
    found: Report = _adapter(kind).validate_python(values)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
