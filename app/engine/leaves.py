"""The figures of an evaluation by name, and their plain values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import numpy as np

from app.engine.quantities import quantity_at
from app.engine.trace import Traced, plain


def leaves(item: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every figure below `item` with its place: ("fabric.tiers[0].switches", array).

    Records and mappings are walked by name, sequences by position; words are left out.
    """
    if isinstance(item, Traced | np.ndarray):
        yield path, item
    elif names := _names(item.__class__):
        for name in names:
            yield from leaves(getattr(item, name), f"{path}.{name}" if path else name)
    elif isinstance(item, dict):
        for name, part in item.items():
            yield from leaves(part, f"{path}.{name}" if path else name)
    elif isinstance(item, list | tuple):
        for position, part in enumerate(item):
            yield from leaves(part, f"{path}[{position}]")


def all_known(item: Any) -> bool:
    """Return whether every figure below `item` is a finite number, all its samples included."""
    return all(
        math.isfinite(array.item()) if array.size == 1 else bool(np.isfinite(array).all())
        for array in (plain(value) for _, value in leaves(item))
    )


def not_applicable(item: Any, path: str = "") -> list[str]:
    """Places of figures that a design of this kind does not have, which is not the same as unknown."""
    if item is None:
        return [path]
    if path == "workloads":
        return [
            place for position, one in enumerate(item) for place in not_applicable(one, f"{path}[{position}]")
        ]
    if not dataclasses.is_dataclass(item):
        return []
    return [
        place
        for field in dataclasses.fields(item)
        for place in not_applicable(getattr(item, field.name), f"{path}.{field.name}".lstrip("."))
    ]


def plain_values(item: Any, path: str = "") -> Any:
    """The same tree as plain JSON values: arrays of one as numbers, unknown as None."""
    if isinstance(item, Traced | np.ndarray):
        return _plain_array(plain(item), path)
    if names := _names(item.__class__):
        return {name: plain_values(getattr(item, name), f"{path}.{name}" if path else name) for name in names}
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


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Fields of a kind of record; none of what is no record."""
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()
