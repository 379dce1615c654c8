"""The constants that the product ships: `python -m app.validation.serving.publish` fits and writes them
again.

Written are the values and ranges of fitted rows of `seed_data/assumptions/serving.csv`, and the constants without each
model, each system, each model on an engine, each model and its engine, and each engine, generation, format and kind of
attention in `seed_data/validation/serving_left_out.csv`. To be run whenever a formula of serving, a prior or a measured
row changes; it takes ten minutes.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from math import exp
from pathlib import Path

from app.catalog.lookup import Catalog
from app.validation.serving.cases import (
    ATTENTION,
    BOTH,
    ENGINE,
    FORMAT,
    GENERATION,
    MODEL,
    PAIR,
    SYSTEM,
    cases_of,
    parts_of,
)
from app.validation.serving.deployment import LEFT_OUT_FILE
from app.validation.serving.fit import FITTED, Fit, LatencyResiduals, RateResiduals, values_of
from app.validation.serving.throughput_case import AS_ABOVE, COLUMNS, DEPLOYMENTS, Asked, asked_of
from app.validation.study import Row, UnsupportedRowError, read_rows

ASSUMPTIONS_FILE = "assumptions/serving.csv"
LATENCY_FILE, THROUGHPUT_FILE = "validation/serving_latency.csv", "validation/serving_throughput.csv"
LEFT_OUT = (MODEL, SYSTEM, PAIR, BOTH, ENGINE, GENERATION, FORMAT, ATTENTION)
EIGHTY_PERCENT = 1.2816  # standard deviations of a normal law, either way


def publish(seed_dir: Path, catalog: Catalog, progress: Callable[[str], None] = lambda _: None) -> None:
    """Fit, fit again without each part, and write what came out."""
    latencies = LatencyResiduals(cases_of(seed_dir / LATENCY_FILE, catalog), catalog)
    rates = RateResiduals(_asked(read_rows(seed_dir / THROUGHPUT_FILE, COLUMNS), catalog), catalog)
    fit = Fit(latencies, rates)
    progress("fitting")
    found = fit.fitted(progress)
    write_left_out(
        seed_dir / LEFT_OUT_FILE, fit.without(found, parts_of(latencies.words, *LEFT_OUT), progress)
    )
    write_shipped(seed_dir / ASSUMPTIONS_FILE, values_of(found))


def write_shipped(path: Path, values: Mapping[str, float]) -> None:
    """Values and ranges of fitted rows; all other cells stay as they are. A range is 80 % of what was believed before."""
    spreads = {constant.name: constant.spread for constant in FITTED}
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        columns, rows = list(reader.fieldnames or ()), list(reader)
    for row in rows:
        name = f"{row['name']}[{row['applies_to']}]"
        if name in values:
            factor = exp(EIGHTY_PERCENT * spreads[name])
            row["value"] = f"{values[name]:.5g}"
            row["low"], row["high"] = f"{values[name] / factor:.3g}", f"{values[name] * factor:.3g}"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_left_out(path: Path, found: Mapping[str, Mapping[str, float]]) -> None:
    """One line a constant and label, with a header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("left_out", "constant", "value"))
        for label, values in found.items():
            writer.writerows((label, name, f"{value:.5g}") for name, value in values.items())


def _asked(rows: Sequence[Row], catalog: Catalog) -> list[Asked]:
    """The scored rows that can be predicted, but those of deployments that are compared with."""
    found: list[Asked] = []
    conditions = ""
    for row in rows:
        stated = row.text("conditions")
        conditions = conditions if stated == AS_ABOVE else stated
        if not row.scored or row.text("source").startswith(DEPLOYMENTS):
            continue
        try:
            found.append(asked_of(row, catalog, conditions))
        except UnsupportedRowError:
            continue
    return found


if __name__ == "__main__":
    from app.catalog.ready import ready_catalog
    from app.paths import seed_data

    def say(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    publish(seed_data(), ready_catalog(), say)
    say("wrote the constants")
