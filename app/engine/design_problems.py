"""Problems of a design: each room says it of its section."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.economics.section import economics_problems
from app.engine.evaluation import AnyPerformance, Sections
from app.engine.fabric.section import Fabric, fabric_problems
from app.engine.facility.power_supply.problems import power_supply_problems
from app.engine.facility.section import facility_problems
from app.engine.facility.utility_limit import utility_limit_problems
from app.engine.mixed import all_kinds, blended
from app.engine.operations.problems import storage_network_problems
from app.engine.operations.section import operations_problems
from app.engine.performance.generic_step import GenericPerformance, generic_problems
from app.engine.performance.section import Performance, performance_problems
from app.engine.performance.serving.layout_problems import region_problems
from app.engine.performance.serving.problems import serving_problems
from app.engine.performance.serving.replica_memory import setting_found
from app.engine.performance.serving.section import ServingPerformance
from app.engine.problems import Problem
from app.engine.shared.parts import Part
from app.engine.shared.problems import workloads_problems
from app.engine.shared.section import SharedWorkload
from app.engine.specs import Design, GenericWorkload, Kind, ServingWorkload, TrainingWorkload


def problems_of(
    design: Design, sections: Sections, of_speed: Callable[[AnyPerformance], list[Problem]] | None = None
) -> list[Problem]:
    """Every problem of a design whose figures are known, room by room; those of its speed where they are at hand."""
    kinds = all_kinds(design)
    found = _found_problems(design, kinds, sections, of_speed)
    return [_without_one_kinds_fix(problem) for problem in found] if kinds else found


def _without_one_kinds_fix(problem: Problem) -> Problem:
    """A problem of a mixed pod without a fix that would change its first kind alone."""
    alone = ("supernode.", "pod.supernodes")
    return problem.with_fixes([fix for fix in problem.fixes if not fix.field.startswith(alone)])


def workload_problems(design: Design, fabric: Fabric, performance: AnyPerformance) -> list[Problem]:
    """Problems of a design with one workload that follow from its performance."""
    return _performance_problems(design, all_kinds(design), fabric, performance)


def _found_problems(
    stated: Design,
    kinds: tuple[Kind, ...],
    sections: Sections,
    of_speed: Callable[[AnyPerformance], list[Problem]] | None,
) -> list[Problem]:
    design = blended(stated, kinds)
    rooms = design.assumptions.rooms
    return [
        *fabric_problems(
            pod=design.pod,
            supernode=design.supernode,
            fabric=sections.fabric,
            assumptions=rooms["fabric"],
        ),
        *(of_speed(sections.performance) if of_speed else _problems_of_speed(stated, kinds, sections)),
        *operations_problems(operations=design.operations, reliability=sections.reliability),
        *storage_network_problems(pod=design.pod, fabric=sections.fabric, reliability=sections.reliability),
        *facility_problems(
            supernode=design.supernode,
            pod=design.pod,
            facility=design.facility,
            power=sections.power,
            cooling=sections.cooling,
            assumptions=rooms["facility"],
            kinds=kinds,
        ),
        *utility_limit_problems(
            supernode=design.supernode,
            pod=design.pod,
            facility=design.facility,
            power=sections.power,
            cooling=sections.cooling,
            assumptions=rooms["facility"],
        ),
        *power_supply_problems(
            facility=design.facility,
            power=sections.power,
            cooling=sections.cooling,
            assumptions=rooms["facility"],
        ),
        *economics_problems(economics=design.economics, cost=sections.cost),
    ]


def _problems_of_speed(design: Design, kinds: tuple[Kind, ...], sections: Sections) -> list[Problem]:
    """Of the one workload, or of each."""
    fabric = sections.fabric
    if design.sharing is None:
        return _performance_problems(design, kinds, fabric, sections.performance)

    def of_a_workload(part: Part, workload: SharedWorkload) -> list[Problem]:
        return _performance_problems(part.design, (), fabric, workload.performance)

    return workloads_problems(design, sections.workloads, of_a_workload)


def _performance_problems(
    stated: Design, kinds: tuple[Kind, ...], fabric: Fabric, performance: AnyPerformance
) -> list[Problem]:
    design = blended(stated, kinds)
    workload, rooms = design.workload, design.assumptions.rooms
    if isinstance(performance, ServingPerformance) and isinstance(workload, ServingWorkload):
        setting = setting_found(stated, kinds, fabric, performance)
        return [
            *serving_problems(setting=setting, pod=design.pod, performance=performance, kinds=kinds),
            *region_problems(workload=workload, performance=performance),
        ]
    if isinstance(performance, Performance) and isinstance(workload, TrainingWorkload):
        return performance_problems(
            workload=workload,
            supernode=design.supernode,
            pod=design.pod,
            layout=design.layout,
            performance=performance,
            assumptions=rooms["performance"],
            kinds=kinds,
            framework=design.framework,
        )
    assert isinstance(performance, GenericPerformance)
    assert isinstance(workload, GenericWorkload)
    return generic_problems(workload=workload, performance=performance)
