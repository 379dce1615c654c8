"""Figures of a job that is no language model: its roofline, its step and what they add up to."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import alias, quantity
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


@quantity(
    unit="s", source=_ROOFLINE, at="performance.time_breakdown_s.memory_traffic", short="Memory traffic"
)
def memory_traffic_time_s(
    *, traffic_bytes: Array, memory_bandwidth_bytes_per_s: Array, arithmetic_s: Array
) -> Array:
    """Exposed memory traffic.

    Both run at the same time: what takes longer sets the pace.
    """
    return np.maximum(traffic_bytes / memory_bandwidth_bytes_per_s - arithmetic_s, 0.0)


@quantity(unit="s", source=_ROOFLINE)
def local_time_s(*, arithmetic_s: Array, memory_traffic_s: Array) -> Array:
    """Step time of an accelerator on its own."""
    return arithmetic_s + memory_traffic_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.load_imbalance")
def load_imbalance_time_s(*, local_s: Array, load_imbalance: Array) -> Array:
    """Load imbalance."""
    return (load_imbalance - 1) * local_s


@quantity(
    unit="s",
    source="[1] Valiant 1990, Commun. ACM 33(8) 103-111 (bulk-synchronous steps)",
    also_at="performance.step_time_s",
)
def generic_step_time_s(*, local_s: Array, load_imbalance_s: Array, exposed_s: tuple[Array, ...]) -> Array:
    """Step time of a generic job.

    Local work, waiting for the slowest, and communication that nothing hides.
    """
    return sum(exposed_s, start=local_s + load_imbalance_s)


@quantity(unit="s", source=_ROOFLINE, at="performance.step_time_at_peak_s")
def step_time_at_peak_s(
    *, flop: Array, traffic_bytes: Array, peak_flop_per_s: Array, memory_bandwidth_bytes_per_s: Array
) -> Array:
    """Step time at peak: of arithmetic or memory, whichever takes longer, without communication."""
    return np.maximum(flop / peak_flop_per_s, traffic_bytes / memory_bandwidth_bytes_per_s)


@quantity(unit="1/s", source="definition", at="performance.steps_per_s", key=True)
def steps_per_s(*, step_time_s: Array) -> Array:
    """Steps per second."""
    return 1 / step_time_s


@quantity(unit="FLOP/s", source="definition", at="performance.flop_per_s_per_accelerator")
def flop_per_s_per_accelerator(*, flop: Array, step_time_s: Array) -> Array:
    """Achieved FLOP/s per accelerator."""
    return flop / step_time_s


@quantity(unit="FLOP/s", source="definition", at="performance.flop_per_s", key=True)
def flop_per_s(*, flop_per_s_per_accelerator: Array, accelerators_used: Array) -> Array:
    """Achieved FLOP/s."""
    return flop_per_s_per_accelerator * accelerators_used


@quantity(
    unit="1",
    percent=True,
    source=_ROOFLINE,
    at="performance.fraction_of_peak",
    short="Fraction of peak",
    key=True,
    better="more",
)
def fraction_of_peak(*, flop_per_s_per_accelerator: Array, peak_flop_per_s: Array) -> Array:
    """Fraction of peak FLOP/s.

    Achieved FLOP/s over the dense peak at the precision of the job.
    """
    return flop_per_s_per_accelerator / peak_flop_per_s


@quantity(unit="1", percent=True, source=_ROOFLINE, at="performance.fraction_of_memory_bandwidth", key=True)
def fraction_of_memory_bandwidth(
    *, traffic_bytes: Array, step_time_s: Array, memory_bandwidth_bytes_per_s: Array
) -> Array:
    """Fraction of memory bandwidth."""
    return traffic_bytes / step_time_s / memory_bandwidth_bytes_per_s


@quantity(unit="1", percent=True, source=_SCALING, at="performance.scaling_efficiency", key=True)
def scaling_efficiency(*, local_s: Array, step_time_s: Array) -> Array:
    """Scaling efficiency.

    Speed over that of one accelerator times their number, under strong and weak scaling alike: the share of the
    step that is local work.
    """
    return local_s / step_time_s


@quantity(unit="s", source="definition", at="performance.run_time_s", key=True)
def run_time_s(*, steps: Array, step_time_s: Array) -> Array:
    """Productive time of the run: all steps, without failures, restarts and checkpoints."""
    return steps * step_time_s


generic_steps = alias(
    "generic_steps",
    "Steps of the run",
    of="steps",
    at="performance.generic_steps",
    also_at="performance.steps",
)
data_bytes = alias(
    "data_bytes",
    "Data of the job per accelerator",
    of="memory_held_each_bytes",
    at="performance.memory_breakdown_bytes.data",
    unit="B",
    short="Data",
)


@quantity(unit="B", source="definition", also_at="performance.memory_per_accelerator_bytes")
def generic_memory_bytes(*, data: Array, reserved: Array) -> Array:
    """Memory in use per accelerator."""
    return data + reserved


ranks = alias("ranks", "Ranks", at="performance.strategy.ranks")
domain_ranks = alias("domain_ranks", "Ranks per scale-up domain", at="performance.strategy.domain_ranks")
domains = alias("domains", "Scale-up domains", at="performance.strategy.domains")
grid_x = alias("grid_x", "Process grid, x", of="ranks", at="performance.strategy.grid_x")
grid_y = alias("grid_y", "Process grid, y", of="ranks", at="performance.strategy.grid_y")
grid_z = alias("grid_z", "Process grid, z", of="ranks", at="performance.strategy.grid_z")
