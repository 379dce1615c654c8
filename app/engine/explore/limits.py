"""Which limit each of many designs breaks, as arrays: the conditions behind every `infeasible` problem.

The problems of one design say more: by how much, and what would mend it. What they take for infeasible and
what stands here must agree; a test holds the two against each other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.design import Sections
from app.engine.fabric.problems import fabric_problems
from app.engine.facility.cooling.plants import AIR
from app.engine.mixed import all_kinds, blended
from app.engine.performance.problems import TIER_WORDS
from app.engine.performance.section import Performance
from app.engine.specs import Design

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
)
"""Constraints that make a design infeasible, in the order in which its problems name them."""


def broken_limits(design: Design, sections: Sections) -> dict[str, Flags]:
    """Whether each limit is broken, of shape (1,) or (s, 1). What is unknown breaks none.

    Pod, fabric and layout are those of the design for all samples: they are structure.
    """
    design = blended(design, all_kinds(design))
    fabric = fabric_problems(
        pod=design.pod,
        supernode=design.supernode,
        fabric=sections.fabric,
        assumptions=design.assumptions.rooms["fabric"],
    )
    in_the_way = {problem.constraint for problem in fabric if problem.kind == "infeasible"}
    return (
        {name: np.array([name in in_the_way]) for name in FABRIC}
        | _of_performance(design, sections)
        | _of_operations(sections)
        | _of_facility(design, sections)
    )


def _of_performance(design: Design, sections: Sections) -> dict[str, Flags]:
    performance = sections.performance
    too_full = performance.memory_per_accelerator_bytes > performance.memory_capacity_bytes
    if not isinstance(performance, Performance):
        return {"memory": too_full}
    used, room = performance.offloaded_per_accelerator_bytes, performance.offload_capacity_bytes
    tier = 0.0 if design.layout is None else float(design.layout.offload_tier.ravel()[0])
    return {
        "layout": np.isnan(performance.strategy["tp"]) & (design.layout is None),
        "memory": too_full,
        TIER_WORDS[tier].constraint: (used > 0) & (used > room),
    }


def _of_operations(sections: Sections) -> dict[str, Flags]:
    reliability = sections.reliability
    blocking = reliability.checkpoint_scheme == "blocking"
    return {
        "storage write bandwidth": (reliability.checkpoint_write_s > reliability.mtbf_s) & np.array(blocking)
    }


def _of_facility(design: Design, sections: Sections) -> dict[str, Flags]:
    cooling, assumptions = sections.cooling, design.assumptions.rooms["facility"]
    too_warm = design.facility.coolant_supply_c > assumptions.coolant_supply_limit_c
    return {
        "cooling plant": (design.supernode.liquid_share > 0) & np.array(cooling.plant == AIR),
        "rack density": cooling.air_heat_per_rack_w > assumptions.air_rack_limit_w,
        "coolant temperature": too_warm & (cooling.liquid_heat_design_w > 0),
    }
