"""Search space of a study: hardware groups, places and the pods of each, resolved once for each structure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.catalog.view import CatalogView
from app.engine.specs import Design
from app.scenarios.document.pod import Parallelism
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.intervals import FAILURE_RATE
from app.scenarios.resolve import MadeOnce, Resolved, unchosen, unchosen_designs
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.study.blocks import Overlay, of_size, same_but_size
from app.scenarios.study.candidates import LARGEST_POD, CandidateDocument, CountsDocument
from app.scenarios.study.document import StudyDocument
from app.scenarios.study.limits import Term
from app.scenarios.study.scenarios import BUILDING, candidate_scenario

SEARCHED_DOMAINS = (1, 2, 4, 8, 16, 32, 64, 72, 128, 256, 512, 1_024)
SEARCHED_SITES = 24
GROWTH = 2**0.25
"""Steps of the numbers of SuperNodes at which bounds are looked at first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Hardware and format: candidates that differ in their number, place and terms alone."""

    system: str
    domain_size: int | None
    network: str
    number_format: str | None
    layout: Parallelism

    def candidate(self, count: int, site: str, terms: Term) -> CandidateDocument:
        return CandidateDocument(
            system=self.system,
            supernodes=count,
            domain_size=self.domain_size,
            network=self.network,
            site=site,
            number_format=self.number_format,  # type: ignore[arg-type]  # one of those that the document lists
            layout=self.layout,
            terms=terms,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """All candidates: groups x numbers x sites x terms.

    `counts` is a list, or the first and the last number.
    """

    groups: tuple[Group, ...]
    sites: tuple[str, ...]
    terms: tuple[Term, ...]
    first: int
    last: int
    listed: tuple[int, ...] = ()

    @property
    def numbers(self) -> int:
        return len(self.listed) or self.last - self.first + 1

    @property
    def designs(self) -> int:
        return len(self.groups) * len(self.sites) * len(self.terms) * self.numbers

    @property
    def buildings(self) -> tuple[Term, ...]:
        """Terms that are evaluated by themselves; rented capacity is evaluated as if owned."""
        first_of_each = {BUILDING[term]: term for term in reversed(self.terms)}
        return tuple(term for term in self.terms if first_of_each[BUILDING[term]] == term)


def space_of(study: StudyDocument, catalog: CatalogView, usual_systems: Sequence[str]) -> Space:
    """The space of a study, without what its limits leave out by name.

    Raises
    ------
    ScenarioError : a part is not in the catalog, or the limits leave nothing
    """
    asked, limits = study.candidates, study.limits
    systems = usual_systems if asked.systems == "search" else asked.systems
    for place, key in enumerate(systems):
        part_or_error(catalog, "systems", key, f"candidates.systems[{place}]")
    if limits.vendors:
        wanted = {vendor.casefold() for vendor in limits.vendors}
        systems = [key for key in systems if _vendor(catalog, key).casefold() in wanted]
    domains: Sequence[int | None] = (None,)
    if asked.domain_sizes == "search":
        domains = (None, *SEARCHED_DOMAINS)
    elif not isinstance(asked.domain_sizes, str):
        domains = asked.domain_sizes
    networks = [
        one.name
        for one in asked.networks
        if not limits.switch_families
        or one.fabric.kind == "auto"
        or one.fabric.kind in limits.switch_families
    ]
    training = study.workload.training
    stated = (training.precision,) if training is not None else (None,)
    formats: Sequence[str | None] = asked.number_formats or stated
    if limits.number_formats:
        formats = [one for one in formats if one in limits.number_formats]
    sites = _sites(study, catalog)
    terms = tuple(one for one in asked.terms if not limits.terms or one in limits.terms)
    for name, left in (
        ("vendors", systems),
        ("switch_families", networks),
        ("number_formats", formats),
        ("sites", sites),
        ("terms", terms),
    ):
        if not left:
            raise _nothing_left(name)
    first, last, listed = _counts(study)
    return Space(
        groups=tuple(
            Group(system=system, domain_size=size, network=network, number_format=form, layout=layout)
            for system in systems
            for network in networks
            for size in domains
            for form in formats
            for layout in asked.layouts
        ),
        sites=tuple(sites),
        terms=terms,
        first=first,
        last=last,
        listed=listed,
    )


def _vendor(catalog: CatalogView, key: str) -> str:
    return str(catalog.part("systems", key).attributes.get("vendor") or "")


def _sites(study: StudyDocument, catalog: CatalogView) -> Sequence[str]:
    asked, limited = study.candidates.sites, study.limits.sites
    years = set(catalog.keys("climate"))
    if isinstance(asked, str):
        known = [
            key
            for key in limited or catalog.keys("sites")
            if catalog.part("sites", key).attributes["climate_key"] in years
            and "electricity_price_usd_per_kwh" in catalog.part("sites", key).facts
        ]
        return known[:SEARCHED_SITES]
    for place, key in enumerate(asked):
        part_or_error(catalog, "sites", key, f"candidates.sites[{place}]")
    return [key for key in asked if not limited or key in limited]


def _counts(study: StudyDocument) -> tuple[int, int, tuple[int, ...]]:
    asked = study.candidates.supernodes
    if isinstance(asked, CountsDocument):
        return asked.first, asked.last, ()
    if isinstance(asked, str):
        return 1, LARGEST_POD, ()
    return min(asked), max(asked), tuple(sorted(asked))


def _nothing_left(name: str) -> ScenarioError:
    return refuse(
        f"limits.{name} leaves none of the candidates.",
        rule="nothing_left",
        path=f"limits.{name}",
        value=None,
        hint=f"Allow more under limits.{name}, or add candidates that it allows.",
    )


@dataclass
class GroupPods:
    """The pods of a group at the first site, by number of SuperNodes.

    Pods differ in their numbers and, here and there, in structure: alone or not, the channel that buys so
    many. Where two pods differ in their numbers alone, so do those in between, and are not resolved.
    """

    study: StudyDocument
    catalog: CatalogView
    group: Group
    site: str
    terms: Term
    made: MadeOnce = field(default_factory=dict)
    elsewhere: dict[Hashable, MadeOnce] = field(default_factory=dict)
    """Parts that groups of one SuperNode share at each place."""
    _known: dict[int, tuple[Design, ...]] = field(default_factory=dict)
    _sized: dict[int, tuple[Design, ...]] = field(default_factory=dict)
    _alike: dict[tuple[int, int], bool] = field(default_factory=dict)

    def at(self, count: int) -> tuple[Design, ...]:
        """The design of a number of SuperNodes under every framework that may run it.

        Raises
        ------
        ScenarioError : there can be no such pod
        """
        found = self._known.get(count) or self._sized.get(count)
        if found is None:
            found = self._between(count)
            if found is None:
                found = self._known[count] = self._resolved(count)
            else:
                self._sized[count] = found
        return found

    def breaks(self, first: int, last: int) -> list[int]:
        """Numbers from which the structure is another than that of the number before, within a range."""
        return sorted(self._breaks(first, last))

    def whole(self, count: int) -> Resolved:
        """A pod with what intervals follow from, and nothing else: it is sent to other processes.

        Raises
        ------
        ScenarioError : there can be no such pod
        """
        found = unchosen(self.scenario(count, self.site, self.terms), self.catalog, self.made)[0]
        origins = {place: found.origins[place] for place in (FAILURE_RATE,) if place in found.origins}
        return replace(found, origins=origins, values={}, others=(), speed=None)

    def scenario(self, count: int, site: str, terms: Term) -> Any:
        return candidate_scenario(self.study, self.group.candidate(count, site, terms))

    def overlay(self, count: int, site: str, terms: Term) -> Overlay:
        """Differences at another place or in another building, from the pod of a number of SuperNodes.

        Raises
        ------
        ScenarioError : there can be no such pod there
        """
        here = self.at(count)[0]
        there = here
        if (site, BUILDING[terms]) != (self.site, BUILDING[self.terms]):
            here_too = (self.group.system, self.group.domain_size, site, BUILDING[terms])
            made = self.elsewhere.setdefault(here_too, {})
            there = unchosen_designs(self.scenario(count, site, terms), self.catalog, made)[0]
        return Overlay(facility=there.facility, economics=there.economics, base_economics=here.economics)

    def _resolved(self, count: int) -> tuple[Design, ...]:
        return unchosen_designs(self.scenario(count, self.site, self.terms), self.catalog, self.made)

    def _between(self, count: int) -> tuple[Design, ...] | None:
        if not isinstance(self.group.layout, str):  # whether a stated layout fits hangs on the number
            return None
        numbers = sorted(self._known)
        below, above = bisect_left(numbers, count) - 1, bisect_right(numbers, count)
        if below < 0 or above >= len(numbers):
            return None
        if not self._same(numbers[below], numbers[above]):
            return None
        return tuple(of_size(design, count) for design in self._known[numbers[below]])

    def _same(self, below: int, above: int) -> bool:
        """Whether two numbers that were resolved have the same structure."""
        if (below, above) not in self._alike:
            one, other = self._known[below], self._known[above]
            self._alike[below, above] = len(one) == len(other) and all(map(same_but_size, one, other))
        return self._alike[below, above]

    def _breaks(self, first: int, last: int) -> Iterator[int]:
        one, other = self.at(first), self.at(last)
        if len(one) == len(other) and all(map(same_but_size, one, other)):
            return
        if last - first == 1:
            yield last
            return
        middle = (first + last) // 2
        yield from self._breaks(first, middle)
        yield from self._breaks(middle, last)


def coarse_counts(first: int, last: int, breaks: Sequence[int]) -> list[int]:
    """Numbers from the first to the last in steps of about a fifth, with those before and at each break.

    >>> coarse_counts(1, 10, [4])
    [1, 2, 3, 4, 5, 6, 7, 8, 10]
    """
    found, at = {first, last}, float(first)
    while at < last:
        at = max(at * GROWTH, at + 1)
        found.add(min(int(at), last))
    for one in breaks:
        found |= {max(one - 1, first), one}
    return sorted(found)


def windows(kept: Sequence[bool], counts: Sequence[int]) -> list[int]:
    """Every number between the coarse ones before and after those that no bound rules out."""
    places = [place for place, one in enumerate(kept) if one]
    if not places:
        # bounds are monotone between breaks: where they rule out both coarse numbers, they rule out all between
        return []
    lower = counts[max(places[0] - 1, 0)]
    upper = counts[min(places[-1] + 1, len(counts) - 1)]
    return list(range(lower, upper + 1))
