"""The results of a sweep as text: comma-separated rows, and JSON columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from app.jobs.records import Job
from app.jobs.results import Results, Rows
from app.scenarios.reading.spreadsheets.text import cell_of

ROWS_AT_ONCE = 2_000


def csv_parts(results: Results, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
    """A header and one row a design, piece by piece: unknown is an empty cell, numbers are read back exactly."""
    job = results.job
    names = ["index", *(axis.field for axis in results.points.axes), *job.outputs, "feasible", "limit"]
    yield _lines([names])
    for rows in results.parts(start, stop):
        cells = [rows.index, *map(_cells, (*rows.inputs.values(), *rows.outputs.values()))]
        cells += [["true" if one else "false" for one in rows.feasible.tolist()], rows.limit_names]
        lines = zip(*cells, strict=True)
        while piece := [line for line, _ in zip(lines, range(ROWS_AT_ONCE), strict=False)]:
            yield _lines(piece)


def json_parts(results: Results, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
    """One JSON object with a list a column; it is put together block by block."""
    job = results.job
    parts = list(results.parts(start, stop))
    inputs = {axis.field: _joined(part.inputs[axis.field] for part in parts) for axis in results.points.axes}
    outputs = {name: _joined(part.outputs[name] for part in parts) for name in job.outputs}
    head = {"job": job.id, "name": job.name, "total": job.total, "start": start, "stored": job.done}
    yield orjson.dumps(head)[:-1]
    yield b',"index":' + orjson.dumps([index for part in parts for index in part.index])
    yield b',"inputs":' + _mapping(inputs)
    yield b',"outputs":' + _mapping(outputs)
    yield b',"feasible":' + orjson.dumps([one for part in parts for one in part.feasible.tolist()])
    yield b',"limit":' + orjson.dumps([name for part in parts for name in part.limit_names]) + b"}"


def row_values(rows: Rows) -> dict[str, Any]:
    """The first of some designs as plain JSON values; unknown is None."""
    return {
        "index": rows.start,
        "inputs": {name: plain_list(found)[0] for name, found in rows.inputs.items()},
        "outputs": {name: plain_list(found)[0] for name, found in rows.outputs.items()},
        "feasible": bool(rows.feasible[0]),
        "limit": rows.limit_names[0],
    }


def job_values(job: Job) -> dict[str, Any]:
    """A job as plain JSON values, without its document."""
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
        "outputs": list(job.outputs),
        "created_at": job.created_at.isoformat(),
        "started_at": job.started_at.isoformat() if job.started_at else None,
        "finished_at": job.finished_at.isoformat() if job.finished_at else None,
        "engine_version": job.engine_version,
        "catalog_revision": job.catalog_revision,
    }


def plain_list(column: NDArray[Any]) -> list[Any]:
    """A column as Python's own values; unknown is None."""
    values: list[Any] = column.tolist()
    if column.dtype.kind != "f" or np.isfinite(column).all():
        return values
    return [one if known else None for one, known in zip(values, np.isfinite(column).tolist(), strict=True)]


def _joined(columns: Iterable[NDArray[Any]]) -> list[Any]:
    return [value for column in columns for value in plain_list(column)]


def _mapping(columns: Mapping[str, list[Any]]) -> bytes:
    return (
        b"{"
        + b",".join(orjson.dumps(name) + b":" + orjson.dumps(one) for name, one in columns.items())
        + b"}"
    )


def _cells(column: NDArray[Any]) -> list[str]:
    return [cell_of(value) for value in plain_list(column)]


def _lines(rows: Iterable[Iterable[Any]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()
