"""The figures that are asked how sure they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.design import Sections
from app.engine.leaves import leaves
from app.scenarios.errors import refuse
from app.scenarios.nearest import nearest_names

KEY_FIGURES = (
    "cost.usd_per_accelerator_hour",
    "cost.usd_per_useful_accelerator_hour",
    "cost.usd_per_run",
    "cost.usd_per_million_tokens",
    "cost.capex_usd",
    "cost.tco_usd",
    "cost.usd_per_run_rented_on_demand",
    "cost.usd_per_run_rented_reserved",
    "cost.break_even_utilisation",
    "performance.elapsed_time_s",
    "performance.mfu",
    "reliability.ettr",
    "power.utility_mean_w",
    "power.utility_peak_w",
    "cooling.pue",
    "carbon.total_kg",
)
"""A job has those of its kind."""
MAIN = ("cost.usd_per_accelerator_hour", "cost.usd_per_run", "performance.elapsed_time_s")
"""What the answer is told for, the first that is known."""
DECIDED_BY = (
    "cost.usd_per_run",
    "cost.usd_per_run_rented_on_demand",
    "cost.usd_per_run_rented_reserved",
    "performance.elapsed_time_s",
    "power.utility_peak_w",
)
"""Needed for the probabilities and the decision, whatever is asked for."""


def chosen_figures(stated: Sequence[str], sections: Sections) -> tuple[str, ...]:
    """The figures to tell of, each of one value.

    Raises
    ------
    ScenarioError : the evaluation has no such figure, or one of many values
    """
    known = {path: np.size(figure) for path, figure in leaves(sections)}
    if not stated:
        return tuple(path for path in KEY_FIGURES if path in known)
    for place, path in enumerate(stated):
        if path not in known:
            raise refuse(
                f"{path!r} is not a figure of the evaluation.",
                rule="unknown_quantity",
                path=f"figures[{place}]",
                value=path,
                hint=f"Nearest: {nearest_names(path, known)}.",
            )
        if known[path] != 1:
            raise refuse(
                f"{path!r} has {known[path]:,} values for one design.",
                rule="one_value",
                path=f"figures[{place}]",
                value=path,
                hint="Choose a figure of one value.",
            )
    return tuple(dict.fromkeys(stated))
