"""Problems of a training job, and the smallest change that fixes it.

Proposed changes are tried: each is evaluated before it is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import working
from app.engine.performance.layout_rules import layout_errors
from app.engine.performance.memory_tiers import DRIVES, HOST, PEER, POOL
from app.engine.performance.search import central
from app.engine.performance.strategy import strategy_of
from app.engine.performance.ways_out import no_layout, room_of
from app.engine.problems import Fix, Problem
from app.engine.specs import Framework, Kind, Layout, Pod, SuperNode, TrainingWorkload
from app.engine.trace import median_of, plain

if TYPE_CHECKING:
    from app.engine.performance.section import Performance


class _Tier(NamedTuple):
    memory: str
    constraint: str
    field: str  # where its size is stated


TIER_WORDS = {
    HOST: _Tier("host memory", "host_memory", "supernode.override.host_memory_bytes"),
    PEER: _Tier("memory of other accelerators", "peer_memory", "assumptions.performance.peer_memory_bytes"),
    DRIVES: _Tier("NVMe drives", "drives", "assumptions.performance.drive_bytes"),
    POOL: _Tier("the memory pool", "memory_pool", "supernode.memory_pool.bytes_per_accelerator"),
}


def performance_problems(
    *,
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    layout: Layout | None,
    performance: Performance,
    assumptions: PerformanceAssumptions,
    kinds: tuple[Kind, ...] = (),
    framework: Framework | None = None,
) -> list[Problem]:
    """Why this job cannot run as it is; of several kinds of SuperNode the fullest is asked."""
    idle = _idle(supernode, pod)
    for kind in kinds:
        if kind.supernode.name == performance.fullest_kind:
            supernode, assumptions = kind.supernode, kind.performance
    supernode = working(supernode, pod)
    if layout is None and np.isnan(plain(performance.strategy["tp"])).all():
        return [no_layout(workload, supernode, pod, assumptions, framework=framework), *idle]
    return [
        *idle,
        *_padding(workload, performance),
        *_device_memory(workload, supernode, pod, layout, performance, assumptions, framework),
        *_tier_memory(layout, performance),
    ]


def _idle(supernode: SuperNode, pod: Pod) -> list[Problem]:
    """Number of accelerators of each SuperNode that the job leaves out, for its domains to divide better."""
    if pod.domain_accelerators_used is None:
        return []
    each = median_of(supernode.accelerators)
    idle = each - median_of(pod.accelerators_used) / median_of(pod.supernodes)
    if not idle > 0:
        return []
    return [
        Problem(
            kind="warning",
            field="pod.accelerators_per_domain_used",
            constraint="idle accelerators",
            message=f"{idle:,.0f} of {each:,.0f} accelerators per SuperNode idle: they are paid for and draw "
            "idle power.",
            value=idle,
            limit=0.0,
            missed_by=idle,
            unit="1",
            fix=Fix(
                field="pod.accelerators_per_domain_used",
                value="all",
                message="all accelerators of each domain would work",
            ),
        )
    ]


def _padding(workload: TrainingWorkload, performance: Performance) -> list[Problem]:
    """What a batch costs that does not divide among the replicas, and the nearest ones that do."""
    padding, batch = (
        median_of(performance.strategy["padding_sequences"]),
        median_of(workload.global_batch_sequences),
    )
    if not padding > 0:
        return []
    replicas, micro_batch = (median_of(performance.strategy[name]) for name in ("dp", "micro_batch"))
    turn = replicas * micro_batch
    near = [count for count in (np.floor(batch / turn) * turn, batch + padding) if count > 0]
    fixes = [
        Fix(
            field="workload.global_batch_sequences",
            value=float(count),
            message=f"{count:,.0f} sequences per step need no padding",
        )
        for count in sorted(near, key=lambda count: abs(count - batch))
    ]
    problem = Problem(
        kind="warning",
        field="workload.global_batch_sequences",
        constraint="padding",
        message=f"{batch:,.0f} sequences per step do not divide among {replicas:,.0f} replicas x micro-batch "
        f"{micro_batch:,.0f}: {padding:,.0f} of padding fill the last micro-batches, "
        f"{padding / (batch + padding):.1%} of the work of a step.",
        value=padding,
        limit=0.0,
        missed_by=padding,
        unit="1",
    )
    return [problem.with_fixes(fixes)]


def _tier_memory(layout: Layout | None, performance: Performance) -> list[Problem]:
    """Return whether the tier of memory that is offloaded to holds it."""
    used, room = (
        median_of(performance.offloaded_per_accelerator_bytes),
        median_of(performance.offload_capacity_bytes),
    )
    if not used > 0 or used <= room:
        return []
    tier = TIER_WORDS[HOST if layout is None else median_of(layout.offload_tier)]
    need = f"Offload needs {used / 1e9:,.1f} GB of {tier.memory} for each accelerator"
    if np.isnan(room):
        message = f"{need}, and the amount of this SuperNode is not published: state {tier.field}."
        return [Problem(kind="warning", field=tier.field, constraint=tier.constraint, message=message)]
    return [
        Problem(
            kind="infeasible",
            field="parallelism.offload_to" if room == 0 else "parallelism.offload",
            constraint=tier.constraint,
            message=f"{need} and there are {room / 1e9:,.1f} GB: {(used - room) / 1e9:,.1f} GB too much. "
            f"Offload less, shard over more ranks, or state {tier.field} where there is more.",
            value=used,
            limit=room,
            missed_by=used - room,
            unit="B",
        )
    ]


def _device_memory(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    layout: Layout | None,
    performance: Performance,
    assumptions: PerformanceAssumptions,
    framework: Framework | None,
) -> list[Problem]:
    used, capacity = (
        median_of(performance.memory_per_accelerator_bytes),
        median_of(performance.memory_capacity_bytes),
    )
    margin = median_of(assumptions.memory_margin)
    # An unknown memory is reported as a missing input, where its figures are explained.
    if not used > capacity * (1 - margin):
        return []
    fixes = _fixes(
        workload=workload,
        supernode=supernode,
        pod=pod,
        layout=layout,
        assumptions=assumptions,
        framework=framework,
    )
    advice = "".join(f"; {fix.message}" for fix in fixes)
    field = "parallelism" if layout is None else _largest_field(performance)
    # A layout that someone states may run for all the memory model knows up to its error; a search keeps off it.
    if used <= (capacity if layout is None else capacity * (1 + margin)):
        spare = f"{abs(capacity - used) / 1e9:.1f} GB " + ("left" if used <= capacity else "too much")
        message = (
            f"A training step needs {used / 1e9:.1f} GB on the fullest stage and an accelerator{_of_kind(performance)} has "
            f"{capacity / 1e9:.1f} GB: {spare}. Memory of measured runs errs by up to {margin:.0%}, so it may run "
            f"out{advice}."
        )
        return [
            Problem(
                kind="warning",
                field=field,
                constraint="memory margin",
                message=message,
                value=used,
                limit=capacity * (1 - margin),
                missed_by=used - capacity * (1 - margin),
                unit="B",
            ).with_fixes(fixes)
        ]
    searched = "" if layout is not None else " even with the layout that needs least"
    return [
        Problem(
            kind="infeasible",
            field=field,
            constraint="memory",
            message=f"A training step needs {used / 1e9:.1f} GB on the fullest stage and an accelerator{_of_kind(performance)} has "
            f"{capacity / 1e9:.1f} GB{searched}: {(used - capacity) / 1e9:.1f} GB too much, most of it "
            f"{_largest(performance)}{advice}.",
            value=used,
            limit=capacity,
            missed_by=used - capacity,
            unit="B",
        ).with_fixes(fixes)
    ]


def _of_kind(performance: Performance) -> str:
    """Which accelerator is too small, where a pod has several kinds."""
    return f" of {performance.fullest_kind}" if performance.fullest_kind else ""


def _fixes(
    *,
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    layout: Layout | None,
    assumptions: PerformanceAssumptions,
    framework: Framework | None,
) -> list[Fix]:
    """The smallest changes after which a step leaves the memory margin free."""
    room = room_of(workload, supernode, pod, assumptions, framework=framework)
    if layout is None:
        return [*room.nearest_count(), *room.nearest_batch()]
    layout = central(layout)
    domain = median_of(room.supernode.scale_up_domain_accelerators)
    for name, value, changed in _changes(layout, domain):
        possible = not layout_errors(
            workload=room.workload,
            supernode=room.supernode,
            pod=room.pod,
            layout=changed,
            framework=framework,
        )
        if possible and room.holds(strategy_of(layout=changed, accelerators_used=room.pod.accelerators_used)):
            return [Fix(field=f"parallelism.{name}", value=value, message=f"{name} {_said(value)} would fit")]
    if room.fits(room.layouts(room.pod.accelerators_used)):
        return [Fix(field="parallelism", value="auto", message="another layout would fit: parallelism auto")]
    return [*room.nearest_count()]


def _changes(layout: Layout, domain: float) -> Iterator[tuple[str, float | str, Layout]]:
    """Single changes, the one that costs least speed first; tensor parallelism stays in the domain."""

    def changed(**values: float) -> Layout:
        arrays: dict[str, Any] = {name: np.full(1, float(value)) for name, value in values.items()}
        return replace(layout, **arrays)

    zero, micro_batch = median_of(layout.zero_stage), median_of(layout.micro_batch)
    for stage in (1, 2):
        if stage > zero:
            yield "zero_stage", stage, changed(zero_stage=stage)
    if micro_batch > 1:
        yield "micro_batch", 1, changed(micro_batch=1)
    if median_of(layout.tensor_parallel) > 1 and median_of(layout.sequence_parallel) < 1:
        yield "sequence_parallel", "true", changed(sequence_parallel=1)
    recompute, selective = median_of(layout.recompute), median_of(layout.selective_recompute)
    if recompute <= 0 and selective < 1:
        yield "recompute", "selective", changed(selective_recompute=1)
    tensor, pipeline = median_of(layout.tensor_parallel), median_of(layout.pipeline_parallel)
    for factor in (2, 4, 8):
        if tensor * factor > domain:
            break
        yield "tp", tensor * factor, changed(tensor_parallel=tensor * factor, sequence_parallel=1)
    for factor in (2, 4, 8):
        yield "pp", pipeline * factor, changed(pipeline_parallel=pipeline * factor)
    if zero < 3:
        yield "zero_stage", 3, changed(zero_stage=3)
    if recompute < 1:
        yield "recompute", "full", changed(recompute=1, selective_recompute=0)


def _largest(performance: Performance) -> str:
    sizes = {name: median_of(part) for name, part in performance.memory_breakdown_bytes.items()}
    name = max(sizes, key=lambda part: sizes[part])
    return f"{name} ({sizes[name] / 1e9:.1f} GB)"


def _largest_field(performance: Performance) -> str:
    sizes = {name: median_of(part) for name, part in performance.memory_breakdown_bytes.items()}
    fields = {"activations": "recompute", "logits": "micro_batch", "optimizer": "zero_stage"}
    return f"parallelism.{fields.get(max(sizes, key=lambda part: sizes[part]), 'tp')}"


def _said(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,.0f}"
