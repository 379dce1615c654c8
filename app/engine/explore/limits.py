"""Which limit each of many designs breaks, as arrays: the conditions behind every `infeasible` problem.

The problems of one design say more: by how much, and what would fix it. Both must agree on what is
infeasible; a test compares them.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from app.engine.evaluation import Sections
from app.engine.fabric.problems import fabric_problems
from app.engine.facility.cooling.plants import LIQUID_TO_AIR, cannot_use
from app.engine.facility.electrical.problems import unit_sizes_broken
from app.engine.facility.racks.problems import asked_of_cooling, racks_over
from app.engine.mixed import all_kinds, blended
from app.engine.performance.problems import TIER_WORDS
from app.engine.performance.section import Performance
from app.engine.performance.serving.layout_problems import budgets_broken, refused
from app.engine.performance.serving.section import ServingPerformance
from app.engine.shared.parts import first_alone
from app.engine.specs import Design, ServingWorkload

Flags = NDArray[np.bool_]

FABRIC = ("topology", "switch_radix", "spine_ports")
LIMITS = (
    *FABRIC,
    "layout",
    "memory",
    *(tier.constraint for tier in TIER_WORDS.values()),
    "storage write bandwidth",
    "cooling plant",
    "rack density",
    "coolant temperature",
    "liquid to air",
    "cooling class",
    "coolant flow",
    "unit size",
    "utility limit",
    "ttft",
    "tpot",
    "demand",
    "switching",
    "latency_budget",
)
"""Constraints that make a design infeasible. Kept results hold their places: add at the end."""

OF_FACILITY = (
    "unit size",
    "cooling plant",
    "coolant temperature",
    "liquid to air",
    "rack density",
    "cooling class",
    "coolant flow",
    "utility limit",
)
IN_ORDER = (*(name for name in LIMITS if name not in OF_FACILITY), *OF_FACILITY)
"""The same, in the order in which problems name them."""


def broken_limits(design: Design, sections: Sections) -> dict[str, Flags]:
    """Return whether each limit is broken, of shape (1,) or (s, 1). What is unknown breaks none.

    Pod, fabric and layout are those of the design for all samples: they are structure.
    """
    design = blended(design, all_kinds(design))
    return limits_of_fabric(design, sections) | limits_of_pods(design, sections)


def limits_of_fabric(design: Design, sections: Sections) -> dict[str, Flags]:
    """The limits that the fabric of one pod breaks."""
    fabric = fabric_problems(
        pod=design.pod,
        supernode=design.supernode,
        fabric=sections.fabric,
        assumptions=design.assumptions.rooms["fabric"],
    )
    in_the_way = {problem.constraint for problem in fabric if problem.kind == "infeasible"}
    return {name: np.array([name in in_the_way]) for name in FABRIC}


def limits_of_pods(design: Design, sections: Sections) -> dict[str, Flags]:
    """All other limits, which hold for pods of several sizes as well, each a sample."""
    return (
        _of_performance(first_alone(design), sections)
        | _of_sharing(sections)
        | _of_operations(sections)
        | _of_facility(design, sections)
    )


def _of_performance(design: Design, sections: Sections) -> dict[str, Flags]:
    performance = sections.performance
    over = performance.memory_per_accelerator_bytes / performance.memory_capacity_bytes - 1
    too_full = over > 0
    if isinstance(performance, ServingPerformance):
        return _of_serving(design, performance)
    if not isinstance(performance, Performance):
        return {"memory": too_full}
    if design.layout is not None:  # what someone states may run up to the error of the memory model
        too_full = over > design.assumptions.rooms["performance"].memory_margin
    used, room = performance.offloaded_per_accelerator_bytes, performance.offload_capacity_bytes
    tier = 0.0 if design.layout is None else float(design.layout.offload_tier.ravel()[0])
    return {
        "layout": np.isnan(performance.strategy["tp"]) & (design.layout is None),
        "memory": too_full,
        TIER_WORDS[tier].constraint: (used > 0) & (used > room),
    }


def _of_serving(design: Design, performance: ServingPerformance) -> dict[str, Flags]:
    """SLO and demand are checked only where replicas and requests fit."""
    assert isinstance(design.workload, ServingWorkload)
    level = design.workload.level
    too_large = performance.accelerators_per_replica > design.pod.accelerators_used
    cannot_run = refused(
        design.workload, design.supernode.scale_up_domain_accelerators, design.pod.accelerators_used
    )
    too_full = performance.batch_limit < 1
    runs = ~(too_large | cannot_run | too_full)
    needed = performance.supernodes_needed
    return {
        "layout": too_large | cannot_run,
        "memory": too_full,
        "ttft": runs & (performance.ttft_within_s > level.ttft_s),
        "tpot": np.array([False])
        if performance.tpot_within_s is None
        else runs & (performance.tpot_within_s > level.tpot_s),
        "latency_budget": budgets_broken(design.workload, performance, runs),
        "demand": np.array([False]) if needed is None else runs & (needed > design.pod.supernodes),
    }


def _of_sharing(sections: Sections) -> dict[str, Flags]:
    """Return whether handing the pod over leaves no time to any of the workloads that take turns."""
    lost = [
        one.switching_s_per_day >= 86_400 * one.share
        for one in sections.workloads
        if one.switching_s_per_day is not None
    ]
    return {"switching": functools.reduce(np.logical_or, lost)} if lost else {}


def _of_operations(sections: Sections) -> dict[str, Flags]:
    reliability = sections.reliability
    if reliability.checkpoint_write_s is None:
        return {}
    blocking = reliability.checkpoint_scheme == "blocking"
    return {
        "storage write bandwidth": (reliability.checkpoint_write_s > reliability.mtbf_s) & np.array(blocking)
    }


def _of_facility(design: Design, sections: Sections) -> dict[str, Flags]:
    cooling, assumptions = sections.cooling, design.assumptions.rooms["facility"]
    supply_c = design.facility.coolant_supply_c
    too_warm = supply_c > assumptions.coolant_supply_limit_c
    hall_makes_c = assumptions.hall_air_supply_c + assumptions.cdu_to_air_approach_k
    too_cold = (supply_c < hall_makes_c) & np.array(cooling.plant == LIQUID_TO_AIR)
    utility_limit_w = design.facility.utility_limit_w
    over = np.array([False]) if utility_limit_w is None else sections.power.utility_peak_w > utility_limit_w
    return {
        "unit size": unit_sizes_broken(
            it_power_design_w=sections.power.it_power_design_w,
            redundancy=design.facility.redundancy,
            assumptions=assumptions,
        ),
        "utility limit": over,
        "cooling plant": cannot_use(plant=cooling.plant, liquid_share=design.supernode.liquid_share),
        **racks_over(asked_of_cooling(power=sections.power, cooling=cooling, assumptions=assumptions)),
        "coolant temperature": too_warm & (cooling.liquid_heat_design_w > 0),
        "condensation": (supply_c < assumptions.hall_dew_point_c) & (cooling.liquid_heat_design_w > 0),
        "liquid to air": too_cold & (cooling.liquid_heat_design_w > 0),
    }
