"""The one shape of every validation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from app.validation.study import Prediction, Report, Unsupported, read_rows

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
