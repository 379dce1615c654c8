"""What holds for every kind of validation: files it refuses, rows it leaves alone, and one shape of what it says."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from app.catalog.lookup import Catalog
from app.validation.cost.study import COST
from app.validation.fabric.study import FABRIC
from app.validation.kinds import KINDS
from app.validation.power.regions import REGIONS
from app.validation.power.study import POWER
from app.validation.reliability.study import RELIABILITY
from app.validation.scaling.study import SCALING
from app.validation.serving.throughput import THROUGHPUT
from app.validation.study import Row, Study, ValidationFileError, read_rows
from tests.support import SEED_DATA

STUDIES = {
    "cost": COST,
    "fabric": FABRIC,
    "power": POWER,
    "regions": REGIONS,
    "reliability": RELIABILITY,
    "scaling": SCALING,
    "throughput": THROUGHPUT,
}
EVERY_STUDY = pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_something_else_is_refused_and_told_what_it_lacks(
    kind: str, catalog: Catalog, tmp_path: Path
) -> None:
    path = tmp_path / "other.csv"
    path.write_text("colour,weight\nred,2\n", encoding="utf-8")
    with pytest.raises(ValidationFileError, match=r"has no column|is neither of"):
        KINDS[kind](path, catalog, lambda said: None)
    with pytest.raises(ValidationFileError, match="cannot be read"):
        KINDS[kind](tmp_path / "nowhere.csv", catalog, lambda said: None)


@EVERY_STUDY
def test_a_file_without_one_of_the_columns_is_refused(
    study: Study[Any], catalog: Catalog, tmp_path: Path
) -> None:
    path = tmp_path / "rows.csv"
    for missing in study.columns:
        path.write_text(",".join(name for name in study.columns if name != missing) + "\n", encoding="utf-8")
        with pytest.raises(ValidationFileError, match=f"has no column {missing}"):
            study.report(path, catalog)


@EVERY_STUDY
def test_a_file_without_rows_has_no_errors(study: Study[Any], catalog: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(",".join(study.columns) + "\n", encoding="utf-8")
    report = study.report(path, catalog)
    assert (report.rows, report.scored) == (0, 0)
    assert report.as_json()["median_abs_error"] is None
    assert "0 rows, 0 scored" in report.as_text()


@EVERY_STUDY
def test_rows_that_are_not_scored_are_left_alone(study: Study[Any], catalog: Catalog) -> None:
    first = read_rows(SEED_DATA / study.file, study.columns)[0]
    unscored = Row(first.key, {**first.cells, "scored": "no", "unscored_reason": "of another kind"})
    found = study.compare([unscored], catalog)
    assert (found.predictions, found.unsupported) == ((), ())
    assert [one.reason for one in found.unscored] == ["of another kind"]


@EVERY_STUDY
def test_rows_with_the_same_id_are_compared_each(study: Study[Any], catalog: Catalog) -> None:
    compared = study.shipped(catalog).compared
    first = next(one.row for one in compared.figures if not one.label)
    twice = study.compare([first, Row(first.key, dict(first.cells))], catalog)
    assert [one.key for one in twice.predictions] == [first.key, first.key]
    assert twice.predictions[0].predicted == twice.predictions[1].predicted


@pytest.mark.slow
@EVERY_STUDY
def test_what_ships_has_one_shape(study: Study[Any], catalog: Catalog) -> None:
    """Every scored row is predicted or left out with a reason; text, CSV and JSON say the same."""
    compared, report = study.shipped(catalog)
    assert study.shipped(catalog).report is report
    content = report.as_json()
    json.dumps(content, allow_nan=False)
    assert content["kind"] == study.kind
    assert content["rows"] == len(compared.rows) == len(read_rows(SEED_DATA / study.file, study.columns))
    assert content["scored"] == content["supported"] + len(content["unsupported"])
    assert content["scored"] == sum(row.scored for row in compared.rows)
    assert all(one.reason for one in compared.unsupported)
    order = {id(row): place for place, row in enumerate(compared.rows)}
    places = [order[id(one.row)] for one in compared.figures]
    assert places == sorted(places)
    lines = list(csv.reader(report.as_csv().splitlines()))
    assert lines[0] == ["id", "measured", "predicted", "error", "low", "high"]
    assert [line[0] for line in lines[1:]] == [one.key for one in report.predictions]
    assert f"{report.scored:,} scored: {content['supported']:,} predicted" in report.as_text()
    for group in {name for one in report.predictions for name in one.groups}:
        assert sum(errors.rows for errors in compared.by(group).values()) == content["supported"]
