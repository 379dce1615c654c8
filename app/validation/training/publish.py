"""The errors that the product ships: `python -m app.validation.training.publish` writes them anew.

Every scored run of `seed_data/validation/training_runs.csv` that can be predicted becomes a line of
`training_errors.csv` beside it. To be run whenever a constant or a formula of step time changes; a test
says when the file is out of date.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from app.catalog.lookup import Catalog
from app.catalog.validated_runs import COLUMNS, ERRORS_FILE, RUNS_FILE, ValidatedRun, cells_of
from app.validation.report import FAMILY
from app.validation.training.case import Case
from app.validation.training.study import HARDWARE, Study, study_of

BILLION = 1e9


def publish(seed_dir: Path, catalog: Catalog, progress: Callable[[str], None] = lambda _: None) -> Path:
    """Predict the shipped runs and write what came out, with each source and each accelerator left out."""
    study = study_of(seed_dir / RUNS_FILE, catalog, progress=progress)
    path = seed_dir / ERRORS_FILE
    write_runs(path, published_runs(study))
    return path


def write_runs(path: Path, runs: Iterable[ValidatedRun]) -> None:
    """One line a run, with a header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(cells_of(run) for run in runs)


def published_runs(study: Study) -> tuple[ValidatedRun, ...]:
    """The predicted runs of a study, with every prediction of each."""
    without_hardware, without_source = study.left_out[HARDWARE], study.left_out[FAMILY]
    return tuple(
        ValidatedRun(
            **_words(case),
            **_sizes(case),
            measured_tokens_per_s=float(study.measured[position]),
            predicted_tokens_per_s=float(study.predicted[position]),
            left_out_tokens_per_s=float(without_hardware[position]),
            source_left_out_tokens_per_s=float(without_source[position]),
            low_tokens_per_s=float(without_hardware[position] * study.low[position]),
            high_tokens_per_s=float(without_hardware[position] * study.high[position]),
            assumed=case.assumed,
        )
        for position, case in enumerate(study.cases)
    )


def _words(case: Case) -> dict[str, Any]:
    return {
        "id": case.row.key,
        "source": case.row.text("source"),
        "family": case.row.family,
        "model": case.row.text("model_name"),
        "accelerator_key": case.row.text("accelerator_key"),
        "generation": case.context["generation"],
        "framework": case.context["framework"],
        "precision": case.design.workload.precision,
        "architecture": case.kind_of_model,
        "software_date": case.row.text("software_date"),
    }


def _sizes(case: Case) -> dict[str, Any]:
    return {
        "accelerators": case.row.needed("n_accelerators"),
        "parameters": case.parameters / BILLION,
        "active_parameters": case.active_parameters / BILLION,
        "sequence_length": case.row.needed("seq_len"),
    }


if __name__ == "__main__":
    from app.catalog.ready import ready_catalog
    from app.paths import seed_data

    def say(text: str) -> None:
        sys.stdout.write(f"{text}\n")

    say(f"wrote {publish(seed_data(), ready_catalog(), say)}")
