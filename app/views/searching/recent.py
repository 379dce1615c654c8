"""The searches made last, so that repeated requests, over REST or on a page, has the answer at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from app.catalog.lookup import Catalog
from app.catalog.view import CatalogView
from app.charts.unit_choice import in_units
from app.scenarios.answers import Answers, at_most
from app.scenarios.evaluation.service import EvaluatedScenario, inputs_hash
from app.views.economics.cost_against_time import (
    CostAgainstTime,
    CostAgainstTimeOptions,
    cost_against_time_answer,
)
from app.views.economics.difference.answer import DifferenceOptions, difference_answer
from app.views.economics.difference.causes import DifferenceReport
from app.views.fabric.supernode_sizes import SuperNodeSizes, SuperNodeSizesOptions, supernode_sizes
from app.views.searching.domains import domain_study
from app.views.searching.layouts import search_scenario
from app.views.searching.options import SearchOptions, ServingSearchOptions
from app.views.searching.serving import search_serving_scenario
from app.views.searching.serving_rows import ServingSearchAnswer

Answer = dict[str, Any]
Found = TypeVar("Found")
Key = tuple[str, ...]
AT_ONCE = 2


class RecentSearches:
    """Searches, domain studies, systems and designs compared, by the hash of their inputs; safe to share by threads.

    A large search takes half a gigabyte: a few run at once, the others wait. A caller that requests what is being
    searched already waits for that one.
    """

    def __init__(self, most: int = 24) -> None:
        self._answers: Answers[Any] = Answers(at_most(most))
        self._turns = threading.BoundedSemaphore(AT_ONCE)

    def search(self, scenario: EvaluatedScenario, options: SearchOptions) -> Answer:
        """A search of the scenario's layouts.

        Raises
        ------
        ScenarioError : the search is refused
        """
        return self._answer(
            (_identity(scenario), options.model_dump_json()), lambda: search_scenario(scenario, options)
        )

    def serving_search(
        self, scenario: EvaluatedScenario, catalog: CatalogView, options: ServingSearchOptions
    ) -> ServingSearchAnswer:
        """A search of a served model.

        Raises
        ------
        ScenarioError : the search is refused
        """
        key = _identity(scenario), f"serving {options.model_dump_json()}"
        return self._answer(key, lambda: search_serving_scenario(scenario, catalog, options))

    def domain_study(self, scenario: EvaluatedScenario, catalog: CatalogView) -> Answer:
        """The scenario over sizes of its scale-up domain."""
        return self._answer((_identity(scenario), "domains"), lambda: domain_study(scenario, catalog))

    def supernode_sizes(
        self,
        scenario: EvaluatedScenario,
        catalog: CatalogView,
        options: SuperNodeSizesOptions = SuperNodeSizesOptions(),
    ) -> SuperNodeSizes:
        """The scenario over sizes of its SuperNode; usual sizes where no options are given.

        Raises
        ------
        ScenarioError : SuperNodes of other sizes cannot be bought
        """
        key = _identity(scenario), f"sizes {options.model_dump_json()}"
        return self._answer(key, lambda: supernode_sizes(scenario, catalog, options))

    def cost_against_time(
        self, scenario: EvaluatedScenario, catalog: CatalogView, options: CostAgainstTimeOptions
    ) -> CostAgainstTime:
        """The job of the scenario on several systems.

        Raises
        ------
        ScenarioError : the comparison is refused
        """
        key = _identity(scenario), f"systems {options.model_dump_json()}"
        return self._answer(key, lambda: cost_against_time_answer(scenario, catalog, options))

    def difference(
        self,
        first: EvaluatedScenario,
        second: EvaluatedScenario,
        catalog: Catalog,
        options: DifferenceOptions,
    ) -> DifferenceReport:
        """Explanation of the difference between two scenarios.

        Raises
        ------
        ScenarioError : an offer is compared whose price is not known
        """
        # either may be of another workspace than the catalog that designs between them are made with
        key = (
            _identity(first),
            _identity(second),
            catalog.revision,
            f"difference {options.model_dump_json()}",
        )
        return self._answer(key, lambda: difference_answer(first, second, catalog, options))

    def _answer(self, key: Key, work: Callable[[], Found]) -> Found:
        def in_turn() -> Found:
            with self._turns, in_units():  # kept for every caller, in base units
                return work()

        found: Found = self._answers.of(key, in_turn)
        return found


def _identity(scenario: EvaluatedScenario) -> str:
    return inputs_hash(scenario.document, scenario.resolved.catalog_revision)
