"""Files of training runs: predictions, refits, intervals, neighbours, and the shipped errors."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.catalog.validated import (
    ERRORS_FILE,
    RUNS_FILE,
    ValidatedRun,
    read_validated_runs,
    validated_runs,
    write_validated,
)
from app.engine.uncertainty.likeness import distance
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.study import FAMILY, Numbers, Row, ValidationFileError, read_rows
from app.validation.training.case import COLUMNS, Case, case_of
from app.validation.training.case import COLUMNS as NEEDED
from app.validation.training.fit import (
    FITTED,
    Batch,
    Fit,
    Vouchers,
    features_of,
    intervals,
    shipped_values,
    shipped_vouchers,
)
from app.validation.training.publish import PAGE, page_of, published_runs
from app.validation.training.study import (
    BOTH,
    HARDWARE,
    is_shipped,
    neighbours,
    printed_runs,
    scenario_of_run,
    study_of,
    validate_training,
)
from tests.support import ROOT, SEED_DATA
from tests.validation.conftest import RUNS
from tests.validation.runs import RUN
from tests.validation.runs import run as validated_run

# Published training runs and the engine.


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


# Intervals from the errors of like runs.


@pytest.fixture
def sized(run: Callable[..., Row], catalog: Catalog) -> list[Case]:
    sizes = (8, 16, 64, 512)
    rows = [run(n_accelerators=size, global_batch_seqs=16 * size, id=f"A-{size}") for size in sizes]
    return [case_of(row, catalog) for row in rows]


def others(errors: list[float], labels: list[str], sized: list[Case]) -> Vouchers:
    """The runs themselves with these errors, as vouchers for each other."""
    return Vouchers(features_of(sized), np.array(errors), (labels,))


def found(errors: list[float], labels: list[str], sized: list[Case]) -> tuple[Numbers, Numbers]:
    return intervals(sized, others(errors, labels, sized), (labels,))


def test_distance_of_two_sizes_by_hand(sized: list[Case]) -> None:
    features = features_of(sized)
    apart = distance(features, features)
    np.testing.assert_allclose(np.diag(apart), 0)
    np.testing.assert_allclose(apart, apart.T)
    assert apart[0, 1] == pytest.approx(np.log10(2) / 2)


def test_runs_of_one_label_do_not_vouch_for_each_other(sized: list[Case]) -> None:
    low, high = found([0.5, 0.5, -0.1, 0.1], ["a", "a", "b", "b"], sized)
    assert high[0] < np.exp(0.2)
    assert low[2] > 1
    assert np.isnan(found([0.0] * 4, ["a"] * 4, sized)[0]).all()


def test_a_run_that_shares_either_label_does_not_vouch(sized: list[Case]) -> None:
    """Of four runs the first shares its source with the second, its accelerator with the third."""
    sources, chips = ["a", "a", "b", "c"], ["x", "y", "x", "z"]
    vouchers = Vouchers(features_of(sized), np.array([9.0, 5.0, 5.0, 0.1]), (sources, chips))
    low, high = intervals(sized, vouchers, (sources, chips))
    assert low[0] == high[0] > 1
    assert np.log(low[0]) == pytest.approx(0.1 * (1 + 0.1 * np.log10(64) / 2))


def test_interval_grows_with_the_distance(sized: list[Case]) -> None:
    low, high = found([0.0, -0.2, 0.2, 0.0], ["near", "b", "b", "far"], sized)
    assert high[3] / low[3] > high[0] / low[0]


def test_runs_that_agree_leave_no_room(sized: list[Case]) -> None:
    low, high = found([0.0] * 4, ["a", "b", "c", "d"], sized)
    np.testing.assert_allclose([low, high], 1)


def test_a_run_alone_is_judged_as_its_design_is(sized: list[Case]) -> None:
    """The shipped errors and the arithmetic are those of every evaluation."""
    low, high = intervals(sized[:1], shipped_vouchers(), (["not shipped"],))
    with_reference = evaluate_scenario(build_scenario(sized[0].document), ready_catalog()).intervals
    speed = with_reference.performance.tokens_per_s
    assert speed.low is not None
    assert speed.high is not None
    assert high[0] / low[0] == pytest.approx(speed.high / speed.low)


# The shipped errors are those of today's engine.

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


# The runs most like one of them.


def test_nearest_runs_come_first_and_the_run_itself_never() -> None:
    larger = validated_run("AB-002", accelerators=6400)
    other_chip = validated_run("AB-003", generation="ampere")
    twin = validated_run("AB-004")
    found = neighbours(RUN, [RUN, larger, other_chip, twin], 3)
    assert [near.run.id for near in found] == ["AB-004", "AB-002", "AB-003"]
    assert found[0].distance == 0
    assert found[1].distance == pytest.approx(1.0)  # a factor of a hundred in one of the sizes


def test_only_as_many_as_asked_for() -> None:
    runs = validated_runs()
    found = neighbours(runs[0], runs, 5)
    assert len(found) == 5
    assert [near.distance for near in found] == sorted(near.distance for near in found)


# A published run as the scenario that it is predicted by.


def test_every_predicted_run_is_printed() -> None:
    assert {run.id for run in validated_runs()} <= set(printed_runs())


def ids() -> list[str]:
    """One run of each framework, and one of each way to recompute what its source does not say."""
    found: dict[str, str] = {}
    for run in validated_runs():
        found.setdefault(run.framework, run.id)
        for line in run.assumed:
            if line.startswith(("recompute", "layout")):
                found.setdefault(line, run.id)
    return sorted(set(found.values()))


@pytest.mark.parametrize("key", ids())
def test_scenario_is_evaluated_as_the_run_is_predicted(catalog: Catalog, key: str) -> None:
    row = printed_runs()[key]
    predicted = Batch([case_of(row, catalog)]).tokens_per_s()
    document = build_scenario(scenario_of_run(row, "A run", catalog))
    assert document.name == "A run"
    evaluation = evaluate_scenario(document, catalog).as_json
    speed = evaluation["performance"]["tokens_per_s_per_accelerator"]
    assert np.allclose(predicted, speed, rtol=1e-6)
