"""A search over numbers of SuperNodes, each with the fastest layout for it, as plain JSON."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from app.engine.explore.job_sizes import JobSize, job_sizes, usual_sizes
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_kind
from app.views.searching.answer import figures_of, tally
from app.views.searching.options import SearchOptions, space_of

DAY_S = 86_400.0


def over_sizes(scenario: EvaluatedScenario, options: SearchOptions) -> dict[str, Any]:
    """One layout, the fastest, of every number of SuperNodes: ranked by what a pod decides."""
    design = scenario.resolved.design
    one_kind(design, "A search over numbers of SuperNodes")
    # A pod is compared with others by the layouts in use: the whole space of each would take a minute.
    space = space_of(options.model_copy(update={"space": "usual"}))
    started = time.perf_counter()
    counts = usual_sizes(int(np.median(design.pod.supernodes)))
    sizes = job_sizes(design, counts, space, scenario.resolved.others)
    took = time.perf_counter() - started
    rows = [_size(size) for size in sizes]
    running = [row for row in rows if row["feasible"] and row["elapsed_time_s"] is not None]
    if options.deadline_days is not None:
        running = [row for row in running if row["elapsed_time_s"] <= options.deadline_days * DAY_S]
    key = {"cost": "usd_per_million_tokens", "energy": "energy_j_per_token"}.get(
        options.objective, "accelerators"
    )
    best = sorted((row for row in running if row[key] is not None), key=lambda row: float(row[key]))
    rejected: dict[str, int] = {}
    for size in sizes:
        for name, count in size.rejected.items():
            rejected[name] = rejected.get(name, 0) + count
    return {
        **tally(
            sum(size.strategies for size in sizes),
            sum(size.feasible_strategies for size in sizes),
            rejected,
            took,
        ),
        "space": "usual",
        "best": [{"rank": rank, **row} for rank, row in enumerate(best[: options.top], start=1)],
        "sizes": rows,
    }


def _size(size: JobSize) -> dict[str, Any]:
    return {
        "supernodes": size.supernodes,
        "accelerators": int(np.median(size.design.pod.accelerators_used)),
        **figures_of(size.evaluation),
        "feasible": size.evaluation.feasible,
        "strategies": size.strategies,
        "feasible_strategies": size.feasible_strategies,
    }
