"""Measured times that no engine reaches are named, and no score counts them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.validation.serving import predicted as beyond_roofline
from app.validation.serving.cases import cases_of
from app.validation.serving.deployment import Constants, deployment_of
from app.validation.serving.study import latency_report, study_of
from tests.validation.serving.rows import PLAIN

LLAMA = {
    **PLAIN, "model": "Llama-3.1-70B", "system": "h100_sxm", "tp": 1, "moe_tp": 1, "concurrency": 1, "batch": 1,
    "isl": 128, "osl": 128, "ttft_ms": 100, "measured": "",
}  # fmt: skip

Written = Callable[[list[dict[str, object]]], Path]


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
