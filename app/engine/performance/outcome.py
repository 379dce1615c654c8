"""A layout on the machines of a pod: on the one kind there is, or on the slowest and fullest of several."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.performance import figures
from app.engine.performance.job import Job
from app.engine.performance.kinds import (
    Machine,
    bytes_on_fullest_kind,
    mean_flop_per_token,
    name_at,
    parts_on_fullest,
    parts_on_slowest,
    position_of_largest,
    step_time_of_kind_s,
    time_on_slowest_kind_s,
    waiting_share_of_kind,
)
from app.engine.performance.memory import memory
from app.engine.performance.prediction import prediction_flop
from app.engine.performance.recomputation import recomputed_flop
from app.engine.performance.step_time import step_time
from app.engine.performance.strategy import Strategy
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Time, memory and work of a layout. The last four are of pods of several kinds, else empty."""

    step_time_s: Array
    breakdown_s: dict[str, Array]
    memory_per_accelerator_bytes: Array
    memory_breakdown_bytes: dict[str, Array]
    memory_capacity_bytes: Array
    offloaded_per_accelerator_bytes: Array
    tier_bytes: Array
    recomputed_flop_per_token: Array
    prediction_flop_per_token: Array
    slowest_kind: str = ""
    fullest_kind: str = ""
    step_time_by_kind_s: tuple[Array, ...] = ()
    waiting_share_by_kind: tuple[Array, ...] = ()


def outcome_of(
    *, job: Job, strategy: Strategy, machines: tuple[Machine, ...], counts: tuple[Array, ...]
) -> Outcome:
    """Results of a layout; `counts` are the SuperNodes of each kind, where there are several."""
    alone = tuple(_alone(job, strategy, machine) for machine in machines)
    return alone[0] if len(alone) == 1 else _together(alone, machines, counts)


def _alone(job: Job, strategy: Strategy, machine: Machine) -> Outcome:
    """On one kind of SuperNode."""
    a, hardware = machine.assumptions, machine.hardware
    step = step_time(job=job, hardware=hardware, strategy=strategy, assumptions=a)
    held = memory(job=job, strategy=strategy, assumptions=a)
    return Outcome(
        step_time_s=step.step_time_s,
        breakdown_s=step.breakdown_s,
        memory_per_accelerator_bytes=held.memory_per_accelerator_bytes,
        memory_breakdown_bytes=held.breakdown_bytes,
        memory_capacity_bytes=figures.memory_capacity_bytes(memory_bytes=hardware.memory_bytes),
        offloaded_per_accelerator_bytes=held.offloaded_per_accelerator_bytes,
        tier_bytes=hardware.tiers.of(strategy.offload_tier).capacity_bytes,
        recomputed_flop_per_token=recomputed_flop(
            architecture=job.workload.architecture,
            flops=job.flops,
            recompute=strategy.recompute,
            selective_recompute=strategy.selective_recompute,
            selective_share=a.selective_share,
            fused_attention=a.fused_attention,
        ),
        prediction_flop_per_token=prediction_flop(job, strategy, a),
    )


def _together(
    alone: tuple[Outcome, ...], machines: tuple[Machine, ...], counts: tuple[Array, ...]
) -> Outcome:
    """On all kinds at once, in lock step."""
    times = tuple(step_time_of_kind_s(step_time_s=one.step_time_s) for one in alone)
    slowest = position_of_largest(values=times)
    fullest = position_of_largest(
        values=tuple(one.memory_per_accelerator_bytes - one.memory_capacity_bytes for one in alone)
    )
    # Of what is offloaded, the kind that has least room for it.
    nearest = position_of_largest(
        values=tuple(one.offloaded_per_accelerator_bytes - one.tier_bytes for one in alone)
    )
    whole = time_on_slowest_kind_s(times_s=times, slowest_kind=slowest)
    names = tuple(machine.name for machine in machines)

    def of_fullest(sizes: tuple[Array, ...]) -> Array:
        return bytes_on_fullest_kind(sizes_bytes=sizes, fullest_kind=fullest)

    def of_nearest(sizes: tuple[Array, ...]) -> Array:
        return bytes_on_fullest_kind(sizes_bytes=sizes, fullest_kind=nearest)

    return Outcome(
        step_time_s=whole,
        breakdown_s=parts_on_slowest(tuple(one.breakdown_s for one in alone), slowest),
        memory_per_accelerator_bytes=of_fullest(tuple(one.memory_per_accelerator_bytes for one in alone)),
        memory_breakdown_bytes=parts_on_fullest(tuple(one.memory_breakdown_bytes for one in alone), fullest),
        memory_capacity_bytes=of_fullest(tuple(one.memory_capacity_bytes for one in alone)),
        offloaded_per_accelerator_bytes=of_nearest(
            tuple(one.offloaded_per_accelerator_bytes for one in alone)
        ),
        tier_bytes=of_nearest(tuple(one.tier_bytes for one in alone)),
        recomputed_flop_per_token=mean_flop_per_token(
            counts=counts, flop_per_token=tuple(one.recomputed_flop_per_token for one in alone)
        ),
        prediction_flop_per_token=mean_flop_per_token(
            counts=counts, flop_per_token=tuple(one.prediction_flop_per_token for one in alone)
        ),
        slowest_kind=name_at(names, slowest),
        fullest_kind=name_at(names, fullest),
        step_time_by_kind_s=times,
        waiting_share_by_kind=tuple(
            waiting_share_of_kind(own_step_time_s=time_s, step_time_s=whole) for time_s in times
        ),
    )
