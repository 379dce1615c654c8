"""Several jobs on one fabric."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.faults.failed import nothing_failed
from app.engine.fabric.sharing.jobs import PATTERNS, Job, placed, shared, step_slowdown, tier_utilisation
from tests.engine.fabric.faults.fabrics import leaves_and_spines, rail_fabric


def job(hosts, pattern="ring", exposed=0.2) -> Job:
    return Job(name="a job", hosts=np.array(hosts), pattern=pattern, exposed_share=exposed)


def run(graph, jobs, routing="adaptive"):
    return shared(graph, nothing_failed(graph).alive_links(graph), jobs, routing=routing, seed=0)


def test_by_hand_two_jobs_over_one_oversubscribed_leaf():
    """Two hosts of a leaf with one uplink each talk to a host of another leaf: alone each has the whole uplink,
    together half of it. A fifth of the step waits for it, so the step takes 1 - 0.2 + 0.2 x 2 = 1.2 times as long."""
    graph = leaves_and_spines(hosts=4, leaves=2, spines=1)
    found = run(graph, [job([0, 2]), job([1, 3])])
    assert found.pace_alone.tolist() == [1.0, 1.0]
    assert found.pace.tolist() == [0.5, 0.5]
    assert found.communication_slowdown.tolist() == [2.0, 2.0]
    assert found.step_slowdown == pytest.approx([1.2, 1.2])
    use = tier_utilisation(graph, found.utilisation)
    assert use == {"leaf": (0.5, 0.5), "spine": (1.0, 1.0)}
    assert set(found.held_by.tolist()) <= set(graph.of_tier("spine").tolist())


def test_one_job_is_slowed_down_by_nobody():
    graph = leaves_and_spines(hosts=4, leaves=2, spines=1)
    for pattern in PATTERNS:
        found = run(graph, [job([0, 1, 2, 3], pattern)])
        assert found.communication_slowdown.tolist() == [1.0]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_packed_jobs_on_a_fabric_without_oversubscription_leave_each_other_alone(pattern):
    graph = rail_fabric(64)
    found = run(graph, [job(range(32), pattern), job(range(32, 64), pattern)])
    assert found.step_slowdown.tolist() == [1.0, 1.0]
    assert found.pace.tolist() == [1.0, 1.0]


def test_hashing_slows_what_spreading_does_not():
    graph = rail_fabric(64)
    between_units = [host for pair in zip(range(32), range(32, 64), strict=True) for host in pair]
    across = [job(between_units[:32]), job(between_units[32:])]
    assert run(graph, across).pace.min() == 1.0
    assert run(graph, across, "ecmp").pace.min() < 1.0


def test_a_step_that_does_not_wait_is_not_slowed_down():
    found = step_slowdown(exposed_share=np.array([0.0, 1.0]), communication_slowdown=np.array([3.0, 3.0]))
    assert found.tolist() == [1.0, 3.0]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    sizes=st.lists(st.integers(2, 4), min_size=1, max_size=4),
    pattern=st.sampled_from(PATTERNS),
    routing=st.sampled_from(["adaptive", "ecmp"]),
)
def test_bytes_are_conserved_and_no_link_is_beyond_its_capacity(seed, sizes, pattern, routing):
    graph = leaves_and_spines(hosts=16, leaves=4, spines=2)
    free = np.full(16, True)
    jobs = []
    for at, size in enumerate(sizes):
        hosts = placed(graph, free, ["packed", "spread", "random"][at % 3], size, seed)
        free[hosts] = False
        jobs.append(job(hosts, pattern))
    found = run(graph, jobs, routing)
    assert (found.utilisation <= 1 + 1e-9).all()
    assert (found.communication_slowdown >= 1 - 1e-9).all()
    links = graph.of_tier("leaf")
    sent, received = found.utilisation[links], found.utilisation[links + graph.link_count]
    assert sent.sum() == pytest.approx(received.sum())
    assert sent.sum() == pytest.approx(sum(found.pace * [job.hosts.size for job in jobs]))


def test_placements():
    graph = leaves_and_spines(hosts=12, leaves=3, spines=1)
    free = np.full(12, True)
    free[1] = False
    assert placed(graph, free, "packed", 4, 0).tolist() == [0, 2, 3, 4]
    assert placed(graph, free, "spread", 5, 0).tolist() == [0, 4, 8, 2, 5]
    drawn = placed(graph, free, "random", 6, 3)
    assert np.array_equal(drawn, placed(graph, free, "random", 6, 3))
    assert len(set(drawn.tolist())) == 6
    assert 1 not in drawn
    with pytest.raises(ValueError, match="unknown placement"):
        placed(graph, free, "clever", 2, 0)
