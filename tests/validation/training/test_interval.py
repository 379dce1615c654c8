"""Intervals from the errors of like runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.validation.rows import Row
from app.validation.training.case import Case, case_of
from app.validation.training.interval import distances, intervals


@pytest.fixture
def cases(run: Callable[..., Row], catalog: Catalog) -> list[Case]:
    sizes = (8, 16, 64, 512)
    rows = [run(n_accelerators=size, global_batch_seqs=16 * size, id=f"A-{size}") for size in sizes]
    return [case_of(row, catalog) for row in rows]


def test_distance_by_hand(cases: list[Case]) -> None:
    apart = distances(cases)
    np.testing.assert_allclose(np.diag(apart), 0)
    np.testing.assert_allclose(apart, apart.T)
    assert apart[0, 1] == pytest.approx(np.log10(2) / 2)


def test_runs_of_one_label_do_not_vouch_for_each_other(cases: list[Case]) -> None:
    low, high = intervals(cases, np.array([0.5, 0.5, -0.1, 0.1]), ["a", "a", "b", "b"])
    assert high[0] < np.exp(0.2)
    assert low[2] > 1
    assert np.isnan(intervals(cases, np.zeros(4), ["a"] * 4)[0]).all()


def test_interval_grows_with_the_distance(cases: list[Case]) -> None:
    errors = np.array([0.0, -0.2, 0.2, 0.0])
    labels = ["near", "b", "b", "far"]
    low, high = intervals(cases, errors, labels)
    assert high[3] / low[3] > high[0] / low[0]


def test_runs_that_agree_leave_no_room(cases: list[Case]) -> None:
    low, high = intervals(cases, np.zeros(4), ["a", "b", "c", "d"])
    np.testing.assert_allclose([low, high], 1)
