"""The performance section of a job that is no language model: a roofline and exposed communication."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.engine.performance import generic_figures as figures
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.figures import memory_capacity_bytes
from app.engine.performance.generic_exchange import Exchanged, exchanged
from app.engine.performance.hardware import hardware_of
from app.engine.performance.memory import reserved_bytes
from app.engine.performance.power_cap import under_cap
from app.engine.problems import Problem
from app.engine.quantities import unknown
from app.engine.specs import GenericWorkload, Pod, SuperNode
from app.engine.trace import Array, median_of
from app.engine.workload.generic import flop_each, memory_held_each_bytes, memory_traffic_each_bytes

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericPerformance:
    """How fast a generic job runs and what it needs. What it does not have is None, which is not unknown.

    `time_breakdown_s` are exposed seconds and sum to `step_time_s`; `elapsed_time_s` is unknown until it is
    written once reliability is known.
    """

    step_time_s: Array
    steps_per_s: Array
    run_time_s: Array
    elapsed_time_s: Array
    time_breakdown_s: dict[str, Array]
    flop_per_s: Array
    flop_per_s_per_accelerator: Array
    fraction_of_peak: Array
    fraction_of_memory_bandwidth: Array
    scaling_efficiency: Array
    step_time_at_peak_s: Array
    memory_per_accelerator_bytes: Array
    memory_breakdown_bytes: dict[str, Array]
    memory_capacity_bytes: Array
    strategy: dict[str, Array]
    steps: Array
    tokens_per_s: None = None
    tokens_per_s_per_accelerator: None = None
    mfu: None = None
    hfu: None = None
    training_time_s: None = None
    roofline_step_time_s: None = None
    model_flop_per_s_per_accelerator: None = None
    hardware_flop_per_s_per_accelerator: None = None
    model_flop_per_token: None = None
    tokens_per_step: None = None
    parameters: None = None
    active_parameters: None = None
    prediction_parameters: None = None
    host_memory_per_accelerator_bytes: None = None
    offloaded_per_accelerator_bytes: None = None
    offload_capacity_bytes: None = None


def evaluate_generic(
    *,
    workload: GenericWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: PerformanceAssumptions,
) -> GenericPerformance:
    """Step time, memory and what follows from them.

    Validity: steps are bulk-synchronous and alike. No measured runs stand behind it but one published case;
    losses to stragglers and to the operating system are in `load_imbalance` alone.
    """
    accelerator = supernode.accelerator
    hardware = hardware_of(
        workload=workload, supernode=supernode, pod=pod, fabric=fabric, assumptions=assumptions
    )
    each = {"strong": workload.strong, "accelerators_used": pod.accelerators_used}
    flop = flop_each(flop_per_step=workload.flop_per_step, **each)
    traffic = memory_traffic_each_bytes(
        memory_traffic_per_step_bytes=workload.memory_traffic_per_step_bytes, **each
    )
    sustained = figures.sustained_flop_per_s(
        peak_flop_per_s=accelerator.peak_flop_per_s, compute_efficiency=workload.compute_efficiency
    )
    arithmetic = figures.arithmetic_time_s(
        flop=flop, flop_per_s=under_cap(sustained, accelerator, assumptions)
    )
    memory = figures.memory_traffic_time_s(
        traffic_bytes=traffic,
        memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
        arithmetic_s=arithmetic,
    )
    local = figures.local_time_s(arithmetic_s=arithmetic, memory_traffic_s=memory)
    imbalance = figures.load_imbalance_time_s(local_s=local, load_imbalance=workload.load_imbalance)
    talk = exchanged(
        workload=workload,
        supernode=supernode,
        accelerators_used=pod.accelerators_used,
        hardware=hardware,
        local_s=local,
        assumptions=assumptions,
    )
    step = figures.generic_step_time_s(
        local_s=local, load_imbalance_s=imbalance, exposed_s=tuple(talk.exposed_s.values())
    )
    achieved = figures.flop_per_s_per_accelerator(flop=flop, step_time_s=step)
    held = figures.data_bytes(
        memory_held_each_bytes=memory_held_each_bytes(memory_held_bytes=workload.memory_held_bytes, **each)
    )
    reserved = reserved_bytes(reserved_memory_bytes=assumptions.reserved_memory_bytes)
    steps = figures.generic_steps(steps=workload.steps)
    return GenericPerformance(
        step_time_s=step,
        steps_per_s=figures.steps_per_s(step_time_s=step),
        run_time_s=figures.run_time_s(steps=steps, step_time_s=step),
        elapsed_time_s=unknown(),
        time_breakdown_s={
            "arithmetic": arithmetic,
            "memory_traffic": memory,
            "load_imbalance": imbalance,
            **talk.exposed_s,
        },
        flop_per_s=figures.flop_per_s(
            flop_per_s_per_accelerator=achieved, accelerators_used=pod.accelerators_used
        ),
        flop_per_s_per_accelerator=achieved,
        fraction_of_peak=figures.fraction_of_peak(
            flop_per_s_per_accelerator=achieved, peak_flop_per_s=accelerator.peak_flop_per_s
        ),
        fraction_of_memory_bandwidth=figures.fraction_of_memory_bandwidth(
            traffic_bytes=traffic,
            step_time_s=step,
            memory_bandwidth_bytes_per_s=accelerator.memory_bandwidth_bytes_per_s,
        ),
        scaling_efficiency=figures.scaling_efficiency(local_s=local, step_time_s=step),
        step_time_at_peak_s=figures.step_time_at_peak_s(
            flop=flop,
            traffic_bytes=traffic,
            peak_flop_per_s=accelerator.peak_flop_per_s,
            memory_bandwidth_bytes_per_s=accelerator.memory_bandwidth_bytes_per_s,
        ),
        memory_per_accelerator_bytes=figures.generic_memory_bytes(data=held, reserved=reserved),
        memory_breakdown_bytes={"data": held, "reserved": reserved},
        memory_capacity_bytes=memory_capacity_bytes(memory_bytes=accelerator.memory_bytes),
        strategy=_placement(workload, talk),
        steps=steps,
    )


def generic_problems(*, workload: GenericWorkload, performance: GenericPerformance) -> list[Problem]:
    """Why this job cannot run as it is."""
    used = median_of(performance.memory_per_accelerator_bytes)
    capacity = median_of(performance.memory_capacity_bytes)
    # An unknown memory is reported as a missing input, where its figures are explained.
    if not used > capacity:
        return []
    more = "more accelerators" if float(workload.strong[0]) > 0 else "a smaller share for each accelerator"
    return [
        Problem(
            kind="infeasible",
            field="workload.memory_held_bytes",
            constraint="memory",
            message=f"The job holds {used / 1e9:.1f} GB on an accelerator, what the system reserves included, and "
            f"an accelerator has {capacity / 1e9:.1f} GB: {(used - capacity) / 1e9:.1f} GB too much; {more} would fit.",
            value=used,
            limit=capacity,
            missed_by=used - capacity,
            unit="B",
        )
    ]


def _placement(workload: GenericWorkload, talk: Exchanged) -> dict[str, Array]:
    """Ranks, domains, and the process grid of the first halo exchange."""
    placed = {
        "ranks": figures.ranks(ranks=talk.ranks),
        "domain_ranks": figures.domain_ranks(domain_ranks=talk.domain_ranks),
        "domains": figures.domains(domains=talk.domains),
    }
    grids = [pattern.halo.ranks for pattern in workload.patterns if pattern.halo is not None]
    if grids:
        x, y, z = grids[0]
        placed |= {
            "grid_x": figures.grid_x(ranks=x),
            "grid_y": figures.grid_y(ranks=y),
            "grid_z": figures.grid_z(ranks=z),
        }
    return placed
