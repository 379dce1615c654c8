"""The measured runs that designs are compared with, as arrays, and a design as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from app.catalog.validated import ValidatedRun, validated_runs
from app.engine.evaluation import Sections
from app.engine.shared.parts import first_alone
from app.engine.trace import Array
from app.engine.uncertainty.likeness import Features
from app.scenarios.evaluation.training_only import training_run
from app.scenarios.resolve import Resolved

BILLION = 1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Residuals:
    """The shipped runs: (n,) each.

    `errors` are logarithms of measured over predicted, with constants fitted without the source and without the
    accelerator of the run, as a design is of neither; runs of one `deployment` share source, accelerator,
    framework and precision.
    """

    runs: tuple[ValidatedRun, ...]
    features: Features
    errors: Array
    deployment: NDArray[np.intp]


@cache
def residuals() -> Residuals:
    """The runs as arrays, prepared once a process."""
    runs = validated_runs()
    deployments = [(run.family, run.accelerator_key, run.framework, run.precision) for run in runs]
    numbers = {deployment: number for number, deployment in enumerate(dict.fromkeys(deployments))}
    return Residuals(
        runs=runs,
        features=features_of_runs(runs),
        errors=np.log([run.measured_tokens_per_s / run.left_out_tokens_per_s for run in runs]),
        deployment=np.array([numbers[deployment] for deployment in deployments], dtype=np.intp),
    )


def features_of_runs(runs: Sequence[ValidatedRun]) -> Features:
    """What measured runs are compared by, (n,) each."""
    return Features(
        accelerators=np.array([run.accelerators for run in runs], dtype=float),
        active_parameters=np.array([run.active_parameters * BILLION for run in runs]),
        sequence_length=np.array([run.sequence_length for run in runs], dtype=float),
        experts=np.array([float(run.architecture == "moe") for run in runs]),
        generation=np.array([run.generation for run in runs]),
        framework=np.array([run.framework for run in runs]),
        precision=np.array([run.precision for run in runs]),
    )


def features_of(resolved: Resolved, sections: Sections) -> Features:
    """A design as one run."""
    design = first_alone(resolved.design)
    run = training_run(design, sections, "A comparison with measured runs")
    context = context_of_speed(resolved, sections)
    return Features(
        accelerators=design.pod.accelerators_used,
        active_parameters=run.performance.active_parameters,
        sequence_length=run.workload.sequence_length,
        experts=(run.workload.architecture.experts > 0).astype(float),
        generation=np.array([context["generation"]]),
        framework=np.array([context["framework"]]),
        precision=np.array([context["precision"]]),
    )


def context_of_speed(resolved: Resolved, sections: Sections) -> Mapping[str, str]:
    """The words of the hardware that sets the speed: of several kinds of SuperNode the slowest."""
    times = getattr(sections.performance, "step_time_by_kind_s", ())
    contexts = (resolved.context, *resolved.further_contexts)
    return contexts[int(np.argmax([float(np.median(time_s)) for time_s in times]))] if times else contexts[0]
