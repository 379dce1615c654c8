"""Designs of both kinds behind one seam: the worked examples, and saved scenarios."""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from app.catalog.lookup import Catalog
from app.saved.errors import NotSavedError
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import Evaluated
from app.surfaces.pages.examples import Examples
from app.surfaces.pages.saved.choices import with_designs
from app.surfaces.pages.saved.expanded import expanded_document
from app.surfaces.pages.saved.keys import SavedKey, saved_key
from app.surfaces.pages.studio.choices import Choice
from app.validation.calibration.calibrate import Calibration
from app.validation.calibration.kept import KeptRuns
from app.validation.calibration.latency import ServingCalibration
from app.validation.calibration.measured import MeasuredRuns
from app.views.economics.cost_against_time import CostAgainstTime
from app.views.economics.cost_against_time_options import CostAgainstTimeOptions
from app.views.economics.difference.options import DifferenceOptions
from app.views.economics.difference.report import DifferenceReport
from app.views.projecting.options import ProjectionOptions
from app.views.searching.options import SearchOptions
from app.views.searching.serving_answer import ServingSearchAnswer
from app.views.searching.serving_options import ServingSearchOptions

REVISIONS_KEPT = 128


class AllDesigns:
    """`Designs` of examples and saved scenarios; a key with @N is that revision, with today's catalog.

    What is made from a saved scenario takes the catalog and the designs of its workspace, whoever asks.
    """

    def __init__(self, examples: Examples, work: Callable[[], SavedWork]) -> None:
        self._examples = examples
        self._work = work
        self._holder: Saved | None = None  # what scenarios are made from
        self._revisions: OrderedDict[SavedKey, ScenarioDocument] = OrderedDict()

    def of(self, key: str) -> AllDesigns:
        named = saved_key(key)
        return self if named is None else self._of(self._saved(named))

    def listed(self) -> list[str]:
        return self._examples.listed()

    def evaluated(self, key: str) -> Evaluated:
        named = saved_key(key)
        if named is None:
            return self._examples.evaluated(key)
        saved = self._saved(named)
        return self._of(saved)._evaluated(key, self._document(named, saved))

    def explained(self, key: str, path: str) -> dict[str, Any]:
        named = saved_key(key)
        if named is None:
            return self._examples.explained(key, path)
        saved = self._saved(named)
        return self._of(saved).explain(self._document(named, saved), path)

    def evaluate(self, key: str, document: ScenarioDocument) -> Evaluated:
        return self.of(key)._evaluated(key, document)

    def explain(self, document: ScenarioDocument, path: str) -> dict[str, Any]:
        return self._examples.explain(self._expanded(document), path)

    def scenario(self, document: ScenarioDocument) -> EvaluatedScenario:
        return self._examples.scenario(self._expanded(document))

    def catalog(self) -> Catalog:
        return self._examples.catalog()

    def search(self, document: ScenarioDocument, options: SearchOptions) -> dict[str, Any]:
        return self._examples.search(self._expanded(document), options)

    def serving_search(
        self, document: ScenarioDocument, options: ServingSearchOptions
    ) -> ServingSearchAnswer:
        return self._examples.serving_search(self._expanded(document), options)

    def domain_study(self, document: ScenarioDocument) -> dict[str, Any]:
        return self._examples.domain_study(self._expanded(document))

    def cost_against_time(
        self, document: ScenarioDocument, options: CostAgainstTimeOptions
    ) -> CostAgainstTime:
        return self._examples.cost_against_time(self._expanded(document), options)

    def difference(
        self,
        first: EvaluatedScenario,
        second: EvaluatedScenario,
        catalog: Catalog,
        options: DifferenceOptions,
    ) -> DifferenceReport:
        return self._examples.difference(first, second, catalog, options)

    def own_runs(self) -> KeptRuns:
        return self._examples.own_runs()

    def deployment(self, document: ScenarioDocument) -> dict[str, str]:
        return self._examples.deployment(self._expanded(document))

    def calibrate(
        self, document: ScenarioDocument, measured: MeasuredRuns
    ) -> Calibration | ServingCalibration:
        return self._examples.calibrate(self._expanded(document), measured)

    def project(self, document: ScenarioDocument | None, options: ProjectionOptions) -> dict[str, Any]:
        return self._examples.project(None if document is None else self._expanded(document), options)

    def choices(self) -> Mapping[str, tuple[Choice, ...]]:
        return with_designs(self._examples.choices(), self._work(), self._holder)

    def _of(self, saved: Saved) -> AllDesigns:
        own = copy.copy(self)
        own._holder, own._examples = saved, self._examples.of_workspace(saved.workspace_id)
        return own

    def _evaluated(self, key: str, document: ScenarioDocument) -> Evaluated:
        return self._examples.evaluate(key, self._expanded(document))._replace(document=document)

    def _expanded(self, document: ScenarioDocument) -> ScenarioDocument:
        return expanded_document(document, self._work, self._holder)

    def _saved(self, named: SavedKey) -> Saved:
        """What is saved under a key, as the revision of the key has it."""
        try:
            if named.revision:
                return self._work().shown("scenario", named.id, named.revision)
            return self._work().get("scenario", named.id)
        except NotSavedError as error:
            raise KeyError(str(named)) from error

    def _document(self, key: SavedKey, saved: Saved) -> ScenarioDocument:
        """A revision never changes: kept, for changes are counted from it at every step of a slider."""
        if not key.revision:
            return build_scenario(saved.document)
        kept = self._revisions.get(key)
        if kept is None:
            kept = self._revisions[key] = build_scenario(saved.document)
            while len(self._revisions) > REVISIONS_KEPT:
                self._revisions.popitem(last=False)
        return kept
