"""Published collectives against the engine, and the fit behind its constants."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.engine.performance.assumptions import PerformanceAssumptions
from app.validation.collectives.case import COLUMNS, Case, case_of
from app.validation.collectives.fit import (
    ASSUMPTIONS,
    FITTED,
    MEASUREMENT,
    Batch,
    Fit,
    row_of,
    shipped_values,
)
from app.validation.collectives.study import validate_collectives
from app.validation.study import Report, read_rows
from tests.validation.collectives.rows import COLLECTIVES, dispatch, row

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cases(catalog: Catalog) -> list[Case]:
    return [case_of(one, catalog) for one in read_rows(COLLECTIVES, COLUMNS)]


@pytest.fixture(scope="module")
def report(catalog: Catalog) -> Report:
    return validate_collectives(COLLECTIVES, catalog)


def test_published_collectives_are_predicted(report: Report) -> None:
    assert not report.unsupported
    by_row = report.as_json()["by_row"]
    assert by_row["rows"] == len(report.predictions) > 150
    assert by_row["median_abs_error"] < 0.12
    assert by_row["p90_abs_error"] < 0.35
    assert abs(by_row["bias"]) < 0.05


def test_systems_left_out_are_predicted_nearly_as_well(report: Report) -> None:
    found = report.as_json()["left_out"]["system"]
    assert found["median_abs_error"] < 0.2
    assert set(found["groups"]) == {one.family for one in report.predictions}


def test_most_measurements_lie_in_their_interval(report: Report) -> None:
    inside = []
    for one in report.predictions:
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.high
        inside.append(one.low <= one.measured <= one.high)
    assert 0.7 < np.mean(inside) < 0.9
    assert report.as_csv().splitlines()[0] == "id,measured,predicted,error,low,high"


def test_together_is_as_one_by_one(cases: list[Case], catalog: Catalog) -> None:
    some = cases[::7]
    together = Batch(some, catalog).time_s()
    alone = [Batch([case], catalog).time_s()[0] for case in some]
    np.testing.assert_allclose(together, alone, rtol=1e-12)


def test_the_fit_computes_what_is_shipped(cases: list[Case], catalog: Catalog) -> None:
    batch = Batch(cases, catalog)
    fit = Fit(batch, catalog)
    shipped = shipped_values(catalog)
    values = []
    for constant in FITTED:
        wider = 1.0 if constant.narrows is None else shipped[f"{constant.assumption}[{constant.narrows}]"]
        values.append(np.log(shipped[constant.name] / (wider * constant.prior)))
    assert fit.named(np.array(values)) == pytest.approx(shipped)
    np.testing.assert_allclose(fit.time_s(np.array(values)), batch.time_s(), rtol=1e-9)


def test_constants_are_rows_of_the_catalog_and_plausible(catalog: Catalog) -> None:
    """Each is its own row, within the range it states, and not far from what one would say unmeasured."""
    shipped = shipped_values(catalog)
    for constant in FITTED:
        found = row_of(catalog, constant)
        assert dict(found.applies_to) == constant.conditions
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.value <= found.high, constant.name
        wider = 1.0 if constant.narrows is None else shipped[f"{constant.assumption}[{constant.narrows}]"]
        assert abs(np.log(found.value / (wider * constant.prior))) < 2.5 * constant.spread, constant.name
    known = set(PerformanceAssumptions.__dataclass_fields__)
    assert set(ASSUMPTIONS) - known == set(MEASUREMENT)


def test_the_fit_finds_the_constants_that_made_the_times(
    cases: list[Case], catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most of it: the rest is what the priors hold, and what a few rows cannot tell apart."""
    batch = Batch(cases, catalog)
    fit = Fit(batch, catalog)
    true = np.zeros(len(FITTED))
    names = [constant.name for constant in FITTED]
    for name, change in (("scale_up_efficiency[]", 0.9), ("collective_launch_s[]", 1.3), ("own_part[]", 1.2)):
        true[names.index(name)] = np.log(change)
    monkeypatch.setattr(batch, "measured_s", fit.time_s(true))
    np.testing.assert_allclose(np.exp(fit.fitted()), np.exp(true), rtol=0.15)


def test_without_its_rows_a_generation_falls_back_on_all(cases: list[Case], catalog: Catalog) -> None:
    fit = Fit(Batch(cases, catalog), catalog)
    without = np.array([case.place.context["generation"] == "hopper" for case in cases])
    found = fit.named(fit.fitted(without))
    hopper = "collective_launch_s[link=nvlink;generation=hopper]"
    assert found[hopper] == pytest.approx(found["collective_launch_s[]"], rel=1e-3)


def test_rows_that_cannot_be_predicted_are_counted(catalog: Catalog, tmp_path: Path) -> None:
    rows = [
        row(),
        row(id=2, accelerator="K20X"),
        row(id=3, collective="scan"),
        row(id=4, scored="no"),
        dispatch(id=5),
    ]
    names = list(dict.fromkeys(name for one in rows for name in one.cells))
    lines = [",".join(names), *(",".join(f'"{one.cells.get(name, "")}"' for name in names) for one in rows)]
    (path := tmp_path / "some.csv").write_text("\n".join(lines), encoding="utf-8")
    found = validate_collectives(path, catalog).as_json()
    assert (found["rows"], found["scored"], found["supported"]) == (5, 4, 2)
    assert [one["id"] for one in found["unsupported"]] == ["2", "3"]
    assert found["left_out"] == {}  # two rows say nothing about the constants
    assert found["fitted_constants"] == len(FITTED)
