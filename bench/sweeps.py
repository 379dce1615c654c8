"""How many designs a second a sweep evaluates in this process: columns of numbers, and structure."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from app.catalog.ready import ready_catalog
from app.scenarios.examples import example
from app.scenarios.load import build_document
from app.scenarios.sweeping.chunks import computed
from app.scenarios.sweeping.document import SweepDocument
from app.scenarios.sweeping.plan import SweepPlan, plan_sweep
from bench.engine import EXAMPLE
from bench.timing import Measurement, measured

RUNS = 3
COLUMNS = [
    {"field": "economics.wacc", "from": 0.01, "to": 0.2, "steps": 20},
    {
        "field": "supernode.override.accelerator.memory_bandwidth_bytes_per_s",
        "from": 2e12,
        "to": 8e12,
        "steps": 100,
    },
    {"field": "supernode.override.accelerator.tdp_w", "from": 500, "to": 1200, "steps": 100},
]
STRUCTURE = [{"field": "facility.coolant_supply_c", "from": 15, "to": 45, "steps": 200}]


def sweep_measurements() -> Iterator[Measurement]:
    for name, axes, aim in (("columns", COLUMNS, 100_000.0), ("structure", STRUCTURE, 40.0)):
        plan = planned(axes)
        rates = [plan.count / seconds(plan) for _ in range(RUNS)]
        yield measured(f"sweep of {plan.count:,} designs, {name}", rates, unit="/s", aim=aim, at_least=True)


def planned(axes: list[dict[str, Any]]) -> SweepPlan:
    document = build_document(SweepDocument, {"scenario": EXAMPLE, "axes": axes})
    return plan_sweep(document, example(EXAMPLE).read(), ready_catalog())


def seconds(plan: SweepPlan) -> float:
    """Every chunk put together and computed in this process, nothing stored."""
    start = time.perf_counter()
    for number in range(len(plan.cuts)):
        computed(plan.chunk(number))
    return time.perf_counter() - start
