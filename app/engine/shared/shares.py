"""Share of a workload in a pod: some SuperNodes all the time, or every SuperNode for some hours."""

from __future__ import annotations

import functools
import operator

import numpy as np

from app.engine.quantities import alias, quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition", at="workloads[].supernodes")
def supernodes_of_share(*, share: Array, supernodes: Array) -> Array:
    """SuperNodes of the workload.

    Its share of the pod, to the nearest whole SuperNode and never none.
    """
    return np.maximum(np.floor(share * supernodes + 0.5), 1)


@quantity(unit="1", source="definition", also_at="workloads[].supernodes")
def supernodes_left(*, supernodes: Array, others_supernodes: tuple[Array, ...]) -> Array:
    """Remaining SuperNodes for the first workload."""
    return supernodes - functools.reduce(operator.add, others_supernodes)


all_supernodes = alias(
    "all_supernodes",
    "SuperNodes of the pod, which each workload has in its hours",
    of="supernodes",
    at="shared.all_supernodes",
    also_at="workloads[].supernodes",
)


@quantity(unit="1", source="definition", at="workloads[].accelerators")
def accelerators_of_share(*, supernodes: Array, accelerators_per_supernode: Array) -> Array:
    """Accelerators of the workload."""
    return supernodes * accelerators_per_supernode


@quantity(unit="1", percent=True, source="definition", at="workloads[].share")
def share_of_pod(*, supernodes_of_workload: Array, supernodes: Array) -> Array:
    """Share of accelerator-hours.

    By whole SuperNodes, or of the day with the time that switching takes.
    """
    return supernodes_of_workload / supernodes


share_of_day = alias(
    "share_of_day",
    "Share of the day of a workload, including switching",
    of="share",
    at="shared.share_of_day",
    also_at="workloads[].share",
)


@quantity(unit="1/s", source="definition")
def requests_per_s_in_its_hours(*, requests_per_s: Array, share: Array) -> Array:
    """Requests per second, mean over the hours of a workload, of an amount that is stated for the whole day.

    The time that handing the pod over takes is not taken off: it is known only once the workload has run.
    """
    return requests_per_s / share


@quantity(unit="1", source="definition", also_at="workloads[].share")
def rest_of_day(*, others_shares: tuple[Array, ...]) -> Array:
    """Remaining share of the day for the first workload."""
    return 1 - functools.reduce(operator.add, others_shares)
