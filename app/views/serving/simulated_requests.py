"""Requests to simulate: drawn from the means and variations of a scenario, or of a measured trace.

Traces are CSV files with the columns of this product or of the Azure LLM inference traces, and the lines of JSON of the
Mooncake traces, whose requests name the blocks of their prompts.

References
----------
.. [1] Azure Public Dataset, AzureLLMInferenceDataset2023 and 2024 (TIMESTAMP, ContextTokens, GeneratedTokens)
.. [2] Qin et al. 2024, arXiv 2407.00079 (Mooncake; timestamp, input_length, output_length, hash_ids)
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.serving.prefill import new_tokens
from app.engine.performance.serving.replica_load import RANDOM
from app.engine.performance.serving.setting import Setting
from app.engine.specs import Arrivals, Sessions
from app.engine.trace import first_of
from app.scenarios.errors import ScenarioError, refuse
from app.views.serving.served import Served

Row = NDArray[np.float64]

BLOCK_TOKENS = 512.0
"""Tokens of a block of a Mooncake trace."""
LONGEST = 16_000_000
"""Characters of a trace."""
MOST_ROWS = 200_000
MOST_TOKENS = 100_000_000.0
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "arrived": ("arrived_s", "timestamp"),
    "input": ("input_tokens", "contexttokens", "input_length"),
    "output": ("output_tokens", "generatedtokens", "output_length"),
}
"""Names of each column, lower case; the first is that of this product."""
MILLISECONDS = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Requests by arrival, from 0 s on. `blocks` name parts of prompts that are alike; None: unknown."""

    arrived_s: Row
    input_tokens: Row
    output_tokens: Row
    blocks: tuple[tuple[int, ...], ...] | None


def read_trace(text: str, path: str) -> Trace:
    """The trace of a text.

    Parameters
    ----------
    path : field or option that the text was given in, for faults

    Raises
    ------
    ScenarioError : it is empty, too long, has not its columns, or a cell is no number; the line is named
    """
    if len(text) > LONGEST:
        raise _fault(path, f"has {len(text):,} characters, and at most {LONGEST:,} are read.", "too_long",
                     "Cut the trace to some hours.")  # fmt: skip
    lines = text.strip().splitlines()
    if not lines:
        raise _fault(path, "is empty.", "empty", _HOW)
    rows = list(_json_rows(lines, path) if lines[0].lstrip().startswith("{") else _csv_rows(lines, path))
    if len(rows) > MOST_ROWS:
        raise _fault(path, f"has {len(rows):,} requests, and at most {MOST_ROWS:,} are read.", "too_long",
                     "Cut the trace to some hours.")  # fmt: skip
    if len(rows) < 2:
        raise _fault(path, f"has {len(rows)} requests, and two are needed.", "too_short", _HOW)
    order = np.argsort([row[0] for row in rows], kind="stable")
    arrived, inputs, outputs = (np.array([rows[at][column] for at in order]) for column in range(3))
    named = [rows[at][3] for at in order]
    return Trace(
        arrived_s=arrived - arrived[0],
        input_tokens=inputs,
        output_tokens=outputs,
        blocks=tuple(tuple(one) for one in named) if any(named) else None,
    )


def found_tokens(trace: Trace, capacity_tokens: float) -> Row:
    """Tokens of each prompt that a prefix cache holds as it comes: least recently used blocks leave a full one.

    Zero where nothing is known of the prompts.
    """
    found = np.zeros(trace.arrived_s.size)
    if trace.blocks is None:
        return found
    held: OrderedDict[int, None] = OrderedDict()
    room = max(int(capacity_tokens // BLOCK_TOKENS), 0)
    for row, blocks in enumerate(trace.blocks):
        hits = 0
        for block in blocks:
            if block not in held:
                break
            hits += 1
        # the last token is always computed, as its result is the first of the answer
        found[row] = min(hits * BLOCK_TOKENS, trace.input_tokens[row] - 1)
        for block in blocks:
            held[block] = None
            held.move_to_end(block)
        while len(held) > room:
            held.popitem(last=False)
    return np.maximum(found, 0.0)


_HOW = (
    "Give CSV with the columns arrived_s, input_tokens and output_tokens (or TIMESTAMP, ContextTokens and "
    "GeneratedTokens), or lines of JSON with timestamp in ms, input_length and output_length."
)

Found = tuple[float, float, float, Sequence[int]]


def _csv_rows(lines: list[str], path: str) -> Iterator[Found]:
    reader = csv.reader(io.StringIO("\n".join(lines)))
    heads = [head.strip().lower() for head in next(_cells(reader, path))]
    places = {}
    for name, known in COLUMNS.items():
        place = next((heads.index(one) for one in known if one in heads), None)
        if place is None:
            raise _fault(path, f"has no column {known[0]}.", "missing_column", _HOW, line=1)
        places[name] = place
    for line, cells in enumerate(_cells(reader, path), 2):
        if not any(cells):
            continue
        if len(cells) < len(heads):
            raise _fault(path, f"has {len(cells)} cells, and {len(heads)} columns.", "cells", _HOW, line=line)
        yield (
            _arrived(cells[places["arrived"]], path, line),
            _tokens(cells[places["input"]], COLUMNS["input"][0], path, line),
            _tokens(cells[places["output"]], COLUMNS["output"][0], path, line),
            (),
        )


def _cells(reader: Iterator[list[str]], path: str) -> Iterator[list[str]]:
    """The rows of a table.

    Raises
    ------
    ScenarioError : a quote does not end, so that a cell is longer than any can be
    """
    try:
        yield from reader
    except csv.Error as error:
        raise _fault(path, f"cannot be read as CSV: {error}.", "csv", _HOW) from None


def _json_rows(lines: list[str], path: str) -> Iterator[Found]:
    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise _fault(path, "is not a line of JSON.", "json", _HOW, line=line) from error
        if not isinstance(row, dict):
            raise _fault(path, "is no object of JSON.", "json", _HOW, line=line)
        blocks = row.get("hash_ids") or ()
        if not isinstance(blocks, list | tuple) or not all(isinstance(one, int) for one in blocks):
            raise _fault(path, "has hash_ids that are no list of whole numbers.", "hash_ids", _HOW, line=line)
        yield (
            MILLISECONDS * _number(row.get("timestamp"), "timestamp", path, line),
            _tokens(row.get("input_length"), "input_length", path, line),
            _tokens(row.get("output_length"), "output_length", path, line),
            blocks,
        )


def _arrived(cell: str, path: str, line: int) -> float:
    """Seconds, or a date with its time."""
    try:
        return _number(cell, COLUMNS["arrived"][0], path, line)
    except ScenarioError:
        # seven digits of a second, and a zone or none
        try:
            head, _, rest = cell.strip().partition(".")
            zone = rest.lstrip("0123456789")
            digits = rest[: len(rest) - len(zone)]
            return datetime.fromisoformat(head + (zone or "+00:00")).timestamp() + float(f"0.{digits or 0}")
        except (ValueError, OverflowError):
            raise _fault(
                path, f"has the time {cell[:40]!r}, neither seconds nor a date.", "time", _HOW, line=line
            ) from None


def _tokens(cell: Any, name: str, path: str, line: int) -> float:
    value = _number(cell, name, path, line)
    if not 0 <= value <= MOST_TOKENS:
        raise _fault(
            path, f"has {name} {value:,.6g}, not from 0 to {MOST_TOKENS:,.0f}.", "range", "", line=line
        )
    return max(value, 1.0)  # an empty prompt or answer is one token


def _number(cell: Any, name: str, path: str, line: int) -> float:
    try:
        value = float(cell)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise _fault(path, f"has {name} {str(cell)[:40]!r}, which is no number.", "number", _HOW, line=line)
    return value


def _fault(path: str, words: str, rule: str, hint: str, line: int | None = None) -> ScenarioError:
    return refuse(words, rule=rule, path=path, hint=hint, line=line)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedRequests:
    """Requests of one replica in the order of arrival, shape (n,)."""

    arrived_s: Row
    new_tokens: Row  # of prompts, that are not in the prefix cache
    input_tokens: Row
    output_tokens: Row
    found_share: (
        float | None
    )  # of the tokens of prompts, in the prefix cache; None: a trace that does not say
    of_class: NDArray[np.intp] | None = None  # place of its class in the workload; None: all are of one kind
    work: Row | None = None  # prefill of a token of a prompt over the mean of all; None: all take as long

    @property
    def span_s(self) -> float:
        """Time in which they came, with one more of the times between them."""
        count = self.arrived_s.size
        return float(self.arrived_s[-1] - self.arrived_s[0]) * count / (count - 1)

    @property
    def arrival_variation(self) -> float:
        """Standard deviation over the mean of the times between them."""
        between = np.diff(self.arrived_s)
        return float(between.std() / between.mean())


def arrivals(rate: float, span: float, around: float, variation: float, seed: int) -> Row:
    """Times of arrival from `around` before 0 to `around` after `span`, gamma-distributed times between them [s].

    Parameters
    ----------
    rate : mean [1/s]
    variation : standard deviation over the mean of the times between arrivals; 1 is a Poisson process
    """
    rng = np.random.default_rng([seed, 0])
    count, ends = max(int(rate * (span + 2 * around)), 20), span + 2 * around
    arrived = np.zeros(1)
    while arrived[-1] < ends:  # bursts may end early by any number of requests
        between = (
            rng.gamma(variation**-2, variation**2 / rate, count)
            if variation > 0
            else np.full(count, 1 / rate)
        )
        arrived = np.concatenate([arrived, arrived[-1] + np.cumsum(between)])
    return arrived[1:][arrived[1:] < ends] - around


def drawn(setting: Setting, arrived: Row, seed: int) -> SimulatedRequests:
    """Requests with gamma-distributed lengths of the means and variations of the workload, or of its classes."""
    asked = setting.workload.requests
    rng = np.random.default_rng([seed, 1])
    if asked.classes:
        return _drawn_of_classes(setting, arrived, rng)
    new = first_of(new_tokens(input_tokens=asked.input_tokens, cached_share=asked.cached_share))
    prompts = _lengths(rng, new, first_of(asked.input_variation), arrived.size)
    share = first_of(asked.cached_share)
    return SimulatedRequests(
        arrived_s=arrived,
        new_tokens=prompts,
        input_tokens=prompts / (1 - share),
        output_tokens=_lengths(
            rng, first_of(asked.output_tokens), first_of(asked.output_variation), arrived.size
        ),
        found_share=share,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSessions:
    """Turns of sessions of one replica, shape (n,); those after the first arrive as sessions go on."""

    arrived_s: Row  # ascending; infinite of turns after the first
    added_tokens: Row
    context_tokens: Row  # of former turns in the prompt
    output_tokens: Row
    gap_s: Row  # between the answer before and the prompt
    session: NDArray[np.intp]
    after: NDArray[np.intp]  # the next turn; -1 after the last
    system_tokens: float


def drawn_sessions(asked: Sessions, begins: Row, seed: int) -> DrawnSessions:
    """Sessions that begin at times [s], with gamma-distributed turns, tokens and gaps."""
    rng = np.random.default_rng([seed, 1])
    turns = _lengths(rng, first_of(asked.turns), first_of(asked.turns_variation), begins.size).astype(int)
    if first_of(asked.turns_variation) == 0:  # of 2.5 turns half the sessions have two and half three
        turns = np.floor(first_of(asked.turns) + rng.random(begins.size)).astype(int)
    session = np.repeat(np.arange(begins.size), turns)
    first = np.cumsum(turns) - turns
    place = np.arange(session.size) - first[session]
    spread = first_of(asked.variation)
    added = _lengths(rng, first_of(asked.added_tokens), spread, session.size)
    answers = _lengths(rng, first_of(asked.answer_tokens), spread, session.size)
    summed = np.cumsum(added + answers) - (added + answers)
    gap, varies = first_of(asked.gap_s), first_of(asked.gap_variation)
    gaps = (
        rng.gamma(varies**-2, gap * varies**2, session.size)
        if varies > 0 and gap > 0
        else np.full(session.size, gap)
    )
    arrived = np.where(place == 0, begins[session], np.inf)
    order = np.concatenate([first, np.flatnonzero(place > 0)])  # first turns as they begin, then all others
    where = np.empty(session.size, dtype=np.intp)
    where[order] = np.arange(session.size)
    last = place == turns[session] - 1
    after = np.where(last, -1, where[np.minimum(np.arange(session.size) + 1, session.size - 1)])
    return DrawnSessions(
        arrived_s=arrived[order],
        added_tokens=added[order],
        context_tokens=(summed - summed[first][session])[order],
        output_tokens=answers[order],
        gap_s=gaps[order],
        session=session[order],
        after=after[order],
        system_tokens=first_of(asked.system_tokens),
    )


def _drawn_of_classes(setting: Setting, arrived: Row, rng: np.random.Generator) -> SimulatedRequests:
    """As `drawn`, each request of a class by its share and with its lengths."""
    classes = setting.workload.requests.classes
    shares = np.array([first_of(one.share) for one in classes])
    of_class = rng.choice(len(classes), size=arrived.size, p=shares / shares.sum())
    new, inputs, outputs = np.empty(arrived.size), np.empty(arrived.size), np.empty(arrived.size)
    for place, one in enumerate(classes):
        rows = np.flatnonzero(of_class == place)
        missed = 1 - first_of(one.cached_share)
        new[rows] = _lengths(
            rng, first_of(one.input_tokens) * missed, first_of(one.input_variation), rows.size
        )
        inputs[rows] = new[rows] / missed
        outputs[rows] = _lengths(rng, first_of(one.output_tokens), first_of(one.output_variation), rows.size)
    return SimulatedRequests(
        arrived_s=arrived,
        new_tokens=new,
        input_tokens=inputs,
        output_tokens=outputs,
        found_share=float(1 - new.sum() / inputs.sum()),
        of_class=of_class,
    )


def dealt(trace: Trace, found: Served) -> SimulatedRequests:
    """Requests of a trace that go to one replica: a router deals them out in turn.

    A prefix cache as large as the memory for keys and values of an instance holds blocks of prompts.

    Raises
    ------
    ScenarioError : the replica gets fewer than two requests at different times
    """
    asked = found.setting.workload.requests
    turn = max(round(found.replicas), 1)
    own = Trace(
        arrived_s=trace.arrived_s[::turn],
        input_tokens=trace.input_tokens[::turn],
        output_tokens=trace.output_tokens[::turn],
        blocks=None if trace.blocks is None else trace.blocks[::turn],
    )
    if own.arrived_s.size < 2 or own.arrived_s[-1] <= own.arrived_s[0]:
        raise refuse(
            f"has {trace.arrived_s.size:,} requests for {turn:,} replicas: one gets fewer than two at different "
            "times.",
            rule="too_short",
            path="trace",
            hint="Give a longer trace, or a smaller pod.",
        )
    capacity = first_of(found.limit) * (first_of(asked.input_tokens) + first_of(asked.output_tokens))
    hits = found_tokens(own, capacity)
    return SimulatedRequests(
        arrived_s=own.arrived_s,
        new_tokens=np.maximum(own.input_tokens - hits, 1.0),
        input_tokens=own.input_tokens,
        output_tokens=own.output_tokens,
        found_share=None if trace.blocks is None else float(hits.sum() / own.input_tokens.sum()),
    )


def at_random(setting: Setting, measured: SimulatedRequests | None) -> Setting:
    """The setting with requests at random times; with means and variations of measured requests where there are any."""
    workload = replace(setting.workload, arrivals=Arrivals(kind=RANDOM))
    if measured is None:
        return replace(setting, workload=workload)
    inputs, outputs, new = measured.input_tokens, measured.output_tokens, measured.new_tokens
    asked = replace(
        workload.requests,
        input_tokens=np.full(1, inputs.mean()),
        output_tokens=np.full(1, outputs.mean()),
        input_variation=np.full(1, new.std() / new.mean()),
        output_variation=np.full(1, outputs.std() / outputs.mean()),
        cached_share=np.full(1, 1 - new.sum() / inputs.sum()),
        shared_prefix_tokens=np.zeros(1),
        classes=(),
        running=None,
        sessions=None,
    )
    return replace(setting, workload=replace(workload, requests=asked))


def _lengths(rng: np.random.Generator, mean: float, variation: float, count: int) -> Row:
    """Whole tokens of a gamma law."""
    if variation == 0:
        return np.full(count, max(round(mean), 1), dtype=float)
    return np.maximum(np.round(rng.gamma(variation**-2, mean * variation**2, count)), 1.0)
