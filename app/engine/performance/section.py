"""The performance section of an evaluation: how fast a job trains and what it needs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from app.engine.performance import figures
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.framework_rules import first_release
from app.engine.performance.hardware import working
from app.engine.performance.job import Job, job_of
from app.engine.performance.kinds import Machine, machines_of
from app.engine.performance.layout_figures import shown_layout
from app.engine.performance.layout_rules import layout_errors
from app.engine.performance.layouts import Layouts
from app.engine.performance.offload import host_memory_per_accelerator_bytes, offload_capacity_bytes
from app.engine.performance.outcome import outcome_of
from app.engine.performance.problems import performance_problems
from app.engine.performance.rule import asked_of
from app.engine.performance.search import Computed, central, computed_on, fastest_on, layout_at
from app.engine.performance.space import USUAL, Space
from app.engine.performance.strategy import strategy_of
from app.engine.quantities import unknown
from app.engine.specs import Design, Framework, Kind, Layout, Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array, plain

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric

SEARCHES_KEPT = 64

__all__ = ["Performance", "evaluate_training", "layout_errors", "performance_problems"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """How fast a job trains and what it needs.

    `time_breakdown_s` are exposed seconds on the slowest pipeline stage and sum to `step_time_s`;
    `memory_breakdown_bytes` is of the fullest stage and sums to `memory_per_accelerator_bytes`.
    `elapsed_time_s` is unknown until it is written once reliability is known. In a pod of several kinds
    of SuperNode the step is that of the slowest kind and the memory that of the fullest, both named;
    figures by kind stand in the order of the scenario, and are empty where there is one kind.
    """

    step_time_s: Array
    tokens_per_s: Array
    tokens_per_s_per_accelerator: Array
    mfu: Array
    hfu: Array
    training_time_s: Array
    elapsed_time_s: Array
    time_breakdown_s: dict[str, Array]
    memory_per_accelerator_bytes: Array
    memory_breakdown_bytes: dict[str, Array]
    memory_capacity_bytes: Array
    host_memory_per_accelerator_bytes: Array
    offloaded_per_accelerator_bytes: Array
    offload_capacity_bytes: Array
    strategy: dict[str, Array]
    roofline_step_time_s: Array
    model_flop_per_s_per_accelerator: Array
    hardware_flop_per_s_per_accelerator: Array
    model_flop_per_token: Array
    tokens_per_step: Array
    steps: Array
    parameters: Array
    active_parameters: Array
    prediction_parameters: Array
    framework: str = ""  # and the first of its releases that runs the layout
    slowest_kind: str = ""
    fullest_kind: str = ""
    step_time_by_kind_s: tuple[Array, ...] = ()
    waiting_share_by_kind: tuple[Array, ...] = ()


def evaluate_training(
    *,
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    layout: Layout | None,
    assumptions: PerformanceAssumptions,
    kinds: tuple[Kind, ...] = (),
    framework: Framework | None = None,
) -> Performance:
    """Step time, memory and what follows from them.

    Without a layout the best of a modest set is searched for, on the median of the samples, among those that the
    framework runs; only the winner is traced. A job that no layout of the set can run has unknown figures. `kinds`
    are all kinds of SuperNode where there are several, and `supernode` is their mean.
    """
    if layout is None:
        layout = found_layout(workload, supernode, pod, fabric, assumptions, kinds, framework)
    job = job_of(workload)
    machines = machines_of(
        workload=workload, supernode=supernode, pod=pod, fabric=fabric, assumptions=assumptions, kinds=kinds
    )
    strategy = strategy_of(layout=layout, accelerators_used=pod.accelerators_used)
    outcome = outcome_of(
        job=job,
        strategy=strategy,
        machines=machines,
        counts=tuple(kind.supernodes for kind in kinds),
    )
    accelerator = supernode.accelerator
    batch_tokens = figures.tokens_per_step(
        global_batch_sequences=workload.global_batch_sequences, sequence_length=workload.sequence_length
    )
    rate = figures.tokens_per_s(tokens_per_step=batch_tokens, step_time_s=outcome.step_time_s)
    rate_each = figures.tokens_per_s_per_accelerator(
        tokens_per_s=rate, accelerators_used=pod.accelerators_used
    )
    achieved = figures.model_flop_per_s_per_accelerator(
        tokens_per_s_per_accelerator=rate_each, model_flop_per_token=job.flops.model
    )
    mfu = figures.mfu(model_flop_per_s_per_accelerator=achieved, peak_flop_per_s=accelerator.peak_flop_per_s)
    done = figures.hardware_flop_per_s_per_accelerator(
        tokens_per_s_per_accelerator=rate_each,
        model_flop_per_token=job.flops.model,
        recomputed_flop_per_token=outcome.recomputed_flop_per_token,
        prediction_flop_per_token=outcome.prediction_flop_per_token,
    )
    steps = figures.steps(tokens=workload.tokens, tokens_per_step=batch_tokens)
    return Performance(
        step_time_s=outcome.step_time_s,
        tokens_per_s=rate,
        tokens_per_s_per_accelerator=rate_each,
        mfu=mfu,
        hfu=figures.hfu(
            hardware_flop_per_s_per_accelerator=done, peak_flop_per_s=accelerator.peak_flop_per_s
        ),
        training_time_s=figures.training_time_s(steps=steps, step_time_s=outcome.step_time_s),
        elapsed_time_s=unknown(),
        time_breakdown_s=outcome.breakdown_s,
        memory_per_accelerator_bytes=outcome.memory_per_accelerator_bytes,
        memory_breakdown_bytes=outcome.memory_breakdown_bytes,
        memory_capacity_bytes=outcome.memory_capacity_bytes,
        host_memory_per_accelerator_bytes=host_memory_per_accelerator_bytes(
            offloaded_bytes=outcome.offloaded_per_accelerator_bytes, offload_tier=strategy.offload_tier
        ),
        offloaded_per_accelerator_bytes=outcome.offloaded_per_accelerator_bytes,
        offload_capacity_bytes=offload_capacity_bytes(
            capacity_bytes=outcome.tier_bytes,
            offloaded_bytes=outcome.offloaded_per_accelerator_bytes,
        ),
        strategy=shown_layout(strategy, workload),
        roofline_step_time_s=figures.roofline_step_time_s(
            tokens_per_step=batch_tokens,
            model_flop_per_token=job.flops.model,
            peak_flop_per_s=accelerator.peak_flop_per_s,
            accelerators_used=pod.accelerators_used,
        ),
        model_flop_per_s_per_accelerator=achieved,
        hardware_flop_per_s_per_accelerator=done,
        model_flop_per_token=job.flops.model,
        tokens_per_step=batch_tokens,
        steps=steps,
        parameters=job.counts.total,
        active_parameters=job.counts.active,
        prediction_parameters=figures.prediction_parameters(parameters=job.prediction.parameters),
        framework=_framework_words(workload, pod, layout, framework),
        slowest_kind=outcome.slowest_kind,
        fullest_kind=outcome.fullest_kind,
        step_time_by_kind_s=outcome.step_time_by_kind_s,
        waiting_share_by_kind=outcome.waiting_share_by_kind,
    )


def _framework_words(
    workload: TrainingWorkload, pod: Pod, layout: Layout, framework: Framework | None
) -> str:
    if framework is None or np.isnan(plain(layout.tensor_parallel)).any():
        return framework.name if framework else ""
    return first_release(framework, asked_of(workload, pod, layout))


def found_layout(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: PerformanceAssumptions,
    kinds: tuple[Kind, ...] = (),
    framework: Framework | None = None,
) -> Layout:
    """The layout that a search would choose, by the median of the samples."""
    layouts = layouts_of(workload, supernode, pod, USUAL, framework)
    job, machines = _bare(workload, supernode, pod, fabric, assumptions, kinds)
    used, domain = plain(pod.accelerators_used), plain(working(supernode, pod).scale_up_domain_accelerators)
    best = _best(
        _Search(
            content=_content((job.workload, machines, used, domain, framework)),
            position=lambda: computed_on(job=job, machines=machines, layouts=layouts).best(layouts),
        )
    )
    architecture, accelerator = workload.architecture, supernode.accelerator
    inputs = {
        "accelerators used": pod.accelerators_used,
        "scale-up domain": working(supernode, pod).scale_up_domain_accelerators,
        "memory": accelerator.memory_bytes,
        "peak": accelerator.peak_flop_per_s,
        "scale-up bandwidth": accelerator.scale_up_bandwidth_bytes_per_s,
        "scale-out bandwidth": fabric.scale_out_bandwidth_bytes_per_s,
        "layers": architecture.layers,
        "hidden": architecture.hidden,
        "heads": architecture.heads,
        "experts": architecture.experts,
        "sequence length": workload.sequence_length,
        "sequences per step": workload.global_batch_sequences,
    }
    return layout_at(layouts, best, inputs)


@dataclass(frozen=True, slots=True)
class _Search:
    """A search, known by the content of what it looks through and on what."""

    content: Hashable
    position: Callable[[], int | None] = field(compare=False)


@lru_cache(SEARCHES_KEPT)
def _best(search: _Search) -> int | None:
    """Where the best layout of a search stands. A design is searched when its framework is chosen, when it is
    evaluated and when its figures are explained: the first time computes it."""
    return search.position()


def forget_searches() -> None:
    """For who measures how long a search takes."""
    _best.cache_clear()


def _content(item: Any) -> Hashable:
    if isinstance(item, np.ndarray):
        return (item.shape, item.tobytes())
    if is_dataclass(item) and not isinstance(item, type):
        return tuple(_content(getattr(item, one.name)) for one in fields(item))
    if isinstance(item, Mapping):
        return tuple((name, _content(part)) for name, part in item.items())
    if isinstance(item, tuple | list):
        return tuple(_content(part) for part in item)
    return cast(Hashable, item)


def layouts_of(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    space: Space,
    framework: Framework | None = None,
) -> Layouts:
    """Every layout of a space for a job that a framework runs, by the median of the samples."""
    return Layouts(
        workload=central(workload),
        supernode=central(working(supernode, pod)),
        accelerators_used=np.median(plain(pod.accelerators_used), axis=0),
        space=space,
        framework=framework,
    )


def searched(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: PerformanceAssumptions,
    layouts: Layouts,
    kinds: tuple[Kind, ...] = (),
) -> Computed:
    """Step time and memory of every layout, by the median of the samples."""
    job, machines = _bare(workload, supernode, pod, fabric, assumptions, kinds)
    return computed_on(job=job, machines=machines, layouts=layouts)


def fastest_searched(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: PerformanceAssumptions,
    layouts: Layouts,
    within_s: float,
) -> tuple[Computed, float]:
    """The fastest layouts on one kind of SuperNode; see `fastest_on`."""
    job, (machine,) = _bare(workload, supernode, pod, fabric, assumptions, ())
    return fastest_on(job=job, machine=machine, layouts=layouts, within_s=within_s)


def bare_machines(design: Design, fabric: Fabric) -> tuple[Job, tuple[Machine, ...]]:
    """The job of a design of one kind of SuperNode, and its machine with every sample of its numbers."""
    machines = machines_of(
        workload=design.training,
        supernode=design.supernode,
        pod=design.pod,
        fabric=fabric,
        assumptions=design.assumptions.rooms["performance"],
        kinds=(),
    )
    return job_of(design.training), machines


def _bare(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    fabric: Fabric,
    assumptions: PerformanceAssumptions,
    kinds: tuple[Kind, ...],
) -> tuple[Job, tuple[Machine, ...]]:
    """What a search decides on."""
    bare_workload = central(workload)
    machines = machines_of(
        workload=bare_workload,
        supernode=central(supernode),
        pod=central(pod),
        fabric=central(fabric),
        assumptions=central(assumptions),
        kinds=tuple(central(kind) for kind in kinds),
    )
    return job_of(bare_workload), machines
