"""Own, rent or both, and what would turn that."""

from __future__ import annotations

import math

from app.views.economics.decision.compared import Compared
from app.views.economics.decision.report import Flip, SummingUp, Total
from app.views.economics.decision.words import in_months
from app.views.economics.own_or_rent.words import choice_words, money, percent

OWN, MIX = "own", "mix"
ADVICE = {
    OWN: "Own", MIX: "Own the base and rent the peak", "on_demand": "Rent on demand", "reserved": "Reserve",
    "capacity_block": "Rent in capacity blocks",
}  # fmt: skip


def summing_up(found: Compared, data_must_stay: bool | None) -> SummingUp:
    """The cheapest of what is allowed. The spot market is told of, not chosen: its capacity is taken back."""
    totals = _totals(found, data_must_stay)
    allowed = [total for total in totals if total.allowed]
    if data_must_stay:
        choice = OWN
    elif found.is_known and allowed:
        choice = allowed[0].choice
    else:
        choice = "unknown"
    return SummingUp(
        choice=choice,
        answer=_answer(found, choice, totals, data_must_stay),
        said=tuple(_said(found, choice)),
        totals=totals,
        flips=tuple(_flips(found)),
    )


def _totals(found: Compared, data_must_stay: bool | None) -> tuple[Total, ...]:
    """What each choice costs, the cheapest first; those whose cost is unknown are left out."""
    report = found.report
    usd = {OWN: report.own.total_usd} | {term.term: term.total_usd for term in report.terms}
    if report.mix is not None and 0 < report.mix.owned_share < 1:
        usd[MIX] = report.mix.total_usd
    totals = [
        Total(
            choice=choice,
            words=choice_words(choice),
            usd=total,
            allowed=choice == OWN or (not data_must_stay and choice != "spot"),
        )
        for choice, total in usd.items()
        if not math.isnan(total)
    ]
    return tuple(sorted(totals, key=lambda total: total.usd))


def _answer(found: Compared, choice: str, totals: tuple[Total, ...], data_must_stay: bool | None) -> str:
    months = f"{in_months(found.report.horizon_months)} at {percent(found.report.utilisation)} use"
    if choice == "unknown":
        return "Own or rent cannot be said: an input that it hangs on is unknown."
    usd = {total.choice: total.usd for total in totals}
    cost = f", for {money(usd[choice])} over {months}" if choice in usd else ", at a cost that is unknown"
    if data_must_stay:
        return f"Own: data must stay{cost}."
    others = [total for total in totals if total.allowed and total.choice != choice]
    beside = f"; {others[0].words} comes next, for {money(others[0].usd)}" if others else ""
    return f"{ADVICE[choice]}{cost}{beside}."


def _said(found: Compared, choice: str) -> list[str]:
    report, lines = found.report, []
    if choice == MIX and report.mix is not None:
        lines.append(
            f"{percent(report.mix.owned_share)} of the pod owned does {percent(report.mix.served_share)} of the work; "
            f"{choice_words(report.mix.term)} does the rest."
        )
    spot = next((term for term in report.terms if term.term == "spot"), None)
    if spot is not None and found.term is not None and spot.total_usd < found.term.total_usd:
        lines.append(
            f"The spot market would cost {money(spot.total_usd)}, but takes capacity back at short notice: it counts "
            "for jobs that bear that, and is not chosen here."
        )
    return lines


def _flips(found: Compared) -> list[Flip]:
    """Between owning all and the cheapest terms that hold capacity, one thing changed at a time."""
    report, term = found.report, found.term
    if term is None or not found.is_known:
        return []
    than = choice_words(term.term)
    needed, price, month = term.break_even_utilisation, found.flip_usd_per_hour, found.flip_month
    return [
        Flip(
            by="utilisation", now=report.utilisation, at=needed, unit="1", tab="rent",
            said=f"At no use is owning cheaper than {than}." if math.isinf(needed)
            else f"Below {percent(needed)} use {than} is cheaper, above it owning is.",
        ),
        Flip(
            by="price", now=term.usd_per_hour, at=price, unit="USD/h", tab="rent",
            said=f"Below {price:.2f} USD an accelerator-hour {than} is cheaper, above it owning is; today's price is "
            f"{term.usd_per_hour:.2f}."
            if price > 0 else f"At no price of an hour is {than} dearer: its fixed costs are below those of owning.",
        ),
        Flip(
            by="months", now=report.horizon_months, at=month, unit="months", tab="rent",
            said=f"With work for less than {in_months(month)} {than} is cheaper, with more owning is, as what is bought "
            f"can be sold on when the work ends; {_in_cash(term.break_even_month)}."
            if math.isfinite(month) else f"However long there is work, owning is not cheaper than {than} at this use.",
        ),
    ]  # fmt: skip


def _in_cash(month: float) -> str:
    """When owning has paid for itself with nothing sold on."""
    return (
        f"in cash it pays back in month {month:.0f}" if math.isfinite(month) else "in cash it never pays back"
    )
