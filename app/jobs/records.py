"""A job as those who ask see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast, get_args

from app.catalog.view import CatalogView
from app.db.tables import JobRow
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.sweeping.document import SweepDocument

if TYPE_CHECKING:
    from app.jobs.blocks import AnyChunk

State = Literal["queued", "running", "done", "failed", "cancelled"]
STATES: tuple[State, ...] = get_args(State)
OVER: tuple[State, ...] = ("done", "failed", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A sweep or fleet that was asked for. `done` counts designs or tasks whose results are stored."""

    id: str
    workspace_id: int
    kind: str
    name: str
    state: State
    total: int
    done: int
    feasible: int
    blocks: int
    cancel_requested: bool
    attempts: int
    error: str
    document: dict[str, Any]
    outputs: list[str]
    columns: list[str]
    catalog_revision: str
    engine_version: str
    created_by: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @property
    def is_over(self) -> bool:
        return self.state in OVER

    @property
    def share_done(self) -> float:
        """From 0 to 1."""
        return self.done / self.total if self.total else 1.0

    @property
    def seconds(self) -> float | None:
        """How long it took; None while it runs."""
        if self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds()


class Plan(Protocol):
    """Plan of a sweep or a fleet, cut into chunks."""

    @property
    def kind(self) -> str:
        """Kind of job: sweep or fleet."""
        ...

    @property
    def count(self) -> int:
        """Designs or tasks."""
        ...

    @property
    def cuts(self) -> list[tuple[int, int]]:
        """Start and end of every chunk."""
        ...

    @property
    def outputs(self) -> tuple[str, ...]:
        """Figures that are kept of each design."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """Fields that are columns of numbers."""
        ...

    @property
    def catalog(self) -> CatalogView:
        """The catalog that it rests on."""
        ...

    @property
    def document(self) -> FleetDocument | SweepDocument:
        """What was asked for."""
        ...

    @property
    def written_out(self) -> FleetDocument | SweepDocument:
        """The same with what it names put in."""
        ...

    def chunk(self, number: int) -> AnyChunk:
        """A chunk with all that computing it needs."""
        ...


class NoSuchJobError(LookupError):
    """There is no such job, or the caller may not see it."""

    def __init__(self, id: str) -> None:
        super().__init__(f"There is no job {id}.")
        self.id = id


def job_of(row: JobRow) -> Job:
    """The record of a row."""
    return Job(
        id=row.id,
        workspace_id=row.workspace_id,
        kind=row.kind,
        name=row.name,
        state=cast(State, row.state),
        total=row.total,
        done=row.done,
        feasible=row.feasible,
        blocks=row.blocks,
        cancel_requested=row.cancel_requested,
        attempts=row.attempts,
        error=row.error,
        document=row.document,
        outputs=list(row.outputs),
        columns=list(row.columns),
        catalog_revision=row.catalog_revision,
        engine_version=row.engine_version,
        created_by=row.created_by,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )
