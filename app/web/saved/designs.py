"""Designs of both kinds behind one seam: the worked examples, and saved scenarios."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from app.scenarios.document import ScenarioDocument
from app.scenarios.load import build_scenario
from app.scenarios.projecting.options import ProjectionOptions
from app.scenarios.saved.errors import NotSavedError
from app.scenarios.saved.store import SavedWork
from app.scenarios.searching.options import SearchOptions
from app.validation.calibration.calibrate import Calibration
from app.validation.calibration.kept import KeptRuns
from app.validation.calibration.measured import MeasuredRuns
from app.web.designs import Evaluated, Examples
from app.web.saved.choices import with_designs
from app.web.saved.expanded import expanded_document
from app.web.saved.keys import SavedKey, saved_key
from app.web.studio.choices import Choice

REVISIONS_KEPT = 128


class AllDesigns:
    """`Designs` of examples and saved scenarios; a key with @N is that revision, with today's catalog."""

    def __init__(self, examples: Examples, work: Callable[[], SavedWork]) -> None:
        self._examples = examples
        self._work = work
        self._revisions: OrderedDict[SavedKey, ScenarioDocument] = OrderedDict()

    def listed(self) -> list[str]:
        return self._examples.listed()

    def evaluated(self, key: str) -> Evaluated:
        document = self._saved(key)
        return self._examples.evaluated(key) if document is None else self.evaluate(key, document)

    def explained(self, key: str, path: str) -> dict[str, Any]:
        document = self._saved(key)
        return self._examples.explained(key, path) if document is None else self.explain(document, path)

    def evaluate(self, key: str, document: ScenarioDocument) -> Evaluated:
        found = self._examples.evaluate(key, expanded_document(document, self._work))
        return found._replace(document=document)

    def explain(self, document: ScenarioDocument, path: str) -> dict[str, Any]:
        return self._examples.explain(expanded_document(document, self._work), path)

    def search(self, document: ScenarioDocument, options: SearchOptions) -> dict[str, Any]:
        return self._examples.search(expanded_document(document, self._work), options)

    def domain_study(self, document: ScenarioDocument) -> dict[str, Any]:
        return self._examples.domain_study(expanded_document(document, self._work))

    def own_runs(self) -> KeptRuns:
        return self._examples.own_runs()

    def deployment(self, document: ScenarioDocument) -> dict[str, str]:
        return self._examples.deployment(expanded_document(document, self._work))

    def calibrate(self, document: ScenarioDocument, measured: MeasuredRuns) -> Calibration:
        return self._examples.calibrate(expanded_document(document, self._work), measured)

    def project(self, document: ScenarioDocument | None, options: ProjectionOptions) -> dict[str, Any]:
        full = None if document is None else expanded_document(document, self._work)
        return self._examples.project(full, options)

    def choices(self) -> Mapping[str, tuple[Choice, ...]]:
        return with_designs(self._examples.choices(), self._work())

    def _saved(self, key: str) -> ScenarioDocument | None:
        """The scenario that is saved under a key, None where it is the key of an example."""
        named = saved_key(key)
        if named is None:
            return None
        try:
            if named.revision:
                return self._revision(named)
            return build_scenario(self._work().get("scenario", named.id).document)
        except NotSavedError as error:
            raise KeyError(key) from error

    def _revision(self, key: SavedKey) -> ScenarioDocument:
        """A revision never changes: kept, for changes are counted from it at every step of a slider."""
        revision = self._work().revision("scenario", key.id, key.revision)  # asks whether it may be seen
        kept = self._revisions.get(key)
        if kept is None:
            kept = self._revisions[key] = build_scenario(revision.document)
            while len(self._revisions) > REVISIONS_KEPT:
                self._revisions.popitem(last=False)
        return kept
