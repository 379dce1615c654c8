"""The worked examples, and scenarios that are being changed, as pages get them."""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog, ready_engine
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import (
    EvaluatedScenario,
    evaluate_example,
    evaluate_scenario,
    inputs_hash,
)
from app.scenarios.examples import example, list_examples
from app.settings import Settings
from app.surfaces.pages.designs import NEW, Evaluated, evaluated, new_design
from app.surfaces.pages.studio.choices import Choice, choices
from app.teams.asking import asked
from app.validation.calibration.calibrate import Calibration
from app.validation.calibration.kept import KeptRuns
from app.validation.calibration.latency import ServingCalibration
from app.validation.calibration.measured import MeasuredRuns, calibrated
from app.validation.calibration.runs import deployment_of
from app.views.economics.cost_against_time import CostAgainstTime
from app.views.economics.cost_against_time_options import CostAgainstTimeOptions
from app.views.economics.difference.options import DifferenceOptions
from app.views.economics.difference.report import DifferenceReport
from app.views.projecting.options import ProjectionOptions
from app.views.projecting.project import project
from app.views.searching.options import SearchOptions
from app.views.searching.recent import RecentSearches
from app.views.searching.serving_answer import ServingSearchAnswer
from app.views.searching.serving_options import ServingSearchOptions

EVALUATIONS_KEPT = 48
CATALOGS_KEPT = 8  # whose choices are


class Examples:
    """The worked examples that ship with Podwright, a new design, and what people make of them."""

    def __init__(self, settings: Settings, searches: RecentSearches | None = None) -> None:
        self._settings = settings
        self._ready = False
        self._kept: OrderedDict[str, EvaluatedScenario] = OrderedDict()
        self._lock = threading.Lock()
        self._searches = searches or RecentSearches()
        self._choices: dict[str, Mapping[str, tuple[Choice, ...]]] = {}  # by revision of the catalog
        self._workspace_id: int | None = None

    def of_workspace(self, workspace_id: int) -> Examples:
        """The same with the catalog of a workspace, whichever is asked for."""
        own = copy.copy(self)
        own._workspace_id = workspace_id
        return own

    def listed(self) -> list[str]:
        return [example.key for example in list_examples()]

    def evaluated(self, key: str) -> Evaluated:
        scenario = self._scenario(new_design()) if key == NEW else self._example(key)
        return evaluated(key, scenario)

    def explained(self, key: str, path: str) -> dict[str, Any]:
        scenario = self._scenario(new_design()) if key == NEW else self._example(key)
        return _explained(scenario, path)

    def evaluate(self, key: str, document: ScenarioDocument) -> Evaluated:
        return evaluated(key, self._scenario(document))

    def explain(self, document: ScenarioDocument, path: str) -> dict[str, Any]:
        return _explained(self._scenario(document), path)

    def scenario(self, document: ScenarioDocument) -> EvaluatedScenario:
        return self._scenario(document)

    def catalog(self) -> Catalog:
        return self._catalog()

    def search(self, document: ScenarioDocument, options: SearchOptions) -> dict[str, Any]:
        return self._searches.search(self._scenario(document), options)

    def serving_search(
        self, document: ScenarioDocument, options: ServingSearchOptions
    ) -> ServingSearchAnswer:
        return self._searches.serving_search(self._scenario(document), self._catalog(), options)

    def domain_study(self, document: ScenarioDocument) -> dict[str, Any]:
        return self._searches.domain_study(self._scenario(document))

    def cost_against_time(
        self, document: ScenarioDocument, options: CostAgainstTimeOptions
    ) -> CostAgainstTime:
        return self._searches.cost_against_time(self._scenario(document), self._catalog(), options)

    def difference(
        self,
        first: EvaluatedScenario,
        second: EvaluatedScenario,
        catalog: Catalog,
        options: DifferenceOptions,
    ) -> DifferenceReport:
        return self._searches.difference(first, second, catalog, options)

    def calibrate(
        self, document: ScenarioDocument, measured: MeasuredRuns
    ) -> Calibration | ServingCalibration:
        return calibrated(self._scenario(document), self._catalog(), measured, self.own_runs())

    def own_runs(self) -> KeptRuns:
        self._catalog()  # a database that is not ready is made so
        asking = asked()
        return KeptRuns(ready_engine(self._settings), asking.workspace_id, asking.actor)

    def deployment(self, document: ScenarioDocument) -> dict[str, str]:
        return deployment_of(self._scenario(document))

    def project(self, document: ScenarioDocument | None, options: ProjectionOptions) -> dict[str, Any]:
        return project(options, None if document is None else self._scenario(document))

    def choices(self) -> Mapping[str, tuple[Choice, ...]]:
        catalog = self._catalog()
        found = self._choices.get(catalog.revision)
        if found is None:
            found = self._choices[catalog.revision] = choices(catalog)
            while len(self._choices) > CATALOGS_KEPT:
                self._choices.pop(next(iter(self._choices)))
        return found

    def _example(self, key: str) -> EvaluatedScenario:
        example(key)
        return evaluate_example(key, self._catalog())

    def _scenario(self, document: ScenarioDocument) -> EvaluatedScenario:
        """A scenario evaluated, or as it was kept from last time."""
        catalog = self._catalog()
        identity = inputs_hash(document, catalog.revision)
        with self._lock:
            kept = self._kept.get(identity)
            if kept is not None:
                self._kept.move_to_end(identity)
                return kept
        made = evaluate_scenario(document, catalog)
        with self._lock:
            self._kept[identity] = made
            while len(self._kept) > EVALUATIONS_KEPT:
                self._kept.popitem(last=False)
        return made

    def _catalog(self) -> Catalog:
        """The catalog as it is now; a database that is not ready is made so once."""
        if not self._ready:
            ready_catalog(self._settings)
            self._ready = True
        own = self._workspace_id
        return Catalog.open(ready_engine(self._settings)).of(asked().workspace_id if own is None else own)


def _explained(scenario: EvaluatedScenario, path: str) -> dict[str, Any]:
    try:
        return scenario.explain(path)
    except ScenarioError as error:
        raise KeyError(path) from error
