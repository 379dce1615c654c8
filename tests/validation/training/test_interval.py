"""Intervals from the errors of like runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.engine.uncertainty.likeness import distance
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.study import Row
from app.validation.training.case import Case, case_of
from app.validation.training.fit import Numbers, Vouchers, features_of, intervals, shipped_vouchers


@pytest.fixture
def cases(run: Callable[..., Row], catalog: Catalog) -> list[Case]:
    sizes = (8, 16, 64, 512)
    rows = [run(n_accelerators=size, global_batch_seqs=16 * size, id=f"A-{size}") for size in sizes]
    return [case_of(row, catalog) for row in rows]


def others(errors: list[float], labels: list[str], cases: list[Case]) -> Vouchers:
    """The runs themselves with these errors, as vouchers for each other."""
    return Vouchers(features_of(cases), np.array(errors), (labels,))


def found(errors: list[float], labels: list[str], cases: list[Case]) -> tuple[Numbers, Numbers]:
    return intervals(cases, others(errors, labels, cases), (labels,))


def test_distance_of_two_sizes_by_hand(cases: list[Case]) -> None:
    features = features_of(cases)
    apart = distance(features, features)
    np.testing.assert_allclose(np.diag(apart), 0)
    np.testing.assert_allclose(apart, apart.T)
    assert apart[0, 1] == pytest.approx(np.log10(2) / 2)


def test_runs_of_one_label_do_not_vouch_for_each_other(cases: list[Case]) -> None:
    low, high = found([0.5, 0.5, -0.1, 0.1], ["a", "a", "b", "b"], cases)
    assert high[0] < np.exp(0.2)
    assert low[2] > 1
    assert np.isnan(found([0.0] * 4, ["a"] * 4, cases)[0]).all()


def test_a_run_that_shares_either_label_does_not_vouch(cases: list[Case]) -> None:
    """Of four runs the first shares its source with the second, its accelerator with the third."""
    sources, chips = ["a", "a", "b", "c"], ["x", "y", "x", "z"]
    vouchers = Vouchers(features_of(cases), np.array([9.0, 5.0, 5.0, 0.1]), (sources, chips))
    low, high = intervals(cases, vouchers, (sources, chips))
    assert low[0] == high[0] > 1
    assert np.log(low[0]) == pytest.approx(0.1 * (1 + 0.1 * np.log10(64) / 2))


def test_interval_grows_with_the_distance(cases: list[Case]) -> None:
    low, high = found([0.0, -0.2, 0.2, 0.0], ["near", "b", "b", "far"], cases)
    assert high[3] / low[3] > high[0] / low[0]


def test_runs_that_agree_leave_no_room(cases: list[Case]) -> None:
    low, high = found([0.0] * 4, ["a", "b", "c", "d"], cases)
    np.testing.assert_allclose([low, high], 1)


def test_a_run_alone_is_judged_as_its_design_is(cases: list[Case]) -> None:
    """The shipped errors and the arithmetic are those of every evaluation."""
    low, high = intervals(cases[:1], shipped_vouchers(), (["not shipped"],))
    with_reference = evaluate_scenario(build_scenario(cases[0].document), ready_catalog()).intervals
    speed = with_reference.performance.tokens_per_s
    assert speed.low is not None
    assert speed.high is not None
    assert high[0] / low[0] == pytest.approx(speed.high / speed.low)
