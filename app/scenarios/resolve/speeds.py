"""Speeds of designs at hand: what differs in cost, site or operations runs its workload alike."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import marshal
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from app.engine.design import Speed, speed_of
from app.engine.design_problems import workload_problems
from app.engine.evaluation import AnyPerformance
from app.engine.fabric.section import Fabric
from app.engine.leaves import leaves
from app.engine.mixed import all_kinds, blended
from app.engine.problems import Problem
from app.engine.specs import Design, TrainingWorkload
from app.scenarios.answers import Answers, at_most

KEPT, KEPT_OF_A_SPEED = 64, 8
ROOMS = ("fabric", "performance", "serving")
"""Assumptions that the fabric and the speed of a design follow from."""

PLAIN = frozenset({str, int, float, bool, type(None)})

_speeds: Answers[Speed] = Answers(at_most(KEPT))


def known_speed(design: Design, fabric: Fabric | None = None) -> Speed:
    """The fabric of a design and how fast its one workload runs, computed where no design like it was before.

    `fabric` is its fabric, where that is known. The arrays of an answer are read-only: others have them too.
    """

    def compute() -> Speed:
        with np.errstate(all="ignore"):
            found = speed_of(design, fabric)
        for _, array in leaves((found.fabric, found.performance)):
            array.flags.writeable = False
        return dataclasses.replace(found, problems=_hindrances(design, found))

    return dataclasses.replace(_speeds.of(_identity(design), compute), design=design)


def _hindrances(design: Design, speed: Speed) -> Callable[[AnyPerformance], list[Problem]]:
    """Problems of the workload at a performance.

    Those of a training run follow from its speed alone; those of a served model or a generic job also from
    failures.
    """

    def compute(performance: AnyPerformance) -> list[Problem]:
        with np.errstate(all="ignore"):
            return workload_problems(design, speed.fabric, performance)

    if isinstance(design.workload, TrainingWorkload):
        once = functools.cache(lambda: compute(speed.performance))
        return lambda performance: once()
    kept: Answers[list[Problem]] = Answers(at_most(KEPT_OF_A_SPEED))
    return lambda performance: kept.of(_digest(performance), lambda: compute(performance))


def _identity(design: Design) -> bytes:
    """A digest of all that the fabric and the performance room are given."""
    kinds = all_kinds(design)
    whole = blended(design, kinds)
    rooms = [whole.assumptions.rooms.get(name) for name in ROOMS]
    given = (whole.workload, whole.supernode, whole.pod, whole.layout, whole.framework, rooms, kinds)
    return _digest(given)


def _digest(given: Any) -> bytes:
    content: list[Any] = []
    _collect(given, content)
    # the second format writes equal values alike, however they are referred to
    return hashlib.sha256(marshal.dumps(content, 2)).digest()


def _collect(item: Any, content: list[Any]) -> None:
    """The values of records and arrays, in order, each with its kind or size."""
    if item.__class__ is np.ndarray:
        content += (item.shape, item.tobytes())
    elif names := _names.get(item.__class__):
        content.append(item.__class__.__qualname__)
        for name in names:
            _collect(getattr(item, name), content)
    elif item.__class__ in PLAIN:
        content.append(item)
    elif isinstance(item, tuple | list):
        content.append(len(item))
        for part in item:
            _collect(part, content)
    elif isinstance(item, Mapping):
        content.append(len(item))
        for name, part in item.items():
            content.append(name)
            _collect(part, content)
    elif dataclasses.is_dataclass(item):
        _names[type(item)] = tuple(field.name for field in dataclasses.fields(item))
        _collect(item, content)
    else:
        content += (type(item).__qualname__, repr(item))


_names: dict[type, tuple[str, ...]] = {}
