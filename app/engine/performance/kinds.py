"""Several kinds of SuperNode in one synchronous job: the slowest sets the step, and the fullest the memory.

Every kind runs the same layout, so a kind's time is that of a pod of it alone, and the others wait for it.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware, hardware_of
from app.engine.quantities import quantity
from app.engine.specs import Kind, Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array, plain

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """One kind of SuperNode as a job sees it."""

    name: str
    hardware: Hardware
    assumptions: PerformanceAssumptions


def machines_of(
    *,
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: PerformanceAssumptions,
    kinds: tuple[Kind, ...],
) -> tuple[Machine, ...]:
    """The machines of a pod, one for each kind; the SuperNode alone where there is one kind."""
    each = [(kind.supernode, kind.performance) for kind in kinds] or [(supernode, assumptions)]
    return tuple(
        Machine(
            name=one.name,
            hardware=hardware_of(workload=workload, supernode=one, pod=pod, fabric=fabric, assumptions=own),
            assumptions=own,
        )
        for one, own in each
    )


@quantity(unit="1", source="definition", leaf=True)
def position_of_largest(*, values: tuple[Array, ...]) -> Array:
    """Which kind has the largest value, counted from 0; the first of equals, and one whose value is unknown."""
    return np.asarray(np.argmax(np.stack(np.broadcast_arrays(*values)), axis=0), dtype=float)


def at_position(values: tuple[Array, ...], position: Array) -> Array:
    """Of the same figure on every kind that of the kind at a position."""
    chosen = values[0]
    for place, value in enumerate(values[1:], start=1):
        chosen = np.where(position == place, value, chosen)
    return chosen


@quantity(unit="s", source="definition")
def time_on_slowest_kind_s(*, times_s: tuple[Array, ...], slowest_kind: Array) -> Array:
    """Time on the slowest kind of SuperNode: in synchronous training the others wait for it."""
    return at_position(times_s, slowest_kind)


@quantity(unit="B", source="definition")
def bytes_on_fullest_kind(*, sizes_bytes: tuple[Array, ...], fullest_kind: Array) -> Array:
    """Bytes on the kind of SuperNode that has least room left: what fits there fits everywhere."""
    return at_position(sizes_bytes, fullest_kind)


@quantity(unit="FLOP", source="definition")
def mean_flop_per_token(*, counts: tuple[Array, ...], flop_per_token: tuple[Array, ...]) -> Array:
    """Work on a token in the mean of all kinds."""
    parts = (count * flop for count, flop in zip(counts, flop_per_token, strict=True))
    return functools.reduce(operator.add, parts) / functools.reduce(operator.add, counts)


@quantity(unit="s", source="definition", at="performance.step_time_by_kind_s[]")
def step_time_of_kind_s(*, step_time_s: Array) -> Array:
    """Step time on one type of SuperNode.

    What the step of the whole pod would be, were all SuperNodes of this kind.
    """
    return step_time_s


@quantity(unit="1", source="definition", at="performance.waiting_share_by_kind[]")
def waiting_share_of_kind(*, own_step_time_s: Array, step_time_s: Array) -> Array:
    """Share of the step spent waiting for the slowest SuperNode type."""
    return 1 - own_step_time_s / step_time_s


def parts_on_slowest(parts: tuple[Mapping[str, Array], ...], slowest: Array) -> dict[str, Array]:
    """The parts of the step on the slowest kind, so that they still sum to the step."""
    return {
        name: time_on_slowest_kind_s(times_s=tuple(part[name] for part in parts), slowest_kind=slowest)
        for name in parts[0]
    }


def parts_on_fullest(parts: tuple[Mapping[str, Array], ...], fullest: Array) -> dict[str, Array]:
    """The parts of the memory on the fullest kind."""
    return {
        name: bytes_on_fullest_kind(sizes_bytes=tuple(part[name] for part in parts), fullest_kind=fullest)
        for name in parts[0]
    }


def name_at(names: tuple[str, ...], position: Array) -> str:
    """The name of a kind by its position, of the middle of the samples."""
    ranked = np.sort(plain(position).ravel())
    return names[int(ranked[ranked.size // 2])]
