"""Every published figure of failures and spares is scored or refused with its reason."""

from __future__ import annotations

import csv

import pytest

from app.catalog.lookup import Catalog
from app.validation.reliability.study import OF_THE_RATE, RELIABILITY, within_interval
from app.validation.study import Row, read_rows
from tests.support import SEED_DATA

SHIPPED = SEED_DATA / RELIABILITY.file
HEADLINES = ("rsc_8", "rsc_1024", "rsc_16384", "llama3_unexp", "opt_restarts")


def test_every_row_is_predicted_refused_or_kept_with_a_reason(catalog: Catalog) -> None:
    compared = RELIABILITY.shipped(catalog).compared
    taken = [one.row.key for one in compared.figures]
    refused = {one.row.key: one.reason for one in (*compared.unsupported, *compared.unscored)}
    with SHIPPED.open(encoding="utf-8", newline="") as file:
        assert sorted([*taken, *refused]) == sorted(row["id"] for row in csv.DictReader(file))
    assert all(refused.values())


def test_published_fleets_lie_within_the_interval(catalog: Catalog) -> None:
    """90 % of figures, the headlines all; the rate of RSC-2 is below what any other fleet reached."""
    predictions = {one.key: one for one in RELIABILITY.shipped(catalog).compared.predictions}
    outside = [key for key, one in predictions.items() if within_interval([one]) == (0, 1)]
    assert set(HEADLINES) <= set(predictions)
    assert outside == ["rsc2_rate"]
    assert len(predictions) == 10
    for one in predictions.values():
        assert one.low is not None
        assert one.high is not None
        assert one.low <= one.predicted <= one.high


def test_the_median_error_is_stated(catalog: Catalog) -> None:
    """Half of the figures are within a factor of 1.5: fleets differ, and no figure of one is foreseen better."""
    report = RELIABILITY.shipped(catalog).report
    assert report.as_json()["by_row"]["median_abs_error"] == pytest.approx(0.534, abs=0.02)
    assert "within interval: 9" in report.as_text()


def test_rows_of_the_rate_are_told_apart(catalog: Catalog) -> None:
    groups = {one.key: one.groups["rate"] for one in RELIABILITY.shipped(catalog).compared.predictions}
    assert {key for key, group in groups.items() if group == "one of five"} == OF_THE_RATE


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"metric": "colour"}, "the engine has no figure for 'colour'"),
        ({"metric": "MTTF measured", "value": ">7"}, "only a bound is published"),
        ({"metric": "MTTF measured", "value": "0"}, "no figure above zero is published"),
        ({"metric": "MTTF measured", "accelerators": ""}, "accelerators is not given"),
        (
            {"metric": "unexpected interruptions", "period": "weeks"},
            "the length of the period 'weeks' is not given",
        ),
        ({"metric": "manual restarts", "note": ""}, "manual restarts alone have no counterpart"),
    ],
)
def test_what_cannot_be_predicted_says_why(catalog: Catalog, cells: dict[str, str], reason: str) -> None:
    first = read_rows(SHIPPED, RELIABILITY.columns)[1]
    (found,) = RELIABILITY.compare([Row("one", {**first.cells, "id": "one", **cells})], catalog).unsupported
    assert reason in found.reason
