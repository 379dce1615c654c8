"""`podwright validate training`: measured training runs against the engine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.engine.uncertainty.interval import PROBABILITY
from app.validation.report import FAMILY, Report, errors_line
from app.validation.statistics import Errors, Prediction, grouped
from app.validation.training.batch import Numbers
from app.validation.training.case import Case
from app.validation.training.study import BOTH, HARDWARE, LABELS, Study, study_of

ARCHITECTURE = "architecture"
OWN_ERRORS = (
    "by the errors of the others, each run and its errors without its source and its hardware in the fit"
)
SHIPPED = "by the errors that ship, without those of its source for a run that ships itself; none of the file was used"
RUNS_OF_A_FAMILY = 10
"""Runs of a source from which the share of them in their intervals says something."""


class TrainingReport(Report):
    """The report with how well intervals hold, and how well memory is known, by group."""

    def as_json(self) -> dict[str, Any]:
        found = super().as_json()
        if BOTH in self.left_out:
            both = found["left_out"][BOTH]
            del both["groups"]  # a source and an accelerator name no group of their own
            both[ARCHITECTURE] = _by_architecture(self.left_out[BOTH])
        return found

    def as_text(self) -> str:
        lines = [Report(**{**self.__dict__, "extra": {}}).as_text()]
        if BOTH in self.left_out:
            lines += ["", f"each {BOTH.replace('_', ' ')} left out"]
            for name, errors in _by_architecture(self.left_out[BOTH]).items():
                lines.append(errors_line(f"  {name}", Errors(**errors)))
        return "\n".join([*lines, "", *_interval_lines(self.extra), "", *_memory_lines(self.extra)])


def validate_training(
    path: Path,
    catalog: Catalog,
    *,
    refit: bool | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> TrainingReport:
    """Predict every scored row of a file, and again with its source and its hardware left out of the fit.

    Parameters
    ----------
    refit : whether to predict again; where it is not said, only the shipped runs are

    Raises
    ------
    ValidationFileError : the file cannot be read, or has too few runs to refit, and that was asked for
    """
    return report_of(study_of(path, catalog, refit=refit, progress=progress))


def report_of(study: Study) -> TrainingReport:
    """What a study says, for people and programs."""
    return TrainingReport(
        kind="training",
        rows=study.rows,
        predictions=_predictions(study, study.predicted),
        unsupported=study.unsupported,
        constants=study.constants,
        left_out={name: _predictions(study, without) for name, without in study.left_out.items()},
        extra=_coverage(study) | _memory(study.cases),
    )


def _by_architecture(predictions: Sequence[Prediction]) -> dict[str, dict[str, Any]]:
    return grouped(predictions, lambda one: one.groups[ARCHITECTURE])


def _predictions(study: Study, predicted: Numbers) -> tuple[Prediction, ...]:
    """With the interval of each, where there is one."""
    return tuple(
        Prediction(
            key=case.row.key,
            family=case.row.family,
            groups={
                HARDWARE: LABELS[HARDWARE](case),
                ARCHITECTURE: case.kind_of_model,
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


def _coverage(study: Study) -> dict[str, Any]:
    """The share of the runs that lie in their intervals, and by which errors these were made."""
    ratio = study.measured / study.judged
    held = (study.low <= ratio) & (ratio <= study.high)
    families = Counter(case.row.family for case in study.cases)
    large = [case.row.family if families[case.row.family] >= RUNS_OF_A_FAMILY else "" for case in study.cases]
    return {
        "interval_basis": OWN_ERRORS if study.by_own_errors else SHIPPED,
        "interval_coverage": float(np.mean(held)) if len(held) else None,
        "interval_coverage_by": {
            ARCHITECTURE: _shares(held, [case.kind_of_model for case in study.cases]),
            FAMILY: _shares(held, large),
        },
    }


def _shares(held: NDArray[np.bool_], names: Sequence[str]) -> dict[str, float]:
    """The share of each group; runs without a name are of none."""
    members = np.array(names, dtype=str)
    return {name: float(np.mean(held[members == name])) for name in sorted(set(names) - {""})}


def _memory(cases: Sequence[Case]) -> dict[str, Any]:
    """Errors where a run printed its peak, and the layouts that ran and are said not to fit."""
    errors = np.array(
        [case.memory_bytes / case.measured_memory_bytes - 1 for case in cases if case.measured_memory_bytes]
    )
    stated: dict[str, list[bool]] = defaultdict(list)
    for case in cases:
        if case.states_layout:
            stated[case.context["framework"]].append(case.fits)
    return {
        "memory_rows": len(errors),
        "memory_median_abs_error": float(np.median(np.abs(errors))) if len(errors) else None,
        "memory_bias": float(np.median(errors)) if len(errors) else None,
        "stated_layouts": sum(len(fits) for fits in stated.values()),
        "stated_layouts_said_not_to_fit": sum(fits.count(False) for fits in stated.values()),
        "stated_layouts_by_framework": {
            name: {"runs": len(fits), "said_not_to_fit": fits.count(False)}
            for name, fits in sorted(stated.items())
        },
    }


def _interval_lines(extra: Mapping[str, Any]) -> list[str]:
    if extra["interval_coverage"] is None:
        return ["no intervals, as no run is predicted"]
    held, meant = _percent(extra["interval_coverage"]), _percent(PROBABILITY)
    lines = [
        f"{held} of the runs lie in their intervals, where {meant} is meant",
        f"intervals: {extra['interval_basis']}",
    ]
    by = extra["interval_coverage_by"]
    lines += [f"  {name:32s} {_percent(share):>5s}" for name, share in by[ARCHITECTURE].items()]
    if by[FAMILY]:
        lines.append(f"source families of {RUNS_OF_A_FAMILY} runs or more")
        lines += [f"  {name:32s} {_percent(share):>5s}" for name, share in by[FAMILY].items()]
    return lines


def _memory_lines(extra: Mapping[str, Any]) -> list[str]:
    lines = []
    if extra["memory_rows"]:
        lines.append(
            f"memory of an accelerator: {extra['memory_rows']} printed peaks, median error "
            f"{100 * extra['memory_median_abs_error']:.1f} %, bias {100 * extra['memory_bias']:+.1f} %"
        )
    lines.append(
        f"{extra['stated_layouts_said_not_to_fit']} of {extra['stated_layouts']} layouts that ran are said not to fit"
    )
    lines += [
        f"  {name:32s} {found['said_not_to_fit']:5d} of {found['runs']}"
        for name, found in extra["stated_layouts_by_framework"].items()
    ]
    return lines


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
