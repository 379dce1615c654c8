"""Published training runs against the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.validation.rows import Row, read_rows
from app.validation.training.batch import Batch
from app.validation.training.case import COLUMNS, Case, case_of
from app.validation.training.constants import FITTED, shipped_values
from app.validation.training.fit import Fit
from app.validation.training.validate import validate_training
from tests.validation.conftest import RUNS


@pytest.fixture(scope="module")
def cases(catalog: Catalog) -> list[Case]:
    return [case_of(row, catalog) for row in read_rows(RUNS, COLUMNS)]


def test_published_runs_are_predicted(catalog: Catalog) -> None:
    """Narayanan 2021, Korthikanti 2022, Megatron-Core and torchtitan tables: within 20 %, half within 10 %."""
    report = validate_training(RUNS, catalog)
    assert not report.unsupported
    errors = sorted(abs(one.error) for one in report.predictions)
    assert errors[-1] < 0.2
    assert errors[len(errors) // 2] < 0.1
    assert report.left_out == {}  # ten runs say nothing about 23 constants


def test_together_is_as_one_by_one(cases: list[Case]) -> None:
    together = Batch(cases).tokens_per_s()
    alone = [Batch([case]).tokens_per_s()[0] for case in cases]
    np.testing.assert_allclose(together, alone, rtol=1e-12)


def test_shipped_constants_are_those_of_the_fit(cases: list[Case], catalog: Catalog) -> None:
    batch = Batch(cases)
    fit = Fit(batch, catalog)
    np.testing.assert_allclose(fit.predicted(fit.shipped), batch.tokens_per_s(), rtol=1e-12)
    assert fit.named(fit.shipped) == pytest.approx(shipped_values(catalog))


def test_constants_stay_plausible(catalog: Catalog) -> None:
    """No share above one, and none further from what one would say without runs than two and a half spreads."""
    for constant, value in zip(FITTED, shipped_values(catalog).values(), strict=True):
        assert abs(np.log(value / constant.prior)) < 2.5 * constant.spread, constant.name
        if constant.assumption not in (
            "elementwise_ratio",
            "permute_passes",
            "local_expert_kernels",
        ):  # counts
            assert value <= 1, constant.name


def test_fit_finds_the_constants_that_made_the_runs(
    run: Callable[..., Row], catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs made with one constant 10 % lower give most of it back; the rest is what the priors hold."""
    rows = [run(id=f"{family}-{size}", params_b="", layers=size, n_accelerators=8, global_batch_seqs=64 * size)
            for family in "ABCD" for size in (16, 24, 32, 40)]  # fmt: skip
    batch = Batch([case_of(row, catalog) for row in rows])
    fit = Fit(batch, catalog)
    position = [constant.name for constant in FITTED].index("software_efficiency[framework=megatron]")
    changed = np.zeros(len(FITTED))
    changed[position] = np.log(0.9)
    monkeypatch.setattr(batch, "measured", fit.predicted(changed))
    found = fit.fitted()
    assert found[position] == pytest.approx(np.log(0.9), abs=0.04)
    assert np.abs(np.log(fit.predicted(found) / batch.measured)).max() < 0.02


@pytest.mark.slow
def test_what_is_left_out_is_not_looked_at(cases: list[Case], catalog: Catalog) -> None:
    labels = [case.row.family for case in cases]
    fit = Fit(Batch(cases), catalog)
    predicted = fit.left_out(labels)
    assert np.isfinite(predicted).all()
    assert not np.array_equal(predicted, fit.predicted(fit.fitted()))


def test_file_with_rows_of_every_kind(
    written: Callable[[list[dict[str, Any]]], Path], run: Callable[..., Row], catalog: Catalog
) -> None:
    good = {**run().cells, "scored": "yes"}
    rows: list[dict[str, Any]] = [
        good,
        {**good, "id": "B-1", "scored": "no"},
        {**good, "id": "B-2", "accelerator_key": "unknown"},
        {**good, "id": "B-3", "layers": "many"},
    ]
    report = validate_training(written(rows), catalog)
    assert (report.rows, report.scored, len(report.predictions)) == (4, 3, 1)
    assert [one.id for one in report.unsupported] == ["B-2", "B-3"]


def test_file_without_rows(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    assert validate_training(path, catalog).scored == 0
