"""Figures of a job that is no language model: its roofline, its step and what they add up to."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline)"
_SCALING = "[1] Gustafson 1988, Commun. ACM 31(5) 532-533; [2] Amdahl 1967, AFIPS 30 483-485"


@quantity(unit="FLOP/s", source="[1] Top500, November 2024 (LINPACK over peak)")
def sustained_flop_per_s(*, peak_flop_per_s: Array, compute_efficiency: Array) -> Array:
    """Arithmetic rate that the job's kernels sustain."""
    return peak_flop_per_s * compute_efficiency


@quantity(unit="s", source=_ROOFLINE, at="performance.time_breakdown_s.arithmetic")
def arithmetic_time_s(*, flop: Array, flop_per_s: Array) -> Array:
    """Arithmetic."""
    return flop / flop_per_s


@quantity(unit="s", source=_ROOFLINE, at="performance.time_breakdown_s.memory_traffic")
def memory_traffic_time_s(
    *, traffic_bytes: Array, memory_bandwidth_bytes_per_s: Array, arithmetic_s: Array
) -> Array:
    """Memory traffic that arithmetic does not hide.

    Both run at the same time: what takes longer sets the pace.
    """
    return np.maximum(traffic_bytes / memory_bandwidth_bytes_per_s - arithmetic_s, 0.0)


@quantity(unit="s", source=_ROOFLINE)
def local_time_s(*, arithmetic_s: Array, memory_traffic_s: Array) -> Array:
    """Step time of an accelerator on its own."""
    return arithmetic_s + memory_traffic_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.load_imbalance")
def load_imbalance_time_s(*, local_s: Array, load_imbalance: Array) -> Array:
    """Waiting for the accelerator that has most to do."""
    return (load_imbalance - 1) * local_s


@quantity(
    unit="s",
    source="[1] Valiant 1990, Commun. ACM 33(8) 103-111 (bulk-synchronous steps)",
    also_at="performance.step_time_s",
)
def generic_step_time_s(*, local_s: Array, load_imbalance_s: Array, exposed_s: tuple[Array, ...]) -> Array:
    """Time of one step.

    Local work, waiting for the slowest, and communication that nothing hides.
    """
    return sum(exposed_s, start=local_s + load_imbalance_s)


@quantity(unit="s", source=_ROOFLINE, at="performance.step_time_at_peak_s")
def step_time_at_peak_s(
    *, flop: Array, traffic_bytes: Array, peak_flop_per_s: Array, memory_bandwidth_bytes_per_s: Array
) -> Array:
    """Step time at peak: of arithmetic or memory, whichever takes longer, without communication."""
    return np.maximum(flop / peak_flop_per_s, traffic_bytes / memory_bandwidth_bytes_per_s)


@quantity(unit="1/s", source="definition", at="performance.steps_per_s")
def steps_per_s(*, step_time_s: Array) -> Array:
    """Steps in a second."""
    return 1 / step_time_s


@quantity(unit="FLOP/s", source="definition", at="performance.flop_per_s_per_accelerator")
def flop_per_s_per_accelerator(*, flop: Array, step_time_s: Array) -> Array:
    """Achieved FLOP/s per accelerator."""
    return flop / step_time_s


@quantity(unit="FLOP/s", source="definition", at="performance.flop_per_s")
def flop_per_s(*, flop_per_s_per_accelerator: Array, accelerators_used: Array) -> Array:
    """Achieved FLOP/s of the job."""
    return flop_per_s_per_accelerator * accelerators_used


@quantity(unit="1", percent=True, source=_ROOFLINE, at="performance.fraction_of_peak")
def fraction_of_peak(*, flop_per_s_per_accelerator: Array, peak_flop_per_s: Array) -> Array:
    """Share of the peak.

    Achieved FLOP/s over the dense peak at the precision of the job.
    """
    return flop_per_s_per_accelerator / peak_flop_per_s


@quantity(unit="1", percent=True, source=_ROOFLINE, at="performance.fraction_of_memory_bandwidth")
def fraction_of_memory_bandwidth(
    *, traffic_bytes: Array, step_time_s: Array, memory_bandwidth_bytes_per_s: Array
) -> Array:
    """Share of the memory bandwidth of the data sheet, over the whole step."""
    return traffic_bytes / step_time_s / memory_bandwidth_bytes_per_s


@quantity(unit="1", percent=True, source=_SCALING, at="performance.scaling_efficiency")
def scaling_efficiency(*, local_s: Array, step_time_s: Array) -> Array:
    """Scaling efficiency.

    Speed over that of one accelerator times their number, under strong and weak scaling alike: the share of the
    step that is local work.
    """
    return local_s / step_time_s


@quantity(unit="s", source="definition", at="performance.run_time_s")
def run_time_s(*, steps: Array, step_time_s: Array) -> Array:
    """Productive time of the run: all steps, without failures, restarts and checkpoints."""
    return steps * step_time_s


@quantity(unit="1", source="definition", also_at="performance.steps")
def generic_steps(*, steps: Array) -> Array:
    """Steps of the run."""
    return 1 * steps


@quantity(unit="B", source="definition", at="performance.memory_breakdown_bytes.data")
def data_bytes(*, memory_held_each_bytes: Array) -> Array:
    """What the job holds on each accelerator."""
    return 1 * memory_held_each_bytes


@quantity(unit="B", source="definition", also_at="performance.memory_per_accelerator_bytes")
def generic_memory_bytes(*, data: Array, reserved: Array) -> Array:
    """Memory in use on an accelerator."""
    return data + reserved


@quantity(unit="1", source="definition", at="performance.strategy.ranks")
def ranks(*, ranks: Array) -> Array:
    """Ranks of the job, one on each accelerator."""
    return 1 * ranks


@quantity(unit="1", source="definition", at="performance.strategy.domain_ranks")
def domain_ranks(*, domain_ranks: Array) -> Array:
    """Ranks that share a scale-up domain."""
    return 1 * domain_ranks


@quantity(unit="1", source="definition", at="performance.strategy.domains")
def domains(*, domains: Array) -> Array:
    """Scale-up domains of the job."""
    return 1 * domains


@quantity(unit="1", source="definition", at="performance.strategy.grid_x")
def grid_x(*, ranks: Array) -> Array:
    """Ranks along x."""
    return 1 * ranks


@quantity(unit="1", source="definition", at="performance.strategy.grid_y")
def grid_y(*, ranks: Array) -> Array:
    """Ranks along y."""
    return 1 * ranks


@quantity(unit="1", source="definition", at="performance.strategy.grid_z")
def grid_z(*, ranks: Array) -> Array:
    """Ranks along z."""
    return 1 * ranks
