"""Several workloads on one pod: each on a share of its SuperNodes, or of its day."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.specs.design import Assumptions
from app.engine.specs.framework import Framework
from app.engine.specs.serving import ServingWorkload
from app.engine.specs.workload import GenericWorkload, Layout, TrainingWorkload
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherWorkload:
    """A workload beside the first. `assumptions` holds the rooms that go by the workload; the pod's are the first's."""

    name: str
    share: Array  # of the pod, or of the day
    workload: TrainingWorkload | GenericWorkload | ServingWorkload
    layout: Layout | None
    assumptions: Assumptions
    framework: Framework | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """How a pod is shared. The first workload is that of the design, and has what the others leave."""

    by: str  # pod | day
    first_name: str
    others: tuple[OtherWorkload, ...]
