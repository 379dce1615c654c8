"""How quick a million jobs go through ten thousand SuperNodes."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator

from app.engine.fleet.demand import HOUR_S, Demand, JobClass, draw_jobs, mean_size, week_shape
from app.engine.fleet.policy import POLICIES
from app.engine.fleet.simulate import simulate
from app.engine.fleet.supply import PodSupply, Supply
from bench.timing import Measurement, measured

JOBS, SUPERNODES, ACCELERATORS, LOAD = 1_000_000, 10_000, 8, 0.8
DAY = [0.6] * 8 + [1.4] * 10 + [1.0] * 6
SIZES, WEIGHTS = (1, 2, 4, 8, 16, 64, 256), (40, 15, 12, 25, 5, 2, 1)
SEED = 1
AIMS_S = {"priority": 60.0, "easy": 600.0}


def fleet_measurements() -> Iterator[Measurement]:
    """Each policy once, all jobs placed inside SuperNodes; on one core."""
    classes = [_class(priority, 1.0) for priority in range(3)]
    hours = sum(mean_size(one) * one.duration_s / HOUR_S for one in classes) / len(classes)
    per_hour = LOAD * SUPERNODES * ACCELERATORS / hours
    demand = Demand(
        horizon_s=JOBS / per_hour * HOUR_S,
        classes=tuple(_class(priority, per_hour / 3) for priority in range(3)),
    )
    jobs = draw_jobs(demand, SEED)
    supply = Supply(pods=(PodSupply(name="pod", supernodes=SUPERNODES, accelerators=ACCELERATORS),))
    for key, aim in AIMS_S.items():
        run = functools.partial(simulate, jobs, supply, POLICIES[key], horizon_s=demand.horizon_s)
        start = time.perf_counter()
        run()
        yield measured(f"1,000,000 jobs, {key}", [time.perf_counter() - start], unit="s", aim=aim)


def _class(priority: int, jobs_per_hour: float) -> JobClass:
    return JobClass(
        name=f"priority {priority}",
        jobs_per_hour=jobs_per_hour,
        sizes=SIZES,
        weights=WEIGHTS,
        duration_s=5000.0 * (1 + priority),
        sigma=1.2,
        priority=priority,
        shape=week_shape(DAY, 0.7),
    )
