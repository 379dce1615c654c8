"""A search over the layouts of one pod, as plain JSON."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from app import __version__
from app.engine.evaluation import Evaluation
from app.engine.explore.job_sizes import JobSize, job_sizes, usual_sizes
from app.engine.explore.layout_search import (
    Answer,
    LayoutSearch,
    Positions,
    design_layouts,
    even_steps,
    search_of,
)
from app.engine.leaves import plain_values
from app.engine.performance.section import Performance
from app.engine.performance.simplicity import TIE
from app.engine.performance.space import Space
from app.engine.performance.ways_out import no_layout, room_of
from app.scenarios.document.layout import layout_columns, layout_document
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario, inputs_hash
from app.scenarios.evaluation.training_only import one_kind, training_run
from app.views.searching.options import OVER_SIZES, SearchOptions, space_of

MOST_LAYOUTS = 16_000_000
"""About ten seconds and half a gigabyte."""
FRONT_SHOWN = 60
VARIANTS_SHOWN = 5


def of_one_pod(scenario: EvaluatedScenario, options: SearchOptions) -> dict[str, Any]:
    design = scenario.resolved.design
    training_run(design, scenario.evaluation.sections, "A search over layouts")
    started = time.perf_counter()
    space = space_of(options)
    pairs = [(one, design_layouts(one, space)) for one in (design, *scenario.resolved.others)]
    _refuse_too_many(sum(layouts.size for _, layouts in pairs))
    found = search_of(pairs)
    best = found.answers(options.top, "memory" if options.objective == "memory" else "step_time")
    took = time.perf_counter() - started
    return {
        **tally(found.strategies, found.feasible_strategies, found.rejected, took),
        "refused": found.refused,
        "memory_margin": found.computed.margin,
        "best": _best(found, best),
        "pareto": _points(found, even_steps(found.front, FRONT_SHOWN)),
        "degrees": _degrees(found),
        "sample": _points(found, found.sample),
        "stated": _stated(scenario, found),
        **_ways_out(found, space),
    }


def _refuse_too_many(count: int) -> None:
    if count > MOST_LAYOUTS:
        raise refuse(
            f"The space has {count:,} layouts, more than {MOST_LAYOUTS:,} that one search computes.",
            rule="at_most", path="hold", value=None,
            hint="Hold an axis, such as hold cp: [1], or search the usual space.",
        )  # fmt: skip


def _best(found: LayoutSearch, answers: list[Answer]) -> list[dict[str, Any]]:
    rows = []
    evaluated = found.evaluated(np.array([answer.first for answer in answers], dtype=np.intp))
    for rank, (answer, evaluation) in enumerate(zip(answers, evaluated, strict=True), start=1):
        figures = figures_of(evaluation)
        needed = figures["memory_per_accelerator_bytes"]
        capacity = float(np.median(evaluation.sections.performance.memory_capacity_bytes))
        rows.append(
            {
                "rank": rank,
                **figures,
                "memory_headroom_bytes": None if needed is None else capacity - needed,
                "feasible": evaluation.feasible,
                "time_breakdown_s": plain_values(evaluation.sections.performance.time_breakdown_s),
                "variants": _points(found, answer.variants[:VARIANTS_SHOWN]),
                "variant_count": answer.variants.size,
            }
        )
    return rows


def _points(found: LayoutSearch, positions: Positions) -> list[dict[str, Any]]:
    """Layouts with the two figures of the search, without evaluating the rest of the design."""
    if not positions.size:
        return []
    columns = found.columns_at(positions)
    layouts, frameworks = layout_columns(columns), found.frameworks_at(positions)
    return [
        {
            "parallelism": layout_document({name: float(column[place]) for name, column in layouts.items()}),
            "dp": int(columns["data_parallel"][place]),
            "framework": frameworks[place],
            "step_time_s": float(found.computed.step_time_s[position]),
            "memory_per_accelerator_bytes": float(found.computed.memory_bytes[position]),
        }
        for place, position in enumerate(positions)
    ]


def _degrees(found: LayoutSearch) -> list[dict[str, Any]]:
    """The best of every pair of tensor and pipeline parallelism."""
    pairs = list(found.by_degrees())
    best = np.array([pair.best for pair in pairs if pair.best is not None], dtype=np.intp)
    layouts = iter(_points(found, best))
    return [
        {
            "tp": pair.tensor_parallel,
            "pp": pair.pipeline_parallel,
            "strategies": pair.strategies,
            "feasible_strategies": pair.feasible_strategies,
            "step_time_s": pair.step_time_s,
            "parallelism": None if pair.best is None else next(layouts)["parallelism"],
        }
        for pair in pairs
    ]


def _stated(scenario: EvaluatedScenario, found: LayoutSearch) -> dict[str, Any] | None:
    """Where the layout of the scenario stands among those that can run."""
    if scenario.resolved.design.layout is None:
        return None
    figures = figures_of(scenario.evaluation)
    time_s = figures["step_time_s"]
    faster = found.computed.step_time_s[found.fastest]
    return {
        **figures,
        "feasible": scenario.evaluation.feasible,
        # What ties with the fastest is as good as it.
        "rank": None if time_s is None else int(np.count_nonzero(faster * (1 + TIE) < time_s)) + 1,
        "slower_by": time_s / float(faster[0]) - 1 if time_s is not None and faster.size else None,
    }


def _ways_out(found: LayoutSearch, space: Space) -> dict[str, Any]:
    """The nearest size of the pod and the nearest batch that a layout of the space fits, where none does."""
    if found.fastest.size:
        return {"fix": None, "alternatives": []}
    design = found.parts[0].design
    job = (design.training, design.supernode, design.pod, design.assumptions.rooms["performance"])
    if found.strategies:
        room = room_of(*job, space, design.framework)
        fixes = [*room.nearest_count(), *room.nearest_batch()]
        message = f"No layout of the space fits the memory{''.join(f'; {fix.message}' for fix in fixes)}."
    else:
        problem = no_layout(*job, space, design.framework)
        fixes, message = list(problem.fixes), problem.message
    changes: list[dict[str, Any]] = [
        {"field": fix.field, "value": fix.value, "message": fix.message} for fix in fixes
    ]
    fix = changes[0] | {"message": message} if changes else None
    return {"fix": fix, "alternatives": changes[1:]}


def search_scenario(scenario: EvaluatedScenario, options: SearchOptions) -> dict[str, Any]:
    """Search the layouts of a scenario; a layout that it states is compared with the best.

    Raises
    ------
    ScenarioError : the space is too large to compute, or the objective lacks its deadline
    """
    training_run(scenario.resolved.design, scenario.evaluation.sections, "A search over layouts")
    if options.objective == "accelerators" and options.deadline_days is None:
        raise refuse(
            "deadline_days is needed to find the fewest accelerators that meet it.",
            rule="required", path="deadline_days", value=None, hint="Give the days that the run may take.",
        )  # fmt: skip
    answer = (
        over_sizes(scenario, options) if options.objective in OVER_SIZES else of_one_pod(scenario, options)
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


def tally(strategies: int, feasible: int, rejected: dict[str, int], took_s: float) -> dict[str, Any]:
    return {
        "strategies": strategies,
        "feasible_strategies": feasible,
        "rejected": rejected,
        "search_time_s": took_s,
        "strategies_per_s": strategies / took_s,
    }


def figures_of(evaluation: Evaluation) -> dict[str, Any]:
    sections = evaluation.sections
    strategy = plain_values(sections.performance.strategy, "performance.strategy")
    framework = sections.performance.framework if isinstance(sections.performance, Performance) else ""
    figures = {
        name: plain_values(getattr(getattr(sections, room), name), f"{room}.{name}")
        for name, room in FIGURES.items()
    }
    return {
        "parallelism": layout_document(strategy),
        "dp": strategy["dp"],
        "framework": framework,
        **figures,
    }
