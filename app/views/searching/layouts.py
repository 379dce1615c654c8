"""A search over the layouts of one pod, as plain JSON."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from app.engine.explore.layout_search import (
    Answer,
    LayoutSearch,
    Positions,
    design_layouts,
    even_steps,
    search_of,
)
from app.engine.leaves import plain_values
from app.engine.performance.simplicity import TIE
from app.engine.performance.space import Space
from app.engine.performance.ways_out import no_layout, room_of
from app.scenarios.document.layout import layout_columns, layout_document
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import training_run
from app.views.searching.answer import figures_of, tally
from app.views.searching.options import SearchOptions, space_of

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
