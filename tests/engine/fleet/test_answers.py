"""Measures of a fleet on cases that were worked out by hand, and sizing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.engine.fleet.answers import Fleet, Measures, interval, measure, replicate
from app.engine.fleet.demand import Demand, JobClass, ServedClass, draw_jobs, week_shape
from app.engine.fleet.policy import POLICIES
from app.engine.fleet.simulate import simulate
from app.engine.fleet.sizing import ServiceLevel, best_mix, pooling, smallest_fleet
from app.engine.fleet.snapshots import MOMENTS
from app.engine.fleet.supply import PodSupply, Rented, Supply
from tests.engine.fleet.test_schedules import jobs_of

HOUR = 3600.0
POD = PodSupply(name="pod", supernodes=4, accelerators=1, busy_w=1000.0, idle_w=200.0, usd_per_hour=2.0)


def test_measures_by_hand() -> None:
    supply = Supply(pods=(POD,), placement="pooled", pue=1.5, usd_per_kwh=0.1, g_per_kwh=(400.0,))
    jobs = jobs_of([(0, 2, 2 * HOUR, 0), (0, 4, HOUR, 0), (HOUR, 5, HOUR, 0)])
    found = measure(
        jobs, supply, simulate(jobs, supply, POLICIES["fifo"], horizon_s=4 * HOUR), horizon_s=4 * HOUR, warmup_s=0.0
    )  # fmt: skip
    assert found.hours.in_use.tolist() == pytest.approx([2, 2, 4, 0])
    assert found.hours.waiting.tolist() == pytest.approx([1, 1, 0, 0])
    assert found.hours.wanted.tolist() == pytest.approx([4, 4, 0, 0])
    assert found.allocated == found.running == found.productive == pytest.approx(8 / 16)
    assert found.waiting.mean_s == HOUR
    assert (found.waiting.jobs, found.waiting.rejected) == (2, 1)
    assert found.energy_kwh == pytest.approx(1.5 * (4 * 4 * 0.2 + 8 * 0.8))
    assert found.carbon_kg == pytest.approx(found.energy_kwh * 0.4)
    assert found.cost_usd == pytest.approx(4 * 4 * 2.0 + 0.1 * found.energy_kwh)


def test_deadlines_and_lost_work() -> None:
    pod = replace(POD, failures_per_s=1 / (20 * HOUR), repair_s=HOUR)
    supply = Supply(pods=(pod,), checkpoint_interval_s=HOUR, checkpoint_s=36.0, restart_s=360.0)
    one = JobClass(name="a", jobs_per_hour=1.0, duration_s=3 * HOUR, law="fixed", deadline_factor=1.2)
    fleet = Fleet(demand=Demand(horizon_s=500 * HOUR, classes=(one,)), supply=supply, policy=POLICIES["fifo"])
    found = replicate(fleet, 0)
    assert found.failures > 50
    assert 0 < found.away < 0.2
    assert found.productive < found.running < found.allocated <= 1.0
    assert 0 < found.waiting.missed < 1
    # checkpoints take 36 of 3,636 s of the running time, and restarts come on top
    assert found.allocated - found.running > 0.0099 * found.allocated * 0.99


def test_interval_covers_the_mean() -> None:
    random = np.random.default_rng(0)
    held = [interval(random.normal(5.0, 1.0, 6).tolist()) for _ in range(600)]
    covered = np.mean([one.low <= 5.0 <= one.high for one in held])
    assert covered == pytest.approx(0.95, abs=0.03)


FLEET = Fleet(
    demand=Demand(
        horizon_s=14 * 86_400.0,
        classes=(
            JobClass(name="research", jobs_per_hour=3.0, sizes=(1, 2, 4), duration_s=2 * HOUR, may_rent=True,
                     shape=week_shape([0.3] * 9 + [1.9] * 9 + [0.6] * 6, 0.4)),
            JobClass(name="batch", jobs_per_hour=1.0, sizes=(2, 4), duration_s=4 * HOUR,
                     shape=week_shape([1.8] * 9 + [0.3] * 9 + [1.0] * 6, 1.0)),
        ),
        served=(ServedClass(name="served", accelerators=2, peak_replicas=3, shape=week_shape([0.3] * 8 + [1.0] * 16)),),
    ),
    supply=Supply(
        pods=(replace(POD, accelerators=4),), placement="inside", pue=1.2, usd_per_kwh=0.08,
        rented=Rented(accelerators=64, after_s=900.0, usd_per_hour=6.0),
    ),
    policy=POLICIES["preemption"],
    warmup_s=86_400.0,
)  # fmt: skip
LEVEL = ServiceLevel(wait_s=HOUR)


def test_smallest_fleet_keeps_the_level_and_one_less_does_not() -> None:
    found, tried = smallest_fleet(FLEET, LEVEL, replications=2)
    assert found is not None
    assert found.is_met
    below = [point for point in tried if point.supernodes == found.supernodes - 1]
    assert below
    assert not below[0].is_met
    waits = [point.wait_s for point in tried]
    assert waits == sorted(waits, reverse=True)


def test_best_mix_is_the_cheapest_that_keeps_the_level() -> None:
    found, points = best_mix(FLEET, LEVEL, range(4, 14, 3), replications=1)
    assert found is not None
    assert found.cost_usd == min(point.cost_usd for point in points if point.is_met)
    assert points[0].rented_hours > points[-1].rented_hours
    # renting is what is paid by the hour: with a free one the smallest fleet wins
    free = replace(FLEET, supply=replace(FLEET.supply, rented=replace(FLEET.supply.rented, usd_per_hour=0.0)))
    cheapest, _ = best_mix(free, LEVEL, range(4, 14, 3), replications=1)
    assert cheapest is not None
    assert cheapest.supernodes == min(point.supernodes for point in points if point.is_met)


def test_pooling_needs_no_more_than_separate_fleets() -> None:
    found = pooling(FLEET, LEVEL, replications=1)
    assert found is not None
    assert found.pooled_supernodes <= found.separate_supernodes
    assert found.pooled_allocated > found.separate_allocated
    assert found.cost < 0
    assert found.energy < 0


def test_rented_accelerators_take_energy_and_emit_carbon() -> None:
    """Four owned at work, two rented for an hour: the rented count while they are in use, at the site's PUE."""
    rented = Rented(accelerators=2, after_s=0.0, usd_per_hour=3.0)
    supply = Supply(
        pods=(POD,), placement="pooled", pue=1.5, usd_per_kwh=0.1, g_per_kwh=(400.0,), rented=rented
    )
    jobs = jobs_of([(0, 4, 4 * HOUR, 0), (0, 2, HOUR, 0)])

    def measured(supply: Supply) -> Measures:
        found = simulate(jobs, supply, POLICIES["fifo"], horizon_s=4 * HOUR)
        return measure(jobs, supply, found, horizon_s=4 * HOUR, warmup_s=0.0)

    found = measured(supply)
    assert found.rented_hours == pytest.approx(2.0)
    assert found.rented_energy_kwh == pytest.approx(1.5 * 2 * 1.0)  # as the owned: busy_w is not stated
    assert found.energy_kwh == pytest.approx(1.5 * (16 * 1.0 + 2 * 1.0))
    assert found.carbon_kg == pytest.approx(0.4 * found.energy_kwh)
    assert found.cost_usd == pytest.approx(
        4 * 4 * 2.0 + 0.1 * 1.5 * 16 + 2 * 3.0
    )  # their electricity is in the rent
    stated = measured(replace(supply, rented=replace(rented, busy_w=500.0)))
    assert stated.rented_energy_kwh == pytest.approx(1.5 * 2 * 0.5)
    none = measured(replace(supply, rented=Rented()))
    assert none.rented_energy_kwh == 0.0


def test_snapshots_hold_every_accelerator_once() -> None:
    pod = PodSupply(
        name="pod", supernodes=6, accelerators=8, failures_per_s=1 / (200 * HOUR), repair_s=5 * HOUR
    )
    classes = (
        JobClass(name="small", jobs_per_hour=3.0, duration_s=3 * HOUR, sizes=(1, 2, 4), weights=(1.0, 1.0, 1.0)),
        JobClass(name="large", jobs_per_hour=0.4, duration_s=6 * HOUR, sizes=(16,), weights=(1.0,)),
    )  # fmt: skip
    jobs = draw_jobs(Demand(horizon_s=200 * HOUR, classes=classes), seed=3)
    for supply in (Supply(pods=(pod,), placement="inside"), Supply(pods=(pod,), placement="across")):
        found = simulate(jobs, supply, POLICIES["easy"], horizon_s=200 * HOUR, seed=3)
        assert len(found.snapshots) == MOMENTS + 1
        longest, *moments = found.snapshots
        assert longest.is_longest_queue
        assert not any(one.is_longest_queue for one in moments)
        assert [one.at_s for one in moments] == sorted(one.at_s for one in moments)
        for one in found.snapshots:
            used, lane, away = one.used[0], one.lane[0], one.away[0]
            assert np.all((used >= 0) & (away >= 0) & (used + away <= pod.accelerators))
            assert np.array_equal(lane == -1, used == 0)
        assert any(one.away[0].any() for one in found.snapshots)
    pooled = simulate(jobs, Supply(pods=(pod,), placement="pooled"), POLICIES["easy"], horizon_s=200 * HOUR)
    assert pooled.snapshots == ()
