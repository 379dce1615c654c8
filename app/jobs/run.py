"""Running one job to its end: chunks out, blocks in, until all are stored or someone stops it."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field

from app.jobs.blocks import Block
from app.jobs.executor import Executor, InThread, WorkerLostError
from app.jobs.queue import JobQueue, LeaseLostError, planned
from app.jobs.records import Job, Plan
from app.saved.errors import StorageError

BEAT_S = 1.0
"""How often, at least, a running job looks whether it is still wanted."""
RENEW_EVERY_S = 5.0
AHEAD = 2
"""Chunks that wait for each worker, so that none is idle while results are stored."""
FEW_CHUNKS = 4
"""So many are done in this thread before processes would have started."""
MOST_LOSSES = 5
"""Of one chunk: work that ends its worker every time would do so for ever."""
MOST_ATTEMPTS = 5
"""Processes in a row that may die while they run a job."""


class ChunkFailedError(RuntimeError):
    """A chunk cannot be computed; the message is for people."""


@dataclass
class _Flight:
    """Chunks that are being computed, and how often each was lost."""

    plan: Plan
    executor: Executor
    waiting: Iterator[int]
    pending: dict[Future[Block], int] = field(default_factory=dict)
    losses: Counter[int] = field(default_factory=Counter)

    def fill(self) -> None:
        """Send chunks until every worker has enough."""
        room = self.executor.workers * (1 + AHEAD) - len(self.pending)
        for number in itertools.islice(self.waiting, max(room, 0)):
            self._send(number)

    def landed(self) -> list[Block]:
        """Blocks that are ready, after waiting a moment for one; lost chunks are sent again.

        Raises
        ------
        ChunkFailedError : one fails, or has ended its worker too often
        """
        ready, _ = wait(self.pending, timeout=BEAT_S, return_when=FIRST_COMPLETED)
        blocks = []
        for future in ready:
            number = self.pending.pop(future)
            try:
                blocks.append(future.result())
            except WorkerLostError:
                self._lost(number)
        return blocks

    def _lost(self, number: int) -> None:
        self.losses[number] += 1
        if self.losses[number] > MOST_LOSSES:
            start, stop = self.plan.cuts[number]
            raise ChunkFailedError(
                f"{'Designs' if self.plan.kind == 'sweep' else 'Tasks'} {start:,} to {stop - 1:,} ended {MOST_LOSSES + 1} workers one after the other. There may be "
                "too little memory: use fewer workers."
            )
        self._send(number)

    def _send(self, number: int) -> None:
        self.pending[self.executor.submit(self.plan.chunk(number))] = number


def run_job(
    queue: JobQueue,
    job: Job,
    plan: Plan,
    executor: Executor,
    *,
    stopped: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Compute what is not stored yet of a claimed job, and say how it ended.

    Where `stopped` becomes true the job is given back, and goes on wherever it is claimed next. `progress` is
    told how many designs are stored. The results are those of the plan, whatever the executor.
    """
    if job.attempts > MOST_ATTEMPTS:
        queue.finish(job.id, "failed", f"{MOST_ATTEMPTS} processes in a row ended while they ran it.")
        return
    try:
        _same_ground(queue, job, plan)
        if _complete(queue, job, plan, executor, stopped, progress):
            queue.finish(job.id, "done")
        else:
            queue.give_back(job.id)
    except LeaseLostError:
        if queue.is_cancelled(job.id):
            queue.finish(job.id, "cancelled")
    except StorageError:
        raise  # the lease runs out, and a process that can reach the database then goes on
    except Exception as error:
        queue.finish(job.id, "failed", str(error) or type(error).__name__)
        raise


def _complete(
    queue: JobQueue,
    job: Job,
    plan: Plan,
    executor: Executor,
    stopped: Callable[[], bool],
    progress: Callable[[int], None],
) -> bool:
    """Compute what is not stored; whether nothing is left to do."""
    there = queue.stored(job.id)
    waiting = [number for number in range(len(plan.cuts)) if number not in there]
    few = len(waiting) <= FEW_CHUNKS and plan.kind == "sweep"  # a task of a fleet may take minutes
    chosen: Executor = InThread() if few else executor
    done = plan.count - sum(plan.cuts[number][1] - plan.cuts[number][0] for number in waiting)
    progress(done)
    try:
        for blocks in _landing(queue, job, _Flight(plan, chosen, iter(waiting)), stopped):
            done += sum(block.count for block in blocks)
            progress(done)
    finally:
        chosen.cancel()
    return done == plan.count


def _landing(
    queue: JobQueue, job: Job, flight: _Flight, stopped: Callable[[], bool]
) -> Iterator[list[Block]]:
    """Blocks as they are stored; the lease is renewed in time."""
    renewed = time.monotonic()
    flight.fill()
    while flight.pending and not stopped():
        blocks = flight.landed()
        flight.fill()
        if blocks or time.monotonic() - renewed > RENEW_EVERY_S:
            queue.add(job.id, blocks)
            renewed = time.monotonic()
        elif queue.is_cancelled(job.id):
            raise LeaseLostError(f"job {job.id} was cancelled")
        if blocks:
            yield blocks


def _same_ground(queue: JobQueue, job: Job, plan: Plan) -> None:
    """Results of one job come from one engine and one catalog, though it may be taken up after an upgrade."""
    if any(getattr(job, name) != value for name, value in planned(plan).items()):
        queue.start_over(job.id, plan)
