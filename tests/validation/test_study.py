"""Rows of a file, the errors of predictions, and notes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.validation.study import (
    FAMILY,
    Prediction,
    Report,
    Row,
    Unsupported,
    UnsupportedRowError,
    ValidationFileError,
    errors_of,
    grouped,
    read_rows,
    weighted_quantile,
)
from tests.validation.conftest import RUNS

# Reading validation files.


def test_rows_are_named_by_id_key_or_number(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id,key,scored\na,b,yes\n,b,no\n,,\n", encoding="utf-8-sig")
    rows = read_rows(path, ("id",))
    assert [row.key for row in rows] == ["a", "b", "3"]
    assert [row.scored for row in rows] == [True, False, True]


def test_family_is_the_prefix_of_the_id() -> None:
    assert Row("MT21Z-001", {}).family == "MT21Z"
    assert Row("17", {"source": "A table"}).family == "A table"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "has no column id"),
        (b"a\n1\n", "has no column id"),
        (b"id\n\xff\n", "is not UTF-8 text"),
        (b'id\n"open\n', "unexpected end of data"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(content)
    with pytest.raises(ValidationFileError, match=said):
        read_rows(path, ("id",))


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValidationFileError, match="No such file"):
        read_rows(tmp_path / "nothing.csv", ())


@pytest.mark.parametrize("text", ["x", "nan", "inf", "1e400"])
def test_cells_that_are_no_number(text: str) -> None:
    with pytest.raises(UnsupportedRowError, match="tp is"):
        Row("1", {"tp": text}).number("tp")


def test_counts() -> None:
    row = Row("1", {"a": "8", "b": "0", "c": "", "d": "2.5", "e": "-1", "f": "1,024"})
    assert [row.count(name) for name in "abcf"] == [8, None, None, 1024]
    for name in "de":
        with pytest.raises(UnsupportedRowError, match="not a whole number"):
            row.count(name)
    with pytest.raises(UnsupportedRowError, match="c is not given"):
        row.needed("c")


def test_fixture_is_what_the_papers_print() -> None:
    assert len(read_rows(RUNS, ("id", "accelerator_key"))) == 10


# Errors in a few numbers.


def prediction(family: str, error: float, group: str = "a") -> Prediction:
    return Prediction(f"{family}-1", family, {"hardware": group}, measured=100, predicted=100 * (1 + error))


def test_errors_by_hand() -> None:
    found = errors_of([prediction("A", error) for error in (-0.3, -0.1, 0.0, 0.1, 0.2)])
    assert found.rows == 5
    assert found.median_abs_error == pytest.approx(0.1)
    assert found.bias == pytest.approx(0.0)
    assert found.within_20_pct == pytest.approx(0.8)


def test_families_count_the_same() -> None:
    many = [prediction("A", 0.0)] * 99 + [prediction("B", 0.5)]
    assert errors_of(many).median_abs_error == pytest.approx(0.0)
    assert errors_of(many, families_equal=True).within_20_pct == pytest.approx(0.5)


def test_nothing_has_no_errors() -> None:
    assert errors_of([]).median_abs_error is None
    assert grouped([], FAMILY) == {}


def test_groups() -> None:
    found = grouped([prediction("A", 0.1), prediction("B", 0.3, "b")], "hardware")
    assert found["b"].median_abs_error == pytest.approx(0.3)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_quantiles_lie_within_and_rise(values: list[float]) -> None:
    numbers, weights = np.array(values), np.ones(len(values))
    found = [weighted_quantile(numbers, weights, share) for share in (0.0, 0.5, 0.9, 1.0)]
    assert found == sorted(found)
    assert min(values) <= found[0]
    assert found[-1] <= max(values)


# The one shape of every validation.

REPORT = Report(
    kind="training",
    rows=4,
    predictions=(
        Prediction("A-1", "A", {"hardware": "h100"}, 100, 110, low=90, high=130),
        Prediction("B-1", "B", {"hardware": "a100"}, 200, 180),
    ),
    unsupported=(Unsupported("C-1", "heads is not given"),),
    constants={"software_efficiency[framework=xla]": 1.0},
    left_out={"hardware": (Prediction("A-1", "A", {"hardware": "h100"}, 100, 120),)},
    extra={"memory_rows": 0, "memory_median_abs_error": None},
)


def test_json_has_the_public_names() -> None:
    found = json.loads(json.dumps(REPORT.as_json(), allow_nan=False))
    assert (found["rows"], found["scored"], found["fitted_constants"]) == (4, 3, 1)
    assert found["unsupported"] == [{"id": "C-1", "reason": "heads is not given"}]
    assert abs(found["median_abs_error"] - 0.1) < 1e-12
    assert set(found["groups"]) == {"source_family", "hardware"}
    assert abs(found["left_out"]["hardware"]["groups"]["h100"]["bias"] - 0.2) < 1e-12
    assert found["memory_median_abs_error"] is None


def test_an_id_that_looks_like_a_formula_goes_out_with_a_quote_and_comes_back_without(tmp_path: Path) -> None:
    hostile = replace(REPORT, predictions=(replace(REPORT.predictions[0], key="=1+1"),))
    path = tmp_path / "rows.csv"
    path.write_text(hostile.as_csv(), encoding="utf-8")
    assert "\n'=1+1," in hostile.as_csv()
    assert [row.key for row in read_rows(path, ("id",))] == ["=1+1"]


def test_rows_as_csv() -> None:
    assert REPORT.as_csv().splitlines() == [
        "id,measured,predicted,error,low,high",
        "A-1,100,110,0.1000,90,130",
        "B-1,200,180,-0.1000,,",
    ]


def test_text_names_what_was_not_predicted() -> None:
    text = REPORT.as_text()
    assert "4 rows, 3 scored: 2 predicted, 1 unsupported; 1 constants fitted" in text
    assert "C-1: heads is not given" in text


def test_nothing_at_all() -> None:
    empty = Report("training", 0, (), (), {})
    assert empty.as_json()["median_abs_error"] is None
    assert "0 rows" in empty.as_text()
