"""The figures of an evaluation by name, and their plain values."""

from __future__ import annotations

import dataclasses
import math
from functools import lru_cache
from typing import Any

import numpy as np

from app.engine.quantities import quantity_at
from app.engine.trace import Traced, plain

ARRAYS = (np.ndarray, Traced)


def leaves(item: Any, path: str = "") -> list[tuple[str, Any]]:
    """Every figure below `item` with its place: ("fabric.tiers[0].switches", array).

    Records and mappings are walked by name, sequences by position; words are left out.
    """
    found: list[tuple[str, Any]] = []
    _collect(item, path, found)
    return found


def _collect(item: Any, path: str, found: list[tuple[str, Any]]) -> None:
    if isinstance(item, ARRAYS):
        found.append((path, item))
    elif fields := _fields(item.__class__, path):
        for name, place in fields:
            _collect(getattr(item, name), place, found)
    elif isinstance(item, dict):
        for name, part in item.items():
            _collect(part, f"{path}.{name}" if path else name, found)
    elif isinstance(item, list | tuple):
        for position, part in enumerate(item):
            _collect(part, f"{path}[{position}]", found)


def any_unknown(item: Any) -> bool:
    """Return whether any number below `item` is unknown, also in fields that are passed between rooms
    only."""
    if isinstance(item, ARRAYS):
        array = plain(item)
        return array.dtype.kind == "f" and bool(np.isnan(array).any())
    if isinstance(item, dict):
        return any(any_unknown(part) for part in item.values())
    if isinstance(item, list | tuple):
        return any(any_unknown(part) for part in item)
    return any(any_unknown(getattr(item, name)) for name in _all_fields(item.__class__))


def not_applicable(item: Any, path: str = "") -> list[str]:
    """Places of figures that a design of this kind does not have, which is not the same as unknown."""
    found: list[str] = []
    _collect_missing(item, path, found)
    return found


def _collect_missing(item: Any, path: str, found: list[str]) -> None:
    if item is None:
        found.append(path)
    elif path == "workloads":
        for position, one in enumerate(item):
            _collect_missing(one, f"{path}[{position}]", found)
    else:
        for name, place in _fields(item.__class__, path):
            _collect_missing(getattr(item, name), place, found)


def plain_values(item: Any, path: str = "") -> Any:
    """The same tree as plain JSON values: arrays of one as numbers, unknown as None."""
    if isinstance(item, ARRAYS):
        return _plain_array(plain(item), path)
    if fields := _fields(item.__class__, path):
        return {name: plain_values(getattr(item, name), place) for name, place in fields}
    if isinstance(item, dict):
        return {name: plain_values(part, f"{path}.{name}" if path else name) for name, part in item.items()}
    if isinstance(item, list | tuple):
        return [plain_values(part, f"{path}[{position}]") for position, part in enumerate(item)]
    return item


def _plain_array(array: Any, path: str) -> Any:
    if array.size != 1:
        return [_plain_array(part, path) for part in array]
    value = float(array.item())
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and _is_count(path) else value


@lru_cache(8192)
def _is_count(path: str) -> bool:
    """Return whether a place has a number without a unit, which is shown whole where it is."""
    record = quantity_at(path)
    return record is not None and record.unit == "1"


@lru_cache(1024)
def _all_fields(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


@lru_cache(8192)
def _fields(kind: Any, path: str) -> tuple[tuple[str, str], ...]:
    """Fields of a kind of record that stands at a place, each with its own place; none of what is no record.

    Left out are those with the metadata `figure: False`, which one room hands to another and no page shows.
    """
    if not dataclasses.is_dataclass(kind):
        return ()
    return tuple(
        (one.name, f"{path}.{one.name}" if path else one.name)
        for one in dataclasses.fields(kind)
        if one.metadata.get("figure", True)
    )
