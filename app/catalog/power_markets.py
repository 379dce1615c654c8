"""Hours of electricity markets: `seed_data/power_markets/`, read once a process.

`price_quantiles.csv` has quantiles of the price by month and hour of the day, less the mean of the year, in USD/MWh;
`carbon_ratios.csv` means of the grid's carbon by month and hour over the mean of the year; `markets.csv` what they are of.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from app.catalog.seed_files import read_rows
from app.engine.facility.power_supply.prices import LEVELS
from app.engine.trace import Array
from app.paths import seed_data

MARKETS_FILE, PRICES_FILE, CARBON_FILE = (
    f"power_markets/{name}.csv" for name in ("markets", "price_quantiles", "carbon_ratios")
)
FILES = (MARKETS_FILE, PRICES_FILE, CARBON_FILE)
MARKET_COLUMNS = ("market", "label", "mean_usd_per_mwh", "spread_usd_per_mwh", "negative_share", "kind", "source", "as_of")  # fmt: skip
QUANTILES = tuple(f"q{round(100 * level):02d}" for level in LEVELS)
HOURS = tuple(f"h{hour:02d}" for hour in range(24))


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerMarket:
    """A market; `None` is what the catalog has no hours of."""

    key: str
    label: str
    kind: str
    source: str
    as_of: str
    quantiles_usd_per_kwh: Array | None  # (12, 24, 7), less the mean of the year
    carbon_ratios: Array | None  # (12, 24)


@cache
def power_markets(directory: Path | None = None) -> dict[str, PowerMarket]:
    """Every market by its key, in file order.

    Raises
    ------
    SeedError : a row cannot be used
    """
    folder = directory or seed_data()
    prices: dict[str, list[list[float]]] = {}
    for row in read_rows(folder, PRICES_FILE, ("market", "month", "hour", *QUANTILES)):
        prices.setdefault(row.cells["market"], []).append([row.needed(name) for name in QUANTILES])
    carbon: dict[str, list[list[float]]] = {}
    for row in read_rows(folder, CARBON_FILE, ("market", "month", *HOURS)):
        carbon.setdefault(row.cells["market"], []).append([row.needed(name) for name in HOURS])
    found = {}
    for row in read_rows(folder, MARKETS_FILE, MARKET_COLUMNS):
        key = row.cells["market"]
        found[key] = PowerMarket(
            key=key,
            label=row.cells["label"],
            kind=row.cells["kind"],
            source=row.sourced(),
            as_of=row.cells["as_of"],
            quantiles_usd_per_kwh=np.array(prices[key]).reshape(12, 24, -1) / 1e3 if key in prices else None,
            carbon_ratios=np.array(carbon[key]) if key in carbon else None,
        )
    return found
