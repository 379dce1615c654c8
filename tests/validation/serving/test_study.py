"""Files of latencies and throughputs: cases, predictions, scores and what no engine reaches."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.paths import seed_data
from app.validation.serving import predicted as beyond_roofline
from app.validation.serving.case import case_of
from app.validation.serving.cases import Cases, cases_of, gathered
from app.validation.serving.deployment import (
    Constants,
    constants_of,
    contexts_of,
    deployment_of,
    fitted_values,
    left_out_constants,
)
from app.validation.serving.report import HEADER, ServingReport
from app.validation.serving.study import latency_report, study_of, validate_serving
from app.validation.study import Row, UnsupportedRowError, ValidationFileError
from tests.validation.serving.rows import GROUP, PLAIN, group, row

# Files of latencies and throughputs, from rows to the report.

Written = Callable[[list[dict[str, object]]], Path]

LATENCIES = seed_data() / "validation" / "serving_latency.csv"
THROUGHPUTS = seed_data() / "validation" / "serving_throughput.csv"
COLUMNS = sorted({*PLAIN, *GROUP})
SHARES = ("median_abs_error", "within_33_pct", "within_2x")


def every(*rows: dict[str, object]) -> list[dict[str, object]]:
    """Rows with the columns of both kinds of serving."""
    return [{name: row.get(name, "") for name in COLUMNS} for row in rows]


SMALL = every(
    PLAIN,
    {**PLAIN, "model": "DeepSeek-V3"},
    {**PLAIN, "model": "Llama-3.1-70B", "moe_tp": 1, "concurrency": 256, "batch": 256, "tpot_ms": 20},
    {**GROUP, "tpot_ms": 9},
    {**PLAIN, "engine_version": "7.0.0", "measured": "2027-01-01", "system": "b300_sxm", "tpot_ms": 14},
    {**PLAIN, "tp": 72, "moe_tp": 72},
    {**PLAIN, "scored": "no"},
)


def read(path: Path, catalog: Catalog, **options: Any) -> ServingReport:
    return latency_report(study_of(path, catalog, **options), catalog)


def test_the_shape_of_what_is_said(written: Written, catalog: Catalog) -> None:
    report = read(written(SMALL), catalog, fitted={})
    content = report.as_json()
    json.dumps(content, allow_nan=False)
    assert (content["rows"], content["scored"], content["supported"]) == (7, 6, 5)
    assert [one["id"] for one in content["unsupported"]] == ["6"]
    assert content["tpot"]["rows"] == 3
    assert content["tpot_disaggregated"]["rows"] == 1
    assert content["ttft"]["rows"] == 2
    assert content["ttft_above_128"]["rows"] == 1
    assert "not to be trusted" in content["ttft_above_128"]["note"]
    assert set(content["tpot"]["by_model"]) == {"deepseek_v3", "llama_3_1_70b"}
    assert set(content["tpot"]["by_system"]) == {"b200_sxm", "b300_sxm"}
    for name in ("tpot", "tpot_disaggregated", "ttft"):
        assert all(content[name][share] >= 0 for share in SHARES)
    assert "7.0.0 is newer than any known" in content["newest_known_engine_used_for"][0]
    assert "not to be trusted" in report.as_text()


def test_the_table_of_rows(written: Written, catalog: Catalog) -> None:
    lines = list(csv.DictReader(read(written(SMALL), catalog, fitted={}).as_csv().splitlines()))
    assert tuple(lines[0]) == HEADER
    assert HEADER[:6] == ("id", "measured", "predicted", "error", "low", "high")
    assert len(lines) == 10
    first = lines[0]
    assert (first["id"], first["quantity"], first["mode"], first["counted"]) == (
        "1",
        "tpot",
        "aggregated",
        "tpot",
    )
    assert float(first["measured"]) == pytest.approx(15.5e-3)
    assert float(first["error"]) == pytest.approx(float(first["predicted"]) / 15.5e-3 - 1, abs=1e-3)
    assert lines[2]["counted"] == "repeat"


def test_what_is_left_out_is_predicted_with_its_own_constants(written: Written, catalog: Catalog) -> None:
    slow = "kernel_time_s[engine=tensorrt_llm]"
    study = study_of(
        written(SMALL),
        catalog,
        fitted={"model=deepseek_v3": {slow: 1e-3}, "system=nvidia_b300_sxm": {slow: 2e-3}},
    )
    plain, model, system = (
        study.predicted.tpot_s,
        study.left_out["model"].tpot_s,
        study.left_out["system"].tpot_s,
    )
    families = np.array(study.cases.family) == "deepseek_v3"
    assert (model[families] > 2 * plain[families]).all()
    assert model[~families].tolist() == plain[~families].tolist()
    b300 = np.array(study.cases.system) == "b300_sxm"
    assert (system[b300] > model[b300]).all()
    assert system[~b300].tolist() == plain[~b300].tolist()


def test_what_was_never_in_the_fit_is_left_out_as_it_is(written: Written, catalog: Catalog) -> None:
    path = written(every({**PLAIN, "model": "GLM-4.5", "system": "gb300"}))
    content = read(path, catalog, fitted={"model=deepseek_v3": {}}).as_json()["tpot"]
    assert content["leave_one_model_out"]["median_abs_error"] == content["median_abs_error"]
    assert content["leave_one_system_out"]["by_system"]["gb300"]["rows"] == 1
    assert "leave_one_model_out" not in read(path, catalog, fitted={}).as_json()["tpot"]


def test_assumptions_are_chosen_by_the_words_of_a_scenario(written: Written, catalog: Catalog) -> None:
    cases = cases_of(written(SMALL), catalog)
    context = contexts_of(catalog, cases)[0]
    assert (
        context | {"engine": "tensorrt_llm", "era": "2026", "precision": "fp8", "dense_format": "fp8"}
        == context
    )
    chosen = constants_of(catalog, cases)
    for at, words in enumerate(contexts_of(catalog, cases)):
        row = catalog.assumption("serving", "kernel_time_s", words)
        assert chosen.kernel_time_s[at] == row.value


def test_a_file_without_rows(written: Written, catalog: Catalog) -> None:
    report = read(written(every({**PLAIN, "scored": "no"})), catalog)
    assert report.as_json()["tpot"]["median_abs_error"] is None
    assert report.as_csv().count("\n") == 1
    assert report.as_text()


def test_a_file_of_something_else_names_the_columns(written: Written, catalog: Catalog) -> None:
    with pytest.raises(ValidationFileError, match="neither of throughputs nor of latencies"):
        validate_serving(written([{"id": 1}]), catalog)


@pytest.mark.parametrize(
    ("path", "column"),
    [
        *((THROUGHPUTS, column) for column in ("metric", "value", "n", "isl", "conditions")),
        *((LATENCIES, column) for column in ("mode", "tpot_ms", "engine", "system", "osl")),
    ],
)
def test_a_file_that_lacks_a_column_of_its_kind_is_told_which(
    written: Written, catalog: Catalog, path: Path, column: str
) -> None:
    with path.open(encoding="utf-8") as file:
        first = next(csv.DictReader(file))
    first.pop(column)
    with pytest.raises(ValidationFileError) as caught:
        validate_serving(written([dict(first)]), catalog)
    assert f"has no column {column}; a file of this kind" in str(caught.value)


def test_shipped_latencies(catalog: Catalog) -> None:
    content = read(LATENCIES, catalog).as_json()
    assert content["supported"] / content["scored"] >= 0.95
    assert content["fitted_constants"] == len(fitted_values(catalog, left_out_constants()))
    assert content["tpot"]["rows"] == 1814
    assert content["tpot"]["median_abs_error"] <= 0.08
    assert content["tpot"]["within_33_pct"] >= 0.93
    without = content["tpot"]["leave_one_model_engine_out"]
    assert without["median_abs_error"] <= 0.13
    assert without["within_33_pct"] >= 0.85
    assert content["ttft"]["leave_one_model_engine_out"]["within_2x"] >= 0.85
    for name in ("tpot", "ttft"):
        assert content[name]["coverage"] == pytest.approx(0.8, abs=0.04)
    assert content["tpot_disaggregated"]["median_abs_error"] <= 0.12
    assert content["ttft"]["within_2x"] >= 0.90


def test_published_deployments_that_were_never_fitted(catalog: Catalog) -> None:
    """DeepSeek's day, SGLang on 96 H100, CloudMatrix384 and GB200's first decode: within 15 %."""
    content = validate_serving(THROUGHPUTS, catalog).as_json()
    found = {one["id"]: one["predicted"] / one["measured"] - 1 for one in content["deployments"]}
    for key in ("inf0001", "inf0003", "inf0006", "inf0008", "inf0029", "inf0030", "inf0032"):
        assert abs(found[key]) <= 0.15, key
    for one in content["idealised"]:
        assert one["predicted"] < one["balanced"]
        assert abs(one["balanced"] / one["measured"] - 1) <= 0.15


def test_shipped_throughputs(catalog: Catalog) -> None:
    report = validate_serving(THROUGHPUTS, catalog)
    content = report.as_json()
    assert content["supported"] / content["scored"] >= 0.95
    assert {one["id"] for one in content["idealised"]} == {"inf0002", "inf0025"}
    assert all("idealised" in one["label"] for one in content["idealised"])
    assert "inf0002" not in {one.key for one in report.predictions}
    assert content["by_row"]["median_abs_error"] <= 0.20


def test_throughputs_keep_their_units(written: Written, catalog: Catalog) -> None:
    plain = {
        "id": "a", "source": "us", "hardware": "B200", "n": 4, "model": "DeepSeek-R1-0528", "precision": "nvfp4",
        "engine": "tensorrt-llm", "isl": 1024, "osl": 1024, "concurrency_or_batch": "max",
        "metric": "output tok/s per GPU", "value": 6430, "conditions": "DEP4", "scored": "yes",
    }  # fmt: skip
    rows = [
        plain,
        {**plain, "id": "b", "metric": "Offline tok/s (system)"},
        {
            **plain,
            "id": "c",
            "metric": "decode tok/s per GPU",
            "value": 2500,
            "concurrency_or_batch": 64,
            "osl": "",
        },
        {
            **plain,
            "id": "d",
            "metric": "decode tok/s total",
            "value": 1e4,
            "concurrency_or_batch": 64,
            "osl": "",
        },
        {**plain, "id": "e", "metric": "prefill tok/s per 8-GPU node", "osl": ""},
        {**plain, "id": "f", "metric": "prefill tok/s per GPU", "osl": "", "conditions": "as above"},
        {**plain, "id": "g", "metric": "smiles per hour"},
    ]
    report = validate_serving(written(rows), catalog)
    found = {one.key: one.predicted for one in report.predictions}
    assert [one.id for one in report.unsupported] == ["g"]
    assert found["d"] == pytest.approx(4 * found["c"])
    assert found["e"] == pytest.approx(8 * found["f"])
    assert found["b"] > found["a"]


# Rows as cases: names, loads, repeats and cold starts.


def cases(catalog: Catalog, *rows: Row) -> Cases:
    return gathered(rows, catalog, len(rows))


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"model": "GPT-9"}, "the model 'GPT-9' is not in the catalog; the nearest are"),
        ({"model": ""}, "the model is not stated"),
        ({"system": "abacus"}, "the system 'abacus' is not in the catalog"),
        ({"system": ""}, "the system is not stated"),
        ({"mode": "magic"}, "neither agg nor disagg"),
        ({"concurrency": "", "batch": ""}, "neither concurrency nor batch"),
        ({"osl": ""}, "osl is not given"),
        ({"isl": "many"}, "not a number"),
        ({"tp": ""}, "tp is not given"),
    ],
)
def test_what_cannot_be_predicted_says_why(catalog: Catalog, cells: dict[str, object], reason: str) -> None:
    with pytest.raises(UnsupportedRowError, match=reason):
        case_of(row(**cells), catalog)


def test_without_concurrency_the_batch_of_all_ranks_counts(catalog: Catalog) -> None:
    stated = row(concurrency="", batch=4, tp=1, dp=8, moe_tp=1, moe_ep=8)
    assert case_of(stated, catalog).concurrency == 32
    assert case_of(group(concurrency="", d_batch=3, d_tp=1, d_dp=8), catalog).concurrency == 3 * 8 * 5


def test_speculation_is_told_by_version_and_date(catalog: Catalog) -> None:
    def guesses(**cells: object) -> bool:
        return case_of(row(**cells), catalog).speculation

    assert guesses(engine_version="1.2.0rc6.post3", measured="2026-02-05")
    assert not guesses(engine_version="1.2.0rc6.post2")
    assert guesses(engine_version="1.1.0rc2.post2", measured="2026-01-14")
    assert not guesses(engine_version="1.1.0rc2.post2", measured="2025-12-15")
    assert not guesses(engine_version="1.2.0rc6.post3", model="Llama-3.1-70B", moe_tp=1)
    assert not guesses(
        engine_version="1.2.0rc6.post3", model="Kimi-K2"
    )  # latent attention, no module that guesses


def test_a_repeat_lends_its_layout(catalog: Catalog) -> None:
    lacking = group("1", model="DeepSeek-R1", p_workers="", d_workers="", p_tp=4, p_dp=1, d_ep=4)
    found = cases(
        catalog, lacking, group("2", model="DeepSeek-V3"), group("3", p_workers="", d_workers="", tpot_ms=9)
    )
    assert found.complete_layout.tolist() == [True, True, False]
    assert found.decode_instances.tolist()[:2] == [5, 5]
    assert found.prefill_data_parallel.tolist()[:2] == [4, 4]
    assert found.counts.tolist() == [True, False, True]
    assert found.measurement.tolist() == [0, 0, 1]
    assert "row 2" in found.assumed[0][-1]


def test_counting_once_prefers_the_whole_layout(catalog: Catalog) -> None:
    first, second = row("1"), row("2", model="DeepSeek-V3.1-NVFP4")
    found = cases(catalog, first, second, row("3", tpot_ms=16))
    assert found.family == ["deepseek_v3"] * 3
    assert found.counts.tolist() == [True, False, True]


def test_cold_starts_are_told_from_waits(catalog: Catalog) -> None:
    found = cases(
        catalog,
        row("cold", concurrency=4, batch=4, ttft_ms=8000),
        row("warm", concurrency=4, batch=4, ttft_ms=300),
        row("a burst", concurrency=512, batch=512, ttft_ms=8000),
        row("waits for a place", concurrency=4, batch=4, ttft_ms=60_000),
        row("no room", concurrency=4, batch=4, ttft_ms=8000, tp=2, moe_tp=2),
        row("unmeasured", concurrency=4, batch=4, ttft_ms=""),
    )
    assert dict(zip(found.id, found.cold_start.tolist(), strict=True)) == {
        "cold": True, "warm": False, "a burst": False, "waits for a place": False, "no room": False,
        "unmeasured": False,
    }  # fmt: skip


def test_the_shipped_file(catalog: Catalog) -> None:
    found = cases_of(seed_data() / "validation" / "serving_latency.csv", catalog)
    scored = len(found) + len(found.unsupported)
    assert scored == 3609
    assert len(found) / scored >= 0.95
    assert (~found.aggregated & found.complete_layout).sum() == 413
    assert found.cold_start.sum() < 0.05 * len(found)
    assert np.isfinite(found.concurrency).all()
    assert {one.reason.split(" which ")[0][-5:] for one in found.unsupported} == {"ment,"}


def test_no_rows(catalog: Catalog) -> None:
    assert len(cases(catalog)) == 0


def test_an_answer_of_one_token_has_no_time_per_token(catalog: Catalog) -> None:
    found = case_of(row(osl=1), catalog)
    assert np.isnan(found.tpot_s)
    assert found.ttft_s == pytest.approx(0.3)
    with pytest.raises(UnsupportedRowError, match="more than one output token"):
        case_of(row(osl=1, ttft_ms=""), catalog)


# Measured times that no engine reaches are named, and no score counts them.

LLAMA = {
    **PLAIN, "model": "Llama-3.1-70B", "system": "h100_sxm", "tp": 1, "moe_tp": 1, "concurrency": 1, "batch": 1,
    "isl": 128, "osl": 128, "ttft_ms": 100, "measured": "",
}  # fmt: skip


def bound(written: Written, catalog: Catalog, **cells: object) -> beyond_roofline.Least:
    cases = cases_of(written([{**LLAMA, **cells}]), catalog)
    deployment = deployment_of(cases, catalog)
    assumptions = Constants(catalog, cases).with_values({})
    return beyond_roofline.least(deployment, assumptions, ttft_s=cases.ttft_s, tpot_s=cases.tpot_s)


def test_by_hand(written: Written, catalog: Catalog) -> None:
    """69.5 G parameters without the embedding in FP8, its 1.05 G of the head in 16 bit, at 3.35 TB/s: 21.1 ms a token."""
    found = bound(written, catalog)
    assert found.tpot_s[0] == pytest.approx((68.45e9 + 2 * 1.05e9) / 3.35e12, rel=0.01)
    assert found.ttft_s[0] == pytest.approx(2 * 128 * 68.45e9 / 1979e12, rel=0.05)


def test_tensor_parallelism_divides_the_bound(written: Written, catalog: Catalog) -> None:
    one, eight = bound(written, catalog).tpot_s[0], bound(written, catalog, tp=8, moe_tp=8).tpot_s[0]
    assert eight == pytest.approx(one / 8, rel=1e-3)


def test_a_larger_batch_reads_more(written: Written, catalog: Catalog) -> None:
    few, many = (bound(written, catalog, concurrency=count, batch=count).tpot_s[0] for count in (1, 256))
    assert many > few


def test_a_row_beyond_is_named_and_not_scored(written: Written, catalog: Catalog) -> None:
    rows = [{**LLAMA, "tpot_ms": 12}, {**LLAMA, "tpot_ms": 26}, {**LLAMA, "tpot_ms": 26.5, "ttft_ms": 1}]
    report = latency_report(study_of(written(rows), catalog, fitted={}), catalog)
    assert [one.id for one in report.unsupported] == ["1", "3"]
    assert "beyond the roofline: tpot 12 ms" in report.unsupported[0].reason
    assert "beyond the roofline: ttft 1 ms" in report.unsupported[1].reason
    assert report.quantities["tpot"].predictions[0].key == "2"
    assert "beyond the roofline" in report.as_text()


def test_what_is_predicted_is_never_beyond(written: Written, catalog: Catalog) -> None:
    """With any constants an engine takes longer than the roofline: checked on rows of every size."""
    rows = [
        {**LLAMA, "concurrency": count, "batch": count, "tp": cut}
        for count in (1, 16, 128)
        for cut in (1, 2, 8)
    ]
    study = study_of(written(rows), catalog, fitted={})
    found = study.predicted
    deployment = deployment_of(study.cases, catalog)
    least = beyond_roofline.least(
        deployment,
        Constants(catalog, study.cases).with_values({}),
        ttft_s=found.ttft_s,
        tpot_s=found.tpot_s,
    )
    assert (least.tpot_s < found.tpot_s).all()
    assert (least.ttft_s < found.ttft_s).all()
    assert np.isfinite(least.tpot_s).all()
