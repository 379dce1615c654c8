"""Correlations of the inputs: stated in the scenario, else of prices by catalog assumption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.catalog.view import CatalogView
from app.engine.trace import Array
from app.engine.uncertainty.copula import is_possible, nearest_possible
from app.scenarios.document.uncertainty import UncertaintyDocument
from app.scenarios.errors import refuse
from app.views.uncertainty.inputs import VaryingInput
from app.views.uncertainty.report import RankCorrelation

ROOM = "uncertainty"
ON_DEMAND = "economics.rental_on_demand_usd_per_accelerator_hour"
RESERVED = "economics.rental_reserved_usd_per_accelerator_hour"
CONTRACT = "economics.renting.contract_usd_per_accelerator_hour"
HARDWARE = ("supernode.price_usd", "supernode.accelerator.price_usd")
ASSUMED = (
    (ON_DEMAND, RESERVED, "rental_rank_correlation"),
    (ON_DEMAND, CONTRACT, "rental_rank_correlation"),
    (RESERVED, CONTRACT, "rental_rank_correlation"),
    *(
        (price, rent, "hardware_rental_rank_correlation")
        for price in HARDWARE
        for rent in (ON_DEMAND, RESERVED, CONTRACT)
    ),
)


def rank_correlations(
    doubt: UncertaintyDocument, inputs: Sequence[VaryingInput], catalog: CatalogView
) -> tuple[RankCorrelation, ...]:
    """Correlated inputs, by place; the catalog's assumptions only where the scenario states no correlation.

    Raises
    ------
    ScenarioError : a correlation of what does not vary
    """
    return tuple(_stated(doubt, inputs) if doubt.correlations else _assumed(inputs, catalog))


def correlation_matrix(correlations: Sequence[RankCorrelation], inputs: Sequence[VaryingInput]) -> Array:
    """Rank correlations of all inputs, those that are not named none: (inputs, inputs).

    Raises
    ------
    ScenarioError : inputs cannot have them all at once; the pairs in the way and what would do are named
    """
    places = [one.place for one in inputs]
    matrix = np.eye(len(places))
    pairs = [(places.index(pair.one), places.index(pair.other)) for pair in correlations]
    for (one, other), pair in zip(pairs, correlations, strict=True):
        matrix[one, other] = matrix[other, one] = pair.coefficient
    involved = sorted({place for pair in pairs for place in pair})
    part = matrix[np.ix_(involved, involved)]
    if not involved or is_possible(part):
        return matrix
    nearest = np.eye(len(places))
    nearest[np.ix_(involved, involved)] = nearest_possible(part)
    moved = [pair for pair in pairs if nearest[pair] != matrix[pair]]
    named = ", ".join(f"{inputs[one].field} with {inputs[other].field}" for one, other in moved)
    would_do = ", ".join(f"{nearest[pair]:g}" for pair in moved)
    raise refuse(
        f"The correlations of {named} cannot all hold at once: their matrix is not positive definite.",
        rule="positive_definite",
        path="uncertainty.correlations",
        value=[pair.coefficient for pair in correlations],
        hint=f"The nearest that can: {would_do}, in this order.",
    )


def _stated(doubt: UncertaintyDocument, inputs: Sequence[VaryingInput]) -> Iterator[RankCorrelation]:
    by_field = {name: one.place for one in inputs for name in (one.field, one.place)}
    for number, pair in enumerate(doubt.correlations):
        for name in pair.between:
            if name not in by_field:
                raise refuse(
                    f"{name} does not vary, so nothing can move together with it.",
                    rule="range_wanted",
                    path=f"uncertainty.correlations[{number}].between",
                    value=name,
                    hint="Give it a range, or drop the pair.",
                )
        one, other = (by_field[name] for name in pair.between)
        yield RankCorrelation(one=one, other=other, coefficient=pair.coefficient, origin="scenario")


def _assumed(inputs: Sequence[VaryingInput], catalog: CatalogView) -> Iterator[RankCorrelation]:
    places = {one.place for one in inputs}
    for one, other, name in ASSUMED:
        if one in places and other in places:
            coefficient = catalog.assumption(ROOM, name, {}).value
            yield RankCorrelation(one=one, other=other, coefficient=coefficient, origin="assumption")
