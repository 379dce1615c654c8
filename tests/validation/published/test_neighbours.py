"""The runs most like one of them."""

from __future__ import annotations

import pytest

from app.catalog.validated import validated_runs
from app.validation.training.study import neighbours
from tests.validation.published.runs import RUN, run


def test_nearest_runs_come_first_and_the_run_itself_never() -> None:
    larger = run("AB-002", accelerators=6400)
    other_chip = run("AB-003", generation="ampere")
    twin = run("AB-004")
    found = neighbours(RUN, [RUN, larger, other_chip, twin], 3)
    assert [near.run.id for near in found] == ["AB-004", "AB-002", "AB-003"]
    assert found[0].distance == 0
    assert found[1].distance == pytest.approx(1.0)  # a factor of a hundred in one of the sizes


def test_only_as_many_as_asked_for() -> None:
    runs = validated_runs()
    found = neighbours(runs[0], runs, 5)
    assert len(found) == 5
    assert [near.distance for near in found] == sorted(near.distance for near in found)
