"""What is for training alone, or for jobs that run and end, asks here for it; other workloads are refused in words."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.evaluation import Sections
from app.engine.performance.section import Performance
from app.engine.specs import Design, ServingWorkload, TrainingWorkload
from app.engine.trace import Array
from app.scenarios.errors import ScenarioError, refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRun:
    workload: TrainingWorkload
    performance: Performance


def training_run(design: Design, sections: Sections, purpose: str) -> TrainingRun:
    """The workload and performance of a design that trains a model.

    Raises
    ------
    ScenarioError : it does something else, or more; `purpose` ("A search over layouts") begins the message
    """
    one_workload(design, purpose)
    workload, performance = design.workload, sections.performance
    if isinstance(workload, TrainingWorkload) and isinstance(performance, Performance):
        return TrainingRun(workload=workload, performance=performance)
    if isinstance(workload, ServingWorkload):
        raise refuse(
            f"{purpose} is of training runs, and this workload serves: it answers requests and trains nothing.",
            rule="workload_kind",
            path="workload.kind",
            value="serving",
            hint="Use a scenario of kind training.",
        )
    raise refuse(
        f"{purpose} is of training runs, and this workload is generic: it has no layout and no tokens.",
        rule="workload_kind",
        path="workload.kind",
        value="generic",
        hint="Use a scenario of kind training; of a generic job the sizes of the scale-up domain are compared.",
    )


def a_run(design: Design, purpose: str) -> None:
    """For what is asked of jobs that run and end.

    Raises
    ------
    ScenarioError : the design serves, or more than one workload has it; `purpose` ("Carbon per run") begins
        the message
    """
    one_workload(design, purpose)
    if isinstance(design.workload, ServingWorkload):
        raise _no_run(purpose)


def of_a_run(figure: Array | None, purpose: str) -> Array:
    """A figure that every run has.

    Raises
    ------
    ScenarioError : it is None, as the design serves and has no run
    """
    if figure is None:
        raise _no_run(purpose)
    return figure


def _no_run(purpose: str) -> ScenarioError:
    return refuse(
        f"{purpose} cannot be worked out: it is for jobs that run and end, and a pod that serves has no run.",
        rule="workload_kind",
        path="workload.kind",
        value="serving",
        hint="The cost and carbon of its tokens are in its evaluation; use a scenario of kind training or generic here.",
    )


def one_kind(design: Design, purpose: str) -> None:
    """For what is asked of pods with one kind of SuperNode.

    Raises
    ------
    ScenarioError : it has several, or several workloads; `purpose` ("A study of domain sizes") begins the message
    """
    one_workload(design, purpose)
    if not design.kinds:
        return
    raise refuse(
        f"{purpose} is of pods with one kind of SuperNode, and this one has {len(design.kinds) + 1}.",
        rule="one_kind",
        path="pod.also",
        value=f"{len(design.kinds)} further",
        hint="Take pod.also out to study the first kind alone.",
    )


def one_workload(design: Design, purpose: str) -> None:
    """For what is asked of pods that one workload has to itself.

    Raises
    ------
    ScenarioError : workloads share it; `purpose` ("A search over layouts") begins the message
    """
    if design.sharing is None:
        return
    raise refuse(
        f"{purpose} is of pods that one workload has to itself, and {len(design.sharing.others) + 1} share this one.",
        rule="one_workload",
        path="sharing",
        value=design.sharing.by,
        hint="Take sharing out to study the first workload alone.",
    )
