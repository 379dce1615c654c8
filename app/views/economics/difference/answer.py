"""What explains the difference between two designs in one figure, in views that each add up to all of it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.specs import ServingWorkload
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_workload
from app.views.economics.difference.causes import Causes, causes
from app.views.economics.difference.figures import EXPLAINED
from app.views.economics.difference.lines import bundle_title, by_category, by_cause, by_factor
from app.views.economics.difference.offers import PART_TITLES, offer_of
from app.views.economics.difference.options import DifferenceOptions, FigureKey
from app.views.economics.difference.report import DifferenceLine, DifferenceReport
from app.views.economics.difference.words import findings

RENT_TITLE = "Rent of a used accelerator-hour"
RENT_NOTE = "Over the horizon of each design, on its price path, in today's worth."


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
        one_workload(side.resolved.design, "What explains a difference")
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
        f"{bundle_title(bundle)} are taken together, as designs that mix them cannot be told: {why.rstrip('.')}."
        for bundle, why in found.refusals
    )
    shapley = (
        "What a change brings is its mean over all orders in which the changes could be made (Shapley value), from "
        f"{found.evaluations} designs between the two. They are yardsticks: not each of them would be built."
    )
    return (shapley, *together)
