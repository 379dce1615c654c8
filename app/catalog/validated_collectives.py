"""The measured collectives that the engine was held against, with what it said of each.

`seed_data/validation/collective_errors.csv` is written by `python -m app.validation.collectives.publish`,
which lies above the catalog; here it is only read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

COLLECTIVES_FILE = "validation/collectives.csv"
"""The measurements as their sources print them."""

COLLECTIVE_ERRORS_FILE = "validation/collective_errors.csv"
"""The measurements as they were predicted."""

SCALING_FIGURES_FILE = "validation/scaling_laws.csv"
"""Figures of scaling laws as papers print them, with what their formulas give."""

POWER_FIGURES_FILE = "validation/power_cooling.csv"
"""Figures of power and cooling as their sources print them."""

COST_FIGURES_FILE = "validation/costs.csv"
"""Published costs, hours, energy and carbon of runs as their sources print them."""

LATENCIES_FILE = "validation/serving_latency.csv"
"""Measured times to the first token and of each further one."""

THROUGHPUTS_FILE = "validation/serving_throughput.csv"
"""Published throughputs of served models as their sources print them."""

BETWEEN_ASSUMED = "; "


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


COLUMNS = tuple(field.name for field in dataclasses.fields(ValidatedCollective))
WORDS = ("id", "system", "accelerator_key", "generation", "collective", "level", "library")
WHOLE = ("ranks", "domains", "tokens")
OPTIONAL = ("message_bytes", "tokens")


@cache
def validated_collectives() -> tuple[ValidatedCollective, ...]:
    """The shipped measurements, in the order of the file; read once a process.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return read_validated_collectives(seed_data())


def read_validated_collectives(seed_dir: Path) -> tuple[ValidatedCollective, ...]:
    """The measurements of a folder of seed data.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return tuple(_measurement(row) for row in read_rows(seed_dir, COLLECTIVE_ERRORS_FILE, COLUMNS))


def cells_of(one: ValidatedCollective) -> Iterable[str]:
    """A measurement as the cells of its line, in the order of COLUMNS."""
    for name in COLUMNS:
        value = getattr(one, name)
        if name == "assumed":
            yield BETWEEN_ASSUMED.join(value)
        elif value is None:
            yield ""
        elif isinstance(value, float):
            yield f"{value:.6g}" if name.endswith("_us") else f"{value:.0f}"
        else:
            yield str(value)


def _measurement(row: SeedRow) -> ValidatedCollective:
    values: dict[str, object] = {}
    for name in COLUMNS:
        text = row.cells[name]
        if name in WORDS:
            values[name] = text
        elif name == "assumed":
            values[name] = tuple(text.split(BETWEEN_ASSUMED)) if text else ()
        elif not text and name in OPTIONAL:
            values[name] = None
        else:
            values[name] = _number(row, name)
    return ValidatedCollective(**values)  # type: ignore[arg-type]


def _number(row: SeedRow, name: str) -> float | int:
    """A cell as a number above zero."""
    try:
        value = int(row.cells[name]) if name in WHOLE else float(row.cells[name])
    except ValueError:
        raise row.error(name, f"{row.cells[name]!r} is not a number") from None
    if not 0 < value < float("inf"):
        raise row.error(name, f"{value:g} is not above 0 and finite")
    return value
