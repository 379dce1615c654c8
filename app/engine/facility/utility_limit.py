"""A pod that peaks above what its utility grants: by how much, and the cap or the size that fits."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.it.power import active_supernodes
from app.engine.facility.it.supernode import supernode_peak_w
from app.engine.facility.results import Cooling, Power
from app.engine.problems import Fix, Problem
from app.engine.specs import Facility, Pod, SuperNode
from app.engine.trace import Array, plain

LEAST_CAP = 0.3  # what a scenario may state
CAPS = np.arange(100, int(100 * LEAST_CAP) - 1, -1) / 100
ROOM = 0.99  # of the limit: PUE moves with load and size, as standby plant stays, and a fix must hold


def utility_limit_problems(
    *,
    supernode: SuperNode,
    pod: Pod,
    facility: Facility,
    power: Power,
    cooling: Cooling,
    assumptions: FacilityAssumptions,
) -> list[Problem]:
    """None without a limit, within it, beside own supply (`power_supply.problems`), or where the peak is unknown."""
    if facility.utility_limit_w is None or facility.power_supply is not None:
        return []
    limit_w, peak_w = _middle(facility.utility_limit_w), _middle(power.utility_peak_w)
    if not peak_w > limit_w:
        return []
    over = f"The site peaks at {peak_w / 1e6:,.2f} MW, {(peak_w - limit_w) / 1e6:,.2f} MW more than the "
    return [
        Problem(
            kind="infeasible",
            field="facility.utility_limit_w",
            constraint="utility limit",
            message=f"{over}{limit_w / 1e6:,.2f} MW that the utility grants.",
            value=peak_w,
            limit=limit_w,
            missed_by=peak_w - limit_w,
            unit="W",
            fix=_cap_that_fits(supernode, pod, facility, power, cooling, assumptions, limit_w)
            or _size_that_fits(pod, peak_w, limit_w),
            affects=("power.utility_peak_w",),
        )
    ]


def _cap_that_fits(
    supernode: SuperNode,
    pod: Pod,
    facility: Facility,
    power: Power,
    cooling: Cooling,
    assumptions: FacilityAssumptions,
    limit_w: float,
) -> Fix | None:
    """The largest cap, in hundredths, under which the peak of the hottest hour is granted."""

    def peak_of(node: SuperNode) -> Array:
        return supernode_peak_w(supernode=node, distribution=facility.distribution, assumptions=assumptions)

    at_cap = replace(supernode, accelerator=replace(supernode.accelerator, power_cap=CAPS))
    working = _middle(
        active_supernodes(
            accelerators_used=pod.accelerators_used, accelerators_per_supernode=supernode.accelerators
        )
    )
    if plain(supernode.max_power_w).size > 1:  # caps lie along the axis of the samples
        return None
    saved_w = working * (_middle(peak_of(supernode)) - peak_of(at_cap))
    peaks_w = (_middle(power.it_power_peak_w) - saved_w) * _middle(cooling.pue_hottest_hour)
    fitting = CAPS[peaks_w <= ROOM * limit_w]
    if not fitting.size:
        return None
    cap = float(fitting[0])
    return Fix(
        field="facility.power_cap",
        value=cap,
        message=f"Cap the accelerators at {cap:.0%} of their TDP; steps take longer.",
    )


def _size_that_fits(pod: Pod, peak_w: float, limit_w: float) -> Fix | None:
    """The most SuperNodes whose share of the peak is granted."""
    fitting = math.floor(_middle(pod.supernodes) * ROOM * limit_w / peak_w)
    if fitting < 1:
        return None
    return Fix(
        field="pod.supernodes",
        value=fitting,
        message=f"{fitting:,} SuperNodes fit; no cap that may be stated would do for all.",
    )


def _middle(array: Array) -> float:
    """The middle of the samples: the value itself where there is one."""
    values = np.sort(plain(array).ravel())
    return float(values[values.size // 2])
