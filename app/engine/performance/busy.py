"""How much of a step the accelerators compute, and how much of it they wait."""

from __future__ import annotations

import functools
import operator

from app.engine.performance.generic_step import GenericPerformance
from app.engine.performance.section import Performance
from app.engine.performance.serving.section import ServingPerformance
from app.engine.quantities import quantity
from app.engine.trace import Array

COMPUTING = ("gemm", "attention", "memory_bound", "prediction", "recompute", "optimizer")
"""Parts of the step in which the accelerators compute; in all others they exchange or wait."""


@quantity(unit="1", source="definition")
def busy_share(*, computing_s: tuple[Array, ...], step_time_s: Array, calibration_s: Array) -> Array:
    """Share of the step in which the accelerators compute.

    The rest is exchange that nothing hides, the pipeline bubble and waiting for stragglers and the host. What
    own runs take longer than predicted is left out: no one knows which part of the step it belongs to.
    """
    return functools.reduce(operator.add, computing_s) / (step_time_s - calibration_s)


def busy_share_of(performance: Performance | GenericPerformance | ServingPerformance) -> Array | None:
    """Of a training step; None for a generic job, whose power no one has measured against its step.

    None for a pod that serves too: its power was measured as a whole.
    """
    if isinstance(performance, GenericPerformance | ServingPerformance):
        return None
    parts = performance.time_breakdown_s
    return busy_share(
        computing_s=tuple(parts[name] for name in COMPUTING),
        step_time_s=performance.step_time_s,
        calibration_s=parts["calibration"],
    )
