"""A search over the layouts of a scenario, as plain JSON."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from app import __version__
from app.engine.design import Evaluation
from app.engine.explore.job_sizes import JobSize, job_sizes, usual_sizes
from app.engine.explore.layout_search import LayoutSearch, Positions, search_layouts
from app.engine.leaves import plain_values
from app.engine.performance.layouts import Layouts
from app.scenarios.errors import refuse
from app.scenarios.layout_document import layout_document
from app.scenarios.searching.options import OVER_SIZES, SearchOptions, space_of
from app.scenarios.service import EvaluatedScenario, inputs_hash

MOST_LAYOUTS = 15_000_000
"""About eight seconds and half a gigabyte."""
FRONT_SHOWN = 60
DAY_S = 86_400.0
FIGURES = {
    "step_time_s": "performance",
    "tokens_per_s_per_accelerator": "performance",
    "mfu": "performance",
    "training_time_s": "performance",
    "elapsed_time_s": "performance",
    "memory_per_accelerator_bytes": "performance",
    "usd_per_million_tokens": "cost",
    "energy_j_per_token": "power",
}


def search_scenario(scenario: EvaluatedScenario, options: SearchOptions) -> dict[str, Any]:
    """Search the layouts of a scenario; a layout that it states is compared with the best.

    Raises
    ------
    ScenarioError : the space is too large to compute, or the objective lacks its deadline
    """
    if options.objective == "accelerators" and options.deadline_days is None:
        raise refuse(
            "deadline_days is needed to find the fewest accelerators that meet it.",
            rule="required", path="deadline_days", value=None, hint="Give the days that the run may take.",
        )  # fmt: skip
    answer = (
        _over_sizes(scenario, options) if options.objective in OVER_SIZES else _of_one_pod(scenario, options)
    )
    return {
        "name": scenario.document.name,
        "objective": options.objective,
        "space": options.space,
        "hold": options.hold,
        **answer,
        "provenance": {
            "engine_version": __version__,
            "catalog_revision": scenario.resolved.catalog_revision,
            "inputs_hash": inputs_hash(scenario.document, scenario.resolved.catalog_revision),
        },
    }


def _of_one_pod(scenario: EvaluatedScenario, options: SearchOptions) -> dict[str, Any]:
    design, space = scenario.resolved.design, space_of(options)
    _refuse_too_many(
        Layouts(
            workload=design.workload, supernode=design.supernode,
            accelerators_used=design.pod.accelerators_used, space=space,
        ).size
    )  # fmt: skip
    started = time.perf_counter()
    found = search_layouts(design, space)
    best = found.best(options.top, "memory" if options.objective == "memory" else "step_time")
    took = time.perf_counter() - started
    return {
        **_tally(found.strategies, found.feasible_strategies, found.rejected, took),
        "best": _best(found, best),
        "pareto": _points(found, _some(found.front, FRONT_SHOWN)),
        "degrees": _degrees(found),
        "sample": _points(found, found.sample),
        "stated": _stated(scenario, found),
        "fix": _fix(found),
    }


def _over_sizes(scenario: EvaluatedScenario, options: SearchOptions) -> dict[str, Any]:
    """One layout, the fastest, of every number of SuperNodes: ranked by what a pod decides."""
    design = scenario.resolved.design
    # A pod is compared with others by the layouts in use: the whole space of each would take a minute.
    space = space_of(options.model_copy(update={"space": "usual"}))
    started = time.perf_counter()
    sizes = job_sizes(design, usual_sizes(int(np.median(design.pod.supernodes))), space)
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
        **_tally(
            sum(size.strategies for size in sizes),
            sum(size.feasible_strategies for size in sizes),
            rejected,
            took,
        ),
        "space": "usual",
        "best": [{"rank": rank, **row} for rank, row in enumerate(best[: options.top], start=1)],
        "sizes": rows,
    }


def _refuse_too_many(count: int) -> None:
    if count > MOST_LAYOUTS:
        raise refuse(
            f"The space has {count:,} layouts, more than {MOST_LAYOUTS:,} that one search computes.",
            rule="at_most", path="hold", value=None,
            hint="Hold an axis, such as hold cp: [1], or search the usual space.",
        )  # fmt: skip


def _tally(strategies: int, feasible: int, rejected: dict[str, int], took_s: float) -> dict[str, Any]:
    return {
        "strategies": strategies,
        "feasible_strategies": feasible,
        "rejected": rejected,
        "search_time_s": took_s,
        "strategies_per_s": strategies / took_s,
    }


def _best(found: LayoutSearch, positions: Positions) -> list[dict[str, Any]]:
    capacity = found.computed.memory_capacity_bytes
    rows = []
    for rank, evaluation in enumerate(found.evaluated(positions), start=1):
        figures = _figures(evaluation)
        needed = figures["memory_per_accelerator_bytes"]
        rows.append(
            {
                "rank": rank,
                **figures,
                "memory_headroom_bytes": None if needed is None else capacity - needed,
                "feasible": evaluation.feasible,
                "time_breakdown_s": plain_values(evaluation.sections.performance.time_breakdown_s),
            }
        )
    return rows


def _figures(evaluation: Evaluation) -> dict[str, Any]:
    sections = evaluation.sections
    strategy = plain_values(sections.performance.strategy, "performance.strategy")
    figures = {
        name: plain_values(getattr(getattr(sections, room), name), f"{room}.{name}")
        for name, room in FIGURES.items()
    }
    return {"parallelism": layout_document(strategy), "dp": strategy["dp"], **figures}


def _points(found: LayoutSearch, positions: Positions) -> list[dict[str, Any]]:
    """Layouts with the two figures of the search, without evaluating the rest of the design."""
    if not positions.size:
        return []
    strategy = found.layouts.at(positions)
    names = {
        "tp": "tensor_parallel", "pp": "pipeline_parallel", "cp": "context_parallel", "ep": "expert_parallel",
        "dp": "data_parallel", "vpp": "virtual_stages",
    }  # fmt: skip
    columns = {short: getattr(strategy, name) for short, name in names.items()}
    for name in (
        "micro_batch", "zero_stage", "sequence_parallel", "recompute", "selective_recompute", "tensor_overlap",
        "data_overlap", "pipeline_inside", "zero_bubble",
    ):  # fmt: skip
        columns[name] = getattr(strategy, name)
    rows = []
    for place, position in enumerate(positions):
        layout = {name: float(column[place]) for name, column in columns.items()}
        rows.append(
            {
                "parallelism": layout_document(layout),
                "dp": int(layout["dp"]),
                "step_time_s": float(found.computed.step_time_s[position]),
                "memory_per_accelerator_bytes": float(found.computed.memory_bytes[position]),
            }
        )
    return rows


def _degrees(found: LayoutSearch) -> list[dict[str, Any]]:
    """The best of every pair of tensor and pipeline parallelism."""
    pairs = list(found.by_degrees())
    best = np.array([place for *_, place in pairs if place is not None], dtype=np.intp)
    layouts = iter(_points(found, best))
    return [
        {
            "tp": tp,
            "pp": pp,
            "strategies": count,
            "feasible_strategies": fit,
            "step_time_s": time_s,
            "parallelism": None if place is None else next(layouts)["parallelism"],
        }
        for tp, pp, count, fit, time_s, place in pairs
    ]


def _stated(scenario: EvaluatedScenario, found: LayoutSearch) -> dict[str, Any] | None:
    """Where the layout of the scenario stands among those that can run."""
    if scenario.resolved.design.layout is None:
        return None
    figures = _figures(scenario.evaluation)
    time_s = figures["step_time_s"]
    faster = found.computed.step_time_s[found.fastest]
    return {
        **figures,
        "feasible": scenario.evaluation.feasible,
        "rank": None if time_s is None else int(np.count_nonzero(faster < time_s * (1 - 1e-12))) + 1,
        "slower_by": time_s / float(faster[0]) - 1 if time_s is not None and faster.size else None,
    }


def _fix(found: LayoutSearch) -> dict[str, Any] | None:
    """The smallest change that makes a scenario fit where no layout does."""
    if found.fastest.size:
        return None
    (nearest,) = found.evaluated(found.best(1)) or (None,)
    problems = [] if nearest is None else [problem for problem in nearest.problems if problem.fix]
    if not problems or problems[0].fix is None:
        return None
    fix = problems[0].fix
    return {"field": fix.field, "value": fix.value, "message": problems[0].message}


def _size(size: JobSize) -> dict[str, Any]:
    return {
        "supernodes": size.supernodes,
        "accelerators": int(np.median(size.design.pod.accelerators_used)),
        **_figures(size.evaluation),
        "feasible": size.evaluation.feasible,
        "strategies": size.strategies,
        "feasible_strategies": size.feasible_strategies,
    }


def _some(positions: Positions, count: int) -> Positions:
    """At most as many, in even steps, the first and the last among them."""
    if positions.size <= count:
        return positions
    return positions[np.linspace(0, positions.size - 1, count).astype(np.intp)]
