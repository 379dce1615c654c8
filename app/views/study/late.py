"""Late figures, computed for the shortlist only: serving, floor area and delivery.

Answers that miss a limit on one of them are dropped.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.engine.leaves import leaves
from app.engine.trace import first_of
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.study.candidates import CandidateDocument
from app.views.fabric.floor import FloorOptions, floor_answer
from app.views.study.columns import StudyFigure
from app.views.study.evaluating import Candidates
from app.views.study.judging import LATE, OF_SERVING, Bound, chance_of
from app.views.study.report import LimitKept, StudyRow
from app.views.study.rows import Place, Ranked, kept_in_order
from app.views.study.sampled import SAMPLED, drawn
from app.views.study.search import Found
from app.views.study.timing import delivery

MOST_LATE = 12
"""Answers that are computed in full."""
MOST_TRIED = 96
LONGEST_S = 30.0
"""Pods that are computed in search of so many answers, and the time for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Late:
    """Answers with their late figures, and rows that are not answers because of them.

    Parameters
    ----------
    kept : the best first
    lost : the best pod of each place without an answer, which misses a late limit or was not computed
    all_tried : whether late figures of every evaluated pod better than the winner were computed, of all
        without a winner
    """

    kept: tuple[Ranked, ...]
    lost: tuple[StudyRow, ...] = ()
    all_tried: bool = True


def with_late_figures(candidates: Candidates, found: Found, answers: Sequence[Ranked]) -> Late:
    """Ranked answers with their late figures.

    Where late limits are stated, pods are computed, the best first, until `MOST_LATE` keep all limits: where
    the best pod of a place misses one, a larger one may keep it.
    """
    serves = found.study.workload.training is None
    late = [
        one
        for one in found.bounds
        if one.column.key in LATE and not (serves and one.column.key in OF_SERVING)
    ]
    sampled = [one for one in found.bounds if not serves and one.column.key in SAMPLED and one.asked != 0.5]
    if not late and not sampled:
        kept = [
            (_with(row, late_figures(candidates, one)) if place < MOST_LATE else row, one)
            for place, (row, one) in enumerate(answers)
        ]
        return Late(kept=tuple(kept))
    answered: dict[Place, Ranked] = {}
    missed: dict[Place, StudyRow] = {}
    unseen: dict[Place, StudyRow] = {}
    titles = ", ".join(bound.column.title.lower() for bound in (*late, *sampled))
    ends, tried = time.monotonic() + LONGEST_S, 0
    for place, make in kept_in_order(found, candidates.catalog):
        if place in answered or place in unseen:
            continue
        if len(answered) >= MOST_LATE or tried >= MOST_TRIED or time.monotonic() > ends:
            if place not in missed:
                unseen[place] = replace(make()[0], rank=0, reason=f"Not looked at: {titles}.")
            elif not answered:
                unseen[place] = missed[place]
            continue
        tried += 1
        row, candidate = make()
        row = _with(_sampled(candidates, row, candidate, sampled), late_figures(candidates, candidate))
        row = _held(row, late)
        if row.rank:
            answered[place] = row, candidate
            missed.pop(place, None)
        else:
            missed.setdefault(place, row)
    # the best first: all pods before the winner are better than it
    return Late(
        kept=tuple(answered.values()),
        lost=(*missed.values(), *(row for place, row in unseen.items() if place not in missed)),
        all_tried=bool(answered) or not unseen,
    )


def _with(row: StudyRow, figures: Iterator[tuple[str, StudyFigure]]) -> StudyRow:
    return replace(row, figures=row.figures | dict(figures))


def _sampled(
    candidates: Candidates, row: StudyRow, candidate: CandidateDocument, bounds: Sequence[Bound]
) -> StudyRow:
    """The row with the share of samples that keep each limit, and the spread of its figures."""
    if not bounds:
        return row
    try:
        figures, _ = drawn(candidates, candidate)
    except ScenarioError:
        return row
    known, limits = dict(row.figures), {limit.limit: limit for limit in row.limits}
    for bound in bounds:
        key, values = bound.column.key, figures[bound.column.key]
        values = values[np.isfinite(values)]
        if bound.column.limit not in limits or not values.size:
            continue
        low, high = (float(one) for one in np.quantile(values, (0.1, 0.9)))
        known[key] = replace(known[key], low=low, high=high)
        chance = float(np.mean(values <= bound.value))
        limits[bound.column.limit] = replace(
            limits[bound.column.limit], probability=chance, kept=chance >= bound.asked - 1e-12
        )
    return replace(row, figures=known, limits=tuple(limits.values()))


def late_figures(candidates: Candidates, candidate: CandidateDocument) -> Iterator[tuple[str, StudyFigure]]:
    """Late figures by key; those that cannot be computed are unknown."""
    try:
        found = floor_answer(candidates.evaluated(candidate), FloorOptions())
        yield "floor_m2", _known(found.totals.area_m2)
    except ScenarioError:
        yield "floor_m2", _known(math.nan)
    try:
        when = delivery(candidates, candidate)
        yield "delivery_months", StudyFigure(value=when.month, low=when.low, high=when.high)
    except ScenarioError:
        yield "delivery_months", _known(math.nan)
    served = served_by(candidates, candidate)
    if served is not None:
        known = dict(leaves(served.evaluation.sections))
        for key, path in OF_SERVING.items():
            figure = known.get(path)
            value = math.nan if figure is None or not served.evaluation.feasible else first_of(figure)
            yield key, _known(value)


def served_by(candidates: Candidates, candidate: CandidateDocument) -> EvaluatedScenario | None:
    """The evaluation of the serving after training; None where there is none, or it cannot be evaluated."""
    workload = candidates.study.workload
    if workload.serving is None or workload.training is None:
        return None
    try:
        return candidates.serving(candidate)
    except ScenarioError:
        return None


def _known(value: float) -> StudyFigure:
    return StudyFigure(value=value, low=value, high=value)


def _held(row: StudyRow, late: Sequence[Bound]) -> StudyRow:
    """The row with its late limits; not an answer where it misses one."""
    limits = list(row.limits)
    for bound in late:
        if not bound.holds_for(row.terms):  # type: ignore[arg-type]  # one of the terms of the document
            continue
        figure = row.figures.get(bound.column.key) or _known(math.nan)
        value = np.full(1, figure.value)
        with np.errstate(invalid="ignore", divide="ignore"):
            ends = np.full(1, figure.low) / value, np.full(1, figure.high) / value
        chance = float(chance_of(bound, value, *ends)[0]) if figure.value != 0 else 1.0
        kept = chance >= bound.asked - 1e-12
        limits.append(
            LimitKept(
                limit=bound.column.limit, title=bound.column.title, unit=bound.column.unit, value=figure.value,
                bound=bound.value, probability=chance, asked=bound.asked, kept=kept, binds=False,
            )
        )  # fmt: skip
    missed = [limit.title for limit in limits if not limit.kept]
    if not missed:
        return replace(row, limits=tuple(limits), probability=math.prod(one.probability for one in limits))
    return replace(
        row,
        limits=tuple(limits),
        rank=0,
        reason=f"Not kept with the probability asked for: {', '.join(missed)}.",
        probability=math.prod(one.probability for one in limits),
    )
