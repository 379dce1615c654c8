"""Puts devices into racks, kind after kind, by every limit of a rack. Loops over kinds, not over devices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.floor import Measured
from app.engine.fabric.floor.limits import how_many_fit
from app.engine.fabric.graph.graph import Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """Places of n devices in racks that are counted from 0."""

    rack: Whole  # (n,)
    bottom_u: Whole  # (n,) from 1
    racks: int


def packed(counts: Sequence[int], demands: Sequence[Measured], room: Measured) -> Packed:
    """Devices of several kinds in as few racks as they fill in their order, each from the bottom up.

    A kind goes on in the rack where the last one stopped. A device that no rack can carry has one of its
    own all the same: a caller that requests it is told (see problems.py).

    >>> places = packed([3, 1], [np.array([2.0]), np.array([1.0])], np.array([5.0]))
    >>> places.rack.tolist(), places.bottom_u.tolist(), places.racks
    ([0, 0, 1, 1], [1, 3, 1, 3], 2)
    """
    racks, left, used_u = 0, np.zeros_like(room), 0
    rack_parts: list[Whole] = [np.empty(0, np.int32)]
    bottom_parts: list[Whole] = [np.empty(0, np.int32)]
    for count, demand in zip(counts, demands, strict=True):
        units, per_rack = int(demand[0]), max(how_many_fit(room, demand), 1)
        first = min(count, how_many_fit(left, demand)) if racks else 0
        rest = np.arange(count - first)
        rack_parts += [np.full(first, racks - 1), racks + rest // per_rack]
        bottom_parts += [1 + used_u + np.arange(first) * units, 1 + rest % per_rack * units]
        left, used_u = left - first * demand, used_u + first * units
        if rest.size:
            opened = -(-rest.size // per_rack)
            in_last = rest.size - (opened - 1) * per_rack
            racks, left, used_u = racks + opened, room - in_last * demand, in_last * units
    return Packed(
        rack=np.concatenate(rack_parts).astype(np.int32),
        bottom_u=np.concatenate(bottom_parts).astype(np.int32),
        racks=racks,
    )
