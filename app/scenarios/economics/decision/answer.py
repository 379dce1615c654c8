"""The decision: five questions answered from the scenario, and a summing-up."""

from __future__ import annotations

from app.catalog.lookup import Catalog
from app.scenarios.economics.decision.compared import Compared, compared
from app.scenarios.economics.decision.compute import compute_answer
from app.scenarios.economics.decision.options import DecisionOptions
from app.scenarios.economics.decision.ownership import ownership_answer
from app.scenarios.economics.decision.privacy import privacy_answer
from app.scenarios.economics.decision.report import Decision, MissingInput
from app.scenarios.economics.decision.start import start_answer
from app.scenarios.economics.decision.summing_up import summing_up
from app.scenarios.economics.decision.use import use_answer
from app.scenarios.load import build_scenario
from app.scenarios.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.sweeping.fields import with_field

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
    return evaluate_scenario(
        build_scenario(with_field(scenario.document.as_dict(), HORIZON, months)), catalog
    )


def _missing(found: Compared) -> tuple[MissingInput, ...]:
    """What hides the answer: of owning and speed whatever is missing, of renting its prices where none is known."""
    missing = [
        MissingInput(
            label=problem.message.partition(" is not published")[0],
            field=problem.field,
            suggested=None if problem.suggested_assumption is None else problem.suggested_assumption.value,
            suggested_unit="" if problem.suggested_assumption is None else problem.suggested_assumption.unit,
        )
        for problem in found.scenario.problems
        if problem.kind == "missing_input" and {OWNING, SPEED} & set(problem.affects)
    ]
    if found.term is None:
        missing += [
            MissingInput(
                label=f"{term.title}, price of an accelerator-hour",
                field=term.field,
                suggested=None,
                suggested_unit="",
            )
            for term in found.report.terms
        ]
    return tuple(missing)
