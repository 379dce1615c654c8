"""Shipped latencies and throughputs of served models beside ours: what counts, what is left out, by which fit."""

from __future__ import annotations

import dataclasses

import pytest

from app.catalog.lookup import Catalog
from app.catalog.validated import LATENCIES_FILE
from app.paths import seed_data
from app.validation.judged import judged
from app.validation.serving.case import COLUMNS, case_of
from app.validation.serving.cases import MODEL, PAIR, SYSTEM
from app.validation.serving.fit import FITTED
from app.validation.serving.published import (
    EVERY,
    OWNERS,
    SCORES,
    SERVING_BASES,
    SERVING_GROUPINGS,
    PublishedServing,
    constants_by_owner,
    layout_text,
    published_serving,
)
from app.validation.serving.report import score_of
from app.validation.serving.throughput import THROUGHPUT
from app.validation.study import read_rows
from tests.validation.published.runs import served


@pytest.fixture(scope="module")
def found(catalog: Catalog) -> PublishedServing:
    return published_serving(catalog)


def test_it_is_made_once_a_catalog_revision(catalog: Catalog, found: PublishedServing) -> None:
    assert published_serving(catalog) is found


@pytest.mark.parametrize("score", SCORES)
def test_measurements_are_those_of_the_score(found: PublishedServing, score: str) -> None:
    quantity, measurements = found.report.quantities[score], found.measurements[score]
    assert [one.id for one in measurements] == [one.key for one in quantity.predictions]
    assert len({one.id for one in measurements}) == len(measurements)
    for ours, printed in zip(measurements[:20], quantity.predictions, strict=False):
        assert ours.measured_ms == pytest.approx(1e3 * printed.measured)
        assert ours.predicted_ms == pytest.approx(1e3 * printed.predicted)
        assert 0 < ours.low_ms < ours.high_ms


def test_a_left_out_model_is_the_prediction_that_has_not_seen_it(found: PublishedServing) -> None:
    for score in SCORES:
        without = found.report.quantities[score].left_out
        fields = {MODEL: "model_left_out_ms", SYSTEM: "system_left_out_ms", PAIR: "pair_left_out_ms"}
        for group, field in fields.items():
            ours = [getattr(one, field) for one in found.measurements[score]]
            assert ours == pytest.approx([1e3 * one.predicted for one in without[group]])


def test_every_model_and_system_that_is_scored_was_left_out_of_a_fit(found: PublishedServing) -> None:
    scored = [one for measurements in found.measurements.values() for one in measurements]
    assert found.refitted[MODEL] == {one.model_key for one in scored}
    assert found.refitted[SYSTEM] == {one.accelerator_key for one in scored}


def test_every_row_is_counted_or_left_out_with_a_reason(found: PublishedServing) -> None:
    rows = read_rows(seed_data() / LATENCIES_FILE, COLUMNS)
    unscored = sum(len(one.rows) for one in found.unscored)
    unsupported = sum(len(one.rows) for one in found.unsupported)
    assert found.report.rows == len(rows)
    assert unscored == sum(not row.scored for row in rows)
    assert found.report.scored == len(rows) - unscored
    assert len(found.report.predictions) == found.report.scored - unsupported
    assert unsupported / found.report.scored < 0.05
    assert all(one.reason for one in (*found.unscored, *found.unsupported))
    in_ttft = {one.id for one in found.measurements["ttft"]}
    assert not in_ttft & set(found.cold_starts)
    assert max(one.concurrency for one in found.measurements["ttft"]) <= 128


def test_reasons_that_differ_in_a_number_are_one(found: PublishedServing) -> None:
    reasons = [one.reason for one in found.unsupported]
    assert len(reasons) == len({"".join(filter(str.isalpha, reason)) for reason in reasons})


def test_no_constant_belongs_to_a_model() -> None:
    owners = constants_by_owner()
    assert sum(owners.values()) == len(FITTED)
    words = {word for owner in owners for word in owner.split(" and ")}
    assert words <= {*OWNERS.values(), EVERY}


def test_bases_predict_by_their_own_constants() -> None:
    one = served(
        "1", predicted_ms=11.0, model_left_out_ms=12.0, system_left_out_ms=13.0, pair_left_out_ms=10.5
    )
    assert [basis.predicted(one) for basis in SERVING_BASES.values()] == [12.0, 13.0, 10.5, 11.0]


@pytest.mark.parametrize(("concurrency", "band"), [(1.0, "1 to 3 in flight"), (4.0, "4 to 16 in flight"), (128.0, "65 to 256 in flight"), (4096.0, "over 256 in flight")])  # fmt: skip
def test_bands_of_load(concurrency: float, band: str) -> None:
    assert SERVING_GROUPINGS["load"].group(served("1", concurrency=concurrency)) == band


def test_one_deployment_differs_in_its_load_alone() -> None:
    one = served("1")
    assert one.deployment == served("2", concurrency=64.0, measured_ms=30.0).deployment
    for name in ("engine", "era", "precision", "layout", "model_key", "accelerator_key"):
        assert one.deployment != dataclasses.replace(one, **{name: "another"}).deployment


def test_layouts_in_words(catalog: Catalog) -> None:
    rows = {row.key: row for row in read_rows(seed_data() / LATENCIES_FILE, COLUMNS)}
    plain, group = rows["1"], next(row for row in rows.values() if row.text("p_workers") == "2")
    assert layout_text(case_of(plain, catalog)) == "DP 4 EP 4"
    assert layout_text(case_of(group, catalog)).startswith("prefill 2 x ")


def test_throughputs_are_scored_or_labelled_or_left_out(catalog: Catalog) -> None:
    found, report = THROUGHPUT.shipped(catalog)
    scored = [one for one in found.figures if not one.label]
    idealised = [one for one in found.figures if one.label]
    assert len(scored) == len(report.predictions)
    assert len(idealised) == len(report.extra["idealised"]) == 2
    assert all("perfect balance" in one.label and not one.row.scored for one in idealised)
    assert len(scored) + len(found.unsupported) == report.scored
    assert len(found.figures) + len(found.unsupported) + len(found.unscored) == report.rows
    assert all(one.reason for one in (*found.unsupported, *found.unscored))
    assert THROUGHPUT.shipped(catalog).compared is found


def test_every_family_counts_the_same_in_a_score() -> None:
    many = [served(str(at), model_key="many") for at in range(30)]
    everything = judged([*many, served("x", model_key="few", predicted_ms=40.0)], SERVING_BASES["fitted"])
    assert score_of([one.prediction for one in everything]).within_33_pct == pytest.approx(0.5)
