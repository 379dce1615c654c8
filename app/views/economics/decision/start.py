"""The fifth question: whether to start in the cloud, and what is lost if prices turn."""

from __future__ import annotations

import math

from app.views.economics.decision.compared import Compared
from app.views.economics.decision.report import PaidSoFar, Regretted, StartAnswer
from app.views.economics.decision.words import in_months
from app.views.economics.own_or_rent.report import OwnOrRent, RentTerm
from app.views.economics.own_or_rent.words import ON_PATH, choice_words, money

FIRST_MONTHS = (3, 6, 12)


def start_answer(found: Compared) -> StartAnswer:
    """Cost of the first months without a commitment, break-even of owning, and regret by choice."""
    report = found.report
    term = _without_commitment(report)
    ahead = math.nan if term is None else term.break_even_month
    paid = () if term is None else _paid(report, term)
    regrets = _regrets(report)
    return StartAnswer(
        answer=_answer(report, term, paid),
        said=tuple(_said(report, term, ahead, regrets)),
        tab="rent",
        term=term.term if term is not None else "",
        paid=paid,
        owning_ahead_from_month=ahead,
        regrets=regrets,
        least_regretted=report.regret.least_regretted,
    )


def _without_commitment(report: OwnOrRent) -> RentTerm | None:
    """On demand where it has a price, else whatever is paid by the used hour."""
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


def _answer(report: OwnOrRent, term: RentTerm | None, paid: tuple[PaidSoFar, ...]) -> str:
    if term is None or not paid:
        return "What the first months cost rented is unknown, as an input of it is."
    first = paid[-1]
    return (
        f"The first {first.months} months cost {money(first.rented_usd)} {_in_the_cloud(term)}, against "
        f"{money(first.owned_usd)} paid by then for owning, of which {money(report.own.capex_usd)} at once."
    )


def _in_the_cloud(term: RentTerm) -> str:
    return "on demand" if term.term == "on_demand" else f"by {choice_words(term.term)}"


def _said(
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
