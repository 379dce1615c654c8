"""What a workload has of a pod that it shares: SuperNodes all the time, or all of them for some hours."""

from __future__ import annotations

import functools
import operator

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition", at="workloads[].supernodes")
def supernodes_of_share(*, share: Array, supernodes: Array) -> Array:
    """SuperNodes that a workload has.

    Its share of the pod, to the nearest whole SuperNode and never none.
    """
    return np.maximum(np.floor(share * supernodes + 0.5), 1)


@quantity(unit="1", source="definition", also_at="workloads[].supernodes")
def supernodes_left(*, supernodes: Array, others_supernodes: tuple[Array, ...]) -> Array:
    """SuperNodes that the other workloads leave to the first."""
    return supernodes - functools.reduce(operator.add, others_supernodes)


@quantity(unit="1", source="definition", also_at="workloads[].supernodes")
def all_supernodes(*, supernodes: Array) -> Array:
    """SuperNodes of the pod, which each workload has in its hours."""
    return 1 * supernodes


@quantity(unit="1", source="definition", at="workloads[].accelerators")
def accelerators_of_share(*, supernodes: Array, accelerators_per_supernode: Array) -> Array:
    """Accelerators that a workload has, while it has them."""
    return supernodes * accelerators_per_supernode


@quantity(unit="1", percent=True, source="definition", at="workloads[].share")
def share_of_pod(*, supernodes_of_workload: Array, supernodes: Array) -> Array:
    """Share of the accelerator-hours that a workload has.

    By whole SuperNodes, or of the day with the time that switching takes.
    """
    return supernodes_of_workload / supernodes


@quantity(unit="1", source="definition", also_at="workloads[].share")
def share_of_day(*, share: Array) -> Array:
    """Share of the day that a workload has, with the time that switching takes."""
    return 1 * share


@quantity(unit="1/s", source="definition")
def requests_per_s_in_its_hours(*, requests_per_s: Array, share: Array) -> Array:
    """Requests a second, mean over the hours of a workload, of an amount that is stated for the whole day.

    The time that handing the pod over takes is not taken off: it is known only once the workload has run.
    """
    return requests_per_s / share


@quantity(unit="1", source="definition", also_at="workloads[].share")
def rest_of_day(*, others_shares: tuple[Array, ...]) -> Array:
    """Share of the day that the other workloads leave to the first."""
    return 1 - functools.reduce(operator.add, others_shares)
