"""The scenarios evaluated last, so that going back to one is instant."""

from __future__ import annotations

import threading
from collections import OrderedDict

from app.catalog.lookup import Catalog
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario, inputs_hash


class RecentEvaluations:
    """Evaluations by the hash of their inputs, the catalog's revision included; safe to share by threads.

    A traced evaluation takes some 4 MB, twenty times as much as a bare one: only the newest keep theirs.
    """

    def __init__(self, most: int = 128, most_explained: int = 8) -> None:
        self._most = most
        self._most_explained = most_explained
        self._kept: OrderedDict[str, EvaluatedScenario] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def evaluated(self, document: ScenarioDocument, catalog: Catalog) -> EvaluatedScenario:
        """A scenario's evaluation, computed unless it is at hand.

        Raises
        ------
        ScenarioError : the scenario cannot be evaluated
        """
        key = inputs_hash(document, catalog.revision)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = evaluate_scenario(document, catalog)  # outside the lock: two may compute the same
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            for older in list(self._kept.values())[: -self._most_explained]:
                vars(older).pop("figures", None)  # computed again should somebody ask
        return found
