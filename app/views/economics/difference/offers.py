"""Two offers to rent the same use of a pod, each by what its bill is made of."""

from __future__ import annotations

from dataclasses import dataclass

from app.catalog.lookup import Catalog
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.own_or_rent import own_or_rent_answer
from app.views.economics.own_or_rent.document import TermKey
from app.views.economics.own_or_rent.report import OwnOrRent, RentTerm

PART_TITLES = {
    "hours": "Hours that are used",
    "booked": "Hours booked, not used",
    "goodput": "Time lost to lesser goodput",
    "support": "Support",
    "storage": "Storage",
    "egress": "Data taken out",
    "setup": "Set-up",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """USD for a used hour: all of it, by component, and the factors that multiply to it."""

    title: str
    usd_per_used_hour: float
    parts: dict[str, float]
    factors: dict[str, float]


def offer_of(scenario: EvaluatedScenario, catalog: Catalog, term: TermKey, field: str) -> Offer:
    """The offer of a scenario on one kind of terms.

    Raises
    ------
    ScenarioError : no price of these terms is known
    """
    answer = own_or_rent_answer(scenario, catalog)
    found = next((one for one in answer.terms if one.term == term), None)
    if found is None or not found.usd_per_hour > 0:
        known = ", ".join(one.term for one in answer.terms if one.usd_per_hour > 0)
        raise refuse(
            f"no price of {term.replace('_', ' ')} is known for {answer.accelerator}.",
            rule="no_price",
            path=field,
            value=term,
            hint=f"State {found.field}." if found else f"Choose one of {known}.",
        )
    return _offer(answer, found)


def _offer(answer: OwnOrRent, term: RentTerm) -> Offer:
    """Parts of the whole bill, each for an hour that is used."""
    each = term.usd_per_used_hour / term.total_usd
    paid = term.parts.hours_usd * each
    useful = paid * answer.goodput_ratio
    used = useful / term.paid_over_used
    return Offer(
        title=term.title,
        usd_per_used_hour=term.usd_per_used_hour,
        parts={
            "hours": used,
            "booked": useful - used,
            "goodput": paid - useful,
            "support": term.parts.support_usd * each,
            "storage": term.parts.storage_usd * each,
            "egress": term.parts.egress_usd * each,
            "setup": term.parts.setup_usd * each,
        },
        factors={
            "Price of an hour today": term.usd_per_hour,
            "Prices of later months over today's": used / term.usd_per_hour,
            "Hours paid over hours used": term.paid_over_used,
            "Hours for the same work": 1 / answer.goodput_ratio,
            "Whole bill over its hours": term.usd_per_used_hour / paid,
        },
    )
