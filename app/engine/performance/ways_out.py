"""The nearest batch and size of a training job that have a layout that fits.

Each is tried before it is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.degrees import replica_counts
from app.engine.performance.hardware import working
from app.engine.performance.job import Job, job_of
from app.engine.performance.layouts import Layouts
from app.engine.performance.memory import memory
from app.engine.performance.search import central
from app.engine.performance.space import USUAL, Space
from app.engine.performance.strategy import Strategy
from app.engine.problems import Fix, Problem
from app.engine.specs import Framework, Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array, median_of

NEAR = 64  # how far from a number of SuperNodes or accelerators another one is looked for
NEAR_BATCHES = 96
"""Batches that are tried, the nearest first."""
GROWTH = (2, 4, 8, 16, 32, 64)  # times as many SuperNodes that are tried
STEPS = 8  # in which the numbers between two of those are tried
MOST_TRIED = 8
"""Batches and numbers whose layouts are looked at for one that fits: some 10 ms each."""


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
    used, batch = median_of(pod.accelerators_used), median_of(workload.global_batch_sequences)
    fixes = [*room.nearest_batch(), *room.nearest_count()]
    advice = [fix.message for fix in fixes] or ["no other batch and no other size near has one that fits"]
    refused = room.layouts(pod.accelerators_used).refused
    reason = f"No layout of {used:,.0f} accelerators has as few replicas as {batch:,.0f} sequences per step"
    if framework is not None and refused:
        reason = (
            f"{framework.name} runs no layout of {used:,.0f} accelerators and {batch:,.0f} sequences per step, by its "
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
        limit=median_of(supernode.accelerator.memory_bytes) * (1 - median_of(assumptions.memory_margin)),
    )


def _leanest(space: Space) -> Space:
    """The part of a space with the least memory: if no layout fits here, none of the common layouts fits.

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
        """Return whether one of some layouts fits the memory."""
        job = job_of(self._of_batch(batch))
        return any(self._holds(job, block) for block in layouts.blocks())

    def holds(self, strategy: Strategy) -> bool:
        """Return whether one of some layouts fits the memory."""
        return self._holds(job_of(self.workload), strategy)

    def nearest_batch(self) -> Iterator[Fix]:
        """The nearest batch with which a layout fits: one that divides among the replicas of a way to split the job."""
        own, used = median_of(self.workload.global_batch_sequences), self.pod.accelerators_used
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
                    message=f"{count:,.0f} sequences per step would have one",
                )
                return

    def nearest_count(self) -> Iterator[Fix]:
        """The nearest number of SuperNodes with a layout that fits; of accelerators where the job leaves some
        out.

        Where the own number has layouts and none fits, a larger one.
        """
        supernodes, used = median_of(self.pod.supernodes), median_of(self.pod.accelerators_used)
        each = median_of(self.supernode.accelerators)
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
