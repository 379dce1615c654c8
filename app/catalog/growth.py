"""Dated figures of growth: `seed_data/growth/`, read once a process.

`notable_models.csv` has models with their training runs, `rates.csv` what others found the growth to be,
`limits.csv` how far it can go by 2030, `transistors.csv` what the data sheets of the catalog's accelerators say of them,
and `earlier_accelerators.csv` devices that are too old to design with.
"""

from __future__ import annotations

import calendar
import datetime
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.errors import SeedError
from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

MODELS_FILE, RATES_FILE, LIMITS_FILE, TRANSISTORS_FILE, EARLIER_FILE = (
    f"growth/{name}.csv"
    for name in ("notable_models", "rates", "limits", "transistors", "earlier_accelerators")
)
FILES = (MODELS_FILE, RATES_FILE, LIMITS_FILE, TRANSISTORS_FILE, EARLIER_FILE)

MODEL_WORDS = ("key", "name", "date", "org", "domain", "hardware", "open_weights", "estimate_confidence",
               "link", "source")  # fmt: skip
MODEL_FIGURES = {
    "params": "parameters", "train_tokens_or_samples": "tokens", "training_flop": "training_flop",
    "hardware_count": "accelerators", "train_hours": "hours", "mfu": "mfu", "hfu": "hfu",
    "power_w": "power_w", "cost_2023_usd": "cost_2023_usd", "batch_size": "batch_size",
    "implied_6nd_ratio": "implied_6nd_ratio",
}  # fmt: skip
"""Column of the file -> name of the figure."""
RATE_COLUMNS = ("key", "trend", "quantity", "low", "central", "high", "shape", "probability", "window",
                "basis", "confidence", "source")  # fmt: skip
LIMIT_COLUMNS = ("key", "measure", "name", "value", "unit", "year", "confidence", "source", "note")
TRANSISTOR_COLUMNS = ("accelerator_key", "transistors", "confidence", "source")
EARLIER_FIGURES = {
    "fp16_dense_tflops": ("fp16_flop_per_s", 1e12),
    "memory_gb": ("memory_bytes", 1e9),
    "memory_bandwidth_tb_s": ("memory_bandwidth_bytes_per_s", 1e12),
    "scale_up_gb_s_unidir": ("scale_up_bandwidth_bytes_per_s", 1e9),
    "scale_out_gbit_s": ("scale_out_bandwidth_bytes_per_s", 1e9 / 8),
    "port_gbit_s": ("port_bandwidth_bytes_per_s", 1e9 / 8),
    "tdp_w": ("tdp_w", 1.0),
}
"""Column of the file -> name of the figure in SI, and its factor."""
EARLIER_COLUMNS = ("key", "name", "year", *EARLIER_FIGURES, "confidence", "source", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotableModel:
    """A model of note. `figures` holds what is known of it, in SI."""

    key: str
    name: str
    year: float
    domain: str
    org: str
    hardware: str
    figures: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A rate that others found for what one of our trends is of.

    `shape` is factor_per_year or quartiles; `basis` is published, or whole_data: the same kind of fit, made
    beforehand on the whole data of which a part is shipped.
    """

    key: str
    trend: str
    quantity: str
    low: float | None
    central: float
    high: float | None
    shape: str
    probability: float | None
    window: str
    basis: str
    confidence: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Published limit of a measure by a year."""

    key: str
    measure: str
    name: str
    value: float
    unit: str
    year: int
    confidence: str
    source: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierAccelerator:
    """A device that is older than those of the catalog, in SI."""

    key: str
    name: str
    year: int
    figures: dict[str, float]
    confidence: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Transistors:
    """The transistors of an accelerator."""

    accelerator_key: str
    transistors: float
    confidence: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthData:
    """Everything that is shipped on growth."""

    models: tuple[NotableModel, ...]
    models_source: str
    rates: tuple[Rate, ...]
    limits: tuple[Limit, ...]
    transistors: dict[str, Transistors]
    earlier: tuple[EarlierAccelerator, ...]


@cache
def growth_data() -> GrowthData:
    """The shipped figures.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    return read_growth_data(seed_data())


def read_growth_data(seed_dir: Path) -> GrowthData:
    """The figures of a folder of seed data.

    Raises
    ------
    SeedError : a cell cannot be used; the message says which
    """
    models = read_rows(seed_dir, MODELS_FILE, (*MODEL_WORDS, *MODEL_FIGURES))
    if not models:
        raise SeedError(file=MODELS_FILE, line=1, column="", reason="has no models")
    counted = [_transistors(row) for row in read_rows(seed_dir, TRANSISTORS_FILE, TRANSISTOR_COLUMNS)]
    return GrowthData(
        models=tuple(_model(row) for row in models),
        models_source=models[0].cells["source"],
        rates=tuple(_rate(row) for row in read_rows(seed_dir, RATES_FILE, RATE_COLUMNS)),
        limits=tuple(_limit(row) for row in read_rows(seed_dir, LIMITS_FILE, LIMIT_COLUMNS)),
        transistors={one.accelerator_key: one for one in counted},
        earlier=tuple(_earlier(row) for row in read_rows(seed_dir, EARLIER_FILE, EARLIER_COLUMNS)),
    )


def decimal_year(date: datetime.date) -> float:
    """A date as a year with a fraction.

    >>> decimal_year(datetime.date(2024, 7, 2))
    2024.5
    """
    days = 366 if calendar.isleap(date.year) else 365
    return date.year + (date.timetuple().tm_yday - 1) / days


def _model(row: SeedRow) -> NotableModel:
    figures = {name: row.number(column, positive=True) for column, name in MODEL_FIGURES.items()}
    try:
        date = datetime.date.fromisoformat(row.cells["date"])
    except ValueError:
        raise row.error("date", f"{row.cells['date']!r} is not a date as YYYY-MM-DD") from None
    return NotableModel(
        key=row.cells["key"],
        name=row.cells["name"],
        year=decimal_year(date),
        domain=row.cells["domain"],
        org=row.cells["org"],
        hardware=row.cells["hardware"],
        figures={name: value for name, value in figures.items() if value is not None},
    )


def _rate(row: SeedRow) -> Rate:
    return Rate(
        low=row.number("low", positive=True),
        central=row.needed("central", positive=True),
        high=row.number("high", positive=True),
        probability=row.number("probability", positive=True),
        **_words(row, "key", "trend", "quantity", "shape", "window", "basis", "confidence", "source"),
    )


def _limit(row: SeedRow) -> Limit:
    return Limit(
        value=row.needed("value", positive=True),
        year=int(row.needed("year", positive=True)),
        **_words(row, "key", "measure", "name", "unit", "confidence", "source", "note"),
    )


def _earlier(row: SeedRow) -> EarlierAccelerator:
    figures = {
        name: factor * value
        for column, (name, factor) in EARLIER_FIGURES.items()
        if (value := row.number(column, positive=True)) is not None
    }
    return EarlierAccelerator(
        year=int(row.needed("year", positive=True)),
        figures=figures,
        **_words(row, "key", "name", "confidence", "source"),
    )


def _transistors(row: SeedRow) -> Transistors:
    return Transistors(
        transistors=row.needed("transistors", positive=True),
        **_words(row, "accelerator_key", "confidence", "source"),
    )


def _words(row: SeedRow, *columns: str) -> dict[str, str]:
    return {column: row.cells[column] for column in columns}
