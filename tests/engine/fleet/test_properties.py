"""Fleets drawn at random: what must hold whatever the demand, the supply and the policy."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fleet.demand import Demand, JobClass, Jobs, ServedClass, draw_jobs, week_shape, with_peak
from app.engine.fleet.placement import Packed
from app.engine.fleet.policy import POLICIES
from app.engine.fleet.queueing import mg1_wait_s, mmc_wait_s
from app.engine.fleet.simulate import Outcome, simulate
from app.engine.fleet.supply import Maintenance, PodSupply, Rented, Supply

HOUR = 3600.0
INTERVAL = 4.44  # 99.9 %, Student with 11 degrees of freedom


def drawn(seed: int) -> tuple[Jobs, Supply, str, float]:
    """A fleet with a few hundred jobs."""
    random = np.random.default_rng(seed)
    horizon = 4 * 86_400.0
    pods = tuple(
        PodSupply(
            name=f"pod {one}",
            supernodes=int(random.integers(2, 9)),
            accelerators=int(random.choice([1, 4, 8])),
            speed=1.0 if one == 0 else float(random.uniform(0.5, 2.0)),
            failures_per_s=float(random.choice([0.0, 1.0 / (2 * 86_400.0)])),
            repair_s=float(random.uniform(HOUR, 86_400.0)),
            failure_takes=int(random.choice([0, 1])),
        )
        for one in range(int(random.integers(1, 3)))
    )
    supply = Supply(
        pods=pods,
        placement=str(random.choice(["pooled", "inside", "across"])),  # type: ignore[arg-type]
        across_slowdown=float(random.uniform(1.0, 1.5)),
        maintenance=(Maintenance(pod=0, from_s=86_400.0, duration_s=6 * HOUR, supernodes=1),),
        power_share=tuple(random.uniform(0.7, 1.0, 24)) if random.uniform() < 0.3 else (),
        rented=Rented(accelerators=int(random.choice([0, 8])), after_s=HOUR, speed=1.2),
        checkpoint_interval_s=1800.0,
        checkpoint_s=float(random.choice([0.0, 30.0])),
        restart_s=120.0,
        resize_s=60.0,
    )
    classes = tuple(
        JobClass(
            name=f"class {one}",
            jobs_per_hour=float(random.uniform(0.5, 3.0)),
            sizes=(1, 2, 4, 8),
            duration_s=float(random.uniform(0.2, 2.0)) * HOUR,
            law=str(random.choice(["fixed", "exponential", "lognormal"])),  # type: ignore[arg-type]
            shape=week_shape([0.5] * 12 + [1.5] * 12, 0.6),
            priority=one,
            share=float(random.uniform(0.5, 2.0)),
            quota=int(random.choice([0, 8])),
            deadline_factor=float(random.choice([0.0, 3.0])),
            estimate_factor=float(random.choice([1.0, 2.0])),
            least_share=float(random.choice([0.25, 1.0])),
            may_rent=bool(random.choice([True, False])),
        )
        for one in range(3)
    )
    served = (ServedClass(name="served", accelerators=1, peak_replicas=2, shape=classes[0].shape),)
    jobs = draw_jobs(Demand(horizon_s=horizon, classes=classes, served=served), seed)
    return jobs, supply, list(POLICIES)[seed % len(POLICIES)], horizon


def held(found: Outcome) -> float:
    return float(((found.column("to_s") - found.column("from_s")) * found.column("accelerators")).sum())


@pytest.mark.parametrize("block", range(5))
def test_accelerator_seconds_are_conserved(block: int) -> None:
    for seed in range(block * 16, block * 16 + 16):
        jobs, supply, policy, horizon = drawn(seed)
        found = simulate(jobs, supply, POLICIES[policy], horizon_s=horizon, seed=seed)
        parts = [found.column(name) for name in ("overhead", "productive", "slowed", "lost")]
        assert min(part.min() for part in parts) >= -1e-6, seed
        assert sum(part.sum() for part in parts) == pytest.approx(held(found), rel=1e-9), (seed, policy)
        # what is done is the work of the jobs that ended, in the speed of where they ran
        speeds = np.array([pod.speed for pod in supply.pods] + [supply.rented.speed])
        done = found.column("productive") * speeds[found.column("pod").astype(int)]
        ended = ~np.isnan(found.end_s)
        work = np.zeros(jobs.count)
        np.add.at(work, found.column("job").astype(int), done)
        assert work[ended] == pytest.approx((jobs.size * jobs.work_s)[ended], rel=1e-6), (seed, policy)
        # all that can be held came to its end, none before it came, and none while it ran twice
        overloaded = jobs.accelerator_s > 0.6 * supply.total * horizon  # by failures, quotas and power too
        assert ended.sum() + found.rejected.sum() == jobs.count or overloaded, (seed, policy)
        assert (found.start_s[ended] >= jobs.arrived_s[ended] - 1e-9).all()
        assert (found.end_s[ended] - found.start_s[ended] >= -1e-9).all()
        order = np.lexsort((found.column("from_s"), found.column("job")))
        job, begin, end = (found.column(name)[order] for name in ("job", "from_s", "to_s"))
        assert (begin[1:] >= end[:-1] - 1e-6)[job[1:] == job[:-1]].all(), (seed, policy)
        # never more in use than there is
        for pod, terms in enumerate(supply.pods):
            mine = found.column("pod") == pod
            times = np.concatenate((found.column("to_s")[mine], found.column("from_s")[mine]))
            change = np.concatenate((-found.column("accelerators")[mine], found.column("accelerators")[mine]))
            at = np.lexsort((change, np.round(times, 6)))
            assert np.cumsum(change[at]).max(initial=0.0) <= terms.total, (seed, policy)


def test_same_seed_same_result() -> None:
    for seed in (3, 4, 8):
        jobs, supply, policy, horizon = drawn(seed)
        first, second = (
            simulate(jobs, supply, POLICIES[policy], horizon_s=horizon, seed=seed) for _ in range(2)
        )
        assert (first.segments == second.segments).all()
        other = draw_jobs(
            Demand(horizon_s=horizon, classes=(JobClass(name="a", jobs_per_hour=5.0),)), seed + 1
        )
        assert not np.array_equal(jobs.arrived_s[: other.count], other.arrived_s[: jobs.count])


def waits(servers: int, load: float, law: str, sigma: float, replications: int = 12) -> np.ndarray:
    """Mean waits of jobs of one accelerator and 100 s, by replication, after a warm-up."""
    found = []
    for seed in range(replications):
        one = JobClass(
            name="a", jobs_per_hour=36.0 * servers * load, duration_s=100.0, law=law, sigma=sigma  # type: ignore[arg-type]
        )  # fmt: skip
        demand = Demand(horizon_s=20_000 * 100.0 / (servers * load), classes=(one,))
        jobs = draw_jobs(demand, seed)
        supply = Supply(pods=(PodSupply(name="pod", supernodes=servers, accelerators=1),), placement="pooled")
        outcome = simulate(jobs, supply, POLICIES["fifo"], horizon_s=demand.horizon_s)
        found.append(np.mean((outcome.start_s - jobs.arrived_s)[jobs.count // 10 :]))
    return np.array(found)


@pytest.mark.slow
@pytest.mark.parametrize(("servers", "load"), [(1, 0.5), (5, 0.8), (40, 0.9)])
def test_erlang_c(servers: int, load: float) -> None:
    found = waits(servers, load, "exponential", 1.0)
    half = INTERVAL * found.std(ddof=1) / np.sqrt(found.size)
    assert abs(found.mean() - mmc_wait_s(servers * load / 100.0, 100.0, servers)) < half


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "sigma", "variation"), [("fixed", 0.0, 0.0), ("lognormal", 0.8, np.expm1(0.64))]
)
def test_pollaczek_khinchine(law: str, sigma: float, variation: float) -> None:
    found = waits(1, 0.6, law, sigma)
    half = INTERVAL * found.std(ddof=1) / np.sqrt(found.size)
    assert abs(found.mean() - mg1_wait_s(0.006, 100.0, variation)) < half


def test_demand_has_its_mean_and_its_peak() -> None:
    shape = with_peak(week_shape([0.2] * 8 + [1.0] * 10 + [0.6] * 6, 0.5), 3.0)
    assert np.mean(shape) == pytest.approx(1.0)
    assert max(shape) == pytest.approx(3.0)
    one = JobClass(name="a", jobs_per_hour=200.0, sizes=(1, 8), weights=(3, 1), duration_s=500.0, shape=shape)
    jobs = draw_jobs(Demand(horizon_s=8 * 7 * 86_400.0, classes=(one,)), 1)
    assert jobs.count == pytest.approx(200 * 168 * 8, rel=0.01)
    assert jobs.size.mean() == pytest.approx(2.75, rel=0.02)
    assert jobs.work_s.mean() == pytest.approx(500.0, rel=0.02)
    by_hour = np.bincount((jobs.arrived_s / HOUR).astype(int) % 168, minlength=168) / 8
    assert by_hour.max() == pytest.approx(600.0, rel=0.1)


def test_packed_places_are_consistent() -> None:
    random = np.random.default_rng(5)
    places = Packed(12, 8)
    held_parts = []
    for _ in range(4000):
        if held_parts and random.uniform() < 0.5:
            places.release(held_parts.pop(int(random.integers(len(held_parts)))))
        else:
            count = int(random.choice([1, 2, 3, 8, 12, 20]))
            parts = places.place(count)
            if parts is not None:
                assert sum(one for _, one in parts) == count
                assert len(parts) == -(-count // 8)
                assert places.may_fit(0)
                held_parts.append(parts)
            elif count <= 8:
                assert max(places.free_of(one) for one in range(12)) < count
        used = sum(one for parts in held_parts for _, one in parts)
        assert places.free_total == 96 - used == sum(places.free_of(one) for one in range(12))
