"""A job with the layout that it runs with, and its step on a fabric that has lost some of its bandwidth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.design import performance_of
from app.engine.fabric.faults.effect import fabric_left
from app.engine.fabric.faults.share import Share
from app.engine.fabric.section import Fabric, evaluate_fabric
from app.engine.mixed import all_kinds, blended
from app.engine.performance.section import found_layout
from app.engine.performance.serving.replica_memory import with_evaluated_layout
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import Design, Kind, ServingWorkload, TrainingWorkload
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A job as it runs on a whole fabric. It keeps its layout when something fails."""

    design: Design
    kinds: tuple[Kind, ...]
    fabric: Fabric


def running(design: Design) -> Running:
    """The job of a design, with the layout that it has or that a search finds for it."""
    kinds = all_kinds(design)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        mean = blended(design, kinds)
        rooms = mean.assumptions.rooms
        fabric = evaluate_fabric(pod=mean.pod, supernode=mean.supernode, assumptions=rooms["fabric"])
        if mean.layout is None and isinstance(mean.workload, TrainingWorkload):
            layout = found_layout(
                mean.workload, mean.supernode, mean.pod, fabric, rooms["performance"], kinds, mean.framework
            )
            mean = replace(mean, layout=layout)
        if isinstance(mean.workload, ServingWorkload):
            performance = performance_of(mean, fabric, kinds)
            assert isinstance(performance, ServingPerformance)
            mean = replace(mean, workload=with_evaluated_layout(mean.workload, performance))
    return Running(design=mean, kinds=kinds, fabric=fabric)


def step_time_left_s(job: Running, share: Share) -> Array:
    """Step time of a job that goes on with what is left of the bandwidth."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        return performance_of(job.design, fabric_left(job.fabric, share), job.kinds).step_time_s
