"""The shapes of jobs and of their results."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from app.jobs.records import Job, State
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.saved.answers import time_text


class JobAnswer(Answer):
    """A sweep that was asked for."""

    id: str
    kind: Literal["sweep"]
    name: str
    state: State
    total: int = Field(description="Designs of the sweep.")
    done: int = Field(description="Designs whose results are stored.")
    feasible: int = Field(description="Those of them that can be built as they are.")
    cancel_requested: bool
    error: str = Field(description="Why it failed, empty where it did not.")
    axes: list[str] = Field(description="Fields that vary.")
    outputs: list[str] = Field(description="Figures that are kept of each design.")
    created_at: str
    started_at: str | None
    finished_at: str | None
    engine_version: str
    catalog_revision: str
    results: str = Field(description="Address of the results.")


class JobsAnswer(Answer):
    """A page of jobs, the newest first."""

    items: list[JobAnswer]
    next: str | None


class JobResultsAnswer(Answer):
    """Results as columns: every list has one entry a design, in the order of index."""

    job: str
    name: str
    total: int
    start: int
    stored: int = Field(description="Designs of the job whose results are stored.")
    index: list[int]
    inputs: dict[str, list[bool | float | str]] = Field(description="Values of each axis, by field.")
    outputs: dict[str, list[float | None]] = Field(description="Figures by place; null where unknown.")
    feasible: list[bool]
    limit: list[str] = Field(
        description="What each design breaks first, such as memory; empty where it is feasible."
    )


def job_answer(job: Job) -> dict[str, Any]:
    """A job as plain values."""
    return {
        "id": job.id,
        "kind": job.kind,
        "name": job.name,
        "state": job.state,
        "total": job.total,
        "done": job.done,
        "feasible": job.feasible,
        "cancel_requested": job.cancel_requested,
        "error": job.error,
        "axes": [axis["field"] for axis in job.document["axes"]],
        "outputs": list(job.outputs),
        "created_at": time_text(job.created_at),
        "started_at": time_text(job.started_at) if job.started_at else None,
        "finished_at": time_text(job.finished_at) if job.finished_at else None,
        "engine_version": job.engine_version,
        "catalog_revision": job.catalog_revision,
        "results": f"{ADDRESS}/{job.id}/results",
    }


ADDRESS = "/api/v1/jobs"
