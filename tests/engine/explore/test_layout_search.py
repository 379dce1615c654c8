"""A search of layouts: every one counted, the best first, and a front that nothing beats."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from app.engine.design import evaluate
from app.engine.explore.layout_search import LayoutSearch, search_layouts
from app.engine.performance.simplicity import TIE
from app.engine.performance.space import USUAL, WHOLE
from app.engine.specs import Design


@pytest.fixture(scope="module")
def found(design: Design) -> LayoutSearch:
    return search_layouts(design, WHOLE)


@pytest.mark.slow
def test_every_layout_is_counted_once(found: LayoutSearch) -> None:
    assert found.strategies == found.feasible_strategies + sum(found.rejected.values())
    assert found.fastest.size == found.feasible_strategies
    assert np.unique(found.fastest).size == found.fastest.size
    assert 0 < found.feasible_strategies < found.strategies


def test_the_best_are_in_order_and_evaluate_to_what_was_searched(found: LayoutSearch) -> None:
    times = found.computed.step_time_s[found.best(20)]
    assert (np.diff(times) >= 0).all()
    fastest = found.computed.step_time_s[found.computed.fits].min()
    assert fastest <= times[0] <= (1 + TIE) * fastest
    first = found.evaluated(found.best(1))[0]
    assert first.feasible
    assert float(first.sections.performance.step_time_s[0]) == times[0]


def test_by_memory_the_smallest_comes_first(found: LayoutSearch) -> None:
    needed = found.computed.memory_bytes[found.best(20, "memory")]
    assert (np.diff(needed) >= 0).all()
    least = found.computed.memory_bytes[found.computed.fits].min()
    assert least <= needed[0] <= (1 + TIE) * least


@pytest.mark.slow
def test_layouts_that_tie_are_one_answer_the_simplest_first(found: LayoutSearch) -> None:
    """All layouts that can run, in answers one after another: none lost, none twice, no two that tie apart."""
    answers = found.answers(found.feasible_strategies)
    groups = [np.array([answer.first, *answer.variants]) for answer in answers]
    assert sorted(np.concatenate(groups)) == sorted(found.fastest)
    assert len(groups) < found.feasible_strategies / 2
    times = [found.computed.step_time_s[group] for group in groups]
    for here, after in pairwise(times):
        assert here.max() <= (1 + TIE) * here.min() < after.min()
    for group in groups[:20]:
        every = found.columns_at(group)
        degrees = (
            "tensor_parallel",
            "pipeline_parallel",
            "context_parallel",
            "expert_parallel",
            "virtual_stages",
        )
        splits = sum((every[name] > 1).astype(int) for name in degrees)
        usual = (every["pipeline_inside"] == 0) & (every["schedule"] == 0) & (every["shard_ranks"] == 0)
        usual &= (every["tensor_parallel"] == 1) | (every["sequence_parallel"] == 1)
        assert splits[0] <= splits[usual].min(initial=9)


def test_by_memory_no_answer_is_slower_at_the_same_memory(found: LayoutSearch) -> None:
    for answer in found.answers(20, "memory"):
        group = np.array([answer.first, *answer.variants])
        needed, times = found.computed.memory_bytes[group], found.computed.step_time_s[group]
        assert times.max() <= (1 + TIE) * times.min()
        every = found.computed.memory_bytes[found.fastest]
        alike = found.fastest[(every >= needed.min()) & (every <= needed.max())]
        assert times.min() == found.computed.step_time_s[alike].min()


def test_nothing_beats_the_front(found: LayoutSearch) -> None:
    times, needed = found.computed.step_time_s, found.computed.memory_bytes
    fits = found.fastest
    for place in found.front:
        no_worse = (times[fits] <= times[place]) & (needed[fits] <= needed[place])
        better = (times[fits] < times[place]) | (needed[fits] < needed[place])
        assert not (no_worse & better).any()
    assert times[found.front[0]] == times[fits].min()
    assert needed[found.front[-1]] == needed[fits].min()


def test_pairs_of_degrees_share_the_space_out(found: LayoutSearch) -> None:
    pairs = list(found.by_degrees())
    assert sum(pair.strategies for pair in pairs) == found.strategies
    assert sum(pair.feasible_strategies for pair in pairs) == found.feasible_strategies
    times = [pair.step_time_s for pair in pairs if pair.step_time_s is not None]
    assert min(times) == found.computed.step_time_s[found.fastest[0]]
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
    assert usual.computed.step_time_s[usual.fastest[0]] >= found.computed.step_time_s[found.fastest[0]]


@pytest.mark.slow
def test_where_none_can_run_the_nearest_is_the_best(crowded: Design) -> None:
    found = search_layouts(crowded, USUAL)
    assert (found.feasible_strategies, found.front.size, found.sample.size) == (0, 0, 0)
    (nearest,) = found.best(5)
    assert found.computed.memory_bytes[nearest] == found.computed.memory_bytes.min()
    assert not evaluate(crowded).feasible
    assert not found.evaluated(found.best(1))[0].feasible
