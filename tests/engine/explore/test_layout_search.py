"""A search of layouts: every one counted, the best first, and a front that nothing beats."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.design import evaluate
from app.engine.explore.layout_search import LayoutSearch, search_layouts
from app.engine.performance.space import USUAL, WHOLE
from app.engine.specs import Design


@pytest.fixture(scope="module")
def found(design: Design) -> LayoutSearch:
    return search_layouts(design, WHOLE)


def test_every_layout_is_counted_once(found: LayoutSearch) -> None:
    assert found.strategies == found.feasible_strategies + sum(found.rejected.values())
    assert found.fastest.size == found.feasible_strategies
    assert np.unique(found.fastest).size == found.fastest.size
    assert 0 < found.feasible_strategies < found.strategies


def test_the_best_are_in_order_and_evaluate_to_what_was_searched(found: LayoutSearch) -> None:
    times = found.computed.step_time_s[found.best(20)]
    assert (np.diff(times) >= 0).all()
    assert times[0] == found.computed.step_time_s[found.computed.fits].min()
    first = found.evaluated(found.best(1))[0]
    assert first.feasible
    assert float(first.sections.performance.step_time_s[0]) == times[0]


def test_by_memory_the_smallest_comes_first(found: LayoutSearch) -> None:
    needed = found.computed.memory_bytes[found.best(20, "memory")]
    assert (np.diff(needed) >= 0).all()
    assert needed[0] == found.computed.memory_bytes[found.computed.fits].min()


def test_nothing_beats_the_front(found: LayoutSearch) -> None:
    times, needed = found.computed.step_time_s, found.computed.memory_bytes
    fits = found.fastest
    for place in found.front:
        no_worse = (times[fits] <= times[place]) & (needed[fits] <= needed[place])
        better = (times[fits] < times[place]) | (needed[fits] < needed[place])
        assert not (no_worse & better).any()
    ends = (found.best(1)[0], found.best(1, "memory")[0])
    assert times[found.front[0]] == times[ends[0]]
    assert needed[found.front[-1]] == needed[ends[1]]


def test_pairs_of_degrees_share_the_space_out(found: LayoutSearch) -> None:
    pairs = list(found.by_degrees())
    assert sum(pair.strategies for pair in pairs) == found.strategies
    assert sum(pair.feasible_strategies for pair in pairs) == found.feasible_strategies
    best = found.best(1)
    assert (
        min(pair.step_time_s for pair in pairs if pair.step_time_s is not None)
        == found.computed.step_time_s[best[0]]
    )
    for tp, pp, _, fit, time, place in pairs:
        assert (place is None) == (time is None) == (fit == 0)
        if place is not None:
            columns = found.columns_at(np.array([place]))
            assert (columns["tensor_parallel"][0], columns["pipeline_parallel"][0]) == (tp, pp)
            assert found.computed.step_time_s[place] == time


def test_a_sample_runs_from_the_fastest_to_the_slowest(found: LayoutSearch) -> None:
    assert found.sample[0] == found.fastest[0]
    assert found.sample[-1] == found.fastest[-1]
    assert found.computed.fits[found.sample].all()


def test_the_usual_space_is_smaller_and_no_faster(design: Design, found: LayoutSearch) -> None:
    usual = search_layouts(design, USUAL)
    assert usual.strategies < found.strategies
    assert usual.computed.step_time_s[usual.best(1)] >= found.computed.step_time_s[found.best(1)]


def test_where_none_can_run_the_nearest_is_the_best(crowded: Design) -> None:
    found = search_layouts(crowded, USUAL)
    assert (found.feasible_strategies, found.front.size, found.sample.size) == (0, 0, 0)
    (nearest,) = found.best(5)
    assert found.computed.memory_bytes[nearest] == found.computed.memory_bytes.min()
    assert not evaluate(crowded).feasible
    assert not found.evaluated(found.best(1))[0].feasible
