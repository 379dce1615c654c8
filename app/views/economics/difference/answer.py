"""Explanation of the difference between two designs in one figure, in views that each add up to all of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
from pydantic import Field

from app.catalog.lookup import Catalog
from app.engine.economics.difference.shapley import brought_by_category, brought_by_factor
from app.engine.specs import ServingWorkload
from app.engine.trace import first_of
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_workload
from app.scenarios.fields import Part
from app.views.economics.difference.causes import (
    Bundle,
    Causes,
    DifferenceLine,
    DifferenceReport,
    causes,
    findings,
)
from app.views.economics.difference.figures import EXPLAINED, GROUPS
from app.views.economics.own_or_rent import own_or_rent_answer
from app.views.economics.own_or_rent.report import OwnOrRent, RentTerm
from app.views.economics.own_or_rent.terms import TermKey

RENT_TITLE = "Rent per utilised accelerator-hour"
RENT_NOTE = "Over the horizon of each design, on its price path, at present value."


def difference_answer(
    first: EvaluatedScenario,
    second: EvaluatedScenario,
    catalog: Catalog,
    options: DifferenceOptions | None = None,
) -> DifferenceReport:
    """Second less first: by category, by cause and by factor.

    Raises
    ------
    ScenarioError : an offer is compared whose price is not known
    """
    asked = options or DifferenceOptions()
    for side in (first, second):
        one_workload(side.resolved.design, "Explanation of a difference")
    with np.errstate(invalid="ignore", divide="ignore"):
        if asked.figure == "rent":
            return _of_offers(first, second, catalog, asked)
        return _of_designs(first, second, catalog, asked.figure or usual_figure(first, second))


def usual_figure(*sides: EvaluatedScenario) -> FigureKey:
    """Figure that is explained by default: the cost of a run, which a pod that serves has not."""
    serves = any(isinstance(side.resolved.design.workload, ServingWorkload) for side in sides)
    return "usd_per_million_tokens" if serves else "usd_per_run"


def _of_designs(
    first: EvaluatedScenario, second: EvaluatedScenario, catalog: Catalog, key: str
) -> DifferenceReport:
    figure, sides = EXPLAINED[key], (first, second)
    values = [figure.value(side.evaluation.sections) for side in sides]
    names = (first.document.name, second.document.name)
    unknown = tuple(
        f"{figure.title} of {name} is not known: an input of it is not published. The studio says which."
        for name, value in zip(names, values, strict=True)
        if not math.isfinite(value)
    )
    if unknown:
        return _report(key, figure.title, figure.unit, names, values, notes=unknown)
    parts = [
        {
            name: first_of(part)
            for name, part in figure.parts(side.resolved.design, side.evaluation.sections).items()
        }
        for side in sides
    ]
    factors = [figure.factors(side.resolved.design, side.evaluation.sections) for side in sides]
    found = causes(first, second, catalog, figure.value)
    difference = values[1] - values[0]
    views = {
        "by_category": by_category(parts, difference, figure.part_titles),
        "by_cause": by_cause(found, difference),
        "by_factor": by_factor(factors, values),
    }
    notes, made = _notes(found), found.evaluations
    return _report(key, figure.title, figure.unit, names, values, views=views, notes=notes, evaluations=made)


def _of_offers(
    first: EvaluatedScenario, second: EvaluatedScenario, catalog: Catalog, options: DifferenceOptions
) -> DifferenceReport:
    offers = (
        offer_of(first, catalog, options.first_offer, "first_offer"),
        offer_of(second, catalog, options.second_offer, "second_offer"),
    )
    values = [offer.usd_per_used_hour for offer in offers]
    views = {
        "by_category": by_category([offer.parts for offer in offers], values[1] - values[0], PART_TITLES),
        "by_factor": by_factor([offer.factors for offer in offers], values),
    }
    names = (f"{first.document.name}, {offers[0].title}", f"{second.document.name}, {offers[1].title}")
    return _report("rent", RENT_TITLE, "USD", names, values, views=views, notes=(RENT_NOTE,))


def _report(
    key: str,
    title: str,
    unit: str,
    names: tuple[str, str],
    values: list[float],
    *,
    views: Mapping[str, tuple[DifferenceLine, ...]] = MappingProxyType({}),
    notes: tuple[str, ...] = (),
    evaluations: int = 0,
) -> DifferenceReport:
    report = DifferenceReport(
        first_name=names[0],
        second_name=names[1],
        figure=key,
        title=title,
        unit=unit,
        first=values[0],
        second=values[1],
        difference=values[1] - values[0],
        ratio=values[1] / values[0] if values[0] else math.nan,
        by_category=views.get("by_category", ()),
        by_cause=views.get("by_cause", ()),
        by_factor=views.get("by_factor", ()),
        said=(),
        notes=notes,
        evaluations=evaluations,
    )
    return dataclasses.replace(report, said=findings(report))


def _notes(found: Causes) -> tuple[str, ...]:
    if not found.bundles:
        return ("Both state the same inputs.",)
    together = tuple(
        f"{bundle_title(bundle)} are taken together, as designs that mix them cannot be evaluated: {why.rstrip('.')}."
        for bundle, why in found.refusals
    )
    shapley = (
        "The effect of a change is its mean over all orders in which the changes could be made (Shapley value), from "
        f"{found.evaluations} designs between the two. They serve the comparison only; some could not be built."
    )
    return (shapley, *together)


BUNDLES = {group.key: group for group in GROUPS}


def by_category(
    parts: list[dict[str, float]], difference: float, titles: Mapping[str, str]
) -> tuple[DifferenceLine, ...]:
    """Contribution of each category; one that a side lacks is nothing there."""
    arrays = [{name: np.array([value]) for name, value in side.items()} for side in parts]
    return tuple(
        DifferenceLine(
            key=name,
            title=titles.get(name) or name.replace("_", " ").capitalize(),
            said="",
            amount=first_of(amount),
            share=_share(first_of(amount), difference),
            first=parts[0].get(name, 0.0),
            second=parts[1].get(name, 0.0),
            least=None,
            most=None,
        )
        for name, amount in brought_by_category(arrays[0], arrays[1]).items()
        if parts[0].get(name, 0.0) or parts[1].get(name, 0.0)
    )


def by_cause(found: Causes, difference: float) -> tuple[DifferenceLine, ...]:
    """Contribution of each change, with its least and greatest over all orders."""
    return tuple(
        DifferenceLine(
            key="+".join(bundle),
            title=bundle_title(bundle),
            said="; ".join(BUNDLES[group].said for group in bundle),
            amount=float(found.brought[place]),
            share=_share(float(found.brought[place]), difference),
            first=None,
            second=None,
            least=float(found.least[place]),
            most=float(found.most[place]),
        )
        for place, bundle in enumerate(found.bundles)
    )


def bundle_title(bundle: Bundle) -> str:
    """Title of groups that change together."""
    titles = [BUNDLES[group].title for group in bundle]
    rest = [title[0].lower() + title[1:] for title in titles[1:]]
    return f"{', '.join([titles[0], *rest[:-1]])} and {rest[-1]}" if rest else titles[0]


def by_factor(factors: list[dict[str, float]], values: list[float]) -> tuple[DifferenceLine, ...]:
    """Contribution of each factor; no lines where one is unknown or zero, as its logarithm is no number."""
    one, other = factors
    if not all(
        math.isfinite(value) and value > 0 for value in (*one.values(), *other.values(), *values)
    ) or list(one) != list(other):
        return ()
    difference = values[1] - values[0]
    amounts = {
        title: first_of(
            brought_by_factor(
                first_product=np.array([values[0]]),
                second_product=np.array([values[1]]),
                ratio=np.array([other[title] / one[title]]),
            )
        )
        for title in one
    }
    return tuple(
        DifferenceLine(
            key=title.lower().replace(" / ", " over ").replace(" ", "_").replace(",", "").replace("'", ""),
            title=title,
            said=f"times {other[title] / one[title]:.4g}",
            amount=amount,
            share=_share(amount, difference),
            first=one[title],
            second=other[title],
            least=None,
            most=None,
        )
        for title, amount in amounts.items()
        if not math.isclose(one[title], other[title], rel_tol=1e-12)
    )


def _share(amount: float, difference: float) -> float:
    return amount / difference if difference else math.nan


PART_TITLES = {
    "hours": "Utilised hours",
    "booked": "Hours booked, not used",
    "goodput": "Time lost to lower goodput",
    "support": "Support",
    "storage": "Storage",
    "egress": "Data taken out",
    "setup": "Set-up",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """USD per utilised hour: all of it, by component, and the factors that multiply to it."""

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
            "Price per hour today": term.usd_per_hour,
            "Later prices / today's price": used / term.usd_per_hour,
            "Paid / utilised hours": term.paid_over_used,
            "Hours for the same work": 1 / answer.goodput_ratio,
            "Total bill / its hours": term.usd_per_used_hour / paid,
        },
    )


FigureKey = Literal[
    "usd_per_run",
    "usd_per_million_tokens",
    "tco",
    "usd_per_accelerator_hour",
    "usd_per_useful_accelerator_hour",
    "carbon",
    "rent",
]
FIGURES: tuple[FigureKey, ...] = get_args(FigureKey)
TERMS: tuple[TermKey, ...] = get_args(TermKey)


class DifferenceOptions(Part):
    """The figure; for `rent` the offers that are compared."""

    figure: FigureKey | None = Field(
        default=None,
        description="Figure whose difference is explained; without one the cost of a run, and of a million tokens where "
        "a design serves.",
    )
    first_offer: TermKey = Field(
        default="on_demand", description="Rental terms of the first design, where the figure is rent."
    )
    second_offer: TermKey = Field(
        default="on_demand", description="Rental terms of the second design, where the figure is rent."
    )
