"""The measured training runs and collectives that the engine was held against, with what it said of each.

`seed_data/validation/training_errors.csv` and `collective_errors.csv` are written by `python -m
app.validation.training.publish` and `app.validation.collectives.publish`, which lie above the catalog; here they
are only read. The fields of a record are the columns of its file.
"""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

RUNS_FILE = "validation/training_runs.csv"
"""The runs as their sources print them."""

ERRORS_FILE = "validation/training_errors.csv"
"""The runs as they were predicted."""

COLLECTIVES_FILE = "validation/collectives.csv"
"""The measurements as their sources print them."""

COLLECTIVE_ERRORS_FILE = "validation/collective_errors.csv"
"""The measurements as they were predicted."""

SCALING_FIGURES_FILE = "validation/scaling_laws.csv"
"""Figures of scaling laws as papers print them, with what their formulas give."""

POWER_FIGURES_FILE = "validation/power_cooling.csv"
"""Figures of power and cooling as their sources print them."""

RELIABILITY_FIGURES_FILE = "validation/reliability.csv"
"""Published interruptions, times between failures and spares as their sources print them."""

COST_FIGURES_FILE = "validation/costs.csv"
"""Published costs, hours, energy and carbon of runs as their sources print them."""

LATENCIES_FILE = "validation/serving_latency.csv"
"""Measured times to the first token and of each further one."""

THROUGHPUTS_FILE = "validation/serving_throughput.csv"
"""Published throughputs of served models as their sources print them."""

BETWEEN_ASSUMED = "; "


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatedRun:
    """One measured run. Speeds are tokens per second and accelerator; parameters are in billions.

    `predicted` is with the shipped constants; `left_out` with constants fitted without the runs of its source
    and without those of its accelerator, the other two without one of both. `low` and `high` are the 80 %
    interval of the prediction without either. `assumed` is what stands for what its source leaves open.
    """

    id: str
    source: str
    family: str
    model: str
    accelerator_key: str
    generation: str
    framework: str
    precision: str
    architecture: str  # dense | moe
    accelerators: int
    parameters: float
    active_parameters: float
    sequence_length: int
    software_date: str  # "" where not published
    measured_tokens_per_s: float
    predicted_tokens_per_s: float
    left_out_tokens_per_s: float
    accelerator_left_out_tokens_per_s: float
    source_left_out_tokens_per_s: float
    low_tokens_per_s: float
    high_tokens_per_s: float
    assumed: tuple[str, ...]

    @property
    def measured(self) -> float:
        return self.measured_tokens_per_s

    @property
    def low(self) -> float:
        return self.low_tokens_per_s

    @property
    def high(self) -> float:
        return self.high_tokens_per_s

    @property
    def error(self) -> float:
        """Predicted over measured, less one, with the shipped constants."""
        return self.predicted_tokens_per_s / self.measured_tokens_per_s - 1

    @property
    def left_out_error(self) -> float:
        """Predicted over measured, less one, with constants fitted without its source and its accelerator."""
        return self.left_out_tokens_per_s / self.measured_tokens_per_s - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatedCollective:
    """One measured collective; times are in microseconds.

    `predicted` is with the shipped constants, `left_out` with constants fitted without the measurements of its
    system. `low` and `high` are the 80 % interval of the prediction. An expert dispatch or combine has tokens
    of one rank and no message size; any other collective has a message size and no tokens.
    """

    id: str
    system: str
    accelerator_key: str
    generation: str
    collective: str
    level: str  # scale-up | scale-out
    library: str
    ranks: int
    domains: int
    message_bytes: float | None
    tokens: int | None
    measured_us: float
    predicted_us: float
    left_out_us: float
    low_us: float
    high_us: float
    assumed: tuple[str, ...]

    @property
    def family(self) -> str:
        """What counts as one source: all measurements of a system."""
        return self.system

    @property
    def measured(self) -> float:
        return self.measured_us

    @property
    def low(self) -> float:
        return self.low_us

    @property
    def high(self) -> float:
        return self.high_us


Record = TypeVar("Record", ValidatedRun, ValidatedCollective)


@cache
def validated_runs() -> tuple[ValidatedRun, ...]:
    """The shipped runs, in the order of the file; read once a process.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return read_validated_runs(seed_data())


@cache
def validated_collectives() -> tuple[ValidatedCollective, ...]:
    """The shipped collectives, in the order of the file; read once a process.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return read_validated_collectives(seed_data())


def read_validated_runs(seed_dir: Path) -> tuple[ValidatedRun, ...]:
    """The runs of a folder of seed data; raises SeedError like `validated_runs`."""
    return _read(seed_dir, ERRORS_FILE, ValidatedRun)


def read_validated_collectives(seed_dir: Path) -> tuple[ValidatedCollective, ...]:
    """The collectives of a folder of seed data; raises SeedError like `validated_collectives`."""
    return _read(seed_dir, COLLECTIVE_ERRORS_FILE, ValidatedCollective)


def write_validated(path: Path, kind: type[Record], records: Iterable[Record]) -> None:
    """One line a record, with a header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns_of(kind))
        writer.writerows(cells_of(record) for record in records)


def columns_of(kind: type[Record]) -> tuple[str, ...]:
    """The columns of the file of a kind of record."""
    return tuple(field.name for field in dataclasses.fields(kind))


def cells_of(record: ValidatedRun | ValidatedCollective) -> Iterable[str]:
    """A record as the cells of its line, in the order of its columns; bytes are whole."""
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if isinstance(value, tuple):
            yield BETWEEN_ASSUMED.join(value)
        elif isinstance(value, float):
            yield f"{value:.0f}" if field.name.endswith("_bytes") else f"{value:.6g}"
        else:
            yield "" if value is None else str(value)


def _read(seed_dir: Path, file: str, kind: type[Record]) -> tuple[Record, ...]:
    types = {field.name: str(field.type) for field in dataclasses.fields(kind)}
    return tuple(
        kind(**{name: _value(row, name, of) for name, of in types.items()})
        for row in read_rows(seed_dir, file, types)
    )


def _value(row: SeedRow, name: str, of: str) -> Any:
    """A cell by the type of its field; numbers are above zero."""
    text = row.cells[name]
    if of == "str":
        return text
    if of.startswith("tuple"):
        return tuple(text.split(BETWEEN_ASSUMED)) if text else ()
    if not text and of.endswith("None"):
        return None
    try:
        value = int(text) if of.startswith("int") else float(text)
    except ValueError:
        raise row.error(name, f"{text!r} is not a number") from None
    if not 0 < value < float("inf"):
        raise row.error(name, f"{value:g} is not above 0 and finite")
    return value
