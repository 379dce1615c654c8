"""Probabilities of meeting the limits, and the cost of the run by way of payment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from app.engine.specs import Design
from app.engine.trace import Array, first_of
from app.engine.uncertainty.information import value_of_each_usd, value_of_perfect_information_usd
from app.engine.uncertainty.summary import share_within
from app.scenarios.document.uncertainty import UncertaintyDocument
from app.views.uncertainty.inputs import VaryingInput
from app.views.uncertainty.report import Information, Probability

DAY_S = 86_400
OWN = "cost.usd_per_run"
RENTED = {
    "on demand": "cost.usd_per_run_rented_on_demand",
    "reserved": "cost.usd_per_run_rented_reserved",
}
DECISION = "own or rent the run"


def probabilities(
    design: Design, doubt: UncertaintyDocument, figures: Mapping[str, Array], limits: NDArray[np.uint8]
) -> Iterator[Probability]:
    """Probabilities of the deadline, the budget, the utility limit, owning below renting, and feasibility."""
    days = figures["performance.elapsed_time_s"] / DAY_S
    yield _within(
        "deadline", "Done by the deadline", days, doubt.deadline_days, "days", "uncertainty.deadline_days"
    )
    cost = figures[OWN]
    yield _within("budget", "Within the budget", cost, doubt.budget_usd, "USD", "uncertainty.budget_usd")
    connection = design.facility.utility_limit_w
    limit_w = None if connection is None else first_of(connection)
    peak_w = figures["power.utility_peak_w"]
    yield _within("power_limit", "Within the connection", peak_w, limit_w, "W", "facility.utility_limit_w")
    for name, label, kind in (
        ("own_below_rent", "Owned run costs less than rented on demand", "on demand"),
        ("own_below_reserved", "Owned run costs less than rented reserved", "reserved"),
    ):
        rented = figures[RENTED[kind]]
        share = share_within(cost, rented)
        yield Probability(
            name=name,
            label=label,
            share=None if np.isnan(share) else share,
            limit=None,
            unit="USD",
            said=_compared(cost, share, kind),
        )
    yield Probability(
        name="feasible",
        label="Breaks no limit",
        share=float(np.mean(limits == 0)),
        limit=None,
        unit="1",
        said="Memory, fabric, cooling, power and storage; what is unknown breaks none.",
    )


def information(
    figures: Mapping[str, Array], shares: Array, inputs: tuple[VaryingInput, ...]
) -> tuple[Information, ...]:
    """Expected value of perfect information, in total and by input; empty without a choice.

    Parameters
    ----------
    shares : (n, inputs), by which the inputs were drawn
    """
    actions = [figures[path] for path in (OWN, *RENTED.values()) if np.isfinite(figures[path]).any()]
    costs = np.array(actions)
    known = np.isfinite(costs).all(axis=0) if actions else np.zeros(0, dtype=bool)
    if len(actions) < 2 or not np.isfinite(figures[OWN]).any() or known.sum() < 2:
        return ()
    costs = costs[:, known]
    whole = first_of(value_of_perfect_information_usd(costs_usd=costs))
    each = value_of_each_usd(costs, shares[known])
    found = [
        Information(
            decision=DECISION,
            place=one.place,
            value_usd=min(float(value), whole),
            method="expected value of perfect information on this input alone, by regression on the samples",
        )
        for one, value in zip(inputs, each, strict=True)
    ]
    everything = Information(
        decision=DECISION,
        place="",
        value_usd=whole,
        method="expected value of perfect information on every input, from the samples",
    )
    return (everything, *sorted(found, key=lambda one: -one.value_usd))


def _compared(cost: Array, share: float, kind: str) -> str:
    """What stands behind the comparison of a run's own cost with its rent."""
    if np.isnan(cost).all():
        return "The workload has no cost of a run to compare."
    return f"No rental price {kind} is known." if np.isnan(share) else "Compared in every sample."


def _within(name: str, label: str, values: Array, limit: float | None, unit: str, field: str) -> Probability:
    share = float("nan") if limit is None else share_within(values, limit)
    return Probability(
        name=name,
        label=label,
        share=None if np.isnan(share) else share,
        limit=limit,
        unit=unit,
        said=f"No limit is stated; state {field}." if limit is None else f"Limit of {field}.",
    )
