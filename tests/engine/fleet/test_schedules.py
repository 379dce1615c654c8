"""Schedules of five jobs that were worked out by hand, one for each policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from app.engine.fleet.demand import ClassTerms, Jobs, columns_of, joined
from app.engine.fleet.policy import POLICIES
from app.engine.fleet.simulate import Outcome, simulate
from app.engine.fleet.supply import Maintenance, PodSupply, Rented, Supply

ONE = (ClassTerms(name="all", may_rent=True),)
FOUR = Supply(pods=(PodSupply(name="pod", supernodes=4, accelerators=1),), placement="pooled")


def jobs_of(
    rows: Sequence[tuple[float, int, float, int]], classes: tuple[ClassTerms, ...] = ONE, **columns: list[float]
) -> Jobs:  # fmt: skip
    """Rows of arrival, size, run time and class."""
    arrived, size, work, lane = (np.array(one, dtype=float) for one in zip(*rows, strict=True))
    whole = columns_of(arrived, size, work, 0) | {"lane": lane}
    return joined(classes, [whole | {name: np.array(values) for name, values in columns.items()}])


def ran(jobs: Jobs, policy: str, supply: Supply = FOUR, horizon_s: float = 200.0) -> Outcome:
    return simulate(jobs, supply, POLICIES[policy], horizon_s=horizon_s)


FIVE = jobs_of([(0, 2, 4, 0), (1, 3, 10, 0), (2, 4, 2, 0), (3, 1, 100, 0), (3.5, 1, 0.5, 0)])


@pytest.mark.parametrize(
    ("policy", "starts"),
    [
        ("fifo", [0, 4, 14, 16, 16]),
        ("easy", [0, 4, 103, 3, 3.5]),  # the fourth fits beside the second and delays the third
        ("conservative", [0, 4, 14, 16, 3.5]),  # the third has a reservation
    ],
)
def test_order_of_arrival(policy: str, starts: list[float]) -> None:
    found = ran(FIVE, policy)
    assert found.start_s.tolist() == starts
    assert found.end_s.tolist() == (found.start_s + FIVE.work_s).tolist()


def test_priority() -> None:
    classes = tuple(ClassTerms(name=str(one), priority=one) for one in (0, 1, 2))
    jobs = jobs_of([(0, 2, 4, 0), (1, 3, 10, 0), (2, 4, 2, 0), (3, 1, 100, 1), (3.5, 1, 0.5, 2)], classes)
    assert ran(jobs, "priority").start_s.tolist() == [0, 4, 103, 3, 3.5]


def test_preemption_and_its_checkpoint() -> None:
    classes = tuple(ClassTerms(name=str(one), priority=one) for one in (0, 1, 2))
    jobs = jobs_of([(0, 4, 10, 0), (1, 4, 2, 2), (2, 2, 3, 1), (2.5, 2, 1, 0), (20, 1, 1, 0)], classes)
    found = ran(jobs, "preemption", replace(FOUR, restart_s=1.0, checkpoint_s=0.5, checkpoint_interval_s=1e9))
    assert found.start_s.tolist() == pytest.approx([0, 1, 3, 3, 20])
    # the first gives way with 9 s left, and comes back at 6 with a checkpoint and a restart
    assert found.end_s[0] == pytest.approx(6 + 1.5 + 9, abs=1e-6)
    assert found.interruptions.tolist() == [1, 0, 0, 0, 0]
    assert found.preemptions == 1


def test_fair_share() -> None:
    classes = (ClassTerms(name="x"), ClassTerms(name="y"))
    jobs = jobs_of([(0, 4, 10, 0), (1, 4, 10, 0), (2, 4, 10, 1), (3, 4, 10, 0), (4, 4, 10, 1)], classes)
    assert ran(jobs, "fair_share").start_s.tolist() == [0, 20, 10, 40, 30]


def test_elastic_jobs_shrink_and_grow() -> None:
    jobs = jobs_of(
        [(0, 4, 10, 0), (2, 2, 4, 0), (20, 3, 10, 0), (21, 4, 2, 0), (40, 1, 1, 0)], least=[2, 2, 3, 1, 1]
    )
    found = ran(jobs, "elastic", replace(FOUR, resize_s=1.0))
    assert found.start_s.tolist() == [0, 2, 20, 21, 40]
    # 2 of 10 s done; 3 s at half the rate after a resize; 6.5 s left at 6, and another resize
    assert found.end_s[0] == pytest.approx(6 + 1 + 6.5)
    assert found.end_s[3] == pytest.approx(29)
    assert found.resizes == 2


def test_earliest_deadline_is_a_plug_in() -> None:
    jobs = jobs_of(
        [(0, 4, 10, 0), (1, 4, 5, 0), (2, 4, 5, 0), (3, 4, 5, 0), (4, 4, 5, 0)],
        deadline_s=[np.inf, 100, 50, 60, np.inf],
    )
    assert ran(jobs, "deadline").start_s.tolist() == [0, 20, 10, 15, 25]


def test_quota_holds_one_class_and_no_other() -> None:
    classes = (ClassTerms(name="x", quota=2), ClassTerms(name="y"))
    jobs = jobs_of([(0, 2, 10, 0), (1, 1, 10, 0), (2, 1, 10, 1), (3, 1, 10, 1), (4, 2, 3, 0)], classes)
    assert ran(jobs, "fifo").start_s.tolist() == [0, 10, 2, 3, 20]


PODS = {
    # (0, 3), (1, 3) leave one accelerator in each of two SuperNodes of four
    "pooled": [0, 0, 0, 10, 10],
    "inside": [0, 0, 10, 0, 10],
    "across": [0, 0, 0, 10, 10],
}


@pytest.mark.parametrize("placement", ["pooled", "inside", "across"])
def test_placement_inside_a_supernode_or_across(placement: str) -> None:
    jobs = jobs_of([(0, 3, 10, 0), (0, 3, 10, 0), (1, 2, 10, 0), (2, 1, 20, 0), (3, 8, 4, 0)])
    supply = Supply(
        pods=(PodSupply(name="pod", supernodes=2, accelerators=4),),
        placement=placement,  # type: ignore[arg-type]
        across_slowdown=1.5,
    )
    found = ran(jobs, "easy", supply)
    if placement == "inside":
        assert found.start_s.tolist() == [0, 0, 10, 2, 22]
        assert found.fragmented == pytest.approx(1.0 * 2)  # two free, in two SuperNodes, from 1 until 2
    else:
        assert found.start_s.tolist()[:4] == [0, 0, 1, 10]
        assert found.end_s[2] == pytest.approx(1 + 10 * (1.5 if placement == "across" else 1.0))
        assert found.fragmented == 0


def test_power_limit_of_an_hour() -> None:
    supply = replace(FOUR, power_share=(1.0, 0.5) + (1.0,) * 22)
    jobs = jobs_of([(0, 4, 5400, 0), (3700, 2, 60, 0), (3700, 2, 60, 0)])
    found = ran(jobs, "easy", supply, horizon_s=86_400.0)
    # the first gives way at 1 h, comes back at 2 h with half an hour left; one of the others has room meanwhile
    assert found.interruptions.tolist() == [1, 0, 0]
    assert found.end_s[0] == pytest.approx(7200 + 1800)


def test_maintenance_empties_the_emptiest() -> None:
    supply = Supply(
        pods=(PodSupply(name="pod", supernodes=2, accelerators=4),),
        maintenance=(Maintenance(pod=0, from_s=5.0, duration_s=10.0, supernodes=1),),
    )
    found = ran(jobs_of([(0, 4, 20, 0), (1, 2, 20, 0)]), "fifo", supply)
    assert found.end_s.tolist() == [
        20.0,
        15 + 16.0,
    ]  # the second stops at 5 with 16 s left, and waits for the end
    assert found.away.tolist() == [40.0]


def test_rented_after_waiting() -> None:
    supply = replace(FOUR, rented=Rented(accelerators=4, after_s=5.0, usd_per_hour=2.0))
    found = ran(jobs_of([(0, 4, 20, 0), (1, 4, 3, 0), (2, 2, 3, 0)]), "fifo", supply)
    assert found.start_s.tolist() == [0, 6, 9]  # the third is due at 7, and waits for what the second rents
    assert found.column("pod").tolist() == [-1, -1, 0]


def test_what_the_fleet_cannot_hold_is_rejected() -> None:
    found = ran(jobs_of([(0, 5, 1, 0), (0, 1, 1, 0)]), "fifo")
    assert found.rejected.tolist() == [True, False]
    assert np.isnan(found.start_s[0])
