"""The fourth question: what owning costs, and what decides that."""

from __future__ import annotations

import math

import numpy as np

from app.engine.economics.build_up import cost_share
from app.engine.economics.deciding import usd_per_thousand_accelerators
from app.engine.trace import first_of, quotient
from app.views.economics.decision.compared import Compared
from app.views.economics.decision.report import CostPart, OwnershipAnswer
from app.views.economics.decision.words import in_months
from app.views.economics.own_or_rent.words import choice_words, money, percent

MOST_PARTS = 5
SMALL = 0.15
"""A share of the cost that halves or doubles without turning a decision."""
ARTICLE = "The article has 30 million USD of hardware and 3 to 5 million a year for 1,000 accelerators"


def ownership_answer(found: Compared) -> OwnershipAnswer:
    """Owning by the hour and the month, the capital that it needs, and the parts that decide."""
    own, term = found.report.own, found.term
    parts = _parts(found)
    per_thousand = [
        first_of(
            usd_per_thousand_accelerators(
                usd=np.array([usd]), accelerators=np.array([found.report.accelerators])
            )
        )
        for usd in (own.capex_usd, 12 * own.running_usd_per_month)
    ]
    return OwnershipAnswer(
        answer=_answer(found),
        said=tuple(_said(found, parts, per_thousand)),
        tab="cost",
        usd_per_used_hour=own.usd_per_used_hour,
        capital_usd=own.capex_usd,
        running_usd_per_month=own.running_usd_per_month,
        level_usd_per_month=own.level_usd_per_month,
        break_even_month=math.nan if term is None else term.break_even_month,
        parts=parts,
        capital_usd_per_thousand=per_thousand[0],
        running_usd_per_year_per_thousand=per_thousand[1],
    )


def _parts(found: Compared) -> tuple[CostPart, ...]:
    """The largest parts of the level yearly cost; a part that is bought is what its capital costs a year."""
    cost = found.scenario.evaluation.sections.cost
    yearly = {**cost.capital_breakdown_usd_per_year, **cost.opex_breakdown_usd_per_year}
    shares = [
        CostPart(
            name=name.replace("_", " "),
            share=first_of(
                cost_share(part_usd_per_year=part, annual_cost_usd_per_year=cost.annual_cost_usd_per_year)
            ),
        )
        for name, part in yearly.items()
    ]
    if any(math.isnan(part.share) for part in shares):
        return ()
    return tuple(sorted(shares, key=lambda part: -part.share)[:MOST_PARTS])


def _answer(found: Compared) -> str:
    own = found.report.own
    if math.isnan(own.total_usd):
        return "What owning costs is unknown."
    text = f"Owning costs {own.usd_per_used_hour:.2f} USD a used accelerator-hour and needs {money(own.capex_usd)} at once"
    if found.term is None or math.isnan(found.term.break_even_month):
        return f"{text}."
    than, month, life = choice_words(found.term.term), found.term.break_even_month, own.life_months
    if math.isinf(month):
        return f"{text}; against {than} it never pays back."
    if month > life:
        return f"{text}; against {than} it does not pay back within its life of {in_months(life)}."
    return f"{text}; against {than} it pays back in month {month:.0f}."


def _said(found: Compared, parts: tuple[CostPart, ...], per_thousand: list[float]) -> list[str]:
    if not parts:
        return []
    cost = found.scenario.evaluation.sections.cost
    bill = sum(first_of(cost.opex_breakdown_usd_per_year[name]) for name in ("electricity", "demand"))
    energy = quotient(bill, first_of(cost.annual_cost_usd_per_year))
    largest = ", ".join(f"{part.name} {percent(part.share)}" for part in parts[:3])
    hardly = ": the bill for power hardly decides" if energy < SMALL else ""
    return [
        f"What decides: {largest} of the yearly cost. Electricity with its demand charges is {percent(energy)} of it{hardly}.",
        (
            f"{ARTICLE}; here 1,000 cost {money(per_thousand[0])} with building and network, and "
            f"{money(per_thousand[1])} a year to run."
        ),
    ]
