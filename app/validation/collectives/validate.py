"""`podwright validate collectives`: measured collectives against the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from app.catalog.lookup import Catalog
from app.validation.collectives.batch import Batch, Numbers
from app.validation.collectives.case import COLUMNS, Case, case_of
from app.validation.collectives.constants import FITTED, shipped_values
from app.validation.collectives.fit import Fit
from app.validation.report import Report
from app.validation.rows import Row, UnsupportedRowError, read_rows
from app.validation.statistics import Prediction, Unsupported, weighted_quantile

SYSTEM = "system"
MICROSECOND = 1e-6
INTERVAL = (0.1, 0.9)
"""Shares of the errors below the ends of the interval of a prediction."""


def validate_collectives(
    path: Path, catalog: Catalog, *, left_out: bool = True, progress: Callable[[str], None] = lambda _: None
) -> Report:
    """Predict every scored row of a file in microseconds, and again with its system left out of the fit.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    rows = read_rows(path, COLUMNS)
    cases, unsupported = _cases([row for row in rows if row.scored], catalog)
    batch = Batch(cases, catalog)
    time_s = batch.time_s()
    if not np.isfinite(time_s).all():
        unsupported += [
            Unsupported(case.row.key, "an input that the time needs is not published")
            for case, value in zip(cases, time_s, strict=True)
            if not np.isfinite(value)
        ]
        cases = [case for case, value in zip(cases, time_s, strict=True) if np.isfinite(value)]
        batch = Batch(cases, catalog)
        time_s = batch.time_s()
    predictions = _predictions(cases, time_s)
    again: dict[str, tuple[Prediction, ...]] = {}
    if left_out and len(cases) >= len(FITTED) and len({case.system for case in cases}) > 1:
        progress("refitting without each system")
        again[SYSTEM] = _predictions(cases, Fit(batch, catalog).left_out())
        predictions = _with_intervals(predictions, again[SYSTEM])
    return Report(
        kind="collectives",
        rows=len(rows),
        predictions=predictions,
        unsupported=tuple(unsupported),
        constants=shipped_values(catalog),
        left_out=again,
    )


def _cases(rows: list[Row], catalog: Catalog) -> tuple[list[Case], list[Unsupported]]:
    cases, unsupported = [], []
    for row in rows:
        try:
            cases.append(case_of(row, catalog))
        except UnsupportedRowError as error:
            unsupported.append(Unsupported(row.key, str(error)))
    return cases, unsupported


def _predictions(cases: list[Case], time_s: Numbers) -> tuple[Prediction, ...]:
    return tuple(
        Prediction(
            key=case.row.key,
            family=case.system,
            groups={SYSTEM: case.system, "collective": case.collective, "level": _level(case)},
            measured=case.measured_s / MICROSECOND,
            predicted=float(value) / MICROSECOND,
            assumed=case.experts.assumed if case.experts else (),
        )
        for case, value in zip(cases, time_s, strict=True)
    )


def _level(case: Case) -> str:
    return "scale-out" if case.place.domains > 1 else "scale-up"


def _with_intervals(
    predictions: tuple[Prediction, ...], left_out: tuple[Prediction, ...]
) -> tuple[Prediction, ...]:
    """Predictions with the errors that other systems had when they were left out, on the same level if any."""
    errors = np.log([one.measured / one.predicted for one in left_out])
    systems, levels = (np.array([one.groups[name] for one in left_out]) for name in (SYSTEM, "level"))
    sizes = {name: int((systems == name).sum()) for name in set(systems.tolist())}
    weights = np.array([1 / sizes[name] for name in systems])
    ends: dict[tuple[str, str], list[float]] = {}
    for name, level in set(zip(systems.tolist(), levels.tolist(), strict=True)):
        others = systems != name
        near = others & (levels == level)
        pool = near if near.any() else others
        ends[name, level] = [weighted_quantile(errors[pool], weights[pool], share) for share in INTERVAL]
    bounded = []
    for one in predictions:
        low, high = np.exp(ends[one.groups[SYSTEM], one.groups["level"]]) * one.predicted
        bounded.append(replace(one, low=float(low), high=float(high)))
    return tuple(bounded)
