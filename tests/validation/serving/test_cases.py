"""Rows as cases: names, loads, repeats and cold starts."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.paths import seed_data
from app.validation.serving.case import case_of
from app.validation.serving.cases import Cases, cases_of, gathered
from app.validation.study import Row, UnsupportedRowError
from tests.validation.serving.rows import group, row


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
