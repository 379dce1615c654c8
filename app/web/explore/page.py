"""The page of a search: its options on the left, and what is known before it is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from app.figures.figure import Figure, at
from app.figures.searching.domain_sizes import domain_sizes_figure
from app.scenarios.document import ScenarioDocument
from app.scenarios.searching.options import SearchOptions
from app.web.designs import Designs
from app.web.explore.answer import SearchAnswer, search_answer
from app.web.explore.form import HOLD, OBJECTIVES, SPACES, SearchForm, search_form
from app.web.studio.carried import Carried, carried
from app.web.studio.values import value_at


class Asked(NamedTuple):
    """A scenario, and how to search it."""

    scenario: ScenarioDocument
    options: SearchOptions


class ExplorePage(NamedTuple):
    """A scenario, and the options of a search of it as they were typed."""

    carried: Carried
    form: SearchForm

    @property
    def generic(self) -> bool:
        """A generic job has no layouts to search; the sizes of the domain are compared all the same."""
        return bool(value_at(self.carried.values, "workload.kind") == "generic")

    @property
    def objectives(self) -> tuple[tuple[str, str], ...]:
        return OBJECTIVES

    @property
    def spaces(self) -> tuple[tuple[str, str], ...]:
        return SPACES

    @property
    def asked(self) -> Asked | None:
        """What is to be searched, None where it cannot be."""
        scenario, options = self.carried.scenario, self.form.options
        return None if scenario is None or options is None else Asked(scenario, options)

    @property
    def unheld(self) -> str:
        """The same search with every axis free."""
        state = self.carried.state
        free = {name: text for name, text in self.form.query.items() if not name.startswith(HOLD)}
        query = {**({"s": state} if state else {}), **free}
        return f"/explore/{self.carried.key}{f'?{urlencode(query)}' if query else ''}"

    def address(self, part: str = "", **more: str) -> str:
        """The address of this search, or of a part of its page."""
        state = self.carried.state
        query = {**({"s": state} if state else {}), **self.form.query, **more}
        return f"/explore/{self.carried.key}{part}{f'?{urlencode(query)}' if query else ''}"


def explore_page(designs: Designs, key: str, query: Mapping[str, str]) -> ExplorePage:
    """The page of a design, with the scenario that the address carries in place of its own.

    Raises
    ------
    KeyError : there is no such design
    """
    return ExplorePage(carried(designs, key, query.get("s", "")), search_form(query))


def found(designs: Designs, page: ExplorePage, asked: Asked) -> SearchAnswer:
    """The search of a page, made.

    Raises
    ------
    ScenarioError : it is refused, such as for a space that is too large
    """
    supernodes = at(designs.evaluate(page.carried.key, asked.scenario).as_json, "inputs.pod.supernodes")
    return search_answer(
        designs.of(page.carried.key).search(asked.scenario, asked.options),
        asked.options,
        key=page.carried.key,
        values=page.carried.values,
        own_supernodes=round(supernodes),
    )


def domain_figure(designs: Designs, scenario: ScenarioDocument) -> Figure:
    """The chart of what larger and smaller scale-up domains would bring a scenario."""
    return domain_sizes_figure(designs.domain_study(scenario))
