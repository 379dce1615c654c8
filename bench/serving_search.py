"""How quick the search of layouts of a served model is: DeepSeek-R1 on the 72 accelerators of one rack."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from app.engine.design import evaluate
from app.engine.explore.serving_search import choice_of, search_pod
from app.engine.performance.search import central
from app.engine.performance.serving.replica_load import Replica, latency_of
from app.engine.performance.serving.search.space import ServingSpace, holds_a_request, instances_of
from app.engine.performance.serving.search.tried import loads_between, lowest_load
from app.engine.performance.serving.setting import Setting, setting_of
from app.engine.performance.serving.space import at_rows
from app.engine.specs import Design, ServingWorkload
from app.engine.trace import Array
from bench.timing import Measurement, measured, timed

SERVED = "deepseek_r1_on_gb200_nvl72"
LEAST_ROWS = 100_000
RUNS = 5


def serving_search_measurements(design: Design) -> Iterator[Measurement]:
    """`design` serves a mixture of experts on 72 accelerators."""
    workload, sections = design.workload, evaluate(design).sections
    assert isinstance(workload, ServingWorkload)
    setting: Setting = central(
        setting_of(
            workload=workload,
            supernode=design.supernode,
            pod=design.pod,
            fabric=sections.fabric,
            assumptions=design.assumptions.rooms["serving"],
            of_chips=design.assumptions.rooms["performance"],
        )
    )
    replica, loads, limit = _rows(setting)
    rates = []
    for _ in range(RUNS):
        start = time.perf_counter()
        latency_of(setting, replica, loads, limit)
        rates.append(loads.size / (time.perf_counter() - start) / 1e3)
    yield measured(
        f"step model over {loads.size:,} served layouts, a second",
        rates,
        unit="k",
        aim=LEAST_ROWS / 1e3,
        at_least=True,
    )

    def search() -> None:
        choice = choice_of([search_pod(design, sections, ServingSpace())])
        assert choice is not None
        assert choice.best("cost", 10).size
        assert choice.front.size

    used = int(design.pod.accelerators_used[0])
    yield timed(f"search of a served model, {used:,}", search, runs=7, unit="ms", aim=500)


def _rows(setting: Setting) -> tuple[Replica, Array, Array]:
    """Every instance that holds a request, at as many loads as make the rows wanted."""
    instances = instances_of(setting, ServingSpace(), prefills=True)
    limit = holds_a_request(setting, instances, prefills=True)
    able = np.flatnonzero(limit >= 1)
    each = -(-LEAST_ROWS // able.size)
    row = np.repeat(able, each)
    loads = loads_between(lowest_load(at_rows(instances, able)), limit[able], each).ravel()
    return Replica(decode=at_rows(instances, row), decode_instances=np.ones(row.size)), loads, limit[row]
