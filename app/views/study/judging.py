"""Figures of many candidates against the limits of a study: probability of keeping each, and what binds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.trace import Array
from app.engine.uncertainty.within import factor_at, probability_within
from app.scenarios.study.blocks import OUTPUTS, StudyBlock
from app.scenarios.study.document import StudyDocument
from app.scenarios.study.limits import LimitsDocument, Term
from app.scenarios.study.scenarios import BUILDING, RENTED
from app.views.study.columns import FIGURES, FigureColumn

DAY_S, DAYS_A_MONTH = 86_400.0, 365.25 / 12
IN_FIGURE = {"finish_within_days": DAY_S}
"""Factor from the unit of a limit to that of its figure."""
LATE = ("floor_m2", "ttft_s", "tpot_s", "served_tokens_per_s", "delivery_months")
"""Figures that are computed for the shortlist only."""
OF_SERVING = {
    "ttft_s": "performance.ttft_within_s",
    "tpot_s": "performance.tpot_within_s",
    "served_tokens_per_s": "performance.tokens_per_s",
}
"""Figures of a served model, by their place in its evaluation."""
OF_OWNED = ("meter_power_w", "pue", "water_m3_per_year", "floor_m2", "delivery_months")
"""Figures of a building: a limit of one does not concern capacity that is rented by the hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A stated limit on a figure, in its unit, with the probability that is asked for."""

    column: FigureColumn
    value: float
    asked: float

    def holds_for(self, terms: Term) -> bool:
        return terms not in RENTED or self.column.key not in OF_OWNED


def bounds_of(limits: LimitsDocument, order_date: date | None = None) -> tuple[Bound, ...]:
    """The stated limits that are numbers, in the order of the columns."""
    found = []
    for column in FIGURES:
        stated: Any = getattr(limits, column.limit) if column.limit else None
        if isinstance(stated, date) and order_date is not None:
            stated = (stated - order_date).days / DAYS_A_MONTH
        if isinstance(stated, int | float) and not isinstance(stated, bool):
            asked = limits.finish_probability if column.key == "time_s" else limits.probability
            found.append(
                Bound(column=column, value=float(stated) * IN_FIGURE.get(column.limit, 1.0), asked=asked)
            )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Figures of the pods of a block: `values` by key, each of shape (sites, terms, counts).

    Parameters
    ----------
    time_ends : of shape (2, counts), P10 and P90 over the value
    feasible : of shape (sites, terms, counts)
    """

    values: dict[str, Array]
    time_ends: Array
    feasible: NDArray[np.bool_]


def figures_of(
    block: StudyBlock, sites: int, terms: Sequence[Term], buildings: Sequence[Term], *, serves: bool = False
) -> Figures:
    """The figures of every site and terms. Places of a block are sites x buildings.

    Rented capacity needs no capital; its run, and the work of the pod over its life, cost the rent of their
    hours.
    """
    place = {BUILDING[term]: position for position, term in enumerate(buildings)}
    shape = (sites, len(buildings), *block.values.shape[1:])
    by_site = block.values.reshape(shape)
    broken = block.broken.reshape(sites, len(buildings), -1)
    row = {path: position for position, path in enumerate(OUTPUTS)}
    values: dict[str, list[Array]] = {}
    feasible = []
    for term in terms:
        here = by_site[:, place[BUILDING[term]]]
        feasible.append(broken[:, place[BUILDING[term]]] == 0)
        found = {column.key: here[:, row[column.path]] for column in FIGURES if column.path in row}
        if serves:
            found |= {key: here[:, row[path]] for key, path in OF_SERVING.items()}
        owned, capex = here[:, row["cost.usd_per_run"]], here[:, row["cost.capex_usd"]]
        tco = here[:, row["cost.tco_usd"]]
        if term in RENTED:
            run = here[:, row[f"cost.usd_per_run_rented_{RENTED[term]}"]]
            with np.errstate(invalid="ignore", divide="ignore"):
                tco = tco * run / owned
            found |= {"run_usd": run, "capex_usd": np.zeros_like(run), "tco_usd": tco}
        else:
            found |= {"run_usd": owned, "capex_usd": capex, "tco_usd": tco}
        found["racks"] = here[:, row["power.racks"]]
        for name, figure in found.items():
            values.setdefault(name, []).append(figure)
    return Figures(
        values={name: np.stack(parts, axis=1) for name, parts in values.items()},
        time_ends=block.time_ends,
        feasible=np.stack(feasible, axis=1),
    )


Spread = tuple[float, float]
"""P10 and P90 of a figure over its value."""


def probabilities(
    figures: Figures,
    bounds: Sequence[Bound],
    terms: Sequence[Term],
    spreads: Mapping[tuple[str, Term], Spread] | None = None,
) -> dict[str, Array]:
    """Probability of keeping each limit, by key of its figure, of shape (sites, terms, counts); NaN where
    unknown."""
    found = {}
    for bound in bounds:
        key = bound.column.key
        if key not in figures.values:  # computed for the shortlist only
            continue
        value = figures.values[key]
        if key == "time_s":
            low, high = figures.time_ends
            low, high = np.where(np.isnan(low), 1.0, low), np.where(np.isnan(high), 1.0, high)
            ends = np.broadcast_to(low, value.shape), np.broadcast_to(high, value.shape)
        else:
            each = [(spreads or {}).get((key, term), (1.0, 1.0)) for term in terms]
            ends = tuple(
                np.broadcast_to(np.array([one[side] for one in each])[None, :, None], value.shape)
                for side in (0, 1)
            )  # type: ignore[assignment]
        chance = chance_of(bound, value, ends[0], ends[1])
        freed = np.array([not bound.holds_for(term) for term in terms])
        found[key] = np.where(freed[None, :, None], 1.0, np.where(value == 0, 1.0, chance))
    return found


def chance_of(bound: Bound, value: Array, low_ratio: Array, high_ratio: Array) -> Array:
    """Probability of keeping a limit, of figures with P10 and P90 over their value."""
    limit = np.full(1, bound.value)
    with np.errstate(invalid="ignore", divide="ignore"):
        if bound.column.better == "more":  # at least: the inverse is at most
            value, low_ratio, high_ratio, limit = 1 / value, 1 / high_ratio, 1 / low_ratio, 1 / limit
        return probability_within(value=value, low=value * low_ratio, high=value * high_ratio, limit=limit)


def keeps(
    chances: Mapping[str, Array], bounds: Sequence[Bound], feasible: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Whether every limit is kept with the probability asked for; what is unknown keeps none."""
    kept = feasible.copy()
    for bound in bounds:
        if bound.column.key in chances:
            # a figure at its limit has a probability of one half
            kept &= np.nan_to_num(chances[bound.column.key], nan=-1.0) >= bound.asked - 1e-12
    return kept


def least_room(bound: Bound, ends: Spread) -> float:
    """Highest typical figure that keeps a limit with the probability asked for."""
    factor = factor_at(
        probability=np.full(1, bound.asked), low_ratio=np.full(1, ends[0]), high_ratio=np.full(1, ends[1])
    )
    return bound.value / float(factor[0])


def objective_key(study: StudyDocument) -> str:
    """Key of the figure that answers are ranked by."""
    return next(column.key for column in FIGURES if column.objective == study.objective)
