"""The searches made last, so that a page that asks again has its answer at once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from app.scenarios.searching.domains import domain_study
from app.scenarios.searching.options import SearchOptions
from app.scenarios.searching.search import search_scenario
from app.scenarios.service import EvaluatedScenario, inputs_hash

Answer = dict[str, Any]
AT_ONCE = 2


class RecentSearches:
    """Searches and domain studies by the hash of their inputs; safe to share by threads.

    A large search takes half a gigabyte: a few run at once, the others wait.
    """

    def __init__(self, most: int = 24) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], Answer] = OrderedDict()
        self._lock = threading.Lock()
        self._turns = threading.BoundedSemaphore(AT_ONCE)

    def search(self, scenario: EvaluatedScenario, options: SearchOptions) -> Answer:
        """A search of the scenario's layouts.

        Raises
        ------
        ScenarioError : the search is refused
        """
        return self._answer(scenario, options.model_dump_json(), lambda: search_scenario(scenario, options))

    def domain_study(self, scenario: EvaluatedScenario) -> Answer:
        """The scenario over sizes of its scale-up domain."""
        return self._answer(scenario, "domains", lambda: domain_study(scenario))

    def _answer(self, scenario: EvaluatedScenario, asked: str, work: Callable[[], Answer]) -> Answer:
        key = inputs_hash(scenario.document, scenario.resolved.catalog_revision), asked
        if (kept := self._recent(key)) is not None:
            return kept
        with self._turns:
            # Whoever waited for a turn may find that the one before asked the same.
            if (kept := self._recent(key)) is not None:
                return kept
            found = work()
            with self._lock:
                self._kept[key] = found
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)
            return found

    def _recent(self, key: tuple[str, str]) -> Answer | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)
