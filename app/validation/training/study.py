"""A file of measured runs: each predicted, and the shipped ones again without runs like it in the fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.validated_runs import RUNS_FILE
from app.paths import seed_data
from app.validation.report import FAMILY
from app.validation.rows import Row, UnsupportedRowError, ValidationFileError, read_rows
from app.validation.statistics import Unsupported
from app.validation.training.batch import Batch, Numbers
from app.validation.training.case import COLUMNS, Case, case_of
from app.validation.training.constants import FITTED
from app.validation.training.fit import Fit
from app.validation.training.interval import (
    Vouchers,
    features_of,
    intervals,
    own_sources,
    shipped_vouchers,
)

HARDWARE = "hardware"
BOTH = "source_and_hardware"
ROWS_TO_REFIT = 4 * len(FITTED)
"""Fewer runs say nothing about the constants."""

LABELS: dict[str, Callable[[Case], str]] = {
    FAMILY: lambda case: case.row.family,
    HARDWARE: lambda case: case.row.text("accelerator_key"),
}
"""What runs are left out by: their source, and their accelerator."""
LEFT_OUT: dict[str, tuple[str, ...]] = {FAMILY: (FAMILY,), HARDWARE: (HARDWARE,), BOTH: (FAMILY, HARDWARE)}
"""The refits: a run is predicted without the runs that share any of these labels with it."""


@dataclass(frozen=True)
class Study:
    """What was predicted of the scored runs of a file, in tokens a second and accelerator.

    `left_out` holds by the names of LEFT_OUT each run predicted without its own labels; it is empty where
    nothing was refitted. `low` and `high` are the bounds of an 80 % interval as shares of `judged`; they are
    not a number where no run vouches. `by_own_errors` they are of the shipped runs, where these are refitted:
    of predictions without source and hardware, by the errors of the others. Elsewhere they are of the
    predictions as they are, by the errors that ship.
    """

    rows: int
    cases: tuple[Case, ...]
    unsupported: tuple[Unsupported, ...]
    constants: Mapping[str, float]
    measured: Numbers
    predicted: Numbers
    left_out: Mapping[str, Numbers]
    by_own_errors: bool
    judged: Numbers
    low: Numbers
    high: Numbers


def study_of(
    path: Path,
    catalog: Catalog,
    *,
    refit: bool | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Study:
    """Predict every scored row of a file, and again with its source and its hardware left out of the fit.

    Parameters
    ----------
    refit : whether to predict again; where it is not said, only the shipped runs are

    Raises
    ------
    ValidationFileError : the file cannot be read, or has too few runs to refit, and that was asked for
    """
    rows = read_rows(path, COLUMNS)
    shipped = is_shipped(path)
    batch, predicted, unsupported = _predicted([row for row in rows if row.scored], catalog)
    cases = batch.cases
    fit = Fit(batch, catalog)
    labels = {name: [label(case) for case in cases] for name, label in LABELS.items()}
    again: dict[str, Numbers] = {}
    if shipped if refit is None else refit:
        _check_refit(path, labels)
        for name, parts in LEFT_OUT.items():
            progress(f"refitting without each {name.replace('_', ' ')}")
            again[name] = fit.left_out(*(labels[part] for part in parts))
    by_own_errors = shipped and bool(again)
    if by_own_errors:
        judged, own = again[BOTH], tuple(labels.values())
        vouchers = Vouchers(features_of(cases), np.log(batch.measured / judged), own)
    else:
        judged, own, vouchers = predicted, (own_sources(cases),), shipped_vouchers()
    low, high = intervals(cases, vouchers, own)
    return Study(
        rows=len(rows),
        cases=cases,
        unsupported=tuple(unsupported),
        constants=fit.named(fit.shipped),
        measured=batch.measured,
        predicted=predicted,
        left_out=again,
        by_own_errors=by_own_errors,
        judged=judged,
        low=low,
        high=high,
    )


def is_shipped(path: Path) -> bool:
    """Whether a file holds the shipped runs, wherever it lies."""
    return path.read_bytes() == (seed_data() / RUNS_FILE).read_bytes()


def _check_refit(path: Path, labels: Mapping[str, list[str]]) -> None:
    runs = len(labels[FAMILY])
    if runs < ROWS_TO_REFIT:
        raise ValidationFileError(
            f"{path} has {runs} runs that can be predicted, and {len(FITTED)} constants are not refitted to fewer than "
            f"{ROWS_TO_REFIT}; without --refit the file is judged by the errors that ship"
        )
    for name, members in labels.items():
        if len(set(members)) < 2:
            raise ValidationFileError(
                f"{path} has runs of one {name.replace('_', ' ')} only, and nothing is left to refit to without it; "
                f"without --refit the file is judged by the errors that ship"
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
