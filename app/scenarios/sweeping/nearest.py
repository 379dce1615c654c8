"""The value next to a refused one with which a design is feasible."""

from __future__ import annotations

import math
from typing import Any

from app.catalog.view import CatalogView
from app.engine.explore.job_sizes import evaluate_block
from app.scenarios.errors import ScenarioError
from app.scenarios.resolve import resolve
from app.scenarios.sweeping.axes import scenario_with

BESIDE = 8
"""Values on either side of a refused one that are tried one by one."""
LARGEST_ODD = 15
"""Larger values that are tried are an odd number up to this, doubled: layouts, batches and racks divide by
them."""


KEPT = ("cost.capex_usd",)
"""Figures that a block keeps, at least one."""
MOST_EVALUATED = 6
"""Allowed values that are evaluated at most; each may need another search of layouts."""


def nearest_feasible(
    scenario: dict[str, Any], fields: dict[str, Any], field: str, catalog: CatalogView
) -> int | None:
    """The nearest count with which a refused design is feasible; None where none was found near.

    Parameters
    ----------
    fields : what the sweep puts into the scenario in that design; `field` is one of them, and a whole number
    """
    refused = fields[field]
    if isinstance(refused, bool) or not isinstance(refused, int) or refused < 1:
        return None
    evaluated = 0
    for value in candidates(refused):
        try:
            design = resolve(scenario_with(scenario, {**fields, field: value}), catalog).design
        except ScenarioError:
            continue
        if not evaluate_block(design, {}, 1, KEPT).limits.any():
            return value
        evaluated += 1
        if evaluated == MOST_EVALUATED:
            break
    return None


def candidates(value: int) -> list[int]:
    """Counts from a half to twice a value, the nearest first.

    >>> candidates(458)[-4:]
    [240, 896, 229, 916]
    """
    near = {value + step for step in range(-BESIDE, BESIDE + 1)}
    far = {
        odd << power
        for odd in range(1, LARGEST_ODD + 1, 2)
        for power in range(value.bit_length() + 1)
        if value / 2 <= odd << power <= 2 * value
    }
    found = {one for one in near | far | {value // 2, 2 * value} if one >= 1} - {value}
    return sorted(found, key=lambda one: (abs(math.log(one / value)), one))
