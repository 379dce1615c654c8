"""The shipped errors of collectives are those of today's engine, and each can explain itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.catalog.lookup import Catalog
from app.catalog.validated import (
    COLLECTIVE_ERRORS_FILE,
    COLLECTIVES_FILE,
    ValidatedCollective,
    read_validated_collectives,
    validated_collectives,
    write_validated,
)
from app.validation.collectives.case import COLUMNS
from app.validation.collectives.publish import published_collectives
from app.validation.collectives.study import explained_time, validate_collectives
from app.validation.study import read_rows
from tests.support import SEED_DATA
from tests.validation.collectives.rows import COLLECTIVES

STALE = "seed_data/validation/collective_errors.csv is out of date: run python -m app.validation.collectives.publish"
PRINTED = {row.key: row for row in read_rows(SEED_DATA / COLLECTIVES_FILE, COLUMNS)}


def test_every_measurement_is_predicted_as_shipped(catalog: Catalog) -> None:
    report = validate_collectives(SEED_DATA / COLLECTIVES_FILE, catalog, left_out=False)
    shipped = {one.id: one.predicted_us for one in validated_collectives()}
    assert not report.unsupported
    assert shipped == pytest.approx({one.key: one.predicted for one in report.predictions}, rel=1e-3), STALE


@pytest.mark.slow
def test_what_is_published_is_what_the_catalog_reads(tmp_path: Path, catalog: Catalog) -> None:
    report = validate_collectives(COLLECTIVES, catalog)
    (tmp_path / "validation").mkdir()
    published = published_collectives(report, read_rows(COLLECTIVES, COLUMNS), catalog)
    write_validated(tmp_path / COLLECTIVE_ERRORS_FILE, ValidatedCollective, published)
    read = read_validated_collectives(tmp_path)
    assert [one.id for one in read] == [one.key for one in report.predictions]
    for one, prediction, without in zip(read, report.predictions, report.left_out["system"], strict=True):
        assert one.measured_us == pytest.approx(prediction.measured, rel=1e-5)
        assert one.predicted_us == pytest.approx(prediction.predicted, rel=1e-5)
        assert one.left_out_us == pytest.approx(without.predicted, rel=1e-5)


def test_an_explanation_gives_the_prediction_and_ends_in_sources(catalog: Catalog) -> None:
    seen: set[tuple[str, str, str]] = set()
    for one in validated_collectives():
        kind = (one.collective, one.level, one.generation)
        if kind in seen:
            continue
        seen.add(kind)
        tree = explained_time(PRINTED[one.id], catalog)
        assert 1e6 * tree["value"] == pytest.approx(one.predicted_us, rel=1e-3), STALE
        assert tree["formula"]
        inputs = [node for node in _nodes(tree) if node["kind"] == "input" and "see" not in node]
        assert len(inputs) > 4
        assert all(node["origin"]["source"] for node in inputs)


def _nodes(tree: dict[str, Any]) -> list[dict[str, Any]]:
    below = [node for child in tree.get("inputs", ()) for node in _nodes(child)]
    return [tree, *below]
