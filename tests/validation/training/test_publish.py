"""The shipped errors are those of today's engine."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.catalog.validated import (
    ERRORS_FILE,
    RUNS_FILE,
    ValidatedRun,
    read_validated_runs,
    validated_runs,
    write_validated,
)
from app.validation.study import FAMILY, read_rows
from app.validation.training.case import COLUMNS as NEEDED
from app.validation.training.case import case_of
from app.validation.training.fit import Batch
from app.validation.training.publish import published_runs
from app.validation.training.study import BOTH, HARDWARE, study_of
from tests.support import SEED_DATA
from tests.validation.conftest import RUNS

STALE = (
    "seed_data/validation/training_errors.csv is out of date: run python -m app.validation.training.publish"
)


def test_a_few_runs_are_predicted_as_shipped(catalog: Catalog) -> None:
    runs = {run.id: run for run in validated_runs()[::40]}
    rows = [row for row in read_rows(SEED_DATA / RUNS_FILE, NEEDED) if row.key in runs]
    batch = Batch([case_of(row, catalog) for row in rows])
    for case, predicted in zip(batch.cases, batch.tokens_per_s(), strict=True):
        shipped = runs[case.row.key]
        assert predicted == pytest.approx(shipped.predicted_tokens_per_s, rel=1e-3), STALE
        assert case.measured_tokens_per_s == pytest.approx(shipped.measured_tokens_per_s, rel=1e-3), STALE
        assert case.assumed == shipped.assumed, STALE


@pytest.mark.slow
def test_every_scored_run_that_can_be_predicted_is_shipped(catalog: Catalog) -> None:
    study = study_of(SEED_DATA / RUNS_FILE, catalog, refit=False)
    shipped = {run.id: run.predicted_tokens_per_s for run in validated_runs()}
    assert len(shipped) + len(study.unsupported) == sum(
        row.scored for row in read_rows(SEED_DATA / RUNS_FILE, NEEDED)
    )
    predicted = {
        case.row.key: value for case, value in zip(study.cases, study.predicted.tolist(), strict=True)
    }
    assert list(shipped) == list(predicted), STALE
    assert shipped == pytest.approx(predicted, rel=1e-3), STALE


def test_what_is_published_is_what_the_catalog_reads(tmp_path: Path, catalog: Catalog) -> None:
    """A study of ten runs, with made-up predictions where there are too few runs to refit."""
    study = study_of(RUNS, catalog)
    study = dataclasses.replace(
        study,
        left_out={BOTH: 2 * study.predicted, FAMILY: 3 * study.predicted, HARDWARE: 4 * study.predicted},
        low=np.full(len(study.cases), 0.5),
        high=np.full(len(study.cases), 1.5),
    )
    (tmp_path / "validation").mkdir()
    write_validated(tmp_path / ERRORS_FILE, ValidatedRun, published_runs(study))
    runs = read_validated_runs(tmp_path)
    assert [run.id for run in runs] == [case.row.key for case in study.cases]
    for run, predicted in zip(runs, study.predicted.tolist(), strict=True):
        expected = {"predicted": 1, "left_out": 2, "source_left_out": 3, "accelerator_left_out": 4, "low": 1,
                    "high": 3}  # fmt: skip
        for name, factor in expected.items():
            assert getattr(run, f"{name}_tokens_per_s") == pytest.approx(factor * predicted, rel=1e-5)
        assert run.framework in ("megatron", "megatron_lm", "deepspeed", "fsdp")
