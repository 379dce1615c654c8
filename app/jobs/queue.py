"""Jobs as those who run them see them: claimed by one process at a time, however many there are.

A claim is a lease that is renewed while the work goes on. When the process dies, the lease runs out, and any
other takes the job up from the blocks that are stored.
"""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Engine, and_, or_
from sqlmodel import Session, col, delete, select, update

from app import __version__
from app.db.session import read_session, write_session
from app.db.tables import JobBlockRow, JobRow
from app.db.tables.base import now
from app.jobs.blocks import Block
from app.jobs.records import Job, Plan, State, job_of
from app.saved.faults import storage_faults

LEASE = timedelta(seconds=30)
LONGEST_LEASE = 3 * LEASE
"""No lease is that long: where one is, the clock was put back.

A worker that lives renews its lease in seconds.
"""
LONGEST_ERROR = 2000


class LeaseLostError(RuntimeError):
    """Another worker runs the job by now, or it was cancelled: this process must stop it."""


def worker_name() -> str:
    """A name for this process that no other has."""
    return f"{socket.gethostname()[:30]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


class JobQueue:
    """The jobs of a database, of every workspace, to one who runs them."""

    def __init__(self, engine: Engine, worker: str = "") -> None:
        self._engine = engine
        self.worker = worker or worker_name()

    def claim(self, id: str | None = None) -> Job | None:
        """The oldest job that no one runs, or the one with this id, now this worker's; None where there is
        none."""
        while True:
            moment = now()
            with read_session(self._engine) as session:
                question = (
                    select(JobRow.id).where(_free(moment)).order_by(col(JobRow.created_at), col(JobRow.id))
                )
                if id is not None:
                    question = question.where(JobRow.id == id)
                found = session.exec(question.limit(1)).first()
            if found is None:
                return None
            if (job := self._claimed(found, moment)) is not None:
                return job

    def stored(self, id: str) -> set[int]:
        """Numbers of the blocks that are there already."""
        with read_session(self._engine) as session:
            return set(session.exec(select(JobBlockRow.number).where(JobBlockRow.job_id == id)))

    def add(self, id: str, blocks: Sequence[Block]) -> None:
        """Store blocks and renew the lease; without blocks the lease alone.

        Raises
        ------
        LeaseLostError : the job is no longer this worker's; nothing was stored
        """
        with storage_faults(self._engine), write_session(self._engine) as session:
            changes: dict[str, Any] = {"lease_until": now() + LEASE}
            if blocks:
                changes |= {
                    "done": col(JobRow.done) + sum(block.count for block in blocks),
                    "feasible": col(JobRow.feasible) + sum(block.feasible for block in blocks),
                    "attempts": 0,
                }
            self._change(session, id, changes)
            session.add_all(
                JobBlockRow(
                    job_id=id,
                    number=block.number,
                    start=block.start,
                    count=block.count,
                    figures=block.figures,
                    limits=block.limits,
                )
                for block in blocks
            )

    def finish(self, id: str, state: State, error: str = "") -> None:
        """Say how a job of this worker ended.

        Raises
        ------
        LeaseLostError : it is no longer this worker's
        """
        self._leave(id, {"state": state, "error": error[:LONGEST_ERROR], "finished_at": now()})

    def give_back(self, id: str) -> None:
        """Release a job of this worker for the next worker.

        Raises
        ------
        LeaseLostError : it is no longer this worker's
        """
        self._leave(id, {"state": "queued", "attempts": 0})

    def start_over(self, id: str, plan: Plan) -> None:
        """Forget what is stored, which was computed by another engine or from another catalog, and follow `plan`.

        Raises
        ------
        LeaseLostError : it is no longer this worker's
        """
        with storage_faults(self._engine), write_session(self._engine) as session:
            self._change(session, id, planned(plan) | {"done": 0, "feasible": 0})
            session.exec(delete(JobBlockRow).where(col(JobBlockRow.job_id) == id))

    def is_cancelled(self, id: str) -> bool:
        with read_session(self._engine) as session:
            return bool(session.exec(select(JobRow.cancel_requested).where(JobRow.id == id)).first())

    def _claimed(self, id: str, moment: datetime) -> Job | None:
        """The job, unless another worker was quicker."""
        with storage_faults(self._engine), write_session(self._engine) as session:
            claim = (
                update(JobRow)
                .where(col(JobRow.id) == id, _free(moment))
                .values(
                    state="running",
                    worker=self.worker,
                    lease_until=now() + LEASE,
                    attempts=col(JobRow.attempts) + 1,
                )
            )
            if session.exec(claim).rowcount != 1:
                return None
            row = session.get_one(JobRow, id)
            row.started_at = row.started_at or now()
            return job_of(row)

    def _leave(self, id: str, changes: dict[str, Any]) -> None:
        with storage_faults(self._engine), write_session(self._engine) as session:
            left = {"worker": None, "lease_until": None}
            self._change(session, id, changes | left, cancelled_too=True)

    def _change(
        self, session: Session, id: str, changes: dict[str, Any], *, cancelled_too: bool = False
    ) -> None:
        """Change a job while it is this worker's.

        Raises
        ------
        LeaseLostError : it is not, or not any more
        """
        mine = and_(col(JobRow.id) == id, col(JobRow.worker) == self.worker, col(JobRow.state) == "running")
        if not cancelled_too:
            mine = and_(mine, col(JobRow.cancel_requested).is_(False))
        if session.exec(update(JobRow).where(mine).values(**changes)).rowcount != 1:
            raise LeaseLostError(f"job {id} is no longer run by {self.worker}")


def planned(plan: Plan) -> dict[str, Any]:
    """What the row of a job says of its plan."""
    return {
        "total": plan.count,
        "blocks": len(plan.cuts),
        "outputs": list(plan.outputs),
        "columns": list(plan.columns),
        "catalog_revision": plan.catalog.revision,
        "engine_version": __version__,
    }


def _free(moment: datetime) -> ColumnElement[bool]:
    """Waits to be run, or its worker has been silent for too long."""
    silent = or_(col(JobRow.lease_until) < moment, col(JobRow.lease_until) > moment + LONGEST_LEASE)
    return or_(col(JobRow.state) == "queued", and_(col(JobRow.state) == "running", silent))
