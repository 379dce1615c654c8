"""Published training runs against the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.catalog.validated import RUNS_FILE, validated_runs
from app.validation.study import Row, ValidationFileError, read_rows
from app.validation.training.case import COLUMNS, Case, case_of
from app.validation.training.fit import FITTED, Batch, Fit, Numbers, shipped_values
from app.validation.training.publish import PAGE, page_of
from app.validation.training.study import is_shipped, validate_training
from tests.support import ROOT, SEED_DATA
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
    assert report.left_out == {}  # no file but the shipped one is refitted to without being asked


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


def test_slopes_are_those_of_one_constant_at_a_time(cases: list[Case], catalog: Catalog) -> None:
    """Constants that are moved together share no run: their columns are those of each alone."""
    fit = Fit(Batch(cases), catalog)
    kept = np.ones(len(cases), dtype=bool)
    kept[0] = False
    slopes, plain = fit._slopes(fit.shipped, kept), fit._residuals(fit.shipped, kept)
    assert len(fit._apart) < len(FITTED) / 2
    assert sorted(constant for group in fit._apart for constant in group) == list(range(len(FITTED)))
    for constant in range(len(FITTED)):
        moved = fit.shipped.copy()
        moved[constant] += 1e-3
        alone = (fit._residuals(moved, kept) - plain) / 1e-3
        np.testing.assert_allclose(slopes[:, constant], alone, atol=1e-6)


def test_a_run_is_predicted_without_all_that_share_any_label(
    cases: list[Case], catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[int]] = []

    def fitted(start: Numbers, without: NDArray[np.bool_], passes: int) -> Numbers:
        seen.append(np.flatnonzero(without).tolist())
        return start

    fit = Fit(Batch(cases[:4]), catalog)
    monkeypatch.setattr(fit, "fitted", fitted)
    fit.left_out(["a", "a", "b", "c"], ["x", "y", "x", "z"])
    assert seen == [[0, 1, 2], [0, 1], [0, 2], [3]]


def test_a_foreign_file_is_judged_by_what_ships_and_not_by_itself(
    written: Callable[[list[dict[str, Any]]], Path], run: Callable[..., Row], catalog: Catalog
) -> None:
    """Five runs that are all 40 % slower than predicted change no interval, and all miss theirs."""
    right = [case_of(run(id=f"X-{tp}", n_accelerators=8 * tp, tp=tp, global_batch_seqs=64 * tp), catalog)
             for tp in (1, 2, 4, 8)]  # fmt: skip
    speeds = Batch(right).tokens_per_s()
    reports = [
        validate_training(
            written(
                [
                    {**case.row.cells, "measured_tokens_per_s_per_gpu": factor * speed}
                    for case, speed in zip(right, speeds, strict=True)
                ]
            ),
            catalog,
        )
        for factor in (1.0, 0.6)
    ]
    bounds = [[(one.low, one.high) for one in report.predictions] for report in reports]
    assert bounds[0] == bounds[1]
    assert all(
        low < one.predicted < high for one, (low, high) in zip(reports[0].predictions, bounds[0], strict=True)
    )  # type: ignore[operator]
    assert [report.extra["interval_coverage"] for report in reports] == [1.0, 0.0]
    assert "errors that ship" in reports[1].as_text()


def test_a_run_that_ships_has_not_its_own_source_to_vouch(
    written: Callable[[list[dict[str, Any]]], Path], run: Callable[..., Row], catalog: Catalog
) -> None:
    """Any other is judged as its design is, be it of a shipped source or not."""

    def low(id: str) -> float | None:
        return validate_training(written([dict(run(id=id).cells)]), catalog).predictions[0].low

    shipped = next(one for one in validated_runs() if one.accelerator_key == "nvidia_h100_sxm")
    assert low(shipped.id) != low(f"{shipped.family}-NEW") == low("ELSEWHERE-1")


def test_a_refit_that_has_too_few_runs_is_refused(catalog: Catalog) -> None:
    with pytest.raises(
        ValidationFileError, match=r"10 runs that can be predicted.*not refitted to fewer than 92"
    ):
        validate_training(RUNS, catalog, refit=True)


def test_shipped_runs_are_known_wherever_they_lie(tmp_path: Path) -> None:
    copy = tmp_path / "runs.csv"
    copy.write_bytes((SEED_DATA / RUNS_FILE).read_bytes())
    assert is_shipped(copy)
    assert not is_shipped(RUNS)


def test_layouts_that_ran_and_are_said_not_to_fit_are_counted(
    written: Callable[[list[dict[str, Any]]], Path], run: Callable[..., Row], catalog: Catalog
) -> None:
    """70 billion parameters on eight accelerators, 16 bytes each, need 141 GB of 80; a search counts for nothing."""
    large = {
        "params_b": 70.6,
        "layers": 80,
        "hidden": 8192,
        "heads": 64,
        "ffn_hidden": 28672,
        "zero_stage": 3,
    }
    rows = [
        dict(run(id="A-1").cells),
        dict(run(id="A-2", **large).cells),
        dict(run(id="A-3", tp="", pp="").cells),
    ]
    columns = {name: "" for row in rows for name in row}
    report = validate_training(written([columns | row for row in rows]), catalog)
    assert report.extra["stated_layouts_by_framework"] == {
        "megatron": {"runs": 1, "said_not_to_fit": 0},
        "megatron_fsdp": {"runs": 1, "said_not_to_fit": 1},
    }
    assert "1 of 2 layouts that ran are said not to fit" in report.as_text()


def test_memory_is_compared_with_the_printed_peak(
    written: Callable[[list[dict[str, Any]]], Path], run: Callable[..., Row], catalog: Catalog
) -> None:
    case = case_of(run(), catalog)
    peak = {"measured_peak_mem_gb": case.memory_bytes / 2**30 / 1.25, "measured_peak_mem_unit": "GiB"}
    found = validate_training(written([{**case.row.cells, **peak}]), catalog).extra
    assert (found["memory_rows"], found["memory_bias"]) == (1, pytest.approx(0.25))


@pytest.mark.slow
def test_report_of_the_shipped_runs(catalog: Catalog) -> None:
    """Every left-out line, dense and mixtures apart, and coverage where ten runs say something."""
    report = validate_training(SEED_DATA / RUNS_FILE, catalog)
    assert list(report.left_out) == ["source_family", "hardware", "source_and_hardware"]
    found, text = report.as_json(), report.as_text()
    both = found["left_out"]["source_and_hardware"]
    assert set(both["architecture"]) == {"dense", "moe"}
    assert both["median_abs_error"] >= found["median_abs_error"]
    assert abs(found["interval_coverage"] - 0.8) <= 0.04
    sizes = {name: group["rows"] for name, group in found["groups"]["source_family"].items()}
    assert set(found["interval_coverage_by"]["source_family"]) == {
        name for name, runs in sizes.items() if runs >= 10
    }
    assert "each source and hardware left out" in text
    page = ROOT / PAGE
    assert page.read_text(encoding="utf-8") == page_of(report), (
        f"{PAGE} is out of date: run python -m app.validation.training.publish"
    )
    shipped = {run.id: run.left_out_tokens_per_s for run in validated_runs()}
    again = {one.key: one.predicted for one in report.left_out["source_and_hardware"]}
    assert again == pytest.approx(shipped, rel=1e-3)


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
