"""`podwright validate training`: measured training runs against the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.performance.job import job_of
from app.engine.performance.memory import memory
from app.engine.performance.strategy import strategy_of
from app.validation.report import Report
from app.validation.statistics import Prediction
from app.validation.training.batch import Numbers
from app.validation.training.case import Case
from app.validation.training.study import HARDWARE, LABELS, Study, study_of

GIB, GB = 2.0**30, 1e9


def validate_training(
    path: Path, catalog: Catalog, *, left_out: bool = True, progress: Callable[[str], None] = lambda _: None
) -> Report:
    """Predict every scored row of a file, and again with its source and its hardware left out of the fit.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    study = study_of(path, catalog, left_out=left_out, progress=progress)
    extra = _memory_errors(study.cases)
    if HARDWARE in study.left_out:
        ratio = study.measured / study.left_out[HARDWARE]
        extra["interval_coverage"] = float(np.mean((study.low <= ratio) & (ratio <= study.high)))
    return Report(
        kind="training",
        rows=study.rows,
        predictions=_predictions(study, study.predicted),
        unsupported=study.unsupported,
        constants=study.constants,
        left_out={name: _predictions(study, without) for name, without in study.left_out.items()},
        extra=extra,
    )


def _predictions(study: Study, predicted: Numbers) -> tuple[Prediction, ...]:
    """With the interval of each, where there is one."""
    return tuple(
        Prediction(
            key=case.row.key,
            family=case.row.family,
            groups={
                HARDWARE: LABELS[HARDWARE](case),
                "architecture": case.kind_of_model,
                "precision": case.design.training.precision,
                "framework": case.context["framework"],
            },
            measured=case.measured_tokens_per_s,
            predicted=float(value),
            low=float(value * low) if np.isfinite(low) else None,
            high=float(value * high) if np.isfinite(high) else None,
            assumed=case.assumed,
        )
        for case, value, low, high in zip(study.cases, predicted, study.low, study.high, strict=True)
    )


def _memory_errors(cases: tuple[Case, ...]) -> dict[str, Any]:
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
        job=job_of(design.training),
        strategy=strategy_of(layout=design.layout, accelerators_used=design.pod.accelerators_used),
        assumptions=design.assumptions.rooms["performance"],
    )
    return float(held.memory_per_accelerator_bytes[0])
