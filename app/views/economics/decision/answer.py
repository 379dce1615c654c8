"""The decision: five questions answered from the scenario, and a summing-up."""

from __future__ import annotations

import math

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.explain import missing_inputs
from app.engine.trace import Suggestion, first_of
from app.scenarios.evaluation.service import EvaluatedScenario, evaluated
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.fields import with_field
from app.views.economics.decision.compared import HELD, Compared, compared
from app.views.economics.decision.compute import compute_answer
from app.views.economics.decision.options import DecisionOptions
from app.views.economics.decision.ownership import ownership_answer
from app.views.economics.decision.privacy import privacy_answer
from app.views.economics.decision.report import Decision, MissingInput
from app.views.economics.decision.start import start_answer
from app.views.economics.decision.summing_up import summing_up
from app.views.economics.decision.use import use_answer

HORIZON = "economics.renting.horizon_months"
OWNING = "cost.tco_usd"
SPEED = "performance.elapsed_time_s"


def decision_answer(
    scenario: EvaluatedScenario, catalog: Catalog, options: DecisionOptions | None = None
) -> Decision:
    """Own, rent or both, by the article's questions, with computed answers in place of rules of thumb."""
    asked = options or DecisionOptions()
    found = compared(_with_months(scenario, catalog, asked.months_of_work), catalog)
    report = found.report
    return Decision(
        name=report.name,
        accelerator=report.accelerator,
        accelerators=report.accelerators,
        months_of_work=report.horizon_months,
        utilisation=report.utilisation,
        price_path=report.price_path,
        compute=compute_answer(found),
        privacy=privacy_answer(found, asked.data_must_stay),
        use=use_answer(found),
        ownership=ownership_answer(found),
        start=start_answer(found),
        summing_up=summing_up(found, asked.data_must_stay),
        missing=_missing(found),
        notes=report.notes,
    )


def _with_months(scenario: EvaluatedScenario, catalog: Catalog, months: float | None) -> EvaluatedScenario:
    """The scenario with work for that long."""
    if months is None or months == scenario.document.economics.renting.horizon_months:
        return scenario
    return evaluated(build_scenario(with_field(scenario.document.as_dict(), HORIZON, months)), catalog)


def _missing(found: Compared) -> tuple[MissingInput, ...]:
    """What hides the answer: of owning and speed whatever is missing, of renting its path or its prices."""
    missing = _unknown_inputs(found.scenario)
    if found.term is not None:
        return missing
    path = next(one for one in found.report.paths if one.is_chosen)
    if not path.is_known:
        missing += (_asked(f"Price path: {path.title}", "economics.renting.price_path"),)
    held = [term for term in found.report.terms if term.term in HELD]
    if all(math.isnan(term.usd_per_hour) for term in held):  # one price is enough to decide by
        missing += tuple(_asked(f"{term.title}, price of an accelerator-hour", term.field) for term in held)
    return missing


def _unknown_inputs(scenario: EvaluatedScenario) -> tuple[MissingInput, ...]:
    """What hides the cost of owning or the speed; following it up is only worth while where one is hidden."""
    sections = scenario.evaluation.sections
    if not np.isnan([first_of(sections.cost.tco_usd), first_of(sections.performance.elapsed_time_s)]).any():
        return ()
    return tuple(
        _asked(origin.label, origin.field or name, origin.suggestion)
        for name, (origin, affects) in missing_inputs(scenario.figures).items()
        if {OWNING, SPEED} & set(affects)
    )


def _asked(label: str, field: str, suggestion: Suggestion | None = None) -> MissingInput:
    return MissingInput(
        label=label,
        field=field,
        suggested=None if suggestion is None else suggestion.value,
        suggested_unit="" if suggestion is None else suggestion.unit,
    )
