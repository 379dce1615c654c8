"""The page of a search: its options on the left, and what is known before it is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from app.figures.figure import Figure, at
from app.figures.searching.domain_sizes import domain_sizes_figure
from app.scenarios.document import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.searching.options import SearchOptions
from app.web.designs import Designs
from app.web.explore.answer import SearchAnswer, search_answer
from app.web.explore.form import OBJECTIVES, SPACES, SearchForm, search_form
from app.web.studio.form import Values, stated_values
from app.web.studio.state import decode_state


class Asked(NamedTuple):
    """A scenario, and how to search it."""

    scenario: ScenarioDocument
    options: SearchOptions


class ExplorePage(NamedTuple):
    """`scenario` is None where the scenario of the address cannot be used; `refusal` says why."""

    key: str
    title: str
    state: str
    values: Values
    scenario: ScenarioDocument | None
    form: SearchForm
    refusal: str

    @property
    def studio(self) -> str:
        """The way back, with what is not saved."""
        return f"/designs/{self.key}{f'?s={self.state}' if self.state else ''}"

    @property
    def objectives(self) -> tuple[tuple[str, str], ...]:
        return OBJECTIVES

    @property
    def spaces(self) -> tuple[tuple[str, str], ...]:
        return SPACES

    @property
    def asked(self) -> Asked | None:
        """What is to be searched, None where it cannot be."""
        if self.scenario is None or self.form.options is None:
            return None
        return Asked(self.scenario, self.form.options)

    def address(self, part: str = "", **more: str) -> str:
        """The address of this search, or of a part of its page."""
        query = {**({"s": self.state} if self.state else {}), **self.form.query, **more}
        return f"/explore/{self.key}{part}{f'?{urlencode(query)}' if query else ''}"


def explore_page(designs: Designs, key: str, query: Mapping[str, str]) -> ExplorePage:
    """The page of a design, with the scenario that the address carries in place of its own.

    Raises
    ------
    KeyError : there is no such design
    """
    own = designs.evaluated(key)
    state = query.get("s", "")
    typed = decode_state(state) if state else None
    values = stated_values(own.document) if typed is None else typed
    scenario, refusal = _built(designs, key, values)
    return ExplorePage(
        key=key,
        title=scenario.name if scenario else own.document.name,
        state=state if typed is not None else "",
        values=values,
        scenario=scenario,
        form=search_form(query),
        refusal=refusal,
    )


def _built(designs: Designs, key: str, values: Values) -> tuple[ScenarioDocument | None, str]:
    try:
        scenario = build_scenario(values)
        designs.evaluate(key, scenario)
    except ScenarioError as error:
        return None, str(error.errors[0])
    return scenario, ""


def found(designs: Designs, page: ExplorePage, asked: Asked) -> SearchAnswer:
    """The search of a page, made.

    Raises
    ------
    ScenarioError : it is refused, such as for a space that is too large
    """
    supernodes = at(designs.evaluate(page.key, asked.scenario).as_json, "inputs.pod.supernodes")
    return search_answer(
        designs.search(asked.scenario, asked.options),
        asked.options,
        key=page.key,
        values=page.values,
        own_supernodes=round(supernodes),
    )


def domain_figure(designs: Designs, scenario: ScenarioDocument) -> Figure:
    """The chart of what larger and smaller scale-up domains would bring a scenario."""
    return domain_sizes_figure(designs.domain_study(scenario))
