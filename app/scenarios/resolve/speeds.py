"""Speeds of designs at hand: what differs in cost, site or operations runs its workload alike."""

from __future__ import annotations

import dataclasses
import hashlib
import marshal
from collections.abc import Mapping
from typing import Any

import numpy as np

from app.engine.design import Speed, speed_of
from app.engine.fabric.section import Fabric
from app.engine.leaves import leaves
from app.engine.mixed import all_kinds, blended
from app.engine.specs import Design
from app.scenarios.answers import Answers, at_most

KEPT = 64
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
        return found

    return dataclasses.replace(_speeds.of(_identity(design), compute), design=design)


def _identity(design: Design) -> bytes:
    """A digest of all that the fabric and the performance room are given."""
    kinds = all_kinds(design)
    whole = blended(design, kinds)
    rooms = [whole.assumptions.rooms.get(name) for name in ROOMS]
    given = (whole.workload, whole.supernode, whole.pod, whole.layout, whole.framework, rooms, kinds)
    # the second format writes equal values alike, however they are referred to
    return hashlib.sha256(marshal.dumps(_content(given), 2)).digest()


def _content(item: Any) -> Any:
    """The values of records and arrays, in order."""
    if isinstance(item, np.ndarray):
        return (item.shape, item.tobytes())
    if names := _names.get(item.__class__):
        return [_content(getattr(item, name)) for name in names]
    if isinstance(item, tuple | list):
        return [_content(part) for part in item]
    if isinstance(item, Mapping):
        return [(name, _content(part)) for name, part in item.items()]
    if dataclasses.is_dataclass(item):
        _names[type(item)] = tuple(field.name for field in dataclasses.fields(item))
        return _content(item)
    return item if type(item) in PLAIN else (type(item).__qualname__, repr(item))


_names: dict[type, tuple[str, ...]] = {}
