"""The same job on more and fewer SuperNodes."""

from __future__ import annotations

import pytest

from app.engine.explore.job_sizes import job_sizes, usual_sizes
from app.engine.performance.space import USUAL
from app.engine.specs import Design


@pytest.mark.parametrize("supernodes", [1, 2, 5, 7, 100, 2048])
def test_sizes_hold_the_pods_own_and_reach_four_times_as_far(supernodes: int) -> None:
    sizes = usual_sizes(supernodes)
    assert sizes == sorted(set(sizes))
    assert supernodes in sizes
    assert sizes[0] == 1
    assert 3 * supernodes <= sizes[-1] <= 4 * supernodes


@pytest.mark.slow
def test_more_supernodes_finish_sooner(design: Design) -> None:
    sizes = job_sizes(design, [4, 8, 16], USUAL)
    times = [float(one.evaluation.sections.performance.step_time_s[0]) for one in sizes]
    assert times[0] > times[1] > times[2]
    # not twice as soon: what is exchanged grows
    assert times[2] > times[0] / 4
    for one in sizes:
        assert one.design.pod.accelerators_used[0] == 8 * one.supernodes
        assert one.feasible_strategies + sum(one.rejected.values()) == one.strategies


@pytest.mark.slow
def test_a_size_that_nothing_fits_is_still_evaluated(crowded: Design) -> None:
    (one,) = job_sizes(crowded, [1], USUAL)
    assert one.feasible_strategies == 0
    assert not one.evaluation.feasible
