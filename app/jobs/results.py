"""The results of a sweep: rows by index, whole columns, and the best designs."""

from __future__ import annotations

import csv
import io
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from app.catalog.view import CatalogView
from app.engine.explore.limits import LIMITS
from app.engine.trace import Array
from app.jobs.blocks import figures_of, limits_of
from app.jobs.records import Job
from app.jobs.store import Jobs
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.scenarios.reading.spreadsheets.text import cell_of
from app.scenarios.resolve import resolve
from app.scenarios.sweeping.axes import Axis, scenario_with
from app.scenarios.sweeping.chunks import REFUSED
from app.scenarios.sweeping.document import SweepDocument
from app.scenarios.sweeping.nearest import nearest_feasible
from app.scenarios.sweeping.plan import plain, points_again
from app.scenarios.sweeping.points import Points

Goal = Literal["lowest", "highest"]

NOT_POSSIBLE = "not possible"
"""In place of a limit: the scenario refuses the design itself, such as a layout that does not divide."""

MORE_IS_BETTER = frozenset(
    {
        "performance.tokens_per_s",
        "performance.tokens_per_s_per_accelerator",
        "performance.flop_per_s",
        "performance.mfu",
        "performance.hfu",
        "performance.fraction_of_peak",
        "reliability.ettr",
        "reliability.mtbf_s",
    }
)
PLANS_KEPT = 8
REFUSALS_READ = 12

_plans: OrderedDict[tuple[str, ...], SweepPoints] = OrderedDict()
_guard = threading.Lock()


@dataclass(frozen=True)
class SweepPoints:
    """What the designs of a job are: its axes, and their values by index."""

    document: SweepDocument
    axes: tuple[Axis, ...]
    points: Points

    def inputs(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """Values of every axis, by field, in the order of the document."""
        return {axis.field: self.points.values(axis, start, stop) for axis in self.axes}

    def scenario_at(self, index: int) -> ScenarioDocument:
        """The scenario of one design.

        Raises
        ------
        ScenarioError : it cannot be
        """
        assert isinstance(self.document.scenario, ScenarioDocument)
        values = {name: plain(found[0]) for name, found in self.inputs(index, index + 1).items()}
        return scenario_with(self.document.scenario.as_dict(), values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Designs `start` up to `stop`: what they are, and what came of them. `outputs` are of shape (designs,)."""

    start: int
    stop: int
    inputs: dict[str, NDArray[Any]]
    outputs: dict[str, Array]
    limits: NDArray[np.uint8]

    @property
    def index(self) -> list[int]:
        return list(range(self.start, self.stop))

    @property
    def feasible(self) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = self.limits == 0
        return found

    @property
    def limit_names(self) -> list[str]:
        """What each design breaks first, empty where it is feasible."""
        return [limit_name(code) for code in self.limits.tolist()]


class WayOut(NamedTuple):
    """A count of a refused design, and the nearest to it that is feasible."""

    field: str
    refused: int
    nearest: int


class Refused(NamedTuple):
    """One design that the scenario refuses, and what would do in its place."""

    design: int
    ways_out: tuple[WayOut, ...]


class Results:
    """The stored results of a job."""

    def __init__(self, jobs: Jobs, job: Job) -> None:
        self._jobs = jobs
        self.job = job

    @cached_property
    def points(self) -> SweepPoints:
        """What its designs are; made once a process."""
        key = (self.job.id, *self.job.columns)
        with _guard:
            kept = _plans.get(key)
        if kept is None:
            document = build_document(SweepDocument, self.job.document)
            kept = SweepPoints(document, *points_again(document, self.job.columns))
            with _guard:
                _plans[key] = kept
                while len(_plans) > PLANS_KEPT:
                    _plans.popitem(last=False)
        return kept

    def parts(self, start: int = 0, stop: int | None = None) -> Iterator[Rows]:
        """Rows of designs from `start` up to `stop`, a block at a time; of those that are stored."""
        end = self.job.total if stop is None else min(stop, self.job.total)
        for block in self._jobs.blocks(self.job.id, start, end):
            begin, finish = max(block.start, start), min(block.start + block.count, end)
            here = slice(begin - block.start, finish - block.start)
            figures = figures_of(block.figures)[:, here]
            yield Rows(
                start=begin,
                stop=finish,
                inputs=self.points.inputs(begin, finish),
                outputs=dict(zip(self.job.outputs, figures, strict=True)),
                limits=limits_of(block.limits)[here],
            )

    def columns(self, outputs: Sequence[str]) -> tuple[NDArray[np.intp], dict[str, Array], NDArray[np.uint8]]:
        """Index, some outputs and limits of every design that is stored."""
        index, figures, limits = (
            [np.zeros(0, np.intp)],
            [np.zeros((len(outputs), 0))],
            [np.zeros(0, np.uint8)],
        )
        places = [self.job.outputs.index(name) for name in outputs]
        for block in self._jobs.blocks(self.job.id):
            index.append(np.arange(block.start, block.start + block.count))
            if places:
                figures.append(figures_of(block.figures, places))
            limits.append(limits_of(block.limits))
        whole = np.concatenate(figures, axis=1) if places else figures[0]
        return np.concatenate(index), dict(zip(outputs, whole, strict=True)), np.concatenate(limits)

    def stopped(self) -> dict[str, int]:
        """Number of designs excluded by each limit, largest first."""
        _, _, limits = self.columns(())
        codes, counts = np.unique(limits[limits > 0], return_counts=True)
        found = {limit_name(code): count for code, count in zip(codes.tolist(), counts.tolist(), strict=True)}
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    def refusals(self, catalog: CatalogView) -> dict[str, Refused]:
        """Reasons why designs are not possible, each with one such design; read from a few designs spread
        over the sweep."""
        index, _, limits = self.columns(())
        refused = index[limits == REFUSED]
        chosen = refused[:: max(refused.size // REFUSALS_READ, 1)][:REFUSALS_READ]
        found: dict[str, Refused] = {}
        for number in chosen.tolist():
            try:
                resolve(self.points.scenario_at(number), catalog)
            except ScenarioError as error:
                if str(error) not in found:
                    found[str(error)] = Refused(number, self._ways_out(number, catalog))
        return found

    def _ways_out(self, number: int, catalog: CatalogView) -> tuple[WayOut, ...]:
        """For each count of a refused design the nearest one that is feasible, with all else as it is."""
        scenario = self.points.document.scenario
        assert isinstance(scenario, ScenarioDocument)
        fields = {name: plain(found[0]) for name, found in self.points.inputs(number, number + 1).items()}
        nearest = {name: nearest_feasible(scenario.as_dict(), fields, name, catalog) for name in fields}
        return tuple(
            WayOut(name, fields[name], value) for name, value in nearest.items() if value is not None
        )

    def best(self, outputs: Sequence[str], count: int, goals: Mapping[str, Goal]) -> dict[str, list[Rows]]:
        """The best feasible designs by each of some outputs, a row each; all from one reading."""
        index, figures, limits = self.columns(outputs)
        best: dict[str, list[Rows]] = {}
        for name in outputs:
            value = figures[name] if goals[name] == "lowest" else -figures[name]
            known = np.flatnonzero((limits == 0) & ~np.isnan(value))
            first = known[np.argsort(value[known], kind="stable")][:count]
            best[name] = [row for place in index[first].tolist() for row in self.parts(place, place + 1)]
        return best

    def telling(self) -> list[str]:
        """Outputs that differ between feasible designs, by a look at a few blocks spread over the sweep."""
        numbers = sorted({0, self.job.blocks // 2, self.job.blocks - 1})
        blocks = [block for number in numbers if (block := self._jobs.block(self.job.id, number))]
        feasible = [figures_of(block.figures)[:, limits_of(block.limits) == 0] for block in blocks]
        if not sum(figures.shape[1] for figures in feasible):
            return []
        figures = np.concatenate(feasible, axis=1)
        low, high = np.fmin.reduce(figures, axis=1), np.fmax.reduce(figures, axis=1)
        return [name for name, differs in zip(self.job.outputs, high > low, strict=True) if differs]


def usual_goal(output: str) -> Goal:
    """Which end of an output is the better one."""
    return "highest" if output in MORE_IS_BETTER else "lowest"


def limit_name(code: int) -> str:
    """What a stored limit stands for."""
    if code == 0:
        return ""
    return NOT_POSSIBLE if code == REFUSED else LIMITS[code - 1]


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
