"""Rows of a study: of each hardware, place and terms the best pod that keeps every limit, else the nearest
miss."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.catalog.view import CatalogView
from app.charts.format import show
from app.engine.explore.limits import IN_ORDER
from app.engine.facility.sites.ranking import on_the_front
from app.engine.uncertainty.within import factor_at
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.limits import Term
from app.scenarios.study.scenarios import BUILDING, candidate_key
from app.views.study.columns import StudyFigure
from app.views.study.judging import Bound
from app.views.study.pods import GroupSearch
from app.views.study.report import LimitKept, StudyRow
from app.views.study.search import Found, Pods

MOST_ANSWERS, MOST_MISSES = 200, 50
FRONT = ("tco_usd", "time_s", "meter_power_w", "carbon_kg")


Ranked = tuple[StudyRow, CandidateDocument]


def ranked_rows(found: Found, catalog: CatalogView) -> tuple[list[Ranked], list[Ranked]]:
    """Answers, the best first, and the nearest misses, each with its candidate."""
    rows = [row for one in found.groups for row in _of_group(found, one, catalog)]
    answers = sorted((one for one in rows if one[0].rank), key=lambda one: _objective(found, one[0]))
    misses = sorted((one for one in rows if not one[0].rank), key=lambda one: -_shortfall(one[0]))
    return answers[:MOST_ANSWERS], misses[:MOST_MISSES]


Place = tuple[int, str, str]
"""Group, site and terms: of each the board has one row."""


def kept_in_order(found: Found, catalog: CatalogView) -> Iterator[tuple[Place, Callable[[], Ranked]]]:
    """Every evaluated pod that keeps all limits known so far, the best first, with a function that makes its
    row."""
    entries = []
    for number, one in enumerate(found.groups):
        pods = found.pods.get(one.index)
        if pods is None:
            continue
        for site, term, count in np.argwhere(pods.kept):
            value = float(pods.values[found.objective][site, term, count])
            entries.append((math.isnan(value), value, number, int(site), int(term), int(count)))
    for _, _, number, site, term, count in sorted(entries):
        where = (found.space.sites[site], found.space.terms[term])
        make = functools.partial(_ranked, found, number, (site, term, count), where, catalog)
        yield (number, *where), make


def _ranked(
    found: Found, number: int, at: tuple[int, int, int], where: tuple[str, Term], catalog: CatalogView
) -> Ranked:
    one = found.groups[number]
    pods = found.pods[one.index]
    candidate = one.pods.group.candidate(int(pods.counts[at[2]]), *where)
    return _row(found, one, pods, at, where, catalog), candidate


def placed(answers: Sequence[StudyRow], misses: Sequence[StudyRow]) -> tuple[StudyRow, ...]:
    """All rows with their ranks, those marked that no other answer beats."""
    ranked = [replace(row, rank=place) for place, row in enumerate(answers, start=1)]
    return (*_with_front(ranked), *misses)


def rows_of(found: Found, catalog: CatalogView) -> tuple[StudyRow, ...]:
    """Answers by rank, then the nearest misses."""
    answers, misses = ranked_rows(found, catalog)
    return placed([row for row, _ in answers], [row for row, _ in misses])


def _of_group(found: Found, one: GroupSearch, catalog: CatalogView) -> Iterator[Ranked]:
    pods = found.pods.get(one.index)
    if pods is None:
        return
    for site, key in enumerate(found.space.sites):
        for place, term in enumerate(found.space.terms):
            chosen = _chosen(found, pods, site, place)
            if chosen is not None:
                candidate = one.pods.group.candidate(int(pods.counts[chosen]), key, term)
                yield _row(found, one, pods, (site, place, chosen), (key, term), catalog), candidate


def _chosen(found: Found, pods: Pods, site: int, term: int) -> int | None:
    """Of one place the best pod that keeps every limit, else the one that misses by least."""
    kept = pods.kept[site, term]
    figure = pods.values[found.objective][site, term]
    if kept.any():
        known = np.where(kept, figure, np.inf)
        if np.isnan(known[kept]).all():
            return int(np.flatnonzero(kept)[0])
        return int(np.nanargmin(known))
    able = np.flatnonzero(pods.feasible[site, term])
    if not able.size:
        return None
    least = np.full(able.size, np.inf)
    for bound in found.bounds:
        if bound.column.key in pods.chances:
            chance = np.nan_to_num(pods.chances[bound.column.key][site, term, able], nan=-1.0)
            value = pods.values[bound.column.key][site, term, able]
            with np.errstate(invalid="ignore", divide="ignore"):
                # where limits are broken with certainty the smaller excess is nearer
                excess = np.nan_to_num(np.log(bound.value / value), nan=-1e3, posinf=0.0, neginf=-1e3)
            least = np.minimum(least, np.minimum(chance - bound.asked, 0.0) + np.minimum(excess, 0.0))
    return int(able[int(np.argmax(least))])


@dataclass(frozen=True, slots=True, kw_only=True)
class RowContext:
    """Fields of a row besides the figures of the candidate."""

    candidate: CandidateDocument
    system_name: str
    site_name: str
    domain_size: int
    per_supernode: float


def _row(
    found: Found,
    one: GroupSearch,
    pods: Pods,
    at: tuple[int, int, int],
    where: tuple[str, Term],
    catalog: CatalogView,
) -> StudyRow:
    supernodes = int(pods.counts[at[2]])
    design = one.pods.at(supernodes)[0]
    context = RowContext(
        candidate=one.pods.group.candidate(supernodes, *where),
        system_name=catalog.part("systems", one.pods.group.system).name,
        site_name=catalog.part("sites", where[0]).name,
        domain_size=round(float(design.supernode.scale_up_domain_accelerators[0])),
        per_supernode=float(design.supernode.accelerators[0]),
    )
    return row_of(context, pods, found.bounds, at, _building(found, where[1]))


def row_of(
    context: RowContext, pods: Pods, bounds: Sequence[Bound], at: tuple[int, int, int], building: int = 0
) -> StudyRow:
    """The row of one pod, at (site, terms, count); its rank is 1 where it keeps every limit, else 0."""
    site, _, count = at
    candidate = context.candidate
    figures = {
        key: _figure(key, float(values[at]), pods, count)
        for key, values in pods.values.items()
        if key != "racks"
    }
    limits = tuple(_limits(pods, bounds, at, candidate.terms))
    binding = _binding(limits)
    limits = tuple(replace(limit, binds=limit is binding) for limit in limits)
    broken = "" if pods.feasible[at] else IN_ORDER[int(pods.broken[site, building, count]) - 1]
    missed = [limit.title for limit in limits if not limit.kept]
    reason = f"The design breaks its limit of {broken}." if broken else ""
    reason = reason or (f"Not kept with the probability asked for: {', '.join(missed)}." if missed else "")
    return StudyRow(
        key=candidate_key(candidate),
        rank=int(bool(pods.kept[at])),
        system=candidate.system,
        system_name=context.system_name,
        supernodes=candidate.supernodes,
        domain_size=context.domain_size,
        accelerators=round(candidate.supernodes * context.per_supernode),
        network=candidate.network or "",
        number_format=candidate.number_format or "",
        layout=_layout_words(pods.layouts[count]),
        site=candidate.site,
        site_name=context.site_name,
        terms=candidate.terms,
        figures=figures,
        limits=limits,
        feasible=bool(pods.feasible[at]),
        reason=reason,
        probability=math.prod(limit.probability for limit in limits),
        binds=binding.limit if binding else "",
    )


def _building(found: Found, term: Term) -> int:
    return next(place for place, one in enumerate(found.space.buildings) if BUILDING[one] == BUILDING[term])


def _figure(key: str, value: float, pods: Pods, count: int) -> StudyFigure:
    low, high = pods.time_ends[:, count] if key in ("time_s", "run_usd") else (1.0, 1.0)
    ends = [value if math.isnan(end) else value * end for end in (float(low), float(high))]
    return StudyFigure(value=value, low=ends[0], high=ends[1])


def _limits(pods: Pods, bounds: Sequence[Bound], at: tuple[int, int, int], term: Term) -> Iterator[LimitKept]:
    for bound in bounds:
        key = bound.column.key
        if key not in pods.chances or not bound.holds_for(term):
            continue
        chance = float(pods.chances[key][at])
        kept = chance >= bound.asked - 1e-12
        yield LimitKept(
            limit=bound.column.limit,
            title=bound.column.title,
            unit=bound.column.unit,
            value=float(pods.values[key][at]),
            bound=bound.value,
            probability=chance,
            asked=bound.asked,
            kept=kept,
            binds=False,
            change="" if kept else _change(bound, pods, at),
        )


def _change(bound: Bound, pods: Pods, at: tuple[int, int, int]) -> str:
    """The nearest number of SuperNodes that keeps the limit, and the nearest limit that this pod keeps."""
    site, term, count = at
    key = bound.column.key
    chances = np.nan_to_num(pods.chances[key][site, term], nan=-1.0)
    able = np.flatnonzero((chances >= bound.asked - 1e-12) & pods.feasible[site, term])
    words = []
    if able.size:
        nearest = int(pods.counts[able[np.argmin(np.abs(pods.counts[able] - pods.counts[count]))]])
        words.append(f"{nearest:,} SuperNodes in place of {int(pods.counts[count]):,}")
    value = float(pods.values[key][at])
    if not math.isnan(value):
        ends = pods.time_ends[:, count] if key == "time_s" else np.ones(2)
        low, high = np.where(np.isnan(ends), 1.0, ends)
        factor = factor_at(
            probability=np.full(1, bound.asked), low_ratio=np.full(1, low), high_ratio=np.full(1, high)
        )
        words.append(f"a limit of {show(value * float(factor[0]), bound.column.unit).text}")
    return ", or ".join(words)


def _binding(limits: Sequence[LimitKept]) -> LimitKept | None:
    """The broken limit that is missed by most, else the kept one with least room."""
    broken = [limit for limit in limits if not limit.kept]
    if broken:
        return min(
            broken, key=lambda one: -math.inf if math.isnan(one.probability) else one.probability - one.asked
        )

    def room(one: LimitKept) -> float:
        return math.log(one.bound / one.value) if one.value > 0 and one.bound > 0 else math.inf

    return min(limits, key=room, default=None)


def _objective(found: Found, row: StudyRow) -> tuple[bool, float, str]:
    value = row.figures[found.objective].value
    return (math.isnan(value), value, row.key)


def _shortfall(row: StudyRow) -> float:
    """Distance of a row from keeping its limits: the sum of the shortfalls, 0 without any."""
    missed = [
        min((one.probability if not math.isnan(one.probability) else -1.0) - one.asked, 0.0)
        for one in row.limits
    ]
    return sum(missed) - (0.0 if row.feasible else 10.0)


def _with_front(rows: Sequence[StudyRow]) -> list[StudyRow]:
    """Rows with those marked that no other beats in cost, time, power, carbon and risk at once."""
    if not rows:
        return []
    figures = np.array([[*(row.figures[key].value for key in FRONT), 1 - row.probability] for row in rows])
    flags = on_the_front(figures)
    return [replace(row, on_front=bool(flag)) for row, flag in zip(rows, flags, strict=True)]


def _layout_words(layout: dict[str, object]) -> str:
    """The degrees above one, such as "TP 8, PP 4"."""
    names = ("tp", "pp", "cp", "ep")
    degrees = [
        f"{name.upper()} {value}"
        for name in names
        if isinstance(value := layout.get(name), int) and value > 1
    ]
    return ", ".join(degrees) or ("every accelerator on its own" if layout else "")
