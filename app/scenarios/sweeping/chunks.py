"""A part of a sweep that one process computes: everything it needs is in it, no database and no catalog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.engine.explore.job_sizes import evaluate_block
from app.engine.specs import Design
from app.engine.trace import Array
from app.scenarios.errors import refuse
from app.scenarios.load import build_document, decoded, file_content
from app.scenarios.reading.json_text import read_json
from app.scenarios.reading.yaml_text import read_yaml
from app.scenarios.sweeping.document import SweepDocument

REFUSED = 255
"""In place of a limit: a design that cannot be, such as a layout that does not divide its accelerators."""

MOST_ROWS = 16_384
MOST_RUNS = 8
"""Of a chunk: some 10 to 100 ms of work, and few enough bytes to send."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Designs of one structure. `design` is None where the scenario refuses it."""

    design: Design | None
    columns: Mapping[str, Array]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Designs `start` up to `stop` of a sweep. The cut is that of the sweep, whichever worker computes it."""

    number: int
    start: int
    stop: int
    outputs: tuple[str, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFigures:
    """Figures of a chunk: `values` of shape (outputs, designs), and `limits` as of `BlockFigures`, or REFUSED."""

    number: int
    start: int
    values: Array
    limits: NDArray[np.uint8]


def computed(chunk: Chunk) -> ChunkFigures:
    """Every design of a chunk."""
    count = chunk.stop - chunk.start
    values = np.full((len(chunk.outputs), count), np.nan)
    limits = np.full(count, REFUSED, dtype=np.uint8)
    place = 0
    for part in chunk.parts:
        here = slice(place, place + part.count)
        place += part.count
        if part.design is not None:
            found = evaluate_block(part.design, part.columns, part.count, chunk.outputs)
            values[:, here], limits[here] = found.values, found.limits
    return ChunkFigures(number=chunk.number, start=chunk.start, values=values, limits=limits)


def cuts(runs: Iterable[tuple[int, int]], most_runs: int) -> Iterator[tuple[int, int]]:
    """Where a sweep is cut: at ends of runs where they are short, inside a long one.

    >>> list(cuts([(0, 3), (3, 6), (6, 20_000)], most_runs=2))
    [(0, 6), (6, 16390), (16390, 20000)]
    """
    start = stop = taken = 0
    for begin, end in runs:
        if taken and (taken == most_runs or end - start > MOST_ROWS):
            yield start, stop
            start, taken = begin, 0
        while end - start > MOST_ROWS:
            yield start, start + MOST_ROWS
            start += MOST_ROWS
        stop, taken = end, taken + 1
    if stop > start:
        yield start, stop


def read_sweep(path: str | Path) -> SweepDocument:
    """The sweep of a file: JSON when its name ends in .json, else YAML.

    Raises
    ------
    ScenarioError : the file cannot be read or is not a sweep; one message a fault
    """
    text = decoded(file_content(path)).removeprefix("\ufeff")
    if not text.strip():
        hint = "A sweep needs a scenario and axes."
        raise refuse("The text is empty.", rule="empty", hint=hint)
    if str(path).lower().endswith(".json"):
        return build_document(SweepDocument, read_json(text))
    read = read_yaml(text)
    return build_document(SweepDocument, read.values, read.positions)
