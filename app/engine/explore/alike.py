"""Designs that differ in numbers alone, evaluated at once: each is a sample of one design.

Every number of a design is an array of shape (1,), or (s, 1) for s samples. Designs whose words, choices and shapes are
the same are stacked into one of as many samples, and every formula runs once for all.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from app.engine.design import evaluate, evaluate_sections
from app.engine.design_problems import problems_of
from app.engine.evaluation import Evaluation
from app.engine.specs import Design, ServingWorkload, TrainingWorkload
from app.engine.trace import Array

Record = TypeVar("Record")
NAMES = ("name", "key")
"""Fields that say what a part is called, and change no figure."""


def alike(
    designs: Sequence[Design], known: dict[int, Hashable] | None = None
) -> list[tuple[list[int], Design]]:
    """Groups of designs that differ in numbers alone: their places, and the design with all as samples.

    Parameters
    ----------
    known : forms of records by identity, which grows; only of records that live as long as it
    """
    groups: dict[Hashable, list[int]] = {}
    known = {} if known is None else known
    for place, design in enumerate(designs):
        groups.setdefault(_form(design, "", known), []).append(place)
    return [(group, _stacked([designs[place] for place in group])) for group in groups.values()]


def _is_settled(design: Design) -> bool:
    """Whether nothing is searched for when it is evaluated: a search decides on the median of all samples."""
    if isinstance(design.workload, ServingWorkload):
        return False
    return design.layout is not None or not isinstance(design.workload, TrainingWorkload)


def _form(record: Any, field: str, known: dict[int, Hashable]) -> Hashable:
    """What two records that differ in numbers alone have in common; `known` are those of records met before, by identity."""
    if isinstance(record, np.ndarray):
        return record.shape if record.shape == (1,) else (record.shape, record.tobytes())
    if record is None or isinstance(record, str | bool | int | float):
        return None if field in NAMES else record
    if id(record) not in known:
        known[id(record)] = _form_of_parts(record, field, known)
    return known[id(record)]


def _form_of_parts(record: Any, field: str, known: dict[int, Hashable]) -> Hashable:
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        names = _fields(type(record))
        return (type(record), *(_form(getattr(record, name), name, known) for name in names))
    if isinstance(record, Mapping):
        return (dict, *((name, _form(value, field, known)) for name, value in record.items()))
    if isinstance(record, tuple | list):
        return (type(record), *(_form(value, field, known) for value in record))
    return cast(Hashable, record)


@functools.cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(one.name for one in dataclasses.fields(kind))


def evaluated_at_once(
    designs: Sequence[Design], known: dict[int, Hashable] | None = None
) -> list[Evaluation]:
    """The evaluation of each design, those that are alike together.

    One whose layout is found when it is evaluated, as of every served model, is evaluated by itself. Of a figure that is
    only shown of a single sample (as PUE by month and hour) a design in a group has none.
    """
    found: list[Evaluation | None] = [None if _is_settled(one) else evaluate(one) for one in designs]
    settled = [place for place, one in enumerate(found) if one is None]
    for group, together in alike([designs[place] for place in settled], known):
        with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
            sections = evaluate_sections(together)
            for sample, member in enumerate(group):
                place = settled[member]
                own = sections if len(group) == 1 else sample_of(sections, sample, len(group))
                found[place] = Evaluation(sections=own, problems=tuple(problems_of(designs[place], own)))
    return [one for one in found if one is not None]


def sample_of(record: Record, sample: int, samples: int) -> Record:
    """One sample of a record of several: its arrays of shape (s, n) as those of shape (n,)."""
    found: Record = _sample(record, sample, samples)
    return found


def _sample(record: Any, sample: int, samples: int) -> Any:
    if isinstance(record, np.ndarray):
        return record[sample] if record.ndim == 2 and record.shape[0] == samples else record
    if record is None or isinstance(record, str | bool):
        return record
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        values = {name: getattr(record, name) for name in _fields(type(record))}
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


def _stacked(records: Sequence[Any]) -> Any:
    """Records of one form as one; what is the same in all stays as it is."""
    first = records[0]
    if all(one is first for one in records):
        return first
    if isinstance(first, np.ndarray):
        return _stacked_arrays(records)
    if dataclasses.is_dataclass(first) and not isinstance(first, type):
        changes = {}
        for name in _fields(type(first)):
            values = [getattr(record, name) for record in records]
            stacked = _stacked(values)
            if stacked is not values[0]:
                changes[name] = stacked
        return dataclasses.replace(first, **changes) if changes else first
    if isinstance(first, tuple | list):
        return type(first)(_stacked(values) for values in zip(*records, strict=True))
    if isinstance(first, dict):
        return {name: _stacked([one[name] for one in records]) for name in first}
    return first


def _stacked_arrays(arrays: Sequence[Array]) -> Array:
    first = arrays[0]
    if first.shape != (1,):
        return first
    values = np.concatenate(arrays)
    same = np.all((values == values[0]) | (np.isnan(values) & np.isnan(values[0])))
    return first if same else values[:, None]
