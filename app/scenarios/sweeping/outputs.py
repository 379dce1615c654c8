"""The figures that a sweep keeps of each design."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.design import evaluate
from app.engine.leaves import leaves
from app.engine.specs import Design
from app.scenarios.errors import refuse
from app.scenarios.nearest import nearest_names

HEADLINE = (
    "performance.step_time_s",
    "performance.tokens_per_s",
    "performance.flop_per_s",
    "performance.mfu",
    "performance.elapsed_time_s",
    "performance.memory_per_accelerator_bytes",
    "power.utility_mean_w",
    "cooling.pue",
    "reliability.ettr",
    "cost.capex_usd",
    "cost.tco_usd",
    "cost.usd_per_accelerator_hour",
    "cost.usd_per_run",
    "cost.usd_per_million_tokens",
    "carbon.total_kg",
)
"""Kept where nobody names any; a job has those of its kind."""


def chosen_outputs(stated: Sequence[str], design: Design) -> tuple[str, ...]:
    """The figures to keep, each of one value a design.

    Raises
    ------
    ScenarioError : the evaluation has no such figure, or one of many values
    """
    known = {path: np.size(figure) for path, figure in leaves(evaluate(design).sections)}
    if not stated:
        return tuple(path for path in HEADLINE if path in known)
    for place, path in enumerate(stated):
        if path not in known:
            raise refuse(
                f"{path!r} is not a figure of the evaluation.",
                rule="unknown_quantity",
                path=f"outputs[{place}]",
                value=path,
                hint=f"Nearest: {nearest_names(path, known)}.",
            )
        if known[path] != 1:
            raise refuse(
                f"{path!r} has {known[path]:,} values for one design.",
                rule="one_value",
                path=f"outputs[{place}]",
                value=path,
                hint="Choose a figure of one value.",
            )
    return tuple(dict.fromkeys(stated))
