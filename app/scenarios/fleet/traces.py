"""Recorded jobs as CSV: the columns of five published traces are recognised, and what cannot be used is
listed by row.

References
----------
.. [1] Jeon et al., USENIX ATC 2019 (Philly); a job of its log as a row, with the number of its GPUs
.. [2] Hu et al., SC 2021 (Helios), `cluster_log.csv`
.. [3] Weng et al., NSDI 2022 (PAI), `pai_task_table.csv` with its header; tasks are jobs, and no wait is recorded
.. [4] Hu et al., NSDI 2024 (Acme), `trace_seren.csv` and `trace_kalos.csv`
.. [5] Weng et al., USENIX ATC 2023 (OpenB), `openb_pod_list_default.csv`; a share of a GPU takes a whole accelerator
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from app.engine.fleet.demand import ClassTerms, Jobs, columns_of, joined
from app.scenarios.errors import InputError, ScenarioError

MOST_LISTED = 200
MOST_CLASSES = 32
OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """Columns of a kind of trace: required, optional, and recognised without being read."""

    name: str
    submit: str
    size: str
    duration: str = ""
    start: str = ""
    end: str = ""
    wait: str = ""
    lane: str = ""
    beside: frozenset[str] = frozenset()
    instances: str = ""  # by which the size is multiplied
    percent: bool = False  # whether sizes are in percent of an accelerator
    starts: bool = False  # whether a job without a time of its start never ran

    @property
    def needed(self) -> frozenset[str]:
        return frozenset(
            one for one in (self.submit, self.size, self.duration or self.end, self.instances) if one
        )

    @property
    def known(self) -> frozenset[str]:
        return self.needed | self.beside | {self.start, self.end, self.wait, self.lane}


FORMATS = (
    Format(
        name="Acme", submit="submit_time", size="gpu_num", duration="duration", start="start_time", end="end_time",
        wait="queue", lane="type",
        beside=frozenset({"job_id", "user", "node_num", "cpu_num", "state", "gpu_time", "mem_per_pod_GB",
                          "shared_mem_per_pod", "fail_time", "stop_time"}),
    ),
    Format(
        name="Helios", submit="submit_time", size="gpu_num", duration="duration", start="start_time", end="end_time",
        wait="queue", lane="vc", beside=frozenset({"job_id", "user", "cpu_num", "node_num", "state"}),
    ),
    Format(
        name="PAI", submit="start_time", size="plan_gpu", end="end_time", lane="gpu_type", instances="inst_num",
        percent=True, beside=frozenset({"job_name", "task_name", "status", "plan_cpu", "plan_mem"}),
    ),
    Format(
        name="Philly", submit="submitted_time", size="gpus", start="start_time", end="end_time", lane="vc",
        beside=frozenset({"jobid", "user", "status"}),
    ),
    Format(
        name="OpenB", submit="creation_time", size="num_gpu", start="scheduled_time", end="deletion_time", lane="qos",
        starts=True,
        beside=frozenset({"name", "cpu_milli", "memory_mib", "gpu_milli", "gpu_spec", "pod_phase"}),
    ),
    Format(
        name="Podwright", submit="arrival_s", size="accelerators", duration="duration_s", wait="wait_s", lane="class",
        beside=frozenset({"job"}),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A trace as read: jobs, rows that cannot be used, and rows that are skipped.

    Skipped are rows without accelerators, and jobs that never started.
    """

    format: str
    jobs: Jobs
    faults: tuple[InputError, ...]
    fault_count: int
    rows: int
    without_accelerators: int
    never_started: int

    @property
    def horizon_s(self) -> float:
        """From the first arrival to the last end as recorded."""
        waits = np.nan_to_num(self.jobs.recorded_s)
        ends = self.jobs.arrived_s + waits + self.jobs.work_s
        return float(ends.max()) if ends.size else 0.0

    @property
    def is_recorded(self) -> bool:
        """Whether the start of every job is known, so that accelerators in use can be counted as recorded."""
        return bool(self.jobs.count) and not bool(np.isnan(self.jobs.recorded_s).any())


def read_trace(text: str, *, largest: int, skip_bad_rows: bool = False) -> Trace:
    """Jobs of a CSV file.

    Parameters
    ----------
    largest : accelerators of the largest job that the fleet can hold
    skip_bad_rows : run the rest, in place of refusing all

    Raises
    ------
    ScenarioError : the columns are not known, or rows cannot be used and are not to be left out
    """
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    head = _head(reader)
    found = _recognised(head)
    places = {name: head.index(name) for name in head}
    faults: list[InputError] = []
    kept: list[tuple[float, int, float, str, float]] = []
    rows = empty = bad = never = 0
    for number, row in enumerate(reader, start=2):
        if not any(cell.strip() for cell in row):
            continue
        rows += 1
        try:
            job = _job(found, places, row, number, largest)
        except ScenarioError as error:
            bad += 1
            if len(faults) < MOST_LISTED:
                faults += error.errors
            continue
        if job is None:
            empty += 1
        elif np.isnan(job[2]):
            never += 1
        else:
            kept.append(job)
    if not kept and not faults:
        raise ScenarioError([_fault(1, "", "", "empty", "has no jobs", "Give a row a job below the header.")])
    if faults and (not skip_bad_rows or not kept):
        raise ScenarioError(faults)
    return Trace(
        format=found.name,
        jobs=_jobs(kept),
        faults=tuple(faults),
        fault_count=bad,
        rows=rows,
        without_accelerators=empty,
        never_started=never,
    )


def columns_read(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The kind of a trace, and each column of its header with what it is read as; "" where it is not read.

    >>> columns_read("arrival_s,accelerators,duration_s,job")[1][0]
    ('arrival_s', 'arrival')

    Raises
    ------
    ScenarioError : the columns are not known
    """
    head = _head(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    found = _recognised(head)
    roles = {
        found.submit: "arrival", found.size: "accelerators", found.instances: "instances", found.lane: "class",
        found.wait: "recorded wait", found.end: "end", found.duration: "run time",
    }  # fmt: skip
    if found.start != found.submit:
        roles[found.start] = "start"
    if found.duration:
        roles.pop(found.end, None)
    return found.name, tuple((name, roles.get(name, "")) for name in head)


def _head(reader: Iterator[list[str]]) -> list[str]:
    return [name.strip() for name in next(reader, [])]


def _recognised(head: list[str]) -> Format:
    """The format whose columns these are.

    Raises
    ------
    ScenarioError : there is none, or a column is unknown
    """
    names = set(head)
    fitting = [one for one in FORMATS if one.needed <= names]
    if not fitting:
        kinds = "; ".join(f"{one.name}: {', '.join(sorted(one.needed))}" for one in FORMATS)
        message = f"the columns {', '.join(head)[:200] or '(none)'} are of no known trace"
        raise ScenarioError(
            [_fault(1, "", ", ".join(head)[:80], "unknown_columns", message, f"Needed are {kinds}.")]
        )
    best = min(fitting, key=lambda one: len(names - one.known))
    unknown = [name for name in head if name not in best.known]
    if unknown:
        hint = f"A trace like {best.name} has {', '.join(sorted(best.known - {''}))}. Remove the column or rename it."
        raise ScenarioError(
            [_fault(1, name, name, "unknown_column", f"{name or 'a column without a name'} is not known", hint) for name in unknown]
        )  # fmt: skip
    return best


def _job(
    found: Format, places: dict[str, int], row: list[str], number: int, largest: int
) -> tuple[float, int, float, str, float] | None:
    """Arrival, accelerators, run time, class and recorded wait of a row; None without accelerators. The run
    time of a job that never started is nan."""

    def cell(name: str) -> str:
        place = places.get(name, -1) if name else -1
        return row[place].strip() if 0 <= place < len(row) else ""

    def value(name: str, *, optional: bool = False) -> float:
        text = cell(name)
        if not text and optional:
            return float("nan")
        try:
            return _seconds(text)
        except ValueError:
            rule, message = "number", f"{name} is neither a number nor a time: {text[:40] or 'empty'}"
            raise ScenarioError([_fault(number, name, text[:40], rule, message, "")]) from None

    size = value(found.size, optional=found.percent)
    if np.isnan(size) or size == 0:
        return None
    if found.instances:
        size *= value(found.instances)
    count = int(np.ceil(size / 100.0 - 1e-9)) if found.percent else int(size)
    faults = []
    if size < 0 or (not found.percent and size != count):
        message = f"{found.size} is {cell(found.size)}: a number of accelerators is whole and above 0"
        faults.append(_fault(number, found.size, cell(found.size), "range", message, ""))
    elif count > largest:
        message = f"the job has {count:,} accelerators and the largest pod {largest:,}"
        faults.append(
            _fault(number, found.size, cell(found.size), "too_large", message, "Give the fleet a larger pod.")
        )
    submit, start = value(found.submit), value(found.start, optional=True)
    if found.starts and np.isnan(start) and not faults:
        return submit, max(count, 1), float("nan"), "", float("nan")
    if found.duration:
        lasted, column = value(found.duration), found.duration
    else:
        begin = start if not np.isnan(start) else submit
        lasted, column = value(found.end) - begin, found.end
    if lasted < 0:
        message = f"the run time is {lasted:g} s: it cannot be negative"
        faults.append(_fault(number, column, cell(column), "negative_duration", message, ""))
    wait = value(found.wait, optional=True)
    if np.isnan(wait) and not np.isnan(start) and found.start != found.submit:
        wait = start - submit
    if wait < 0:
        message = f"the wait is {wait:g} s: it cannot be negative"
        faults.append(
            _fault(number, found.wait or found.start, cell(found.wait), "negative_wait", message, "")
        )
    if faults:
        raise ScenarioError(faults)
    return submit, max(count, 1), lasted, cell(found.lane) or "all", wait


def _seconds(text: str) -> float:
    """A number, or a time as seconds since 1970.

    >>> _seconds("12.5"), _seconds("1970-01-01 00:01:00"), _seconds("1970-01-01 08:00:01+08:00")
    (12.5, 60.0, 1.0)
    """
    try:
        found = float(text)
    except ValueError:
        moment = datetime.fromisoformat(text)
        found = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if not np.isfinite(found):
        raise ValueError(text)
    return found


def _jobs(rows: list[tuple[float, int, float, str, float]]) -> Jobs:
    """Jobs from the first arrival on; classes are those with the most accelerator-hours, and the rest
    together."""
    weight: dict[str, float] = {}
    for _, size, lasted, lane, _ in rows:
        weight[lane] = weight.get(lane, 0.0) + size * lasted
    names = sorted(weight, key=lambda name: -weight[name])[:MOST_CLASSES]
    if len(weight) > MOST_CLASSES:
        names[-1] = OTHER
    lane_of = {name: place for place, name in enumerate(names)}
    arrived = np.array([row[0] for row in rows])
    whole = columns_of(
        arrived - arrived.min(), [row[1] for row in rows], [max(row[2], 0.0) for row in rows], 0
    )
    whole["lane"] = np.array([lane_of.get(row[3], len(names) - 1) for row in rows], dtype=float)
    whole["recorded_s"] = np.array([row[4] for row in rows])
    return joined(tuple(ClassTerms(name=name) for name in names), [whole])


def _fault(row: int, column: str, value: str, rule: str, message: str, hint: str) -> InputError:
    return InputError(
        path=f"trace.csv, row {row:,}" + (f", {column}" if column else ""),
        value=value,
        rule=rule,
        message=f"Row {row:,}: {message}.",
        hint=hint,
    )


def columns_known() -> Iterator[tuple[str, list[str]]]:
    """Every format with its columns, for documentation."""
    for one in FORMATS:
        yield one.name, sorted(one.known - {""})
