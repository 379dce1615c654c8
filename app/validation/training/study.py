"""A file of measured runs: each predicted, and again with constants that were fitted without runs like it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.catalog.lookup import Catalog
from app.validation.report import FAMILY
from app.validation.rows import Row, UnsupportedRowError, read_rows
from app.validation.statistics import Unsupported
from app.validation.training.batch import Batch, Numbers
from app.validation.training.case import COLUMNS, Case, case_of
from app.validation.training.constants import FITTED
from app.validation.training.fit import Fit
from app.validation.training.interval import intervals

HARDWARE = "hardware"
ROWS_TO_REFIT = 4 * len(FITTED)
"""Fewer runs say nothing about the constants."""

LABELS: dict[str, Callable[[Case], str]] = {
    FAMILY: lambda case: case.row.family,
    HARDWARE: lambda case: case.row.text("accelerator_key"),
}
"""What runs are left out by: their source, and their accelerator."""


@dataclass(frozen=True)
class Study:
    """What was predicted of the scored runs of a file, in tokens a second and accelerator.

    `left_out` holds by the names of LABELS each run predicted without its own label; it is empty where
    there are too few runs, or only one label. `low` and `high` are the bounds of an 80 % interval as shares
    of a prediction, from runs of other accelerators; not a number where there are none.
    """

    rows: int
    cases: tuple[Case, ...]
    unsupported: tuple[Unsupported, ...]
    constants: Mapping[str, float]
    measured: Numbers
    predicted: Numbers
    left_out: Mapping[str, Numbers]
    low: Numbers
    high: Numbers


def study_of(
    path: Path, catalog: Catalog, *, left_out: bool = True, progress: Callable[[str], None] = lambda _: None
) -> Study:
    """Predict every scored row of a file, and again with its source and its hardware left out of the fit.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    rows = read_rows(path, COLUMNS)
    batch, predicted, unsupported = _predicted([row for row in rows if row.scored], catalog)
    cases = batch.cases
    fit = Fit(batch, catalog)
    again: dict[str, Numbers] = {}
    low, high = np.full((2, len(cases)), np.nan)
    if left_out and len(cases) >= ROWS_TO_REFIT:
        for name, label in LABELS.items():
            labels = [label(case) for case in cases]
            if len(set(labels)) < 2:
                continue
            progress(f"refitting without each {name.replace('_', ' ')}")
            again[name] = fit.left_out(labels)
    if HARDWARE in again:
        errors = np.log(batch.measured / again[HARDWARE])
        low, high = intervals(cases, errors, [LABELS[HARDWARE](case) for case in cases])
    return Study(
        rows=len(rows),
        cases=cases,
        unsupported=tuple(unsupported),
        constants=fit.named(fit.shipped),
        measured=batch.measured,
        predicted=predicted,
        left_out=again,
        low=low,
        high=high,
    )


def _predicted(rows: list[Row], catalog: Catalog) -> tuple[Batch, Numbers, list[Unsupported]]:
    """The rows that can be predicted, their predictions, and the rows that cannot be."""
    cases, unsupported = [], []
    for row in rows:
        try:
            cases.append(case_of(row, catalog))
        except UnsupportedRowError as error:
            unsupported.append(Unsupported(row.key, " ".join(str(error).split("\n"))))
    batch = Batch(cases)
    predicted = batch.tokens_per_s()
    known = np.isfinite(predicted) & (predicted > 0)
    if known.all():
        return batch, predicted, unsupported
    unsupported += [
        Unsupported(case.row.key, "an input that the step time needs is not published")
        for case, fine in zip(cases, known, strict=True)
        if not fine
    ]
    kept = [case for case, fine in zip(cases, known, strict=True) if fine]
    return Batch(kept), predicted[known], unsupported
