"""The third question: from which use owning is cheaper, and whether that is the 70 % of the article."""

from __future__ import annotations

import math

from app.engine.trace import first_of
from app.views.economics.decision.compared import Compared
from app.views.economics.decision.report import TermUse, UseAnswer
from app.views.economics.decision.words import in_months
from app.views.economics.own_or_rent.owned import MONTH
from app.views.economics.own_or_rent.rented import usd
from app.views.economics.own_or_rent.report import RentTerm
from app.views.economics.own_or_rent.words import choice_words, money, percent

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
