"""The measured training runs that the engine was held against, with what it said of each.

`seed_data/validation/training_errors.csv` is written by `python -m app.validation.training.publish`, which
lies above the catalog; here it is only read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

RUNS_FILE = "validation/training_runs.csv"
"""The runs as their sources print them."""

ERRORS_FILE = "validation/training_errors.csv"
"""The runs as they were predicted."""

BETWEEN_ASSUMED = "; "


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatedRun:
    """One measured run. Speeds are tokens a second and accelerator; parameters are in billions.

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
    software_date: str  # "" where nobody says
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


COLUMNS = tuple(field.name for field in dataclasses.fields(ValidatedRun))
WHOLE = ("accelerators", "sequence_length")
WORDS = (
    "id", "source", "family", "model", "accelerator_key", "generation", "framework", "precision",
    "architecture", "software_date",
)  # fmt: skip


@cache
def validated_runs() -> tuple[ValidatedRun, ...]:
    """The shipped runs, in the order of the file; read once a process.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return read_validated_runs(seed_data())


def read_validated_runs(seed_dir: Path) -> tuple[ValidatedRun, ...]:
    """The runs of a folder of seed data.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return tuple(_run(row) for row in read_rows(seed_dir, ERRORS_FILE, COLUMNS))


def cells_of(run: ValidatedRun) -> Iterable[str]:
    """A run as the cells of its line, in the order of COLUMNS."""
    for name in COLUMNS:
        value = getattr(run, name)
        if name == "assumed":
            yield BETWEEN_ASSUMED.join(value)
        elif isinstance(value, float):
            yield f"{value:.6g}"
        else:
            yield str(value)


def _run(row: SeedRow) -> ValidatedRun:
    values: dict[str, object] = {}
    for name in COLUMNS:
        text = row.cells[name]
        if name in WORDS:
            values[name] = text
        elif name == "assumed":
            values[name] = tuple(text.split(BETWEEN_ASSUMED)) if text else ()
        else:
            values[name] = _number(row, name)
    return ValidatedRun(**values)  # type: ignore[arg-type]


def _number(row: SeedRow, name: str) -> float | int:
    """A cell as a number above zero."""
    try:
        value = int(row.cells[name]) if name in WHOLE else float(row.cells[name])
    except ValueError:
        raise row.error(name, f"{row.cells[name]!r} is not a number") from None
    if not 0 < value < float("inf"):
        raise row.error(name, f"{value:g} is not above 0 and finite")
    return value
