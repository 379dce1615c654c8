"""Max-min fair paces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from app.engine.fabric.sharing.jobs import fair_paces

LOADS = arrays(
    np.float64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.integers(0, 9).map(float)
)


def paces(load, capacity):
    return fair_paces(np.array(load, float), np.array(capacity, float))[0]


def test_by_hand_three_jobs_on_two_links():
    """Bertsekas and Gallager's construction: two share the first link, all but the first the second.

    Capacity 1 for three demands of 1 gives a third each; what the first leaves of its link goes to nobody else.
    """
    load = [[1, 1, 0, 0], [0, 1, 1, 1]]
    assert paces(load, [1, 1]) == pytest.approx([2 / 3, 1 / 3, 1 / 3, 1 / 3])


def test_one_job_within_its_links_is_not_held_back():
    pace, held_by = fair_paces(np.array([[1.0], [2.0]]), np.array([1.0, 4.0]))
    assert pace.tolist() == [1.0]
    assert held_by.tolist() == [-1]


def test_the_link_that_holds_a_job_back_is_named():
    pace, held_by = fair_paces(np.array([[1.0, 0.0], [2.0, 2.0]]), np.array([1.0, 2.0]))
    assert pace.tolist() == [0.5, 0.5]
    assert held_by.tolist() == [1, 1]


def test_a_link_that_carries_nothing_stops_who_needs_it():
    assert paces([[1, 0], [0, 1]], [0, 1]).tolist() == [0.0, 1.0]


def test_adding_a_job_can_speed_up_another_but_never_past_its_pace_alone():
    """The third job slows the second, which leaves more of the first link to the first."""
    before = paces([[1, 1], [0, 2]], [1, 4])
    after = paces([[1, 1, 0], [0, 2, 18]], [1, 4])
    assert before == pytest.approx([0.5, 0.5])
    assert after == pytest.approx([0.8, 0.2, 0.2])
    assert paces([[1], [0]], [1, 4]) == pytest.approx([1.0])


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(load=LOADS, data=st.data())
def test_no_link_is_beyond_its_capacity_and_nobody_gains_but_from_somebody_slower(load, data):
    links, jobs = load.shape
    capacity = data.draw(arrays(np.float64, links, elements=st.integers(1, 20).map(float)))
    pace, held_by = fair_paces(load, capacity)
    assert ((pace >= 0) & (pace <= 1)).all()
    carried = load @ pace
    assert (carried <= capacity * (1 + 1e-9)).all()
    for job in range(jobs):
        if pace[job] >= 1 - 1e-9:
            continue
        # max-min fair: on a full link of its own, nobody is faster
        full = (carried >= capacity * (1 - 1e-6)) & (load[:, job] > 0)
        assert full[held_by[job]]
        fastest = [pace[load[link] > 0].max() for link in np.flatnonzero(full)]
        assert min(fastest) <= pace[job] * (1 + 1e-6)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(load=LOADS, data=st.data())
def test_another_job_makes_nobody_faster_than_alone_and_the_slowest_no_faster(load, data):
    assume(load.shape[1] > 1)
    capacity = data.draw(arrays(np.float64, load.shape[0], elements=st.integers(1, 20).map(float)))
    together = paces(load, capacity)
    fewer = paces(load[:, :-1], capacity)
    assert together.min() <= fewer.min() + 1e-9
    for job in range(load.shape[1]):
        assert together[job] <= paces(load[:, [job]], capacity)[0] + 1e-9
