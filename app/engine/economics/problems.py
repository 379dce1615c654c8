"""What speaks against owning the pod."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.problems import Fix, Problem
from app.engine.specs import Economics
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.economics.section import Cost


def economics_problems(*, economics: Economics, cost: Cost) -> list[Problem]:
    """Problems of cost.

    Renting being cheaper makes no design infeasible; it is said as a warning. Unknown figures raise
    no problem here: what is missing is named where it is missing.
    """
    utilisation, needed = _first(economics.utilisation), _first(cost.break_even_utilisation)
    if not utilisation < needed:
        return []
    own = _first(cost.usd_per_accelerator_hour)
    price = _first(economics.rental_on_demand_usd_per_accelerator_hour)
    reachable = needed <= 1
    outcome = f"from a utilisation of {needed:.0%}" if reachable else "at no utilisation"
    return [
        Problem(
            kind="warning",
            field="economics.utilisation",
            constraint="renting is cheaper",
            message=(
                f"A used accelerator-hour costs {own:,.2f} USD to own and {price:,.2f} USD to rent on demand; "
                f"owning is cheaper {outcome}."
            ),
            value=utilisation,
            limit=needed if reachable else None,
            missed_by=needed - utilisation if reachable else None,
            unit="1",
            fix=Fix(
                field="economics.utilisation",
                value=needed,
                message=f"Keep the pod in use for more than {needed:.0%} of the time.",
            )
            if reachable
            else None,
            affects=("cost.usd_per_accelerator_hour", "cost.usd_per_run"),
        )
    ]


def _first(figure: Array) -> float:
    return float(np.ravel(figure)[0])
