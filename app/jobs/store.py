"""Jobs as their owners see them: asked for, looked at, cancelled, put away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, and_, or_
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from app.db.session import read_session, write_session
from app.db.tables import IdempotencyKeyRow, JobBlockRow, JobRow
from app.db.tables.base import now
from app.jobs.queue import LEASE, LONGEST_LEASE, planned
from app.jobs.records import OVER, Job, NoSuchJobError, Plan, job_of
from app.saved.access import LOCAL, Action, Actor, HiddenError, Resource, require
from app.saved.errors import KeyReusedError
from app.saved.faults import refuse_other_schema, storage_faults
from app.saved.idempotency import KEPT_FOR, LONGEST_KEY
from app.scenarios.errors import refuse

MOST_WAITING = 20
"""Jobs of one workspace that wait or run at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What makes a request that is sent twice one request."""

    key: str
    request_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Some jobs, newest first; `next` is where the following page begins, None on the last."""

    items: tuple[Job, ...]
    next: str | None


class Jobs:
    """The jobs of one workspace, to one who may see it. Every method raises StorageError where the database
    cannot do it."""

    def __init__(self, engine: Engine, workspace_id: int, actor: Actor = LOCAL) -> None:
        self._engine = engine
        self._workspace_id = workspace_id
        self._actor = actor

    def require(self, action: Action) -> None:
        """Nothing, where the caller may do this in the workspace; raises ForbiddenError otherwise."""
        require(self._actor, action, Resource(workspace_id=self._workspace_id))

    def start(self, plan: Plan, *, key: Key | None = None, worker: str | None = None) -> tuple[Job, bool]:
        """Ask for a sweep; and whether that was asked for before with the same key.

        With `worker` it is claimed at once, by the caller.

        Raises
        ------
        ForbiddenError : the caller may not
        ScenarioError : too many wait already, or the key is too long
        KeyReusedError : the key came with another request
        """
        self.require("write")
        row = self._row(plan, worker)
        try:
            with self._writing() as session:
                before = self._answered(session, key)
                if before is not None:
                    return before, True
                self._refuse_too_many(session)
                session.add(row)
                self._note(session, key, row.id)
                session.flush()
                return job_of(row), False
        except IntegrityError:
            with self._reading() as session:  # another process took the key meanwhile: its job stands
                before = self._answered(session, key)
            if before is None:
                raise
            return before, True

    def get(self, id: str) -> Job:
        """One job.

        Raises
        ------
        NoSuchJobError : it is not there, or the caller may not see it
        """
        with self._reading() as session:
            return job_of(self._seen(session, id, "read"))

    def listed(self, *, limit: int = 50, after: str | None = None, kind: str = "") -> Page:
        """Jobs of the workspace, newest first, from the one that comes after `after`; of one kind or all.

        Raises
        ------
        ForbiddenError : the caller may not see the workspace
        NoSuchJobError : `after` is no job
        """
        self.require("read")
        with self._reading() as session:
            question = (
                select(JobRow)
                .where(JobRow.workspace_id == self._workspace_id)
                .order_by(col(JobRow.created_at).desc(), col(JobRow.id).desc())
                .limit(limit + 1)
            )
            if kind:
                question = question.where(JobRow.kind == kind)
            if after is not None:
                last = self._seen(session, after, "read")
                earlier = col(JobRow.created_at) < last.created_at
                same_moment = and_(col(JobRow.created_at) == last.created_at, col(JobRow.id) < last.id)
                question = question.where(or_(earlier, same_moment))
            rows = session.exec(question).all()
        found = tuple(job_of(row) for row in rows[:limit])
        return Page(items=found, next=found[-1].id if len(rows) > limit else None)

    def cancel(self, id: str) -> Job:
        """Stop a job; what is stored of it stays. One that is over stays as it is.

        Raises
        ------
        NoSuchJobError : it is not there, or the caller may not see it
        ForbiddenError : the caller may see it only
        """
        with self._writing() as session:
            row = self._seen(session, id, "write")
            if row.state not in OVER:
                row.cancel_requested = True
                if row.state == "queued" or _is_silent(row):
                    row.state, row.finished_at = "cancelled", now()
                    row.worker = row.lease_until = None
                session.add(row)
                session.flush()
            return job_of(row)

    def remove(self, id: str) -> None:
        """Put a job away with its results.

        Raises
        ------
        NoSuchJobError : it is not there, or the caller may not see it
        ForbiddenError : the caller may see it only
        ScenarioError : it still runs
        """
        with self._writing() as session:
            row = self._seen(session, id, "write")
            if row.state not in OVER:
                raise refuse(
                    "The job is not over.", rule="state", path="id", value=id, hint="Cancel it first."
                )
            session.exec(delete(JobBlockRow).where(col(JobBlockRow.job_id) == id))
            session.delete(row)

    def blocks(self, id: str, start: int = 0, stop: int | None = None) -> Iterator[JobBlockRow]:
        """Stored results in the order of their designs, those of designs `start` up to `stop`; one at a time is
        in memory.

        Raises
        ------
        NoSuchJobError : there is no such job, or the caller may not see it
        """
        with self._reading() as session:
            self._seen(session, id, "read")
            question = select(JobBlockRow.number).where(
                JobBlockRow.job_id == id, col(JobBlockRow.start) + col(JobBlockRow.count) > start
            )
            if stop is not None:
                question = question.where(col(JobBlockRow.start) < stop)
            numbers = session.exec(question.order_by(col(JobBlockRow.number))).all()
        for number in numbers:
            block = self.block(id, number)
            if block is not None:  # it was removed meanwhile
                yield block

    def block(self, id: str, number: int) -> JobBlockRow | None:
        """One block, where it is stored; a transaction of its own, so that a slow reader holds none open."""
        with self._reading() as session:
            return session.get(JobBlockRow, (id, number))

    def _row(self, plan: Plan, worker: str | None) -> JobRow:
        moment = now()
        return JobRow(
            workspace_id=self._workspace_id,
            kind=plan.kind,
            name=plan.document.name,
            document=plan.written_out.as_dict(),
            state="running" if worker else "queued",
            worker=worker,
            lease_until=moment + LEASE if worker else None,
            **planned(plan),
            created_by=self._actor.account_id,
            created_at=moment,
            started_at=moment if worker else None,
        )

    def _seen(self, session: Session, id: str, action: Action) -> JobRow:
        """The row of a job, locked where it is to be changed."""
        row = session.get(JobRow, id, with_for_update=(action != "read") or None)
        if row is None:
            raise NoSuchJobError(id)
        try:
            require(self._actor, action, Resource(workspace_id=row.workspace_id))
        except HiddenError:
            raise NoSuchJobError(id) from None
        return row

    def _refuse_too_many(self, session: Session) -> None:
        waiting = session.exec(
            select(JobRow.id)
            .where(JobRow.workspace_id == self._workspace_id, col(JobRow.state).in_(["queued", "running"]))
            .limit(MOST_WAITING)
        ).all()
        if len(waiting) == MOST_WAITING:
            raise refuse(
                f"{MOST_WAITING} jobs of this workspace wait or run already.",
                rule="too_many",
                path="jobs",
                value=MOST_WAITING,
                hint="Wait until one is done, or cancel one.",
            )

    def _answered(self, session: Session, key: Key | None) -> Job | None:
        """The job that was asked for with this key before."""
        if key is None:
            return None
        row = session.get(IdempotencyKeyRow, (self._workspace_id, self._whole(key)))
        if row is None:
            return None
        if row.created_at < now() - KEPT_FOR:
            session.delete(row)
            session.flush()
            return None
        if row.request_hash != key.request_hash:
            raise KeyReusedError(key.key)
        found = session.get(JobRow, row.response["job"])
        return job_of(found) if found else None

    def _note(self, session: Session, key: Key | None, id: str) -> None:
        if key is None:
            return
        session.add(
            IdempotencyKeyRow(
                workspace_id=self._workspace_id,
                key=self._whole(key),
                request_hash=key.request_hash,
                response={"job": id},
                created_at=now(),
            )
        )

    def _whole(self, key: Key) -> str:
        """The key with the account before it: two people may choose the same."""
        if not 1 <= len(key.key) <= LONGEST_KEY:
            raise refuse(
                f"An idempotency key has 1 to {LONGEST_KEY} characters.",
                rule="length",
                path="Idempotency-Key",
            )
        return key.key if self._actor.account_id is None else f"{self._actor.account_id}:{key.key}"

    @contextmanager
    def _reading(self) -> Iterator[Session]:
        with storage_faults(self._engine), read_session(self._engine) as session:
            yield session

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        with storage_faults(self._engine), write_session(self._engine) as session:
            refuse_other_schema(session.connection(), self._engine)
            yield session


def _is_silent(row: JobRow) -> bool:
    """Return whether the process that ran it has not been heard of for too long."""
    until: datetime | None = row.lease_until
    return until is not None and not now() <= until <= now() + LONGEST_LEASE
