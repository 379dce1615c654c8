"""Performance of each workload of a shared pod."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from app.engine.fabric.section import Fabric
from app.engine.operations.section import Reliability, evaluate_reliability
from app.engine.performance.serving.section import ServingPerformance
from app.engine.shared import parts, switching
from app.engine.shared.parts import AnyPerformance, Part
from app.engine.trace import Array

Runs = Callable[[Part, Fabric], AnyPerformance]
WithReliability = Callable[[Part, AnyPerformance, Reliability], AnyPerformance]


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """A workload with how it runs. `working_share` is of the day; 1 where it has its SuperNodes all the time."""

    part: Part
    performance: AnyPerformance
    reliability: Reliability
    working_share: Array
    switching_s_per_day: Array | None = None  # None: nothing is handed over


def working(part: Part, fabric: Fabric, *, by: str, runs: Runs, with_reliability: WithReliability) -> Working:
    """One workload; how it runs alone is told by the design, which passes it in."""
    design, operations = part.design, part.design.assumptions.rooms["operations"]
    performance = runs(part, fabric)
    reliability = evaluate_reliability(
        workload=design.workload,
        supernode=design.supernode,
        pod=design.pod,
        operations=design.operations,
        performance=performance,
        assumptions=operations,
    )
    performance = with_reliability(part, performance, reliability)
    if by == "pod":
        return Working(part=part, performance=performance, reliability=reliability, working_share=np.ones(1))
    lost_s = switching.switching_s_per_day(reliability, performance, operations)
    share = switching.working_share(share=part.share, switching_s_per_day=lost_s)
    return Working(
        part=part,
        performance=_by_the_calendar(performance, share),
        reliability=reliability,
        working_share=share,
        switching_s_per_day=lost_s,
    )


def _by_the_calendar(performance: AnyPerformance, working_share: Array) -> AnyPerformance:
    if isinstance(performance, ServingPerformance):
        return performance
    elapsed = parts.elapsed_by_the_calendar_s(
        elapsed_time_s=performance.elapsed_time_s, working_share=working_share
    )
    return replace(performance, elapsed_time_s=elapsed)
