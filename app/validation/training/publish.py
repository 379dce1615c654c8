"""The errors that the product ships: `python -m app.validation.training.publish` writes them again.

Every scored run of `seed_data/validation/training_runs.csv` that can be predicted becomes a line of
`training_errors.csv` alongside it, and what `podwright validate training` prints of the file becomes
`docs/training_errors.md`. To be run whenever a constant or a formula of step time changes; tests say when
either is out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.catalog.lookup import Catalog
from app.catalog.validated import ERRORS_FILE, RUNS_FILE, ValidatedRun, write_validated
from app.validation.study import FAMILY, Report
from app.validation.training.case import Case
from app.validation.training.study import BOTH, HARDWARE, StudiedRuns, report_of, study_of

BILLION = 1e9
PAGE = "docs/training_errors.md"
HEAD = """# Errors of training runs

What `podwright validate training seed_data/validation/training_runs.csv` prints; [validation.md](validation.md#training)
says what it means. Written by `python -m app.validation.training.publish`.
"""


def publish(seed_dir: Path, page: Path, catalog: Catalog, progress: Callable[[str], None]) -> None:
    """Predict the shipped runs and write what came out, with each source, each accelerator and both left out."""
    study = study_of(seed_dir / RUNS_FILE, catalog, refit=True, progress=progress)
    write_validated(seed_dir / ERRORS_FILE, ValidatedRun, published_runs(study))
    page.write_text(page_of(report_of(study)), encoding="utf-8")


def page_of(report: Report) -> str:
    """What the command prints of the shipped runs, as a page of the documentation."""
    return f"{HEAD}\n```text\n{report.as_text()}\n```\n"


def published_runs(study: StudiedRuns) -> tuple[ValidatedRun, ...]:
    """The predicted runs of a study, with every prediction of each."""
    without = study.left_out
    return tuple(
        ValidatedRun(
            **_words(case),
            **_sizes(case),
            measured_tokens_per_s=float(study.measured[position]),
            predicted_tokens_per_s=float(study.predicted[position]),
            left_out_tokens_per_s=float(without[BOTH][position]),
            accelerator_left_out_tokens_per_s=float(without[HARDWARE][position]),
            source_left_out_tokens_per_s=float(without[FAMILY][position]),
            low_tokens_per_s=float(without[BOTH][position] * study.low[position]),
            high_tokens_per_s=float(without[BOTH][position] * study.high[position]),
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
    from app.paths import PACKAGE, seed_data

    def say(text: str) -> None:
        sys.stdout.write(f"{text} ...\n")

    publish(seed_data(), PACKAGE.parent / PAGE, ready_catalog(), say)
    sys.stdout.write(f"wrote {ERRORS_FILE} and {PAGE}\n")
