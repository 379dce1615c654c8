"""The search of a study: every pod that no bound rules out is evaluated, the fewest SuperNodes and the best
of each first."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.catalog.view import CatalogView
from app.engine.trace import Array
from app.scenarios.errors import ScenarioError
from app.scenarios.resolve import MadeOnce
from app.scenarios.study.blocks import StudyBlock, StudyChunk, computed_study_block
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.document import StudyDocument
from app.scenarios.study.limits import Term
from app.scenarios.study.space import GroupPods, Space
from app.views.study.judging import Bound, Spread, bounds_of, figures_of, keeps, objective_key, probabilities
from app.views.study.pods import GroupSearch, group_search

CHUNK = 4
"""Numbers of SuperNodes that a worker evaluates at a time, some 300 ms of work."""
MOST_EVALUATED = 400
"""Numbers of SuperNodes of a group that are evaluated: with more that no bound rules out the answer has a
gap."""
MOST_CHUNK = 16
LIKELY = 2.0
"""Ratio of the expected answer to the first number of SuperNodes that no bound rules out."""
LONGEST_S = 120.0
"""A search ends after this, with what it knows and the gap that is left."""


class StudyWorkers(Protocol):
    """Computes chunks, here or elsewhere; all call the same function, so that none changes a result."""

    @property
    def workers(self) -> int: ...

    def submit(self, chunk: StudyChunk) -> Future[StudyBlock]: ...

    def close(self) -> None: ...


class InThisThread:
    """Computes at once, where it is asked."""

    workers = 1

    def submit(self, chunk: StudyChunk) -> Future[StudyBlock]:
        done: Future[StudyBlock] = Future()
        try:
            done.set_result(computed_study_block(chunk))
        except Exception as error:
            done.set_exception(error)
        return done

    def close(self) -> None:
        """Nothing to let go."""


@dataclass
class Pods:
    """Evaluated pods of a group: arrays of shape (sites, terms, counts), in the order of `counts`."""

    counts: NDArray[np.intp]
    values: dict[str, Array]
    time_ends: Array
    feasible: NDArray[np.bool_]
    broken: NDArray[np.uint8]
    chances: dict[str, Array]
    kept: NDArray[np.bool_]
    layouts: tuple[dict[str, object], ...]


@dataclass
class Found:
    """What a search has found so far."""

    study: StudyDocument
    space: Space
    bounds: tuple[Bound, ...]
    groups: list[GroupSearch] = field(default_factory=list)
    pods: dict[int, Pods] = field(default_factory=dict)
    refusals: dict[int, str] = field(default_factory=dict)
    spreads: dict[int, dict[tuple[str, Term], Spread]] = field(default_factory=dict)
    layouts: int = 0
    unbounded_groups: int = 0
    """Groups without an evaluated pod when the search had to end."""
    started: float = field(default_factory=time.perf_counter)

    @property
    def objective(self) -> str:
        return objective_key(self.study)

    def best(self, index: int) -> Array:
        """Of each site and terms the least objective of pods that keep every limit; infinite without."""
        pods = self.pods.get(index)
        if pods is None:
            return np.full((len(self.space.sites), len(self.space.terms)), np.inf)
        figure = np.where(pods.kept, pods.values[self.objective], np.inf)
        found: Array = np.nan_to_num(figure, nan=np.inf, posinf=np.inf).min(axis=2)
        return found

    def fewest(self, index: int) -> Array:
        """Of each site and terms the fewest SuperNodes that keep every limit; infinite without."""
        pods = self.pods.get(index)
        if pods is None:
            return np.full((len(self.space.sites), len(self.space.terms)), np.inf)
        found: Array = np.where(pods.kept, pods.counts, np.inf).min(axis=2)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Progress of a search: numbers of SuperNodes evaluated, and all that are open at present."""

    done: int
    total: int
    found: Found


def search_steps(
    study: StudyDocument,
    catalog: CatalogView,
    space: Space,
    workers: StudyWorkers,
    *,
    longest_s: float = LONGEST_S,
    spreads_of: Callable[[CandidateDocument], dict[str, Spread]] | None = None,
) -> Generator[Step, None, Found]:
    """Search step by step; closing the generator ends it.

    First a pod of each group, then pods that may beat the best of all, then pods that may be the smallest or
    the best of their own hardware, place and terms. After `longest_s` nothing more is begun, and the answer
    has a gap.

    Parameters
    ----------
    spreads_of : P10 and P90 of figures over their typical values, where some limit is asked for with a
        probability

    Raises
    ------
    ScenarioError : no group can be evaluated
    """
    found = Found(study=study, space=space, bounds=bounds_of(study.limits, study.timing.order_date))
    flying: dict[Future[StudyBlock], GroupSearch] = {}
    refused: list[ScenarioError] = []
    size = chunk_size(study, space)
    elsewhere: dict[Hashable, MadeOnce] = {}
    ends = found.started + longest_s
    try:
        for index, group in enumerate(space.groups):
            if time.perf_counter() > ends:
                found.unbounded_groups += 1
                continue
            pods = GroupPods(study, catalog, group, space.sites[0], space.buildings[0], elsewhere=elsewhere)
            try:
                one = group_search(index, pods, space, found.bounds)
            except ScenarioError as error:
                found.refusals[index] = error.errors[0].words
                refused.append(error)
                continue
            found.groups.append(one)
            if spreads_of is not None:
                found.spreads[index] = _spreads(one, space, spreads_of)
            # something is found here before processes have started
            first = workers if found.pods else InThisThread()
            _send(found, one, _probe(one), first, flying)
            yield from _landed(found, flying, at_most=workers.workers)
        if refused and not found.groups:
            raise refused[0]
        for wanted in (_may_win, open_numbers):
            waiting = sorted(found.groups, key=lambda one: _least(found, one))
            while waiting and time.perf_counter() < ends:
                for one in list(waiting):
                    counts = _next(one, wanted(found, one))[:size]
                    if not counts:
                        if one not in flying.values():
                            waiting.remove(one)
                        continue
                    _send(found, one, counts, workers, flying)
                    yield from _landed(found, flying, at_most=2 * workers.workers)
                    if time.perf_counter() > ends:
                        break
                yield from _landed(found, flying, at_most=max(len(flying) - 1, 0))
        yield from _landed(found, flying, at_most=0)
    finally:
        for future in flying:
            future.cancel()
    return found


def _spreads(
    one: GroupSearch, space: Space, spreads_of: Callable[[CandidateDocument], dict[str, Spread]]
) -> dict[tuple[str, Term], Spread]:
    """Spreads of the first evaluated pod, for each terms."""
    found: dict[tuple[str, Term], Spread] = {}
    for count in _probe(one)[:1]:
        for term in space.terms:
            try:
                each = spreads_of(one.pods.group.candidate(count, space.sites[0], term))
            except ScenarioError:
                continue
            found |= {(key, term): spread for key, spread in each.items()}
    return found


def chunk_size(study: StudyDocument, space: Space) -> int:
    """Numbers of SuperNodes that a worker evaluates at a time: more where there are many places, each of
    which costs as much for one number as for several."""
    if study.workload.training is None:
        return 1
    return min(max(CHUNK, len(space.sites) * len(space.buildings) // 2), MOST_CHUNK)


def _probe(one: GroupSearch) -> list[int]:
    """The number of SuperNodes that is likely enough: above the first that no bound rules out."""
    able = one.counts[one.alive.any(axis=(0, 1))] if one.alive.size else one.counts
    if not able.size:
        return []
    return [int(able[min(np.searchsorted(able, LIKELY * able[0]), able.size - 1)])]


def _least(found: Found, one: GroupSearch) -> float:
    """Lower bound of the objective of a group; infinite where it is unknown."""
    least = one.least.get(found.objective)
    if least is None or not one.alive.any():
        return 0.0
    return float(np.nan_to_num(least[one.alive], nan=np.inf).min())


def _may_win(found: Found, one: GroupSearch) -> NDArray[np.bool_]:
    """Which numbers may still beat the best answer of all."""
    left = open_numbers(found, one)
    least = one.least.get(found.objective)
    if least is None:
        return left
    best = min((float(found.best(other.index).min()) for other in found.groups), default=np.inf)
    # what is unknown cannot be ranked
    better = (one.alive & (least < best)).any(axis=(0, 1))
    return np.logical_and(left, better)


def _next(one: GroupSearch, left: NDArray[np.bool_]) -> list[int]:
    """Numbers that are still open, the smallest first, as far as the search goes."""
    if len(one.done) >= MOST_EVALUATED:
        return []
    return [int(count) for count in one.counts[left]]


def open_numbers(found: Found, one: GroupSearch) -> NDArray[np.bool_]:
    """Which numbers may still be the fewest, or the best, at some place."""
    done = np.isin(one.counts, list(one.done))
    fewest, best = found.fewest(one.index)[..., None], found.best(one.index)[..., None]
    smaller = one.counts[None, None, :] < fewest
    least = one.least.get(found.objective)
    better = np.ones_like(one.alive) if least is None else least < best
    if least is None and found.objective in ("run_usd", "tco_usd"):
        better &= ~np.isfinite(best)
    needed: NDArray[np.bool_] = (one.alive & (smaller | better)).any(axis=(0, 1)) & ~done
    return needed


def _send(
    found: Found,
    one: GroupSearch,
    counts: Sequence[int],
    workers: StudyWorkers,
    flying: dict[Future[StudyBlock], GroupSearch],
) -> None:
    if not counts:
        return
    chunk, refused = one.chunk(counts)
    one.done |= set(counts)
    one.refused += refused
    if chunk is not None:
        flying[workers.submit(chunk)] = one


def _landed(found: Found, flying: dict[Future[StudyBlock], GroupSearch], *, at_most: int) -> Iterator[Step]:
    """Take in what is done, waiting until at most so many chunks are under way."""
    while flying and (len(flying) > at_most or any(one.done() for one in flying)):
        done, _ = wait(flying, return_when=FIRST_COMPLETED)
        for future in done:
            _take(found, flying.pop(future), future.result())
        looked_at = sum(len(one.done) for one in found.groups)
        left = sum(int(open_numbers(found, one).sum()) for one in found.groups)
        yield Step(done=looked_at, total=looked_at + left, found=found)


def _take(found: Found, one: GroupSearch, block: StudyBlock) -> None:
    space = found.space
    serves = found.study.workload.training is None
    figures = figures_of(block, len(space.sites), space.terms, space.buildings, serves=serves)
    chances = probabilities(figures, found.bounds, space.terms, found.spreads.get(one.index))
    broken = block.broken.reshape(len(space.sites), len(space.buildings), -1)
    pods = Pods(
        counts=np.array(block.counts, dtype=np.intp),
        values=figures.values,
        time_ends=block.time_ends,
        feasible=figures.feasible,
        broken=broken,
        chances=chances,
        kept=keeps(chances, found.bounds, figures.feasible),
        layouts=block.layouts,
    )
    found.layouts += block.searched
    known = found.pods.get(one.index)
    found.pods[one.index] = pods if known is None else _joined(known, pods)


def _joined(one: Pods, other: Pods) -> Pods:
    counts = np.concatenate([one.counts, other.counts])
    order = np.argsort(counts, kind="stable")

    def both(first: Array, second: Array) -> Array:
        joined: Array = np.concatenate([first, second], axis=-1)[..., order]
        return joined

    layouts = (*one.layouts, *other.layouts)
    return Pods(
        counts=counts[order],
        values={name: both(values, other.values[name]) for name, values in one.values.items()},
        time_ends=both(one.time_ends, other.time_ends),
        feasible=both(one.feasible, other.feasible),  # type: ignore[arg-type]
        broken=both(one.broken, other.broken),  # type: ignore[arg-type]
        chances={name: both(values, other.chances[name]) for name, values in one.chances.items()},
        kept=both(one.kept, other.kept),  # type: ignore[arg-type]
        layouts=tuple(layouts[place] for place in order),
    )
