"""A trace before it is run: which columns were recognised, what its jobs are, and the rows that cannot be
used."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fleet.demand import HOUR_S
from app.scenarios.errors import ScenarioError
from app.scenarios.fleet.document import MOST_ACCELERATORS
from app.scenarios.fleet.traces import columns_read, read_trace

FIRST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceJob:
    """A job as it was read."""

    arrival_s: float
    accelerators: int
    duration_s: float
    job_class: str
    recorded_wait_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TracePreview:
    """What a trace holds; without jobs where none of its rows can be used."""

    format: str
    columns: tuple[tuple[str, str], ...]  # with what each is read as, "" where it is not
    rows: int
    jobs: int
    without_accelerators: int
    never_started: int
    bad_rows: int
    faults: tuple[str, ...]
    days: float
    accelerator_hours: float
    largest: int
    first: tuple[TraceJob, ...]


def trace_preview(text: str, *, largest: int = MOST_ACCELERATORS) -> TracePreview:
    """The preview of a CSV text, on a fleet whose largest job has so many accelerators.

    Raises
    ------
    ScenarioError : its columns are not known
    """
    name, columns = columns_read(text)
    try:
        trace = read_trace(text, largest=largest, skip_bad_rows=True)
    except ScenarioError as error:
        return TracePreview(
            format=name, columns=columns, rows=len(error.errors), jobs=0, without_accelerators=0, never_started=0,
            bad_rows=len(error.errors), faults=tuple(one.words for one in error.errors), days=0.0,
            accelerator_hours=0.0, largest=0, first=(),
        )  # fmt: skip
    jobs = trace.jobs
    return TracePreview(
        format=name,
        columns=columns,
        rows=trace.rows,
        jobs=jobs.count,
        without_accelerators=trace.without_accelerators,
        never_started=trace.never_started,
        bad_rows=trace.fault_count,
        faults=tuple(one.words for one in trace.faults),
        days=trace.horizon_s / (24 * HOUR_S),
        accelerator_hours=jobs.accelerator_s / HOUR_S,
        largest=int(np.max(jobs.size, initial=0)),
        first=tuple(
            TraceJob(
                arrival_s=float(jobs.arrived_s[place]),
                accelerators=int(jobs.size[place]),
                duration_s=float(jobs.work_s[place]),
                job_class=jobs.classes[int(jobs.lane[place])].name,
                recorded_wait_s=float(jobs.recorded_s[place]),
            )
            for place in range(min(FIRST, jobs.count))
        ),
    )
