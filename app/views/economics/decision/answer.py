"""The decision: five questions answered from the scenario, and a summing-up."""

from __future__ import annotations

import math

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.economics.deciding import more_than_the_least_usd
from app.engine.explain import missing_inputs
from app.engine.trace import Suggestion, first_of
from app.scenarios.evaluation.service import EvaluatedScenario, evaluated
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.fields import with_field
from app.views.economics.decision.ownership import compute_answer, ownership_answer, summing_up
from app.views.economics.decision.report import (
    HELD,
    Compared,
    Decision,
    DecisionOptions,
    MissingInput,
    PaidSoFar,
    PrivacyAnswer,
    Regretted,
    StartAnswer,
    TermUse,
    UseAnswer,
    compared,
    in_months,
)
from app.views.economics.own_or_rent.pod import MONTH
from app.views.economics.own_or_rent.rented import usd
from app.views.economics.own_or_rent.report import OwnOrRent, RentTerm
from app.views.economics.own_or_rent.words import ON_PATH, choice_words, money, percent

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


RULE = 0.70
NEAR = 0.05
"""The rule is right for a scenario whose break-even use is as near to it."""


def use_answer(found: Compared) -> UseAnswer:
    """Break-even use by rental terms, against the scenario's use and against the article's rule."""
    report = found.report
    terms = tuple(
        _term(term, report.utilisation) for term in report.terms if not math.isnan(term.usd_per_hour)
    )
    needed = found.term.break_even_utilisation if found.term is not None else math.nan
    rule_is = "unknown" if math.isnan(needed) else "right" if abs(needed - RULE) <= NEAR else "wrong"
    return UseAnswer(
        answer=_answer(found, needed),
        said=tuple(_said(found, needed, rule_is)),
        tab="rent",
        utilisation=report.utilisation,
        rule=RULE,
        rule_is=rule_is,
        rule_advises="own" if report.utilisation > RULE else "rent",
        term=found.term.term if found.term is not None else "",
        terms=terms,
    )


def _term(term: RentTerm, utilisation: float) -> TermUse:
    cheaper = (
        "unknown" if term.owning_pays == "unknown"
        else "own" if term.break_even_utilisation <= utilisation else "rent"
    )  # fmt: skip
    return TermUse(
        term=term.term,
        title=term.title,
        usd_per_hour=term.usd_per_hour,
        as_of=term.as_of,
        break_even_utilisation=term.break_even_utilisation,
        owning_pays=term.owning_pays,
        cheaper=cheaper,
    )


def _answer(found: Compared, needed: float) -> str:
    if math.isnan(needed) or found.term is None:
        return "The use from which owning is cheaper is unknown, as an input of it is."
    than, months = choice_words(found.term.term), in_months(found.report.horizon_months)
    if math.isinf(needed):
        return f"Owning is not cheaper than {than} at any use over {months}."
    use = found.report.utilisation
    side = "above" if use >= needed else "below"
    return (
        f"Owning is cheaper than {than} from {percent(needed)} use over {months}; the scenario's {percent(use)} is "
        f"{side} that."
    )


def _said(found: Compared, needed: float, rule_is: str) -> list[str]:
    if math.isnan(needed):
        return []
    use = found.report.utilisation
    computed, advised = ("own" if use >= needed else "rent"), ("own" if use > RULE else "rent")
    at = "beyond any use" if math.isinf(needed) else f"at {percent(needed)}"
    agreed = "and so does the computation" if computed == advised else f"the computation says {computed}"
    verdict = (
        f"The article's fixed {percent(RULE)} is {rule_is} for this scenario: the break-even is {at}. At "
        f"{percent(use)} the rule says {advised}, {agreed}."
    )
    return [verdict, *_arithmetic(found, needed)]


def _arithmetic(found: Compared, needed: float) -> list[str]:
    """u* = (F - E) / (R - V), with its numbers."""
    if found.rented is None or math.isinf(needed):
        return []
    last = min(round(found.report.horizon_months), MONTH.size)
    own_fixed, own_full = usd(found.owned.fixed, last), usd(found.owned.at_full_use, last)
    rent_fixed, rent_full = usd(found.rented.fixed, last), usd(found.rented.at_full_use, last)
    peak = ""
    if found.rented.kind.pays_booked:
        rent_full *= first_of(found.pod.peak_over_mean)
        peak = ", the commitment being for the peak"
    return [
        (
            f"u* = (owning idle {money(own_fixed)} less rent that does not follow use {money(rent_fixed)}) / (rent of all "
            f"hours {money(rent_full)} less what full use adds to owning {money(own_full)}) = {percent(needed)}{peak}."
        )
    ]


FIRST_MONTHS = (3, 6, 12)


def start_answer(found: Compared) -> StartAnswer:
    """Cost of the first months without a commitment, break-even of owning, and regret by choice."""
    report = found.report
    term = _without_commitment(report)
    ahead = math.nan if term is None else term.break_even_month
    paid = () if term is None else _paid(report, term)
    regrets = _regrets(report)
    return StartAnswer(
        answer=_start_answer(report, term, paid),
        said=tuple(_start_said(report, term, ahead, regrets)),
        tab="rent",
        term=term.term if term is not None else "",
        paid=paid,
        owning_ahead_from_month=ahead,
        regrets=regrets,
        least_regretted=report.regret.least_regretted,
    )


def _without_commitment(report: OwnOrRent) -> RentTerm | None:
    """On demand where it has a price, else whatever is paid by the utilised hour."""
    known = [term for term in report.terms if term.pays == "used" and not math.isnan(term.total_usd)]
    return next(iter(known), None)


def _paid(report: OwnOrRent, term: RentTerm) -> tuple[PaidSoFar, ...]:
    lines = {line.choice: line.usd for line in report.lines}
    rented, owned = lines[term.term], lines["own"]
    return tuple(
        PaidSoFar(months=month, rented_usd=rented[month], owned_usd=owned[month])
        for month in FIRST_MONTHS
        if month < len(rented) and not math.isnan(owned[month])
    )


def _regrets(report: OwnOrRent) -> tuple[Regretted, ...]:
    table = report.regret
    if not table.least_regretted:
        return ()
    found = []
    for choice, row in zip(table.choices, table.regret_usd, strict=True):
        worst = max(range(len(row)), key=lambda place: row[place])
        found.append(
            Regretted(choice=choice, words=choice_words(choice), most_usd=row[worst], path=table.paths[worst])
        )
    return tuple(sorted(found, key=lambda one: one.most_usd))


def _start_answer(report: OwnOrRent, term: RentTerm | None, paid: tuple[PaidSoFar, ...]) -> str:
    if term is None or not paid:
        return "The rental cost of the first months is unknown, as an input is."
    first = paid[-1]
    return (
        f"The first {first.months} months cost {money(first.rented_usd)} {_in_the_cloud(term)}, against "
        f"{money(first.owned_usd)} paid by then for owning, of which {money(report.own.capex_usd)} at once."
    )


def _in_the_cloud(term: RentTerm) -> str:
    return "on demand" if term.term == "on_demand" else f"by {choice_words(term.term)}"


def _start_said(
    report: OwnOrRent, term: RentTerm | None, ahead: float, regrets: tuple[Regretted, ...]
) -> list[str]:
    found = []
    if term is not None and not math.isnan(ahead):
        found.append(_ahead(report, ahead))
    if regrets:
        least, most = regrets[0], regrets[-1]
        found.append(
            f"If the price path turns, {most.words} is regretted most, by {money(most.most_usd)}, "
            f"{ON_PATH[most.path]}; {least.words} "
            + (
                f"least, by {money(least.most_usd)} at most."
                if least.most_usd > 0
                else "costs least on every path."
            )
        )
    return found


def _ahead(report: OwnOrRent, month: float) -> str:
    path = ON_PATH[report.price_path]
    if month > report.horizon_months:
        return (
            f"In {in_months(report.horizon_months)} of work owning is never ahead in cash, {path}: staying in the "
            "cloud costs less."
        )
    return (
        f"Owning from the start is ahead from month {month:.0f}, {path}: a stay in the cloud longer than that costs "
        "more than having bought at once."
    )


ASKED = "Whether data may leave the house is for you to say: no computation knows your law and contracts."
DEDICATED = (
    "A sovereign or dedicated cloud is a third way; no price of one is in the catalog. State it as the rental "
    "price of the scenario to have it compared."
)


def privacy_answer(found: Compared, data_must_stay: bool | None) -> PrivacyAnswer:
    """The constraint as it is stated, and what keeping data in costs."""
    more = math.nan
    if found.is_known and found.term is not None:
        more = first_of(
            more_than_the_least_usd(
                usd=np.array([found.report.own.total_usd]), least_usd=np.array([found.term.total_usd])
            )
        )
    return PrivacyAnswer(
        answer=_privacy_answer(data_must_stay),
        said=(_cost(found, more, data_must_stay), *((DEDICATED,) if data_must_stay is not False else ())),
        tab="rent",
        data_must_stay=data_must_stay,
        own_more_than_rent_usd=more,
    )


def _privacy_answer(data_must_stay: bool | None) -> str:
    if data_must_stay is None:
        return ASKED
    if data_must_stay:
        return "Data must stay, so renting in a shared cloud is out, whatever it costs."
    return "Data may leave, so cost decides."


def _cost(found: Compared, more: float, data_must_stay: bool | None) -> str:
    if math.isnan(more) or found.term is None:
        return "The cost of keeping data on premises is unknown, as an input is."
    months = f"over {in_months(found.report.horizon_months)}"
    keeping = "Keeping them in costs" if data_must_stay else "Keeping them in would cost"
    than = choice_words(found.term.term)
    if more > 0:
        return f"{keeping} {money(more)} more than {than} {months}."
    return f"{keeping} nothing: owning is {money(-more)} cheaper than {than} {months} anyway."
