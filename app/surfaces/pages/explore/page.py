"""The page of a search: its options on the left, and what is known before it is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from app.charts.figure import Figure, get_path
from app.charts.searching.domain_sizes import domain_sizes_figure
from app.scenarios.document.scenario import ScenarioDocument
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.explore.answer import SearchAnswer, search_answer
from app.surfaces.pages.explore.form import HOLD, OBJECTIVES, SPACES, SearchForm, search_form
from app.surfaces.pages.explore.serving_answer import ServingFound, serving_found
from app.surfaces.pages.explore.serving_form import MODES, ServingSearchForm, serving_search_form
from app.surfaces.pages.explore.serving_form import OBJECTIVES as SERVING_OBJECTIVES
from app.surfaces.pages.studio.carried import Carried, carried
from app.surfaces.pages.studio.values import value_at
from app.views.searching.options import SearchOptions
from app.views.searching.serving_options import ServingSearchOptions


class Asked(NamedTuple):
    """A scenario, and how to search it; a served model by `served`, any other by `options`."""

    scenario: ScenarioDocument
    options: SearchOptions | None
    served: ServingSearchOptions | None


class ExplorePage(NamedTuple):
    """A scenario, and the options of a search of it as they were typed; `serving` where it serves a model."""

    carried: Carried
    form: SearchForm
    serving: ServingSearchForm | None

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
    def serving_objectives(self) -> tuple[tuple[str, str], ...]:
        return SERVING_OBJECTIVES

    @property
    def serving_modes(self) -> tuple[tuple[str, str], ...]:
        return MODES

    @property
    def asked(self) -> Asked | None:
        """What is to be searched, None where it cannot be."""
        scenario, options = self.carried.scenario, self.form.options
        served = None if self.serving is None else self.serving.options
        if scenario is None or (served if self.serving is not None else options) is None:
            return None
        return Asked(scenario, None if self.serving is not None else options, served)

    @property
    def errors(self) -> int:
        """Number of unusable options."""
        return len(self.form.errors if self.serving is None else self.serving.errors)

    @property
    def unheld(self) -> str:
        """The same search with every axis free."""
        free = [(name, text) for name, text in self._typed if not name.startswith(HOLD)]
        return self._address("", free)

    def address(self, part: str = "", **more: str) -> str:
        """The address of this search, or of a part of its page."""
        return self._address(part, [*self._typed, *more.items()])

    @property
    def _typed(self) -> list[tuple[str, str]]:
        return list(self.form.query.items()) if self.serving is None else self.serving.query

    def _address(self, part: str, fields: list[tuple[str, str]]) -> str:
        state = self.carried.state
        query = [*([("s", state)] if state else []), *fields]
        return f"/explore/{self.carried.key}{part}{f'?{urlencode(query)}' if query else ''}"


def explore_page(designs: Designs, key: str, query: Mapping[str, str]) -> ExplorePage:
    """The page of a design, with the scenario that the address carries in place of its own.

    Raises
    ------
    KeyError : there is no such design
    """
    shown = carried(designs, key, query.get("s", ""))
    if value_at(shown.values, "workload.kind") == "serving":
        return ExplorePage(shown, search_form({}), serving_search_form(query))
    return ExplorePage(shown, search_form(query), None)


def served_found(designs: Designs, page: ExplorePage, asked: Asked) -> ServingFound:
    """The search of a served model, made.

    Raises
    ------
    ScenarioError : it is refused, such as for a system that is not in the catalog
    """
    assert asked.served is not None
    own = designs.of(page.carried.key)
    answer = own.searches.serving_search(own.scenario(asked.scenario), own.catalog(), asked.served)
    return serving_found(answer, lambda name: page.address("/file", format=name))


def found(designs: Designs, page: ExplorePage, asked: Asked) -> SearchAnswer:
    """The search of a page, made.

    Raises
    ------
    ScenarioError : it is refused, such as for a space that is too large
    """
    assert asked.options is not None
    own = designs.of(page.carried.key)
    scenario = own.scenario(asked.scenario)
    return search_answer(
        own.searches.search(scenario, asked.options),
        asked.options,
        key=page.carried.key,
        values=page.carried.values,
        own_supernodes=round(get_path(scenario.as_json, "inputs.pod.supernodes")),
    )


def domain_figure(designs: Designs, scenario: ScenarioDocument) -> Figure:
    """The chart of what larger and smaller scale-up domains would bring a scenario."""
    return domain_sizes_figure(designs.domain_study(scenario))
