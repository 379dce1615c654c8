"""The figures of an evaluation by name, and their plain values."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
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
    elif dataclasses.is_dataclass(item):
        for field in dataclasses.fields(item):
            yield from leaves(getattr(item, field.name), f"{path}.{field.name}".lstrip("."))
    elif isinstance(item, dict):
        for name, part in item.items():
            yield from leaves(part, f"{path}.{name}".lstrip("."))
    elif isinstance(item, list | tuple):
        for position, part in enumerate(item):
            yield from leaves(part, f"{path}[{position}]")


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
    if dataclasses.is_dataclass(item):
        return {
            field.name: plain_values(getattr(item, field.name), f"{path}.{field.name}".lstrip("."))
            for field in dataclasses.fields(item)
        }
    if isinstance(item, dict):
        return {name: plain_values(part, f"{path}.{name}".lstrip(".")) for name, part in item.items()}
    if isinstance(item, list | tuple):
        return [plain_values(part, f"{path}[{position}]") for position, part in enumerate(item)]
    return item


def _plain_array(array: Any, path: str) -> Any:
    if array.size != 1:
        return [_plain_array(part, path) for part in array]
    value = float(array.reshape(-1)[0])
    if not np.isfinite(value):
        return None
    record = quantity_at(path)
    return int(value) if record and record.unit == "1" and value.is_integer() else value
