"""Power of the workloads of a shared pod, each and together."""

from __future__ import annotations

from dataclasses import replace

from app.engine.fabric.section import Fabric
from app.engine.facility.cooling.choice import choose_plant
from app.engine.facility.cooling.liquid_loops import as_cooled
from app.engine.facility.it.load import ItLoad, it_load
from app.engine.operations.section import Reliability
from app.engine.performance.busy import busy_share_of
from app.engine.shared.load import in_turns, it_power_of_hours_w, it_power_of_supernodes_w, side_by_side
from app.engine.shared.workload_run import Working
from app.engine.specs import Design
from app.engine.trace import Array


def load_of_all(
    design: Design, each: tuple[Working, ...], fabric: Fabric, reliability: Reliability
) -> tuple[ItLoad, tuple[Array, ...]]:
    """The pod's IT load, and the mean IT power that each workload answers for [W].

    Parameters
    ----------
    reliability : read for the spares of the pod, which are installed and idle
    """
    facility, assumptions = design.facility, design.assumptions.rooms["facility"]
    plant = choose_plant(supernode=design.supernode, facility=facility, assumptions=assumptions)
    supernode = as_cooled(supernode=design.supernode, plant=plant, assumptions=assumptions)
    loads = tuple(
        it_load(
            supernode=supernode,
            pod=replace(design.pod, accelerators_used=one.part.accelerators),
            facility=facility,
            fabric=fabric,
            reliability=reliability,
            assumptions=assumptions,
            busy_share=busy_share_of(one.performance),
        )
        for one in each
    )
    powers = tuple(_it_power_w(one, load) for one, load in zip(each, loads, strict=True))
    if each[0].switching_s_per_day is None:
        return side_by_side(loads, powers), powers
    return in_turns(loads, powers, tuple(one.working_share for one in each)), powers


def _it_power_w(one: Working, load: ItLoad) -> Array:
    if one.switching_s_per_day is None:
        return it_power_of_supernodes_w(
            it_power_alone_w=load.mean_w, it_power_idle_w=load.idle_w, share=one.part.share
        )
    return it_power_of_hours_w(
        it_power_alone_w=load.mean_w,
        it_power_idle_w=load.idle_w,
        working_share=one.working_share,
        share=one.part.share,
    )
