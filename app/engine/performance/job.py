"""What is trained: the workload with its counts, which no layout changes."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.specs import TrainingWorkload
from app.engine.workload.flops import FlopCounts, flop_counts
from app.engine.workload.prediction import PredictionModules, prediction_modules
from app.engine.workload.transformer import ParameterCounts, parameter_counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is trained: the workload with its counts, which no layout changes."""

    workload: TrainingWorkload
    counts: ParameterCounts
    flops: FlopCounts
    prediction: PredictionModules


def job_of(workload: TrainingWorkload) -> Job:
    """A workload with its parameter and FLOP counts."""
    counts = parameter_counts(architecture=workload.architecture)
    flops = flop_counts(
        architecture=workload.architecture, counts=counts, sequence_length=workload.sequence_length
    )
    prediction = prediction_modules(
        architecture=workload.architecture,
        counts=counts,
        flops=flops,
        modules=workload.prediction_modules,
        sequence_length=workload.sequence_length,
    )
    return Job(workload=workload, counts=counts, flops=flops, prediction=prediction)
