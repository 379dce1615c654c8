"""Exchange rates of seed_data: published averages, each with its source and date."""

from __future__ import annotations

import csv
import functools
from datetime import date

from app.exchange import Rate
from app.paths import seed_data


@functools.cache
def exchange_rates() -> dict[str, Rate]:
    """The rate of each currency beside the dollar, as `seed_data/exchange_rates.csv` prints one side or the
    other."""
    path = seed_data() / "exchange_rates.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {row["currency"]: _rate(row) for row in csv.DictReader(file)}


def _rate(row: dict[str, str]) -> Rate:
    per_usd = float(row["units_per_usd"]) if row["units_per_usd"] else 1 / float(row["usd_per_unit"])
    return Rate(
        currency=row["currency"],
        name=row["name"],
        per_usd=per_usd,
        basis=row["basis"],
        published=date.fromisoformat(row["published"]),
        source=row["source"],
        url=row["url"],
    )
