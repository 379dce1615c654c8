"""What stands in the way of a training job, and the smallest change that mends it.

Proposed changes are tried: each is evaluated before it is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.degrees import replica_counts
from app.engine.performance.hardware import working
from app.engine.performance.job import Job, job_of
from app.engine.performance.layout_rules import layout_errors
from app.engine.performance.layouts import Layouts
from app.engine.performance.memory import memory
from app.engine.performance.memory_tiers import DRIVES, HOST, PEER
from app.engine.performance.search import central
from app.engine.performance.space import USUAL, Space
from app.engine.performance.strategy import Strategy, strategy_of
from app.engine.problems import Fix, Problem
from app.engine.specs import Framework, Kind, Layout, Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array, plain

if TYPE_CHECKING:
    from app.engine.performance.section import Performance

NEAR = 64  # how far from a number of SuperNodes or accelerators another one is looked for
NEAR_BATCHES = 96
"""Batches that are tried, the nearest first."""
GROWTH = (2, 4, 8, 16, 32, 64)  # times as many SuperNodes that are tried
STEPS = 8  # in which the numbers between two of those are tried
MOST_TRIED = 8
"""Batches and numbers whose layouts are looked at for one that fits: some 10 ms each."""


class _Tier(NamedTuple):
    memory: str
    constraint: str
    field: str  # where its size is stated


TIER_WORDS = {
    HOST: _Tier("host memory", "host_memory", "supernode.override.host_memory_bytes"),
    PEER: _Tier("memory of other accelerators", "peer_memory", "assumptions.performance.peer_memory_bytes"),
    DRIVES: _Tier("NVMe drives", "drives", "assumptions.performance.drive_bytes"),
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
    """How many accelerators of each SuperNode the job leaves out, for its domains to divide better."""
    if pod.domain_accelerators_used is None:
        return []
    each = _value(supernode.accelerators)
    idle = each - _value(pod.accelerators_used) / _value(pod.supernodes)
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
        _value(performance.strategy["padding_sequences"]),
        _value(workload.global_batch_sequences),
    )
    if not padding > 0:
        return []
    replicas, micro_batch = (_value(performance.strategy[name]) for name in ("dp", "micro_batch"))
    turn = replicas * micro_batch
    near = [count for count in (np.floor(batch / turn) * turn, batch + padding) if count > 0]
    fixes = [
        Fix(
            field="workload.global_batch_sequences",
            value=float(count),
            message=f"{count:,.0f} sequences a step need no padding",
        )
        for count in sorted(near, key=lambda count: abs(count - batch))
    ]
    problem = Problem(
        kind="warning",
        field="workload.global_batch_sequences",
        constraint="padding",
        message=f"{batch:,.0f} sequences a step do not divide among {replicas:,.0f} replicas x micro-batch "
        f"{micro_batch:,.0f}: {padding:,.0f} of padding fill the last micro-batches, "
        f"{padding / (batch + padding):.1%} of the work of a step.",
        value=padding,
        limit=0.0,
        missed_by=padding,
        unit="1",
    )
    return [problem.with_fixes(fixes)]


def _tier_memory(layout: Layout | None, performance: Performance) -> list[Problem]:
    """Whether the tier of memory that is offloaded to holds it."""
    used, room = (
        _value(performance.offloaded_per_accelerator_bytes),
        _value(performance.offload_capacity_bytes),
    )
    if not used > 0 or used <= room:
        return []
    tier = TIER_WORDS[HOST if layout is None else _value(layout.offload_tier)]
    need = f"Offload needs {used / 1e9:,.1f} GB of {tier.memory} for each accelerator"
    if np.isnan(room):
        message = f"{need}, and nobody published how much this SuperNode has: state {tier.field}."
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
        _value(performance.memory_per_accelerator_bytes),
        _value(performance.memory_capacity_bytes),
    )
    margin = _value(assumptions.memory_margin)
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
    # A layout that somebody states may run for all the memory model knows up to its error; a search keeps off it.
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


def no_layout(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    assumptions: PerformanceAssumptions,
    space: Space = USUAL,
    framework: Framework | None = None,
) -> Problem:
    """Why a job has no layout that the framework runs, with the nearest batch and the nearest size that have one that
    fits."""
    room = room_of(workload, supernode, pod, assumptions, space, framework)
    used, batch = _value(pod.accelerators_used), _value(workload.global_batch_sequences)
    fixes = [*room.nearest_batch(), *room.nearest_count()]
    advice = [fix.message for fix in fixes] or ["no other batch and no other size near has one that fits"]
    refused = room.layouts(pod.accelerators_used).refused
    reason = f"No layout of {used:,.0f} accelerators has as few replicas as {batch:,.0f} sequences a step"
    if framework is not None and refused:
        reason = (
            f"{framework.name} runs no layout of {used:,.0f} accelerators and {batch:,.0f} sequences a step, by its "
            f"rules of {', '.join(refused)}"
        )
    return Problem(
        kind="infeasible",
        field="parallelism",
        constraint="layout",
        message="; ".join([reason, *advice]) + ".",
    ).with_fixes(fixes)


def room_of(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    assumptions: PerformanceAssumptions,
    space: Space = USUAL,
    framework: Framework | None = None,
) -> Room:
    """The job with other batches and sizes, by the median of the samples; the memory margin is kept."""
    workload, supernode, pod = central(workload), central(working(supernode, pod)), central(pod)
    assumptions = central(assumptions)
    return Room(
        workload=workload,
        supernode=supernode,
        pod=pod,
        assumptions=assumptions,
        space=_leanest(space),
        framework=framework,
        limit=_value(supernode.accelerator.memory_bytes) * (1 - _value(assumptions.memory_margin)),
    )


def _leanest(space: Space) -> Space:
    """The part of a space with the least memory: if no layout fits here, none of the usual ones fits.

    Axes that are not held take the usual values; shards over all replicas need least memory.
    """
    only = {**USUAL.only, **space.only}
    groups = only.get("shard_ranks", (0.0,))
    only["shard_ranks"] = (0.0,) if 0 in groups else groups
    return replace(space, only=only)


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Other batches and sizes of a job, each tried for a layout that needs no more than `limit` [B]."""

    workload: TrainingWorkload
    supernode: SuperNode
    pod: Pod
    assumptions: PerformanceAssumptions
    space: Space
    framework: Framework | None
    limit: float

    def layouts(self, used: Array, batch: float | None = None) -> Layouts:
        """Every layout of so many accelerators that the framework runs, fitting or not."""
        return Layouts(
            workload=self._of_batch(batch),
            supernode=self.supernode,
            accelerators_used=used,
            space=self.space,
            framework=self.framework,
        )

    def fits(self, layouts: Layouts, batch: float | None = None) -> bool:
        """Whether one of some layouts fits the memory."""
        job = job_of(self._of_batch(batch))
        return any(self._holds(job, block) for block in layouts.blocks())

    def holds(self, strategy: Strategy) -> bool:
        """Whether one of some layouts fits the memory."""
        return self._holds(job_of(self.workload), strategy)

    def nearest_batch(self) -> Iterator[Fix]:
        """The nearest batch with which a layout fits: one that divides among the replicas of a way to split the job."""
        own, used = _value(self.workload.global_batch_sequences), self.pod.accelerators_used
        replicas = replica_counts(self.workload, self.supernode, used, self.space)
        turns = np.floor(own / replicas) if replicas.size else replicas
        near = {float(count) for count in (*(turns * replicas), *((turns + 1) * replicas)) if count > 0} - {
            own
        }
        tried = 0
        for count in sorted(near, key=lambda count: abs(count - own))[:NEAR_BATCHES]:
            layouts = self.layouts(used, count)
            tried += bool(layouts.size)
            if tried > MOST_TRIED:
                return
            if self.fits(layouts, count):
                yield Fix(
                    field="workload.global_batch_sequences",
                    value=count,
                    message=f"{count:,.0f} sequences a step would have one",
                )
                return

    def nearest_count(self) -> Iterator[Fix]:
        """The nearest number of SuperNodes with a layout that fits; of accelerators where the job leaves some of them out.

        Where the own number has layouts and none fits, a larger one.
        """
        supernodes, used = _value(self.pod.supernodes), _value(self.pod.accelerators_used)
        each = _value(self.supernode.accelerators)
        if self.pod.domain_accelerators_used is not None:
            each = used / supernodes
        whole = used == supernodes * each
        field, words = ("supernodes", "SuperNodes") if whole else ("accelerators_used", "accelerators used")
        own, most, unit = (supernodes, np.inf, each) if whole else (used, supernodes * each, 1.0)
        crowded = self.layouts(self.pod.accelerators_used).size > 0
        near = [] if crowded else _near(own, 1 if whole else each)
        tried = 0
        for count in (*near, *_grown(own), *([] if crowded else _shrunk(own))):
            if not 1 <= count <= most:
                continue
            layouts = self.layouts(np.full(1, count * unit))
            tried += bool(layouts.size)
            if tried > MOST_TRIED:
                return
            if not self.fits(layouts):
                continue
            # Of the numbers that were passed over on the way up the smallest that fits.
            between = (
                less for less in _between(count, own) if self.fits(self.layouts(np.full(1, less * unit)))
            )
            least = next(between, count)
            said = "would hold it" if crowded else "would have one"
            yield Fix(field=f"pod.{field}", value=least, message=f"{least:,.0f} {words} {said}")
            return

    def _of_batch(self, batch: float | None) -> TrainingWorkload:
        return (
            self.workload
            if batch is None
            else replace(self.workload, global_batch_sequences=np.full(1, batch))
        )

    def _holds(self, job: Job, strategy: Strategy) -> bool:
        needed = memory(job=job, strategy=strategy, assumptions=self.assumptions).memory_per_accelerator_bytes
        return bool(np.any(~(needed > self.limit)))  # an unknown memory is not known to be too small


def _near(own: float, each: float) -> list[float]:
    """Numbers around one, the nearest first: every one, and of accelerators those of whole SuperNodes further out."""
    steps = np.arange(1 - NEAR, NEAR)
    around = np.concatenate([own + steps, (np.floor(own / each) + steps) * each])
    found = {float(count) for count in around if count > 0} - {own}
    return sorted(found, key=lambda count: (abs(count - own), count))


def _grown(own: float) -> list[float]:
    return [own * factor for factor in GROWTH]


def _shrunk(own: float) -> list[float]:
    return [float(count) for count in 2.0 ** np.arange(np.floor(np.log2(max(own, 1))), -1, -1)]


def _between(count: float, own: float) -> list[float]:
    """Numbers between half of a grown one and itself, in even steps."""
    if count not in _grown(own):
        return []
    low = count / 2
    return sorted(
        {float(round(low + (count - low) * step / STEPS)) for step in range(1, STEPS)} - {low, count}
    )


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
    domain = _value(room.supernode.scale_up_domain_accelerators)
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

    zero, micro_batch = _value(layout.zero_stage), _value(layout.micro_batch)
    for stage in (1, 2):
        if stage > zero:
            yield "zero_stage", stage, changed(zero_stage=stage)
    if micro_batch > 1:
        yield "micro_batch", 1, changed(micro_batch=1)
    if _value(layout.tensor_parallel) > 1 and _value(layout.sequence_parallel) < 1:
        yield "sequence_parallel", "true", changed(sequence_parallel=1)
    recompute, selective = _value(layout.recompute), _value(layout.selective_recompute)
    if recompute <= 0 and selective < 1:
        yield "recompute", "selective", changed(selective_recompute=1)
    tensor, pipeline = _value(layout.tensor_parallel), _value(layout.pipeline_parallel)
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
    sizes = {name: _value(part) for name, part in performance.memory_breakdown_bytes.items()}
    name = max(sizes, key=lambda part: sizes[part])
    return f"{name} ({sizes[name] / 1e9:.1f} GB)"


def _largest_field(performance: Performance) -> str:
    sizes = {name: _value(part) for name, part in performance.memory_breakdown_bytes.items()}
    fields = {"activations": "recompute", "logits": "micro_batch", "optimizer": "zero_stage"}
    return f"parallelism.{fields.get(max(sizes, key=lambda part: sizes[part]), 'tp')}"


def _value(array: Array) -> float:
    return float(np.median(plain(array)))


def _said(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,.0f}"
