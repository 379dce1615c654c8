"""A file of measured runs: each predicted, and the shipped ones again without runs like it in the fit."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.catalog.validated import RUNS_FILE, ValidatedRun
from app.engine.specs import Layout
from app.engine.uncertainty.interval import PROBABILITY
from app.engine.uncertainty.likeness import distance
from app.paths import seed_data
from app.scenarios.evaluation.residuals import features_of_runs
from app.validation.study import (
    FAMILY,
    Numbers,
    Prediction,
    Report,
    Row,
    Unsupported,
    UnsupportedRowError,
    ValidationFileError,
    read_rows,
)
from app.validation.training.case import COLUMNS, Case, case_of
from app.validation.training.fit import (
    FITTED,
    Batch,
    Fit,
    Vouchers,
    features_of,
    intervals,
    own_sources,
    shipped_vouchers,
)

# A file of measured runs: each predicted, and the shipped ones again without runs like it in the fit.

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
class StudiedRuns:
    """What was predicted of the scored runs of a file, in tokens per second and accelerator.

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
) -> StudiedRuns:
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
    return StudiedRuns(
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
    """Return whether a file holds the shipped runs, wherever it lies."""
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


# `podwright validate training`: measured training runs against the engine.

ARCHITECTURE = "architecture"
OWN_ERRORS = (
    "by the errors of the others, each run and its errors without its source and its hardware in the fit"
)
SHIPPED = "by the errors that ship, without those of its source for a run that ships itself; none of the file was used"
RUNS_OF_A_FAMILY = 10
"""Runs of a source from which the share of them in their intervals says something."""


def validate_training(
    path: Path,
    catalog: Catalog,
    *,
    refit: bool | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Predict every scored row of a file, and again with its source and its hardware left out of the fit.

    Parameters
    ----------
    refit : whether to predict again; where it is not said, only the shipped runs are

    Raises
    ------
    ValidationFileError : the file cannot be read, or has too few runs to refit, and that was asked for
    """
    return report_of(study_of(path, catalog, refit=refit, progress=progress))


def report_of(study: StudiedRuns) -> Report:
    """Report of a study, for people and programs."""
    return Report(
        kind="training",
        rows=study.rows,
        predictions=_predictions(study, study.predicted),
        unsupported=study.unsupported,
        constants=study.constants,
        left_out={name: _predictions(study, without) for name, without in study.left_out.items()},
        extra=_coverage(study) | _memory(study.cases),
        counts=(),
        more=lambda extra: ("", *_interval_lines(extra), "", *_memory_lines(extra)),
        parted={BOTH: ARCHITECTURE},  # a source and an accelerator name no group of their own
    )


def _predictions(study: StudiedRuns, predicted: Numbers) -> tuple[Prediction, ...]:
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


def _coverage(study: StudiedRuns) -> dict[str, Any]:
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


# The published runs as their sources print them, and each as the scenario that the engine evaluates.


@functools.cache
def printed_runs() -> Mapping[str, Row]:
    """Every shipped run by its id; read once a process."""
    return {row.key: row for row in read_rows(seed_data() / RUNS_FILE, COLUMNS)}


def scenario_of_run(row: Row, name: str, catalog: Catalog) -> dict[str, Any]:
    """The scenario that a run is predicted by, with what was assumed written out.

    Raises
    ------
    UnsupportedRowError : the row cannot be predicted; the message says why
    """
    case = case_of(row, catalog)
    document = {**case.document, "name": name}
    if isinstance(document["parallelism"], dict) and case.design.layout is not None:
        document["parallelism"] = {**document["parallelism"], "recompute": _recompute(case.design.layout)}
    return document


def _recompute(layout: Layout) -> str:
    """What the layout does again; where the row says nothing, memory has decided it."""
    if layout.recompute[0] > 0:
        return "full"
    return "selective" if layout.selective_recompute[0] > 0 else "none"


# The published runs most like one, as intervals weigh them.


class Neighbour(NamedTuple):
    """A run, and how unlike the one asked for it is."""

    run: ValidatedRun
    distance: float


def neighbours(run: ValidatedRun, runs: Sequence[ValidatedRun], count: int) -> tuple[Neighbour, ...]:
    """The nearest other runs, the nearest first."""
    others = [other for other in runs if other.id != run.id]
    apart = distance(features_of_runs([run]), features_of_runs(others))[0]
    return tuple(
        Neighbour(others[place], float(apart[place])) for place in np.argsort(apart, kind="stable")[:count]
    )
