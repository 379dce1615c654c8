"""Published fabrics: exact where they can be right, flagged where they cannot, told by their columns alone."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.validation.fabric.study import FABRIC
from app.validation.study import Report
from tests.support import SEED_DATA

pytestmark = pytest.mark.slow

SHIPPED = SEED_DATA / "reference_architectures.csv"
Write = Callable[..., Path]


@pytest.fixture(scope="module")
def rows() -> dict[str, dict[str, str]]:
    with SHIPPED.open(encoding="utf-8", newline="") as opened:
        return {row["key"]: row for row in csv.DictReader(opened)}


@pytest.fixture(scope="module")
def report(catalog: Catalog) -> Report:
    return FABRIC.report(SHIPPED, catalog)


@pytest.fixture
def write(tmp_path: Path, rows: dict[str, dict[str, str]]) -> Write:
    """A file of one shipped row under another name, with some cells changed."""

    def written(key: str, **cells: str) -> Path:
        path = tmp_path / "rows.csv"
        with path.open("w", encoding="utf-8", newline="") as opened:
            writer = csv.DictWriter(opened, list(rows[key]))
            writer.writeheader()
            writer.writerow(rows[key] | {"key": "one", "system": "Some pod"} | cells)
        return path

    return written


def test_every_verified_row_that_prints_counts_is_exact(
    report: Report, rows: dict[str, dict[str, str]]
) -> None:
    missed = {one["id"] for one in report.extra["mismatches"]}
    assert missed == {"superpod_a100_7su"}
    assert rows["superpod_a100_7su"]["confidence"] == "memory"
    assert report.extra["exact"] == 34
    assert (report.rows, report.scored, len(report.predictions)) == (49, 49, 35)
    computed = {one.key for one in report.predictions}
    superpods = {key for key, row in rows.items() if "superpod" in key and row["num_leaf_switches"]}
    assert superpods <= computed
    named = ["nvl72_gb200", "cloudmatrix384", "tpu_v4_pod", "tpu7x_pod", "trn2_instance", "trn2_ultraserver"]
    assert set(named) <= computed


def test_rows_that_cannot_be_right_are_flagged(report: Report) -> None:
    reasons: dict[str, list[str]] = {}
    for one in report.extra["flagged"]:
        reasons.setdefault(one["id"], []).append(one["reason"])
    assert "10,368 accelerators, and 9,216 are printed" in reasons["superpod_b300_xdr_18su"][0]
    assert len(reasons["superpod_a100_7su"]) == 2  # recalled, and more cables than ports
    assert set(reasons) == {"superpod_b300_xdr_18su", "superpod_a100_7su", "tpu_v5p_pod"}


def test_rows_without_counts_say_so(report: Report) -> None:
    assert len(report.unsupported) == 14
    assert {one.reason for one in report.unsupported} == {"prints no number of switches or cables"}


def test_the_report_has_the_public_shape(report: Report) -> None:
    content = report.as_json()
    assert content["kind"] == "fabric"
    assert (content["median_abs_error"], content["fitted_constants"]) == (0, 0)
    assert content["exact"] == 34
    assert content["mismatches"][0] == {
        "id": "superpod_a100_7su", "column": "num_leaf_switches", "printed": 56, "computed": 64,
    }  # fmt: skip
    text = report.as_text()
    assert "exact: 34" in text
    assert "num_leaf_switches is printed as 56, computed as 64" in text
    assert report.as_csv().splitlines()[0] == "id,measured,predicted,error,low,high"


@pytest.mark.parametrize(
    ("key", "cells"),
    [
        ("superpod_h100_4su", {}),
        ("superpod_gb200_1su", {}),
        ("cloudmatrix384", {}),
        ("nvl72_gb200", {}),
        ("tpu_v4_pod", {}),
        # the same fabric at other sizes, by hand
        ("superpod_h100_2su", {"num_nodes": "60", "num_accelerators": "480", "cables_node_leaf": "484"}),
        (
            "tpu_v4_pod",
            {"num_scalable_units": "32", "num_nodes": "512", "num_accelerators": "2048", "cables_leaf_spine": "3072"},
        ),
        ("trn2_ultraserver", {"topology": "3D torus 4x4x2", "num_accelerators": "32", "num_nodes": "2"}),
    ],
)  # fmt: skip
def test_rows_are_told_by_their_columns(
    write: Write, catalog: Catalog, key: str, cells: dict[str, str]
) -> None:
    report = FABRIC.report(write(key, **cells), catalog)
    assert report.extra["exact"] == 1
    assert not report.extra["mismatches"]


def test_a_wrong_count_is_a_mismatch_of_its_size(write: Write, catalog: Catalog) -> None:
    """3 units would do with 12 spines, but every leaf reaches 16 evenly: the naive count is 25 % off."""
    report = FABRIC.report(write("superpod_h100_3su", num_spine_switches="12"), catalog)
    assert report.extra["mismatches"] == [
        {"id": "one", "column": "num_spine_switches", "printed": 12, "computed": 16}
    ]
    assert report.predictions[0].error == pytest.approx(1 / 3)


def test_a_count_that_nothing_gives_is_not_exact(write: Write, catalog: Catalog) -> None:
    """No one says how many links the copper inside a cube is printed as."""
    report = FABRIC.report(write("tpu_v4_pod", cables_node_leaf="18432"), catalog)
    assert report.extra["mismatches"] == [
        {"id": "one", "column": "cables_node_leaf", "printed": 18432, "computed": None}
    ]
    assert "printed as 18,432, not known" in report.as_text()


def test_a_tier_that_should_not_be_there_is_a_mismatch(write: Write, catalog: Catalog) -> None:
    report = FABRIC.report(write("superpod_b200_large_16su", num_core_switches="0"), catalog)
    assert [one["column"] for one in report.extra["mismatches"]] == ["num_core_switches"]
    assert report.predictions[0].error > 0


def test_a_misprinted_number_of_accelerators_is_not_matched(write: Write, catalog: Catalog) -> None:
    report = FABRIC.report(write("superpod_b300_xdr_18su", num_accelerators="9216", notes=""), catalog)
    assert report.extra["exact"] == 0
    assert report.extra["mismatches"][0]["computed"] == 10368
    assert "9,216 are printed" in report.extra["flagged"][0]["reason"]


@pytest.mark.parametrize(
    ("key", "cells", "reason"),
    [
        ("superpod_h100_1su", {"num_nodes": ""}, "num_nodes is not given"),
        ("superpod_h100_1su", {"num_nodes": "some"}, "num_nodes is 'some', not a number"),
        ("superpod_h100_1su", {"switch_radix_ports": ""}, "switch_radix_ports is not given"),
        ("superpod_h100_1su", {"switch_radix_ports": "1e9"}, "more than 100,000"),
        ("superpod_h100_1su", {"num_leaf_switches": "-8"}, "num_leaf_switches is -8, not a whole number"),
        ("superpod_h100_1su", {"topology": "hypercube", "rail_optimised": ""}, "no topology is known"),
        ("superpod_gb200_1su", {"num_nodes": "145"}, "no whole number of domains"),
        ("nvl72_gb200", {"fabric": "scale-up (String)"}, "knows no scale-up fabric of link 'String'"),
        ("tpu7x_pod", {"num_accelerators": "9000"}, "are no cubes"),
        ("trn2_instance", {"topology": "2D torus"}, "the sides of the torus are not given"),
        ("nvl72_gb200", {"topology": "hypercube"}, "no scale-up structure is known"),
    ],
)  # fmt: skip
def test_what_cannot_be_computed_says_why(
    write: Write, catalog: Catalog, key: str, cells: dict[str, str], reason: str
) -> None:
    report = FABRIC.report(write(key, **cells), catalog)
    assert (len(report.predictions), len(report.unsupported)) == (0, 1)
    assert reason in report.unsupported[0].reason
