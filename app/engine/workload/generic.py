"""A job that is no language model, by what one step of it does: arithmetic, memory traffic, communication.

Under strong scaling the amounts are of the whole job and are divided among its accelerators; under weak
scaling each accelerator has them.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.specs import Faces, Grid
from app.engine.trace import Array

AXES = ("x", "y", "z")

_SCALING = (
    "[1] Gustafson 1988, Commun. ACM 31(5) 532-533 (scaled speed-up); [2] Amdahl 1967, AFIPS 30 483-485"
)
_HALO = "[1] Kjolstad, Snir 2010, Ghost Cell Pattern, ParaPLoP (faces of a decomposed grid)"


@quantity(unit="FLOP", source=_SCALING)
def flop_each(*, flop_per_step: Array, strong: Array, accelerators_used: Array) -> Array:
    """FLOPs of a step on each accelerator."""
    return flop_per_step / np.where(strong > 0, accelerators_used, 1)


@quantity(unit="B", source=_SCALING)
def memory_traffic_each_bytes(
    *, memory_traffic_per_step_bytes: Array, strong: Array, accelerators_used: Array
) -> Array:
    """Memory traffic of a step on each accelerator."""
    return memory_traffic_per_step_bytes / np.where(strong > 0, accelerators_used, 1)


@quantity(unit="B", source=_SCALING)
def memory_held_each_bytes(*, memory_held_bytes: Array, strong: Array, accelerators_used: Array) -> Array:
    """Memory that the job holds on each accelerator."""
    return memory_held_bytes / np.where(strong > 0, accelerators_used, 1)


@quantity(unit="B", source=_SCALING)
def sent_each_bytes(*, exchanged_bytes: Array, strong: Array, accelerators_used: Array) -> Array:
    """Bytes that each accelerator sends in one all-to-all, the part it keeps counted."""
    return exchanged_bytes / np.where(strong > 0, accelerators_used, 1)


@quantity(unit="1", source=_SCALING)
def points_each(*, points: Array, ranks: Array, strong: Array) -> Array:
    """Points of an accelerator's block along one axis."""
    return points / np.where(strong > 0, ranks, 1)


@quantity(unit="B", source=_HALO)
def face_bytes(
    *, one_side_points: Array, other_side_points: Array, halo_width: Array, bytes_per_point: Array
) -> Array:
    """Bytes of one face of a block: its area, as many points deep as the halo is wide."""
    return one_side_points * other_side_points * halo_width * bytes_per_point


def faces_of(halo: Grid | Faces, strong: Array) -> tuple[Array, ...]:
    """Bytes of the face across each axis."""
    if isinstance(halo, Faces):
        return halo.face_bytes
    each = [
        points_each(points=points, ranks=ranks, strong=strong)
        for points, ranks in zip(halo.points, halo.ranks, strict=True)
    ]
    return tuple(
        face_bytes(
            one_side_points=each[(axis + 1) % 3],
            other_side_points=each[(axis + 2) % 3],
            halo_width=halo.halo_width,
            bytes_per_point=halo.bytes_per_point,
        )
        for axis in range(3)
    )
