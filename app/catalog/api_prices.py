"""List prices at which others answer with a model of the catalog: `seed_data/serving/api_prices.csv`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from app.catalog.seed_files import SeedRow, read_rows
from app.paths import seed_data

FILE = "serving/api_prices.csv"
COLUMNS = (
    "model_key", "provider", "offered_as", "as_of", "input_usd", "cached_input_usd", "output_usd", "batch_share",
    "confidence", "source",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiPrice:
    """Of a million tokens in USD; what a provider does not publish is not a number."""

    model_key: str
    provider: str
    offered_as: str
    as_of: str  # a year, month or day
    input_usd: float
    cached_input_usd: float
    output_usd: float
    batch_share: float  # of those prices, for answers without a latency SLO
    confidence: str  # high: the provider's own page; secondary: as another transcribed it
    source: str


@cache
def api_prices(directory: Path | None = None) -> tuple[ApiPrice, ...]:
    """Every row of the file, in file order.

    Raises
    ------
    SeedError : a row cannot be used
    """
    found = []
    for row in read_rows(directory or seed_data(), FILE, COLUMNS):
        if not row.cells["source"] or not row.cells["as_of"]:
            raise row.error("source" if row.cells["as_of"] else "as_of", "is missing")
        words = {
            name: row.cells[name]
            for name in ("model_key", "provider", "offered_as", "as_of", "confidence", "source")
        }
        found.append(
            ApiPrice(
                **words,
                input_usd=_usd(row, "input_usd"),
                cached_input_usd=_usd(row, "cached_input_usd"),
                output_usd=_usd(row, "output_usd"),
                batch_share=_usd(row, "batch_share"),
            )
        )
    return tuple(found)


def prices_of(model_key: str) -> tuple[ApiPrice, ...]:
    """List prices of one model, the latest dated first."""
    rows = [row for row in api_prices() if row.model_key == model_key]
    return tuple(sorted(rows, key=lambda row: row.as_of, reverse=True))


def _usd(row: SeedRow, column: str) -> float:
    text = row.cells[column]
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        raise row.error(column, "is not a number") from None
    if value <= 0:
        raise row.error(column, "is not above 0")
    return value
