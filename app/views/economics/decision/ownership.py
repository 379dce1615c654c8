"""The fourth question: what owning costs, and what decides that."""

from __future__ import annotations

import math

import numpy as np

from app.engine.economics.build_up import cost_share
from app.engine.economics.deciding import runs_per_year, usd_per_thousand_accelerators
from app.engine.economics.tco import accelerator_hours_of_days
from app.engine.performance.section import Performance
from app.engine.specs import ServingWorkload, TrainingWorkload
from app.engine.trace import first_of, quotient
from app.engine.workload.flops import training_accelerator_days
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.decision.report import (
    Compared,
    ComputeAnswer,
    CostPart,
    Flip,
    OwnershipAnswer,
    SummingUp,
    Total,
    in_months,
)
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
        return "The cost of owning is unknown."
    text = (
        f"Over {found.report.horizon_months:.0f} months owning costs {own.usd_per_used_hour:.2f} USD per utilised "
        f"accelerator-hour and needs {money(own.capex_usd)} at once"
    )
    if found.term is None or math.isnan(found.term.break_even_month):
        return f"{text}."
    than, month, life = choice_words(found.term.term), found.term.break_even_month, own.life_months
    if math.isinf(month):
        return f"{text}; against {than} it never pays back."
    if month > life:
        return f"{text}; against {than} it does not pay back within its life of {in_months(life)}."
    return f"{text}; against {than}, counting the whole rental bill, it pays back in month {month:.0f}."


def _said(found: Compared, parts: tuple[CostPart, ...], per_thousand: list[float]) -> list[str]:
    if not parts:
        return []
    cost = found.scenario.evaluation.sections.cost
    bill = sum(first_of(cost.opex_breakdown_usd_per_year[name]) for name in ("electricity", "demand"))
    energy = quotient(bill, first_of(cost.annual_cost_usd_per_year))
    largest = ", ".join(f"{part.name} {percent(part.share)}" for part in parts[:3])
    hardly = ": the bill for power hardly decides" if energy < SMALL else ""
    return [
        f"Main drivers: {largest} of the yearly cost. Electricity with its demand charges is {percent(energy)} of it{hardly}.",
        (
            f"{ARTICLE}; here 1,000 cost {money(per_thousand[0])} with building and network, and "
            f"{money(per_thousand[1])} per year to run."
        ),
    ]


DAY_S = 86_400.0
RULE_FLOP_PER_S = 300e12
"""What the article lets an H100 achieve."""


def compute_answer(found: Compared) -> ComputeAnswer:
    """Accelerator-hours of the run and of a year, from the engine, beside the article's rule of thumb."""
    scenario = found.scenario
    sections = scenario.evaluation.sections
    hours = first_of(sections.cost.run_accelerator_hours)
    elapsed_s = first_of(sections.performance.elapsed_time_s)
    bounds = scenario.intervals.speed.elapsed_time_s
    low, high = (
        math.nan if bound is None else hours * bound / elapsed_s for bound in (bounds.low, bounds.high)
    )
    year = 12 * found.report.used_hours_per_month
    served = isinstance(scenario.resolved.design.workload, ServingWorkload)
    runs = first_of(
        runs_per_year(
            used_accelerator_hours_per_year=np.array([year]), run_accelerator_hours=np.array([hours])
        )
    )
    rule = _rule_of_thumb(scenario)
    return ComputeAnswer(
        answer=_served(year) if served else _compute_answer(hours, low, high, elapsed_s / DAY_S),
        said=() if served else tuple(_compute_said(hours, year, runs, rule)),
        tab="cost" if served else "runs",
        run_accelerator_hours=hours,
        low=low,
        high=high,
        elapsed_days=elapsed_s / DAY_S,
        used_accelerator_hours_per_year=year,
        runs_per_year=runs,
        rule_of_thumb_accelerator_hours=rule,
    )


def _rule_of_thumb(scenario: EvaluatedScenario) -> float:
    """6 N D at the article's speed; NaN for a job without tokens."""
    workload, performance = scenario.resolved.design.workload, scenario.evaluation.sections.performance
    if not isinstance(workload, TrainingWorkload) or not isinstance(performance, Performance):
        return math.nan
    days = training_accelerator_days(
        parameters=performance.active_parameters,
        tokens=workload.tokens,
        achieved_flop_per_s=np.array([RULE_FLOP_PER_S]),
    )
    return first_of(accelerator_hours_of_days(accelerator_days=days))


def _compute_answer(hours: float, low: float, high: float, days: float) -> str:
    if math.isnan(hours):
        return "The duration of the run is unknown."
    span = "" if math.isnan(low) else f", {in_words(low)} to {in_words(high)} by the errors of measured runs"
    return f"The run takes {in_words(hours)} accelerator-hours{span}, in {_duration(days)}."


def _served(year: float) -> str:
    """Of a pod that serves, which has no run."""
    if math.isnan(year):
        return "The accelerator-hours used per year are unknown."
    return f"A pod that serves has no run: a year at the stated use has {in_words(year)} utilised accelerator-hours."


def _compute_said(hours: float, year: float, runs: float, rule: float) -> list[str]:
    found = []
    if not math.isnan(year) and not math.isnan(hours):
        found.append(
            f"A year at the stated use has {in_words(year)} utilised accelerator-hours: {in_words(runs)} such runs."
        )
    if not math.isnan(rule) and not math.isnan(hours):
        found.append(
            f"The article's rule, 6 x parameters x tokens at 300 TFLOP/s, gives {in_words(rule)}: the computed run "
            f"takes {hours / rule:.2g} times that, as it has this design's speed, failures and checkpoints."
        )
    return found


def _duration(days: float) -> str:
    return f"{days:,.1f} days" if days >= 2 else f"{24 * days:,.1f} hours"


def in_words(value: float) -> str:
    """A large count in a sentence.

    >>> in_words(27_589_056), in_words(38_889)
    ('27.6 million', '38,900')
    """
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if value >= 0.9995 * size:
            return f"{value / size:.3g} {word}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 100 else f"{value:.3g}"


OWN, MIX = "own", "mix"
ADVICE = {
    OWN: "Own", MIX: "Own the base and rent the peak", "on_demand": "Rent on demand", "reserved": "Reserve",
    "contract": "Rent by contract",
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
        answer=_summing_up_answer(found, choice, totals, data_must_stay),
        said=tuple(_summing_up_said(found, choice)),
        totals=totals,
        flips=tuple(_flips(found)),
    )


def _totals(found: Compared, data_must_stay: bool | None) -> tuple[Total, ...]:
    """Cost of each choice, the cheapest first; those whose cost is unknown are left out."""
    report = found.report
    usd = {OWN: report.own.total_usd} | {term.term: term.total_usd for term in report.terms}
    if report.mix is not None and 0 < report.mix.owned_share < 1:
        usd[MIX] = report.mix.total_usd
    too_long = {term.term for term in report.terms if term.commitment_months > report.horizon_months}
    totals = [
        Total(
            choice=choice,
            words=choice_words(choice),
            usd=total,
            allowed=choice == OWN or (not data_must_stay and choice != "spot" and choice not in too_long),
        )
        for choice, total in usd.items()
        if not math.isnan(total)
    ]
    return tuple(sorted(totals, key=lambda total: total.usd))


def _summing_up_answer(
    found: Compared, choice: str, totals: tuple[Total, ...], data_must_stay: bool | None
) -> str:
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


def _summing_up_said(found: Compared, choice: str) -> list[str]:
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
            said=f"Below {price:.2f} USD per accelerator-hour {than} is cheaper, above it owning is; today's price is "
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
        f"in cash, counting the whole rental bill, it pays back in month {month:.0f}"
        if math.isfinite(month)
        else "in cash it never pays back"
    )
