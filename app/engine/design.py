"""Design -> Evaluation: the rooms in a fixed order, each given the sections made before it.

Feedbacks are resolved by this order and never by iteration: a power cap is an input of step
time, the elapsed time is written once reliability is known, PUE is an input of cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.engine.design_problems import problems_of
from app.engine.economics.section import evaluate_carbon, evaluate_cost
from app.engine.evaluation import AnyPerformance, Evaluation, Sections
from app.engine.fabric.section import Fabric, evaluate_fabric
from app.engine.facility.power_supply.supplied import supplied
from app.engine.facility.section import evaluate_facility
from app.engine.mixed import all_kinds, blended, kind_prices_usd, prefill_weighted_share
from app.engine.operations.goodput import elapsed_time_s
from app.engine.operations.section import Reliability, evaluate_reliability
from app.engine.operations.site import at_site as at_site_of
from app.engine.operations.site import with_outages
from app.engine.performance.busy import busy_share_of
from app.engine.performance.generic_step import GenericPerformance, evaluate_generic
from app.engine.performance.section import evaluate_training
from app.engine.performance.serving.capacity import with_headroom
from app.engine.performance.serving.evaluate import evaluate_serving
from app.engine.performance.serving.replica_memory import places_of
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.served_demand import borne
from app.engine.problems import Problem
from app.engine.shared.evaluate import evaluate_shared
from app.engine.shared.parts import Part
from app.engine.specs import Design, Facility, GenericWorkload, Kind, ServingWorkload


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """Fabric and performance of a design, as computed when frameworks were compared.

    `problems` gives what stands in the way of the workload at its performance, where that is kept for designs
    of this speed.
    """

    design: Design
    fabric: Fabric
    performance: AnyPerformance
    problems: Callable[[AnyPerformance], list[Problem]] | None = None


def evaluate(design: Design, speed: Speed | None = None) -> Evaluation:
    """Every figure of a design; its `speed`, where that is known, is not computed again.

    Unknown inputs are NaN and make what depends on them NaN; `explain.missing_inputs` names them.
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        sections = evaluate_sections(design, speed)
        of_speed = speed.problems if speed is not None and speed.design is design else None
        return Evaluation(sections=sections, problems=tuple(problems_of(design, sections, of_speed)))


def evaluate_sections(design: Design, speed: Speed | None = None) -> Sections:
    """The figures alone, for bare and for traced designs alike."""
    if design.sharing is not None:
        return _shared_sections(design)
    if speed is None or speed.design is not design:
        speed = speed_of(design)
    fabric, performance = speed.fabric, speed.performance
    kinds = all_kinds(design)
    design = blended(design, kinds)
    rooms = design.assumptions.rooms
    reliability = evaluate_reliability(
        supernode=design.supernode,
        pod=design.pod,
        workload=design.workload,
        operations=design.operations,
        performance=performance,
        assumptions=rooms["operations"],
    )
    performance = _with_reliability(design, kinds, performance, reliability)
    return _standing(design, kinds, fabric, performance, reliability)


def speed_of(design: Design, fabric: Fabric | None = None) -> Speed:
    """How fast the one workload of a design runs; the `fabric` is computed where it is not known."""
    kinds = all_kinds(design)
    whole = blended(design, kinds)
    if fabric is None:
        fabric = evaluate_fabric(
            supernode=whole.supernode, pod=whole.pod, assumptions=whole.assumptions.rooms["fabric"]
        )
    return Speed(design=design, fabric=fabric, performance=performance_of(whole, fabric, kinds))


def evaluate_fabric_of(design: Design) -> Fabric:
    """The fabric of a design of one kind of SuperNode."""
    return evaluate_fabric(
        supernode=design.supernode, pod=design.pod, assumptions=design.assumptions.rooms["fabric"]
    )


def at_site(design: Design, sections: Sections, facility: Facility) -> Sections:
    """The sections of a design that stands elsewhere: only what depends on the place is computed again.

    `sections` are those of the design where it stands; the two buildings differ in site and plant alone.
    """
    if design.sharing is not None:
        return _shared_sections(replace(design, facility=facility))
    kinds = all_kinds(design)
    moved = blended(replace(design, facility=facility), kinds)
    performance = _with_reliability(moved, kinds, sections.performance, sections.reliability)
    return _standing(moved, kinds, sections.fabric, performance, sections.reliability)


def at_same_speed(design: Design, sections: Sections) -> Sections:
    """The sections of a design that runs its job as another does: from failures on all is computed again.

    `sections` are those of a design with the same workload, hardware, fabric and layout, and the same assumptions
    of the fabric and the performance room. No layout is searched for, but where workloads share the pod.
    """
    if design.sharing is not None:
        return _shared_sections(design)
    kinds = all_kinds(design)
    design = blended(design, kinds)
    reliability = evaluate_reliability(
        supernode=design.supernode,
        pod=design.pod,
        workload=design.workload,
        operations=design.operations,
        performance=sections.performance,
        assumptions=design.assumptions.rooms["operations"],
    )
    performance = _with_reliability(design, kinds, sections.performance, reliability)
    return _standing(design, kinds, sections.fabric, performance, reliability)


def _standing(
    design: Design,
    kinds: tuple[Kind, ...],
    fabric: Fabric,
    performance: AnyPerformance,
    reliability: Reliability,
) -> Sections:
    """Power, cooling, cost and carbon of a pod whose speed, fabric and failures are known."""
    rooms = design.assumptions.rooms
    common: dict[str, Any] = {
        "supernode": design.supernode,
        "pod": design.pod,
        "fabric": fabric,
        "performance": _paid(design, kinds, performance),
        "reliability": reliability,
    }
    power, cooling = evaluate_facility(
        **common,
        facility=design.facility,
        assumptions=rooms["facility"],
        kinds=kinds,
        busy_share=busy_share_of(performance),
    )
    performance, reliability = with_outages(performance, power), at_site_of(reliability, power)
    common |= {
        "performance": with_outages(common["performance"], power),
        "reliability": reliability,
        "workload": design.workload,
        "facility": supplied(design.facility, power, cooling, rooms["facility"]),
        "operations": design.operations,
        "economics": design.economics,
        "power": power,
        "cooling": cooling,
        "assumptions": rooms["economics"],
    }
    return Sections(
        performance=performance,
        fabric=fabric,
        reliability=reliability,
        power=power,
        cooling=cooling,
        cost=evaluate_cost(**common),
        carbon=evaluate_carbon(**common),
    )


def _paid(design: Design, kinds: tuple[Kind, ...], performance: AnyPerformance) -> AnyPerformance:
    """The same; where it serves, with the rates of the demand, which pays for the pod.

    Prefill on another kind of SuperNode than decode has the share of the price that its accelerators have.
    """
    if not isinstance(performance, ServingPerformance) or not isinstance(design.workload, ServingWorkload):
        return performance
    paid = borne(performance, design.workload)
    places, parts = places_of(performance), performance.accelerators_per_replica_by_kind
    if len(places) == 1 or parts is None:
        return paid
    prices = kind_prices_usd(
        kinds, design.assumptions.rooms["economics"].server_price_ratio, design.economics
    )
    share = prefill_weighted_share(
        prefill_accelerators=parts[places[1]],
        decode_accelerators=parts[places[0]],
        prefill_each=prices[places[1]],
        decode_each=prices[places[0]],
    )
    return replace(paid, prefill_share=share)


def _shared_sections(design: Design) -> Sections:
    """Of several workloads on one pod, each by the way of its kind."""

    def runs(part: Part, fabric: Fabric) -> AnyPerformance:
        return performance_of(part.design, fabric, ())

    def with_reliability(part: Part, performance: AnyPerformance, reliability: Reliability) -> AnyPerformance:
        return _with_reliability(part.design, (), performance, reliability)

    return Sections(**evaluate_shared(design, runs=runs, with_reliability=with_reliability))


def performance_of(design: Design, fabric: Fabric, kinds: tuple[Kind, ...]) -> AnyPerformance:
    """How fast the workload runs, by its kind."""
    rooms = design.assumptions.rooms
    common: dict[str, Any] = {"supernode": design.supernode, "pod": design.pod, "fabric": fabric}
    if isinstance(design.workload, ServingWorkload):
        return evaluate_serving(
            workload=design.workload,
            **common,
            assumptions=rooms["serving"],
            of_chips=rooms["performance"],
            kinds=kinds,
        )
    common["assumptions"] = rooms["performance"]
    if isinstance(design.workload, GenericWorkload):
        return evaluate_generic(workload=design.workload, **common)
    return evaluate_training(
        workload=design.workload, layout=design.layout, kinds=kinds, framework=design.framework, **common
    )


def _with_reliability(
    design: Design, kinds: tuple[Kind, ...], performance: AnyPerformance, reliability: Reliability
) -> AnyPerformance:
    """Elapsed time of a run; SuperNodes that a demand needs where replicas fail."""
    if isinstance(performance, ServingPerformance):
        assert isinstance(design.workload, ServingWorkload)
        return with_headroom(
            performance,
            workload=design.workload,
            supernodes=tuple(kind.supernode for kind in kinds) or (design.supernode,),
            replica_availability=reliability.replica_availability,
        )
    assert reliability.ettr is not None, "a run has one"
    productive = (
        performance.run_time_s if isinstance(performance, GenericPerformance) else performance.training_time_s
    )
    elapsed = elapsed_time_s(training_time_s=productive, ettr=reliability.ettr)
    return replace(performance, elapsed_time_s=elapsed)
