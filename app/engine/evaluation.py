"""Evaluation of a design: the sections of all rooms, and its problems."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.economics.section import Carbon, Cost
from app.engine.fabric.section import Fabric
from app.engine.facility.section import Cooling, Power
from app.engine.operations.section import Reliability
from app.engine.performance.generic_step import GenericPerformance
from app.engine.performance.section import Performance
from app.engine.performance.serving.section import ServingPerformance
from app.engine.problems import Problem
from app.engine.shared.section import SharedWorkload

AnyPerformance = Performance | GenericPerformance | ServingPerformance


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """One section a room. While explaining, every figure in them is traced.

    `workloads` are those of a pod that several share, the first one first; none where one has it to itself. The
    rooms then are of the pod, and of the first workload where they are of one.
    """

    performance: AnyPerformance
    fabric: Fabric
    reliability: Reliability
    power: Power
    cooling: Cooling
    cost: Cost
    carbon: Carbon
    workloads: tuple[SharedWorkload, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All figures of a design and what stands in its way. An infeasible design has its figures too."""

    sections: Sections
    problems: tuple[Problem, ...]

    @property
    def feasible(self) -> bool:
        return not any(problem.kind == "infeasible" for problem in self.problems)
