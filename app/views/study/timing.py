"""From the order to the end of life: when a candidate is delivered, trains and serves, and what is paid year
by year."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from app.engine.trace import first_of
from app.scenarios.document.build_out import BuildOutDocument, FinancingDocument
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.scenarios import RENTED, candidate_key
from app.views.economics.build_out.answer import build_out_answer
from app.views.economics.build_out.report import BuildOutReport
from app.views.study.evaluating import Candidates
from app.views.study.judging import DAY_S, DAYS_A_MONTH
from app.views.study.report import StudyEvent, StudyPart, StudyPrice, StudyTiming, StudyYear
from app.views.study.supply import parts_of, path_of, price_of, words_of

MONTH_S = DAY_S * DAYS_A_MONTH
MONTHS = 12
LEAD = {
    "own": ("economics.build_out.construction_months", "economics.build_out.ramp_months"),
    "colocate": ("economics.financing.colocation_wait_months", "economics.financing.colocation_ramp_months"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Months from the order until all of the pod works."""

    month: float
    low: float
    high: float
    report: BuildOutReport | None
    parts: tuple[StudyPart, ...] = ()
    price: StudyPrice | None = None


def delivery(candidates: Candidates, candidate: CandidateDocument) -> Delivery:
    """When all of a candidate works; rented capacity is taken to be there when it is asked for.

    Raises
    ------
    ScenarioError : the build-out cannot be planned
    """
    if candidate.terms in RENTED:
        return Delivery(month=0.0, low=0.0, high=0.0, report=None)
    catalog, found = candidates.catalog, candidates.evaluated(candidate)
    report = build_out_answer(_planned(candidates, candidate), catalog)
    parts = parts_of(candidates.study, found, catalog, candidate.terms)
    latest, begins = max(one.month for one in parts), _begins(report, candidate)
    price = price_of(candidates.study, found, catalog, max(begins, latest) - _paid_before(report))
    if latest > begins or price.then_usd != price.now_usd:
        # the latest part delays all, and equipment that is bought later has the price of that time
        waits = latest if latest > begins else None
        report = build_out_answer(_planned(candidates, candidate, waits, price.then_usd), catalog)
    month = report.full_load_month
    if candidate.terms == "colocate":
        month = next((way.full_load_month for way in report.ways if way.key == "colocate"), month)
    shift = [0.0, 0.0]
    for term in report.terms:
        if term.path in LEAD[candidate.terms]:
            # a longer lead time delays the parts that wait for it; a shorter one brings nothing forward that waits for the grid
            shift[0] += min(term.low - term.value, 0.0)
            shift[1] += max(term.high - term.value, 0.0)
    waits_for_grid = any(one.grid_month > one.ready_month for one in report.phases)
    return Delivery(
        month=month,
        low=month if waits_for_grid and candidate.terms == "own" else max(month + shift[0], 0.0),
        high=max(month + shift[1], month + max(one.high for one in parts) - max(begins, latest)),
        report=report,
        parts=path_of(parts, report, candidate.terms),
        price=price,
    )


def _begins(report: BuildOutReport, candidate: CandidateDocument) -> float:
    """Month in which the equipment of the last phase can begin to work."""
    if candidate.terms == "colocate":
        return next(term.value for term in report.terms if term.path == LEAD["colocate"][0])
    return report.phases[-1].delivery_month


def _paid_before(report: BuildOutReport) -> float:
    """Months before delivery in which the equipment is ordered, and its price agreed."""
    return next((term.value for term in report.terms if term.path.endswith(".equipment_months")), 0.0)


def timing(
    candidates: Candidates, candidate: CandidateDocument, serving: EvaluatedScenario | None
) -> StudyTiming:
    """Order, delivery, training and serving in one cash flow by year.

    Raises
    ------
    ScenarioError : the build-out cannot be planned
    """
    found, when = candidates.evaluated(candidate), delivery(candidates, candidate)
    elapsed = found.evaluation.sections.performance.elapsed_time_s
    trains = math.nan if elapsed is None else first_of(elapsed) / MONTH_S
    bounds = found.intervals.speed.elapsed_time_s
    start = when.month
    done = start + (0.0 if math.isnan(trains) else trains)
    years = candidates.study.timing.serving_years
    life = first_of(found.resolved.design.economics.life_years) * MONTHS
    end = start + life if years is None else min(done + years * MONTHS, start + life)
    rate = math.nan if serving is None else first_of(serving.evaluation.sections.performance.tokens_per_s)
    flow = _rented(candidate, found, end) if when.report is None else _owned(when.report, end)
    wacc = first_of(found.resolved.design.economics.wacc)
    served = [_overlap(year, done, end) * MONTH_S * rate for year in range(len(flow))]
    trained = [
        0.0 if math.isnan(trains) else _overlap(year, start, done) / trains for year in range(len(flow))
    ]
    rows = tuple(
        StudyYear(
            year=year + 1,
            capital_usd=capital,
            running_usd=running,
            rent_usd=rent,
            residual_usd=residual,
            total_usd=capital + running + rent + residual,
            trained_share=trained[year],
            served_tokens=served[year],
        )
        for year, (capital, running, rent, residual) in enumerate(flow)
    )
    low, high = (math.nan if one is None else start + one / MONTH_S for one in (bounds.low, bounds.high))
    return StudyTiming(
        key=candidate_key(candidate),
        events=tuple(_events(candidate, when, start, (done, low, high), end, trains)),
        years=rows,
        present_value_usd=float(sum(row.total_usd / (1 + wacc) ** (row.year - 0.5) for row in rows)),
        served_tokens=float(np.sum(served)) if served else math.nan,
        notes=tuple(_notes(when)),
        parts=when.parts,
        price=when.price,
    )


def _notes(when: Delivery) -> Iterator[str]:
    yield "Amounts are those of the build-out, discounted from the middle of each year."
    if when.price is None or not when.parts:
        yield "Rented capacity is taken to be there when it is ordered: no published waiting time is at hand."
        return
    yield words_of(when.parts)
    price = when.price
    if price.stated or price.change_per_year != 0:
        yield (
            f"Equipment is bought in month {price.purchase_month:.3g} at {100 * price.change_per_year:+.3g} % a year from "
            "today's price."
        )
    else:
        yield (
            f"Equipment is bought in month {price.purchase_month:.3g} at today's price: no path of purchase prices is "
            f"published. From {100 * price.low_per_year:+.3g} to {100 * price.high_per_year:+.3g} % a year a SuperNode "
            f"would cost {price.low_usd / 1e6:.3g} to {price.high_usd / 1e6:.3g} million USD in place of "
            f"{price.now_usd / 1e6:.3g}."
        )


def _planned(
    candidates: Candidates,
    candidate: CandidateDocument,
    waits_months: float | None = None,
    price_usd: float = math.nan,
) -> EvaluatedScenario:
    """The scenario with its build-out, where it is stated with the months that its last part takes, and its
    price then."""
    document = candidates.evaluated(candidate).document
    economics = document.economics
    build_out = economics.build_out or BuildOutDocument()
    if candidates.study.timing.order_date is not None and build_out.first_order is None:
        build_out = build_out.model_copy(update={"first_order": candidates.study.timing.order_date})
    financing = economics.financing or FinancingDocument()
    if candidate.terms == "colocate":
        financing = financing.model_copy(update={"funding": "colocate"})
    if waits_months is not None and candidate.terms == "colocate":
        financing = financing.model_copy(update={"colocation_wait_months": math.ceil(waits_months)})
    elif waits_months is not None:
        build_out = build_out.model_copy(update={"construction_months": math.ceil(waits_months)})
    if not math.isnan(price_usd):
        economics = economics.model_copy(update={"supernode_price_usd": price_usd})
    economics = economics.model_copy(
        update={"build_out": build_out, "financing": financing, "building": "owned"}
    )
    return evaluate_scenario(document.model_copy(update={"economics": economics}), candidates.catalog)


Flow = list[tuple[float, float, float, float]]
"""Capital, running cost, rent and what is sold, of each year; outflows are negative."""


def _owned(report: BuildOutReport, end: float) -> Flow:
    years = max(math.ceil(len(report.months) / MONTHS), 1)
    flow = [[0.0, 0.0, 0.0, 0.0] for _ in range(years)]
    for month in report.months:
        row = flow[month.month // MONTHS]
        row[0] -= month.capital_usd
        row[3] += month.sales_usd
        if month.month < end:
            row[1] -= month.operating_usd
    return [(one[0], one[1], one[2], one[3]) for one in flow]


def _rented(candidate: CandidateDocument, found: EvaluatedScenario, end: float) -> Flow:
    """The rent of all hours until the end."""
    sections = found.evaluation.sections
    run = getattr(sections.cost, f"usd_per_run_rented_{RENTED[candidate.terms]}")
    elapsed = sections.performance.elapsed_time_s
    monthly = math.nan if run is None or elapsed is None else first_of(run) / (first_of(elapsed) / MONTH_S)
    return [
        (0.0, 0.0, -monthly * _overlap(year, 0.0, end), 0.0)
        for year in range(max(math.ceil(end / MONTHS), 1))
    ]


def _overlap(year: int, start: float, end: float) -> float:
    """Months of a year, counted from 0, between two months."""
    return max(min(end, (year + 1) * MONTHS) - max(start, year * MONTHS), 0.0)


def _events(
    candidate: CandidateDocument,
    when: Delivery,
    start: float,
    done: tuple[float, float, float],
    end: float,
    trains: float,
) -> Iterator[StudyEvent]:
    yield StudyEvent(name="Order", month=0.0, low=0.0, high=0.0, source="timing.order_date")
    if when.report is not None and candidate.terms == "own":
        for phase in when.report.phases:
            known = (
                ("Building ready", phase.ready_month),
                ("Equipment delivered", phase.delivery_month),
                ("Grid connected", phase.grid_month),
            )
            for name, month in known:
                yield StudyEvent(
                    name=f"{name}, {phase.name}",
                    month=month,
                    low=math.nan,
                    high=math.nan,
                    source="economics.build_out",
                )
    for part in when.parts:
        if part.key not in ("building", "grid"):
            yield StudyEvent(
                name=f"{part.title} in place",
                month=part.month,
                low=part.low,
                high=part.high,
                source=part.source,
            )
    yield StudyEvent(
        name="All of the pod works", month=start, low=when.low, high=when.high,
        source="assumption" if candidate.terms in RENTED else "economics.build_out, economics.financing",
    )  # fmt: skip
    if not math.isnan(trains):
        yield StudyEvent(
            name="Trained", month=done[0], low=done[1], high=done[2], source="performance.elapsed_time_s"
        )
    yield StudyEvent(
        name="End of work", month=end, low=math.nan, high=math.nan, source="economics.life_years"
    )
