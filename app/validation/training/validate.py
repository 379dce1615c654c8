"""`podwright validate training`: measured training runs against the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.performance.memory import memory
from app.engine.performance.section import job_of
from app.engine.performance.strategy import strategy_of
from app.validation.report import FAMILY, Report
from app.validation.rows import Row, UnsupportedRowError, read_rows
from app.validation.statistics import Prediction, Unsupported
from app.validation.training.batch import Batch, Numbers
from app.validation.training.case import COLUMNS, Case, case_of
from app.validation.training.constants import FITTED
from app.validation.training.fit import Fit
from app.validation.training.interval import intervals

HARDWARE = "hardware"
GIB, GB = 2.0**30, 1e9
ROWS_TO_REFIT = 4 * len(FITTED)
"""Fewer runs say nothing about the constants."""


def validate_training(
    path: Path, catalog: Catalog, *, left_out: bool = True, progress: Callable[[str], None] = lambda _: None
) -> Report:
    """Predict every scored row of a file, and again with its source and its hardware left out of the fit.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    rows = read_rows(path, COLUMNS)
    cases, unsupported = _cases([row for row in rows if row.scored], catalog)
    batch = Batch(cases)
    predicted = batch.tokens_per_s()
    known = np.isfinite(predicted) & (predicted > 0)
    unsupported += [
        Unsupported(case.row.key, "an input that the step time needs is not published")
        for case, fine in zip(cases, known, strict=True)
        if not fine
    ]
    if not known.all():
        cases = [case for case, fine in zip(cases, known, strict=True) if fine]
        batch, predicted = Batch(cases), predicted[known]
    fit = Fit(batch, catalog)
    again: dict[str, tuple[Prediction, ...]] = {}
    extra = _memory_errors(cases)
    bounds = np.full((2, len(cases)), np.nan)
    if left_out and len(cases) >= ROWS_TO_REFIT:
        for name, label in ((FAMILY, _family), (HARDWARE, _hardware)):
            progress(f"refitting without each {name.replace('_', ' ')}")
            labels = [label(case) for case in cases]
            if len(set(labels)) < 2:
                continue
            without = fit.left_out(labels)
            ratio = batch.measured / without
            bounds = np.array(intervals(cases, np.log(ratio), labels))
            again[name] = _predictions(cases, without, bounds)
            extra["interval_coverage"] = float(np.mean((bounds[0] <= ratio) & (ratio <= bounds[1])))
    return Report(
        kind="training",
        rows=len(rows),
        predictions=_predictions(cases, predicted, bounds),
        unsupported=tuple(unsupported),
        constants=fit.named(fit.shipped),
        left_out=again,
        extra=extra,
    )


def _cases(rows: list[Row], catalog: Catalog) -> tuple[list[Case], list[Unsupported]]:
    cases, unsupported = [], []
    for row in rows:
        try:
            cases.append(case_of(row, catalog))
        except UnsupportedRowError as error:
            unsupported.append(Unsupported(row.key, " ".join(str(error).split("\n"))))
    return cases, unsupported


def _family(case: Case) -> str:
    return case.row.family


def _hardware(case: Case) -> str:
    return case.row.text("accelerator_key")


def _predictions(cases: list[Case], predicted: Numbers, bounds: Numbers) -> tuple[Prediction, ...]:
    """With the interval of each, where there is one: its bounds are shares of the prediction."""
    return tuple(
        Prediction(
            key=case.row.key,
            family=case.row.family,
            groups={
                HARDWARE: _hardware(case),
                "architecture": "moe" if case.row.count("experts") else "dense",
                "precision": case.design.workload.precision,
                "framework": case.context["framework"],
            },
            measured=case.measured_tokens_per_s,
            predicted=float(value),
            low=float(value * low) if np.isfinite(low) else None,
            high=float(value * high) if np.isfinite(high) else None,
            assumed=case.assumed,
        )
        for case, value, low, high in zip(cases, predicted, *bounds, strict=True)
    )


def _memory_errors(cases: list[Case]) -> dict[str, Any]:
    """Median error of the memory of an accelerator where a run printed its peak."""
    errors = []
    for case in cases:
        peak = case.row.number("measured_peak_mem_gb")
        if peak is None:
            continue
        unit = GIB if "gib" in case.row.text("measured_peak_mem_unit").lower() else GB
        errors.append(abs(_memory_bytes(case) / (peak * unit) - 1))
    return {
        "memory_rows": len(errors),
        "memory_median_abs_error": float(np.median(errors)) if errors else None,
    }


def _memory_bytes(case: Case) -> float:
    design = case.design
    assert design.layout is not None  # a case has one, found where none is stated
    held = memory(
        workload=design.workload,
        counts=job_of(design.workload).counts,
        strategy=strategy_of(layout=design.layout, accelerators_used=design.pod.accelerators_used),
        assumptions=design.assumptions.rooms["performance"],
    )
    return float(held.memory_per_accelerator_bytes[0])
