"""A study answered: ranked alternatives, what was looked at, and what explains and moves the ranking."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from app import __version__
from app.catalog.lookup import Catalog
from app.charts.format import show
from app.scenarios.answers import Answers, at_most
from app.scenarios.errors import ScenarioError
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.document import DecisionDocument, StudyDocument
from app.scenarios.study.scenarios import candidate_key
from app.scenarios.study.space import SEARCHED_DOMAINS, Space, space_of
from app.views.economics.systems_compared import usual_systems
from app.views.fabric.supernode_sizes import SuperNodeSizes, SuperNodeSizesOptions, supernode_sizes
from app.views.study.columns import FIGURE
from app.views.study.decision import decision
from app.views.study.difference import differences
from app.views.study.evaluating import Candidates
from app.views.study.late import Late, served_by, with_late_figures
from app.views.study.looked_at import least_left, searched
from app.views.study.report import (
    Searched,
    StudyAnswer,
    StudyDecision,
    StudyDifference,
    StudyRow,
    StudyTiming,
)
from app.views.study.rows import Ranked, placed, ranked_rows, rows_of
from app.views.study.sampled import asks_samples, spreads_of
from app.views.study.search import (
    LONGEST_S,
    Found,
    InThisThread,
    StudyWorkers,
    search_steps,
)
from app.views.study.timing import timing

EVERY_S = 1.0
"""Interval between two reports of the rows found so far."""
KEPT = 4
"""Rankings that a process keeps."""
EXPLAINED = 3
"""Answers whose difference to the base is explained without being asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyProgress:
    """Progress of a study: numbers of SuperNodes evaluated, of those known to be needed so far, and the rows
    so far."""

    done: int
    total: int
    rows: tuple[StudyRow, ...]


def study_space(study: StudyDocument, catalog: Catalog) -> Space:
    """All candidates of a study.

    Raises
    ------
    ScenarioError : a part is not in the catalog, or the limits leave nothing
    """
    return space_of(study, catalog, usual_systems(catalog))


def study_answer(
    study: StudyDocument,
    catalog: Catalog,
    *,
    workers: StudyWorkers | None = None,
    progress: Callable[[StudyProgress], None] | None = None,
    longest_s: float = LONGEST_S,
) -> StudyAnswer:
    """The answer in one call.

    Raises
    ------
    ScenarioError : a part is not in the catalog, or no candidate can be evaluated
    """
    for step in study_steps(study, catalog, workers, longest_s=longest_s):
        if isinstance(step, StudyAnswer):
            return step
        if progress is not None:
            progress(step)
    raise RuntimeError("the study ended without an answer")


def study_steps(
    study: StudyDocument,
    catalog: Catalog,
    workers: StudyWorkers | None = None,
    *,
    longest_s: float = LONGEST_S,
) -> Iterator[StudyProgress | StudyAnswer]:
    """The same step by step, with rows as they are found, the answer last. Closing the iterator ends the
    work.

    A ranking is kept: to keep a column, change the base or decide does not search again.

    Raises
    ------
    ScenarioError : a part is not in the catalog, or no candidate can be evaluated
    """
    key = (catalog.revision, _asked(study))
    if (ranking := _rankings.at_hand(key)) is not None:
        looked_at = sum(len(one.done) for one in ranking.found.groups)
        yield StudyProgress(done=looked_at, total=looked_at, rows=ranking.rows)
        yield answered(study, ranking, catalog)
        return
    space = study_space(study, catalog)
    candidates = Candidates(study, catalog)
    with_samples = study.workload.training is not None and asks_samples(candidates.bounds)
    steps = search_steps(
        study, catalog, space, workers or InThisThread(), longest_s=longest_s,
        spreads_of=functools.partial(spreads_of, candidates) if with_samples else None,
    )  # fmt: skip
    rows: tuple[StudyRow, ...] = ()
    due = 0.0
    try:
        while True:
            step = next(steps)
            # rows are put together as often as someone can read them
            if (now := time.monotonic()) >= due:
                rows, due = rows_of(step.found, catalog), now + EVERY_S
            yield StudyProgress(done=step.done, total=step.total, rows=rows)
    except StopIteration as ended:
        found: Found = ended.value
    finally:
        steps.close()
    yield answered(study, _rankings.of(key, lambda: _ranking(found, candidates, catalog)), catalog)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Results of a search, independent of the kept columns and of the decision."""

    found: Found
    candidates: Candidates
    kept: tuple[Ranked, ...]
    rows: tuple[StudyRow, ...]
    searched: Searched
    decision: StudyDecision | None
    sizes: SuperNodeSizes | None
    timing: StudyTiming | None
    lost: bool


_rankings: Answers[Ranking] = Answers(at_most(KEPT))


def forget_rankings() -> None:
    """Drop the kept rankings, for measurements of search times."""
    _rankings.forget()


def _asked(study: StudyDocument) -> str:
    """The parts of a study that its ranking depends on: all but question, columns, base and decision."""
    bare = study.model_copy(
        update={"chosen": (), "base": None, "decision": DecisionDocument(), "question": ""}
    )
    return bare.model_dump_json()


def _ranking(found: Found, candidates: Candidates, catalog: Catalog) -> Ranking:
    """The shortlist of a finished search in full, and the robustness of its ranking."""
    answers, misses = ranked_rows(found, catalog)
    late = with_late_figures(candidates, found, answers)
    ranked = [one for _, one in late.kept]
    return Ranking(
        found=found,
        candidates=candidates,
        kept=late.kept,
        rows=placed([row for row, _ in late.kept], [*late.lost, *(row for row, _ in misses)]),
        searched=_searched(found, late),
        decision=_decision(candidates, ranked),
        sizes=_sizes(candidates, ranked, catalog),
        timing=_timing(candidates, ranked),
        lost=bool(late.lost),
    )


def _searched(found: Found, late: Late) -> Searched:
    """Extent of the search.

    Where answers miss a late limit, designs that they ruled out may be better than the winner, so there is a
    gap.
    """
    looked_at = searched(found)
    if not late.lost:
        return looked_at
    best = late.kept[0][0].figures[found.objective].value if late.kept else math.inf
    floor = least_left(found, best)
    if late.all_tried and not floor < best and not found.unbounded_groups:
        return replace(looked_at, exact=True, gap=0.0)
    gap = math.nan if not late.kept else max(1 - floor / best, 0.0)
    return replace(looked_at, exact=False, settled=False, gap=gap)


def answered(study: StudyDocument, ranking: Ranking, catalog: Catalog) -> StudyAnswer:
    """The answer of a finished search, compared with the base and with the columns of the study."""
    found, kept = ranking.found, ranking.kept
    candidates = replace(ranking.candidates, study=study)
    ranked = [one for _, one in kept]
    base = _base(study, kept)
    return StudyAnswer(
        name=study.name,
        objective=study.objective,
        answered=bool(kept),
        verdict=_verdict(found, ranking.rows),
        base=candidate_key(base) if base else "",
        rows=ranking.rows,
        searched=ranking.searched,
        differences=() if base is None else tuple(_differences(candidates, base, ranked)),
        decision=ranking.decision,
        sizes=ranking.sizes,
        timing=ranking.timing,
        refusals=tuple(_refusals(found, catalog)),
        notes=tuple(_notes(ranking)),
        provenance={"engine_version": __version__, "catalog_revision": catalog.revision},
    )


def _base(
    study: StudyDocument, kept: Sequence[tuple[StudyRow, CandidateDocument]]
) -> CandidateDocument | None:
    """The base case: a chosen column or an answer of that name, else the first answer."""
    for column in study.chosen:
        if column.name == study.base and column.candidate is not None:
            return column.candidate
    named = next((one for row, one in kept if row.key == study.base), None)
    return named or next((one for _, one in kept), None)


def _differences(
    candidates: Candidates, base: CandidateDocument, ranked: Sequence[CandidateDocument]
) -> Iterator[StudyDifference]:
    """Of the first answers on other hardware or terms than the base, and of the columns that are kept by
    hand."""
    chosen = [one.candidate for one in candidates.study.chosen if one.candidate is not None]
    others = [one for one in (*chosen, *ranked) if candidate_key(one) != candidate_key(base)]
    for one in others[:EXPLAINED]:
        try:
            yield from differences(candidates, base, one)
        except ScenarioError:
            continue


def _decision(candidates: Candidates, ranked: Sequence[CandidateDocument]) -> StudyDecision | None:
    if candidates.study.workload.training is None:
        return None
    return decision(candidates, ranked)


def _sizes(
    candidates: Candidates, ranked: Sequence[CandidateDocument], catalog: Catalog
) -> SuperNodeSizes | None:
    """The job of the winner over sizes of its SuperNode, where sizes are part of the study and it can be
    bought in others."""
    asked = candidates.study.candidates.domain_sizes
    if not ranked or asked == "as_sold":
        return None
    sizes = SEARCHED_DOMAINS if isinstance(asked, str) else tuple(sorted(asked))
    winner = ranked[0].model_copy(update={"domain_size": None})
    try:
        return supernode_sizes(candidates.evaluated(winner), catalog, SuperNodeSizesOptions(sizes=sizes))
    except ScenarioError:
        return None


def _timing(candidates: Candidates, ranked: Sequence[CandidateDocument]) -> StudyTiming | None:
    if not ranked or candidates.study.workload.training is None:
        return None
    try:
        return timing(candidates, ranked[0], served_by(candidates, ranked[0]))
    except ScenarioError:
        return None


def _verdict(found: Found, rows: tuple[StudyRow, ...]) -> str:
    answers = [row for row in rows if row.is_answer]
    if not answers:
        nearest = rows[0] if rows else None
        if nearest is None:
            return "No candidate can be built."
        changes = [limit.change for limit in nearest.limits if limit.binds and limit.change]
        text = f"No candidate keeps every limit. Nearest: {_words(nearest)}. {nearest.reason}"
        return f"{text} It would take {changes[0]}." if changes else text
    best = answers[0]
    column = FIGURE[found.objective]
    value = best.figures[found.objective].value
    text = f"{_words(best)}: {column.title.lower()} {show(value, column.unit).text}"
    if len(answers) > 1:
        second = answers[1]
        share = second.figures[found.objective].value / value - 1
        if not math.isnan(share):
            text += f", {100 * share:.3g} % less than {_words(second)}"
    return f"{text}."


def _words(row: StudyRow) -> str:
    return f"{row.supernodes:,} \u00d7 {row.system_name}, {row.network}, {row.site_name}, {row.terms.replace('_', ' ')}"


def _refusals(found: Found, catalog: Catalog) -> Iterator[str]:
    for index, words in found.refusals.items():
        yield f"{catalog.part('systems', found.space.groups[index].system).name}: {words}"
    for one in found.groups:
        if not one.counts.size and one.beyond:
            name = catalog.part("systems", one.pods.group.system).name
            worst = max(one.beyond, key=lambda key: one.beyond[key])
            title = FIGURE[worst].title.lower() if worst in FIGURE else worst
            yield f"{name}, {one.pods.group.network}: no number of SuperNodes can keep the limits; {title} rules out most, or is unknown."


def _notes(ranking: Ranking) -> Iterator[str]:
    found, looked_at = ranking.found, ranking.searched
    terms = found.space.terms
    if ranking.lost:
        yield (
            "Serving, floor, delivery and sampled probabilities are worked out of the best pods first, until twelve answers keep "
            "these limits; where the best pod of a place misses one, larger pods that were evaluated are tried."
        )
    if not looked_at.settled:
        gap = "unknown" if math.isnan(looked_at.gap) else f"{100 * looked_at.gap:.3g} %"
        yield (
            f"The search ended before every design was looked at: the winner may be beaten by {gap} at most, and the fewest "
            "SuperNodes of some hardware may be fewer."
        )
    if found.bounds:
        yield (
            "Probabilities of the time are those of measured runs like it; those of capital, total cost, cost of the run, power "
            "and carbon are shares of samples where another probability than one half is asked for; other limits are held "
            "against typical figures."
        )
    if any(term.startswith("rent") for term in terms):
        yield (
            "Rented capacity: its total cost is the rent of as much work as the pod would do over its life; limits of power, "
            "PUE, water and floor are the provider's."
        )
