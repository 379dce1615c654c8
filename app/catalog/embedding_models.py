"""Models of the catalog that give embeddings and no tokens: `seed_data/serving/embedding_models.csv`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from app.catalog.seed_files import read_rows
from app.paths import seed_data

FILE = "serving/embedding_models.csv"
COLUMNS = ("model_key", "attention", "confidence", "source")
BOTH_WAYS, CAUSAL = "both_ways", "causal"


@cache
def embedding_models(directory: Path | None = None) -> dict[str, str]:
    """Attention of each by its key: tokens see all others, or those before them.

    Raises
    ------
    SeedError : a row cannot be used
    """
    found = {}
    for row in read_rows(directory or seed_data(), FILE, COLUMNS):
        row.sourced()
        if row.cells["attention"] not in (BOTH_WAYS, CAUSAL):
            raise row.error("attention", f"is neither {BOTH_WAYS} nor {CAUSAL}")
        found[row.cells["model_key"]] = row.cells["attention"]
    return found
