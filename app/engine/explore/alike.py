"""Designs that differ in numbers alone, evaluated at once: each is a sample of one design.

Every number of a design is an array of shape (1,), or (s, 1) for s samples. Designs whose words, choices and shapes are
the same are stacked into one of as many samples, and every formula runs once for all of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from app.engine.design import evaluate_sections
from app.engine.design_problems import problems_of
from app.engine.evaluation import Evaluation
from app.engine.specs import Design
from app.engine.trace import Array

Record = TypeVar("Record")
NAMES = ("name", "key")
"""Fields that say what a part is called, and change no figure."""


class _UnlikeError(Exception):
    """Two records differ in more than numbers."""


def alike(designs: Sequence[Design]) -> list[tuple[list[int], Design]]:
    """Groups of designs that differ in numbers alone: their places, and the design with all of them as samples."""
    groups: list[list[int]] = []
    for place, design in enumerate(designs):
        for group in groups:
            try:
                _stacked([designs[group[0]], design])
            except _UnlikeError:
                continue
            group.append(place)
            break
        else:
            groups.append([place])
    return [(group, _stacked([designs[place] for place in group])) for group in groups]


def evaluated_at_once(designs: Sequence[Design]) -> list[Evaluation]:
    """The evaluation of each design, those that are alike together.

    Of a figure that is only shown of a single sample (as PUE by month and hour) a design in a group has none.
    """
    found: list[Evaluation | None] = [None] * len(designs)
    for group, together in alike(designs):
        with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
            sections = evaluate_sections(together)
            for sample, place in enumerate(group):
                own = sections if len(group) == 1 else sample_of(sections, sample, len(group))
                problems = tuple(problems_of(designs[place], own))
                found[place] = Evaluation(sections=own, problems=problems)
    return [one for one in found if one is not None]


def sample_of(record: Record, sample: int, samples: int) -> Record:
    """One sample of a record of several: its arrays of shape (s, n) as those of shape (n,)."""
    found: Record = _sample(record, sample, samples)
    return found


def _sample(record: Any, sample: int, samples: int) -> Any:
    if isinstance(record, np.ndarray):
        return record[sample] if record.ndim == 2 and record.shape[0] == samples else record
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        values = {one.name: getattr(record, one.name) for one in dataclasses.fields(record)}
        own = {name: _sample(value, sample, samples) for name, value in values.items()}
        changes = {name: value for name, value in own.items() if value is not values[name]}
        return dataclasses.replace(record, **changes) if changes else record
    if isinstance(record, dict):
        return {name: _sample(value, sample, samples) for name, value in record.items()}
    if type(record) is tuple:
        own_values = tuple(_sample(value, sample, samples) for value in record)
        changed = any(one is not other for one, other in zip(own_values, record, strict=True))
        return own_values if changed else record
    return record


def _stacked(records: Sequence[Any], field: str = "") -> Any:
    first = records[0]
    if all(one is first for one in records):
        return first
    if any(type(one) is not type(first) for one in records):
        raise _UnlikeError(field)
    if isinstance(first, np.ndarray):
        return _stacked_arrays(records, field)
    if dataclasses.is_dataclass(first) and not isinstance(first, type):
        changes = {}
        for one in dataclasses.fields(first):
            values = [getattr(record, one.name) for record in records]
            stacked = _stacked(values, one.name)
            if stacked is not values[0]:
                changes[one.name] = stacked
        return dataclasses.replace(first, **changes) if changes else first
    if isinstance(first, tuple | list):
        if any(len(one) != len(first) for one in records):
            raise _UnlikeError(field)
        return type(first)(_stacked(values, field) for values in zip(*records, strict=True))
    if isinstance(first, dict):
        if any(one.keys() != first.keys() for one in records):
            raise _UnlikeError(field)
        return {name: _stacked([one[name] for one in records], field) for name in first}
    if field not in NAMES and any(one != first for one in records):
        raise _UnlikeError(field)
    return first


def _stacked_arrays(arrays: Sequence[Array], field: str) -> Array:
    first = arrays[0]
    if all(one.shape == (1,) for one in arrays):
        values = [one[0] for one in arrays]
        same = all(value == values[0] or (value != value and values[0] != values[0]) for value in values)
        return first if same else np.array(values)[:, None]
    if all(one.shape == first.shape and np.array_equal(one, first, equal_nan=True) for one in arrays):
        return first
    raise _UnlikeError(field)
