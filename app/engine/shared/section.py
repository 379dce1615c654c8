"""The section of one workload among several on a pod."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.operations.section import Reliability
from app.engine.performance.generic_step import GenericPerformance
from app.engine.performance.section import Performance
from app.engine.performance.serving.section import ServingPerformance
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadCost:
    """What a workload pays of the pod, and what its run or its tokens cost. What it does not have is None."""

    share: Array
    usd_per_year: Array
    usd_per_accelerator_hour: Array
    run_accelerator_hours: Array | None  # None: it serves, as the next
    usd_per_run: Array | None
    usd_per_million_tokens: Array | None  # trained, or of output; None: a job without tokens
    usd_per_million_input_tokens: Array | None  # None: it does not serve, as the next
    usd_per_million_output_tokens: Array | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedWorkload:
    """What a workload has of the pod, what it does with it, and what it pays. What it does not have is None.

    `performance` is while it works; its elapsed time is by the calendar. Shares of energy and cost sum to 1 over
    the workloads, and what they are shares of is what the rooms of power and cost say of the pod.
    """

    name: str
    kind: str  # training | serving | generic
    model: str
    share: Array  # of the accelerator-hours, as it comes out
    supernodes: Array
    accelerators: Array
    switching_s_per_day: Array | None  # None: it has its SuperNodes all the time, as the next
    working_hours_per_day: Array | None
    tokens_per_s_mean: Array | None  # over the whole day; None: a job without tokens
    it_power_mean_w: Array
    energy_share: Array
    energy_kwh_per_year: Array
    energy_j_per_token: Array | None
    cost: WorkloadCost
    performance: Performance | GenericPerformance | ServingPerformance
    reliability: Reliability
