"""IT load of a pod that workloads share, from the load that each would make of it alone."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.engine.facility.it import breakdown as it_breakdown
from app.engine.facility.it.load import ItLoad
from app.engine.quantities import quantity
from app.engine.trace import Array

Values = tuple[Array, ...]
WORKING = ("accelerators", "hosts", "nics", "fans", "power_supplies")
"""Parts of the SuperNodes at work."""
Sum = Callable[..., Array]


@quantity(unit="W", source="definition", at="workloads[].it_power_mean_w")
def it_power_of_supernodes_w(*, it_power_alone_w: Array, it_power_idle_w: Array, share: Array) -> Array:
    """Mean IT power of the workload.

    What its SuperNodes draw beyond an idle pod, and its share of the idle pod: spares, network and storage. By
    day the mean over the year, with the pod idle while it is handed over.
    """
    return it_power_alone_w - it_power_idle_w + share * it_power_idle_w


@quantity(unit="W", source="definition", also_at="workloads[].it_power_mean_w")
def it_power_of_hours_w(
    *, it_power_alone_w: Array, it_power_idle_w: Array, working_share: Array, share: Array
) -> Array:
    """Mean IT power of a workload, annual.

    The whole pod's in the hours it works, and the idle pod's while it is handed over.
    """
    return working_share * it_power_alone_w + (share - working_share) * it_power_idle_w


@quantity(unit="W", source="definition", also_at="power.it_power_mean_w")
def shared_it_power_mean_w(*, it_powers_w: Values) -> Array:
    """Mean IT power of all workloads of a pod."""
    return functools.reduce(operator.add, it_powers_w)


@quantity(unit="W", source="definition", also_at="power.it_power_peak_w")
def shared_it_power_peak_w(*, it_powers_peak_w: Values, it_power_idle_w: Array) -> Array:
    """Peak IT power of workloads that run side by side.

    All at their peaks at once: what each draws beyond an idle pod, and the idle pod.
    """
    return (
        functools.reduce(operator.add, (peak - it_power_idle_w for peak in it_powers_peak_w))
        + it_power_idle_w
    )


def _side_by_side_at(place: str) -> Sum:
    """A sum over workloads that run side by side, as the quantity of one place of the evaluation."""

    @quantity(unit="W", source="definition", at=f"shared.side_by_side.{place}", also_at=f"power.{place}")
    def side_by_side_w(*, powers_w: Values) -> Array:
        """Sum over the workloads that run side by side."""
        return functools.reduce(operator.add, powers_w)

    return side_by_side_w


def _highest_at(place: str) -> Sum:
    """The highest of workloads that take turns, as the quantity of one place of the evaluation."""

    @quantity(unit="W", source="definition", at=f"shared.highest.{place}", also_at=f"power.{place}")
    def highest_w(*, powers_w: Values) -> Array:
        """Highest of the workloads that take turns."""
        return functools.reduce(np.maximum, powers_w)

    return highest_w


def _in_turns_at(place: str) -> Sum:
    """A mean over the day, as the quantity of one place of the evaluation."""

    @quantity(unit="W", source="definition", at=f"shared.in_turns.{place}", also_at=f"power.{place}")
    def in_turns_w(*, powers_w: Values, working_shares: Values) -> Array:
        """Mean over the day of workloads that take turns."""
        return functools.reduce(
            operator.add, (power * share for power, share in zip(powers_w, working_shares, strict=True))
        )

    return in_turns_w


SIDE_BY_SIDE_W = {name: _side_by_side_at(f"it_breakdown_w.{name}") for name in WORKING}
IN_TURNS_W = {name: _in_turns_at(f"it_breakdown_w.{name}") for name in WORKING}
SWING_SIDE_BY_SIDE_W = _side_by_side_at("it_power_swing_w")
SWING_IN_TURNS_W = _highest_at("it_power_swing_w")
PEAK_IN_TURNS_W = _highest_at("it_power_peak_w")


@quantity(unit="1", source="definition")
def active_supernodes_of_all(*, active_supernodes: Values) -> Array:
    """SuperNodes at work for any of the workloads that run side by side."""
    return functools.reduce(operator.add, active_supernodes)


@quantity(unit="W", source="definition", also_at="power.it_breakdown_w.idle_supernodes")
def idle_in_turns_w(
    *, it_power_mean_w: Array, working_w: Values, network_w: Array, storage_w: Array
) -> Array:
    """SuperNodes that are on and idle, including spares: the whole pod while it is handed over."""
    return it_power_mean_w - functools.reduce(operator.add, working_w) - network_w - storage_w


def side_by_side(loads: tuple[ItLoad, ...], it_powers_w: Values) -> ItLoad:
    """Load of workloads that run all the time, each on SuperNodes of its own."""
    first = loads[0]
    active = active_supernodes_of_all(active_supernodes=tuple(load.active for load in loads))
    parts = {
        name: SIDE_BY_SIDE_W[name](powers_w=tuple(load.breakdown_w[name] for load in loads))
        for name in WORKING
    }
    idle = it_breakdown.idle_supernodes_w(
        active_supernodes=active,
        installed_supernodes=first.installed,
        supernode_power_idle_w=first.supernode.idle_w,
    )
    return replace(
        first,
        active=active,
        mean_w=shared_it_power_mean_w(it_powers_w=it_powers_w),
        peak_w=shared_it_power_peak_w(
            it_powers_peak_w=tuple(load.peak_w for load in loads), it_power_idle_w=first.idle_w
        ),
        swing_w=SWING_SIDE_BY_SIDE_W(powers_w=tuple(load.swing_w for load in loads)),
        breakdown_w=_in_order(first, parts | {"idle_supernodes": idle}),
    )


def in_turns(loads: tuple[ItLoad, ...], it_powers_w: Values, working_shares: Values) -> ItLoad:
    """Load of workloads that have the whole pod, each in its hours."""
    first = loads[0]
    mean = shared_it_power_mean_w(it_powers_w=it_powers_w)
    parts = {
        name: IN_TURNS_W[name](
            powers_w=tuple(load.breakdown_w[name] for load in loads), working_shares=working_shares
        )
        for name in WORKING
    }
    idle = idle_in_turns_w(
        it_power_mean_w=mean,
        working_w=tuple(parts.values()),
        network_w=first.breakdown_w["network"],
        storage_w=first.breakdown_w["storage"],
    )
    return replace(
        first,
        mean_w=mean,
        peak_w=PEAK_IN_TURNS_W(powers_w=tuple(load.peak_w for load in loads)),
        swing_w=SWING_IN_TURNS_W(powers_w=tuple(load.swing_w for load in loads)),
        breakdown_w=_in_order(first, parts | {"idle_supernodes": idle}),
    )


def _in_order(first: ItLoad, parts: dict[str, Array]) -> dict[str, Array]:
    """Parts in the order of every other design; equipment besides the SuperNodes is counted once."""
    return {name: parts.get(name, first.breakdown_w[name]) for name in first.breakdown_w}
