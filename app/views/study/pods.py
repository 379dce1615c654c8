"""The pods of a group that a search has to look at, by the bounds of the best case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from app.engine.design import evaluate_fabric_of, evaluate_sections
from app.engine.evaluation import Sections
from app.engine.explore.best_case import BestCase, best_case, fabric_of, served_case
from app.engine.explore.least_time import LeastSpeed, least_speed_of
from app.engine.specs import Design
from app.engine.trace import Array
from app.engine.uncertainty.within import factor_at
from app.scenarios.errors import ScenarioError
from app.scenarios.resolve import Resolved
from app.scenarios.study.blocks import Overlay, StudyChunk, placed, same_but_size, with_fastest_layout
from app.scenarios.study.limits import Term
from app.scenarios.study.scenarios import BUILDING, RENTED
from app.scenarios.study.space import GroupPods, Space, coarse_counts
from app.scenarios.study.spread import least_high_ratio
from app.views.study.judging import Bound

MOST_WINDOW = 4_096
"""Numbers of SuperNodes for which bounds are computed one by one."""
BEYOND = 4
"""End of the range where no bound ends it, over the first number that could be in time."""
BOUNDED = ("time_s", "capex_usd", "meter_power_w", "tco_usd", "run_usd", "carbon_kg")
OF_SERVED = ("capex_usd", "meter_power_w", "tco_usd")
OF_RENTED = ("time_s", "carbon_kg")
WORDS = {
    "time_s": "Time is at least that of the kernels of the layer shape that takes least, over all accelerators, with the wait for "
    "slow nodes; with a probability, at the least factor that measured runs like it ask for.",
    "capex_usd": "Capital is at least that of the pod with its fabric and building, before any layout is known.",
    "meter_power_w": "Power at the meter is at least that with the accelerators computing, or waiting, all the time.",
    "tco_usd": "Total cost of ownership is at least that with the least energy that the accelerators can draw.",
    "run_usd": "The run costs at least the least time at the least cost of an hour.",
    "carbon_kg": "Carbon is at least that of the least energy over the least time.",
    "objective": "More SuperNodes cannot beat the answer that is known: their best case is worse.",
    "unknown": "What answers are ranked by is unknown for these, such as a price that is not published: they cannot be ranked.",
    "not looked at": "Not looked at: nothing bounds these, and the search ends before them.",
}
"""The bounds that rule designs out, as sentences."""


@dataclass
class GroupSearch:
    """The state of a group. Arrays are of shape (sites, terms, counts) over `counts`.

    Parameters
    ----------
    least : best case of each bounded figure
    by : place in `BOUNDED`, from 1, of the first bound that rules a design out; 0 where none does
    beyond : designs beyond the window by name of the bound that rules them out
    unbounded : numbers of SuperNodes beyond the window that no bound rules out
    """

    index: int
    pods: GroupPods
    counts: NDArray[np.intp]
    overlays: tuple[Overlay, ...]
    resolved: Resolved | None
    least: dict[str, Array]
    by: NDArray[np.uint8]
    beyond: dict[str, int] = field(default_factory=dict)
    done: set[int] = field(default_factory=set)
    unbounded: int = 0
    refused: int = 0

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Designs that no bound rules out."""
        return np.equal(self.by, 0)

    def chunk(self, counts: Sequence[int]) -> tuple[StudyChunk | None, int]:
        """Input of a worker for some numbers of SuperNodes, and the count of numbers without a possible
        pod."""
        able, designs = [], []
        for count in counts:
            try:
                designs.append(self.pods.at(count))
                able.append(count)
            except ScenarioError:
                continue
        if not able:
            return None, len(counts)
        training = self.pods.study.workload.training
        chunk = StudyChunk(
            group=self.index,
            counts=tuple(able),
            designs=tuple(designs),
            overlays=self.overlays,
            resolved=self.resolved,
            calibration=None if training is None else training.calibration,
        )
        return chunk, len(counts) - len(able)


def group_search(index: int, pods: GroupPods, space: Space, bounds: Sequence[Bound]) -> GroupSearch:
    """The numbers of SuperNodes of a group that its limits leave.

    Raises
    ------
    ScenarioError : no pod of the group can be
    """
    reference = _reference_count(pods, space, bounds)
    places = [(site, term) for site in space.sites for term in space.buildings]
    overlays = tuple(pods.overlay(reference, site, term) for site, term in places)
    trains = pods.study.workload.training is not None
    resolved = pods.whole(reference) if trains else None
    if space.listed and (not trains or not isinstance(pods.group.layout, str)):
        counts = np.array(space.listed or range(space.first, space.last + 1), dtype=np.intp)
        shape = (len(space.sites), len(space.terms), counts.size)
        return GroupSearch(
            index=index, pods=pods, counts=counts, overlays=overlays, resolved=resolved,
            least={}, by=np.zeros(shape, dtype=np.uint8),
        )  # fmt: skip
    designs = pods.at(reference)
    chosen, _ = with_fastest_layout(designs)
    with np.errstate(all="ignore"):
        sections = evaluate_sections(chosen)
    speed = least_speed_of(designs) if trains else None
    bounding = _Bounding(
        pods, space, overlays, bounds, sections, speed, resolved,
        tuple(one.framework.key if one.framework else "" for one in designs),
        float(chosen.pod.accelerators_used[0] / chosen.pod.supernodes[0]),
    )  # fmt: skip
    counts, unbounded, beyond = bounding.window(reference)
    least = bounding.least(counts)
    return GroupSearch(
        index=index, pods=pods, counts=counts, overlays=overlays, resolved=resolved, least=least,
        by=bounding.ruled_out(counts, least), beyond=beyond, unbounded=unbounded,
    )  # fmt: skip


def _reference_count(pods: GroupPods, space: Space, bounds: Sequence[Bound]) -> int:
    """A number of SuperNodes near which the answer lies: some 1,024 accelerators, within the range.

    Raises
    ------
    ScenarioError : neither this nor a larger pod can be
    """
    if space.listed:
        return space.listed[len(space.listed) // 2]
    try:
        each = float(pods.at(space.first)[0].supernode.accelerators[0])
    except ScenarioError:
        each = float(pods.at(space.last)[0].supernode.accelerators[0])
    return int(np.clip(round(1_024 / each), space.first, space.last))


@dataclass(frozen=True)
class _Bounding:
    pods: GroupPods
    space: Space
    overlays: tuple[Overlay, ...]
    bounds: Sequence[Bound]
    sections: Sections
    speed: LeastSpeed | None
    resolved: Resolved | None
    frameworks: tuple[str, ...]
    per_supernode: float
    structures: list[Design] = field(default_factory=list)
    structure_of: dict[int, int | None] = field(default_factory=dict)

    def window(self, reference: int) -> tuple[NDArray[np.intp], int, dict[str, int]]:
        """Numbers with which some place may keep the limits.

        With the count of larger numbers that no bound rules out, and the counts ruled out by each bound.
        """
        space, places = self.space, len(self.space.sites) * len(self.space.terms)
        if space.listed:
            return np.array(space.listed, dtype=np.intp), 0, {}
        for probe in (space.first, min(space.first + 1, space.last)):
            self._try(probe)
        last, ends = self._last(reference)
        coarse = np.array(
            coarse_counts(space.first, last, self.pods.breaks(min(space.first + 1, last), last))
        )
        able = np.flatnonzero((self.ruled_out(coarse, self.quick(coarse)) == 0).any(axis=(0, 1)))
        if not able.size:
            return np.empty(0, dtype=np.intp), 0, {ends or "time_s": places * space.numbers}
        lower = int(coarse[max(able[0] - 1, 0)])
        upper = int(coarse[min(able[-1] + 1, coarse.size - 1)])
        beyond = {"time_s": places * (lower - space.first)} if lower > space.first else {}
        after = space.last - upper
        if after and ends:
            beyond[ends] = beyond.get(ends, 0) + places * after
        cut = max(upper - lower + 1 - MOST_WINDOW, 0)
        counts = np.arange(lower, upper + 1 - cut, dtype=np.intp)
        return counts, cut + (0 if ends else after), beyond

    def _try(self, count: int) -> None:
        try:
            self.pods.at(count)
        except ScenarioError:
            return

    def _last(self, reference: int) -> tuple[int, str]:
        """The number from which a bound rules out every larger pod, with its name; "" where none does."""
        at = max(reference, self.space.first)
        first_in_time = 0
        while True:
            number = np.array([at], dtype=np.intp)
            by = self.ruled_out(number, self.quick(number))
            upper = [BOUNDED[place - 1] for place in by.ravel() if place and BOUNDED[place - 1] != "time_s"]
            if (by > 0).all() and upper:
                return at, max(upper, key=upper.count)
            if not first_in_time and (by == 0).any():
                first_in_time = at
            if at >= self.space.last:
                return self.space.last, ""
            if first_in_time and at >= BEYOND * first_in_time and not self._rises():
                return at, ""
            at = min(2 * at, self.space.last)

    def _rises(self) -> bool:
        """Whether some limit rules out pods that are too large, at every place and on all terms."""
        upper = ("capex_usd", "meter_power_w", "tco_usd")
        keys = {bound.column.key for bound in self.bounds}
        return all(any(key in keys for key in upper) and term not in RENTED for term in self.space.terms)

    def quick(self, counts: NDArray[np.intp]) -> dict[str, Array]:
        """Best case of the figures that are limited; time alone is the same everywhere."""
        if any(bound.column.key in BOUNDED[1:] for bound in self.bounds):
            return self.least(counts)
        if self.speed is None:
            return {}
        found = np.full(counts.size, np.nan)
        for members, stacked in self._stacks(counts):
            found[members] = np.ravel(self.speed.training_time_s(stacked))
        shape = (len(self.space.sites), len(self.space.terms), counts.size)
        return {"time_s": np.broadcast_to(found, shape)}

    def least(self, counts: NDArray[np.intp]) -> dict[str, Array]:
        """Best case of every figure, of shape (sites, terms, counts)."""
        space = self.space
        if self.speed is None:
            return self._of_served(counts)
        buildings = {term: place for place, term in enumerate(space.buildings)}
        found = {key: np.full((len(space.sites), len(space.terms), counts.size), np.nan) for key in BOUNDED}
        for members, stacked in self._stacks(counts):
            fabric = fabric_of(stacked)
            for site in range(len(space.sites)):
                cases: dict[Term, BestCase] = {}
                for term, building in buildings.items():
                    overlay = self.overlays[site * len(buildings) + building]
                    cases[term] = best_case(placed(stacked, overlay), self.sections, self.speed, fabric)
                for place, term in enumerate(space.terms):
                    own = cases.get(term) or next(iter(cases.values()))
                    for key in OF_RENTED if term in RENTED else BOUNDED:
                        found[key][site, place, members] = getattr(own, key)
                    if term in RENTED:
                        run, life = own.rented_usd[RENTED[term]]
                        found["capex_usd"][site, place, members] = 0.0
                        found["meter_power_w"][site, place, members] = 0.0  # no limit of power holds
                        found["run_usd"][site, place, members] = run
                        found["tco_usd"][site, place, members] = life
        return found

    def _of_served(self, counts: NDArray[np.intp]) -> dict[str, Array]:
        """Cost and power of pods that serve; nothing bounds the cost of rented ones over their life."""
        space = self.space
        shape = (len(space.sites), len(space.terms), counts.size)
        found = {key: np.full(shape, np.nan) for key in OF_SERVED}
        for members, stacked in self._stacks(counts):
            with np.errstate(all="ignore"):
                fabric = evaluate_fabric_of(stacked)
            for site in range(len(space.sites)):
                for building, term in enumerate(space.buildings):
                    overlay = self.overlays[site * len(space.buildings) + building]
                    case = served_case(placed(stacked, overlay), self.sections, fabric)
                    for place, one in enumerate(space.terms):
                        if BUILDING[one] != BUILDING[term]:
                            continue
                        for key in OF_SERVED:
                            found[key][site, place, members] = case[key]
                        if one in RENTED:
                            found["capex_usd"][site, place, members] = 0.0
                            found["tco_usd"][site, place, members] = 0.0
        return found

    def _stacks(self, counts: NDArray[np.intp]) -> list[tuple[list[int], Design]]:
        """Numbers that share their structure, with the design of every one."""
        groups: dict[int, list[int]] = {}
        for place, count in enumerate(counts):
            structure = self._structure(int(count))
            if structure is not None:
                groups.setdefault(structure, []).append(place)
        return [(members, _stacked(self.structures[one], counts[members])) for one, members in groups.items()]

    def _structure(self, count: int) -> int | None:
        """Place in `structures` of the structure of a number of SuperNodes; None where there is no such
        pod."""
        if count not in self.structure_of:
            try:
                design = self.pods.at(count)[0]
            except ScenarioError:
                self.structure_of[count] = None
                return None
            known = (
                place
                for place, one in enumerate(self.structures)
                # one SuperNode alone has no fabric, whatever is stated
                if count > 1 and one.pod.supernodes[0] > 1 and _alike(one, design)
            )
            place = next(known, len(self.structures))
            if place == len(self.structures):
                self.structures.append(design)
            self.structure_of[count] = place
        return self.structure_of[count]

    def factor(self, counts: NDArray[np.intp], asked: float) -> Array:
        """Lower bound of the time with a probability over the typical time, by comparable runs of pods of
        these sizes."""
        if self.resolved is None or asked <= 0.5:
            return np.ones(1)
        used = (counts * self.per_supernode).astype(np.float64)
        training = self.pods.study.workload.training
        stated = None if training is None or training.calibration is None else training.calibration.bounds
        high = least_high_ratio(self.resolved, self.sections, self.frameworks, used, stated)
        return factor_at(probability=np.full(1, asked), low_ratio=np.ones(1), high_ratio=high)

    def ruled_out(self, counts: NDArray[np.intp], least: dict[str, Array]) -> NDArray[np.uint8]:
        """Place in `BOUNDED`, from 1, of the first bound that rules each design out; 0 where none does."""
        by = np.zeros((len(self.space.sites), len(self.space.terms), counts.size), dtype=np.uint8)
        for bound in self.bounds:
            key = bound.column.key
            if (
                key not in least or bound.asked < 0.5
            ):  # at a probability below one half a typical figure above the limit may keep it
                continue
            # an unknown figure keeps no limit at any number of SuperNodes
            factor = self.factor(counts, bound.asked) if key == "time_s" else np.ones(1)
            over = (by == 0) & ~(least[key] * factor <= bound.value)
            for place, term in enumerate(self.space.terms):
                if not bound.holds_for(term):
                    over[:, place] = False
            by[over] = BOUNDED.index(key) + 1
        return by


def _alike(one: Design, other: Design) -> bool:
    """Return whether two pods differ in their size alone."""
    made_of_one = (
        one.supernode is other.supernode
        and one.economics is other.economics
        and one.assumptions is other.assumptions
        and one.pod.fabric is other.pod.fabric
    )
    return made_of_one or same_but_size(one, other)


def _stacked(design: Design, counts: NDArray[np.intp]) -> Design:
    numbers = counts.astype(float)[:, None]
    each = design.pod.accelerators_used / design.pod.supernodes
    return replace(design, pod=replace(design.pod, supernodes=numbers, accelerators_used=numbers * each))
