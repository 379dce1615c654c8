"""What is for training alone asks here for it, and generic jobs are refused in words."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.design import Sections
from app.engine.performance.section import Performance
from app.engine.specs import Design, TrainingWorkload
from app.scenarios.errors import refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRun:
    workload: TrainingWorkload
    performance: Performance


def training_run(design: Design, sections: Sections, purpose: str) -> TrainingRun:
    """The workload and performance of a design that trains a model.

    Raises
    ------
    ScenarioError : it does something else; `purpose` ("A search over layouts") begins the message
    """
    workload, performance = design.workload, sections.performance
    if isinstance(workload, TrainingWorkload) and isinstance(performance, Performance):
        return TrainingRun(workload=workload, performance=performance)
    raise refuse(
        f"{purpose} is of training runs, and this workload is generic: it has no layout and no tokens.",
        rule="workload_kind",
        path="workload.kind",
        value="generic",
        hint="Use a scenario of kind training; of a generic job the sizes of the scale-up domain are compared.",
    )


def one_kind(design: Design, purpose: str) -> None:
    """For what is asked of pods with one kind of SuperNode.

    Raises
    ------
    ScenarioError : it has several; `purpose` ("A study of domain sizes") begins the message
    """
    if not design.kinds:
        return
    raise refuse(
        f"{purpose} is of pods with one kind of SuperNode, and this one has {len(design.kinds) + 1}.",
        rule="one_kind",
        path="pod.also",
        value=f"{len(design.kinds)} further",
        hint="Take pod.also out to study the first kind alone.",
    )
