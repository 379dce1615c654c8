"""Where pages get their designs from: the worked examples, a new design and saved scenarios, by key."""

from __future__ import annotations

import copy
import functools
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
from fastapi import Depends, Request

from app.catalog.lookup import Catalog
from app.engine.specs import Design
from app.engine.trace import Origin
from app.saved.errors import NotSavedError
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.scenarios.document.estimates import EstimateDocument
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EVALUATIONS, EvaluatedScenario
from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.service import Service
from app.surfaces.pages.saved.choices import with_designs
from app.surfaces.pages.saved.rights import SavedKey, saved_key
from app.surfaces.pages.studio.choices import Choice, choices
from app.surfaces.pages.studio.fields import all_fields
from app.surfaces.pages.studio.state import decode_state, encode_state
from app.teams.asking import asked

if TYPE_CHECKING:
    from app.validation.calibration.kept import KeptRuns
    from app.views.fabric.supernode_sizes import SuperNodeSizes, SuperNodeSizesOptions
    from app.views.searching.recent import RecentSearches
    from app.views.study.recent import RecentStudies

REVISIONS_KEPT = 128
CATALOGS_KEPT = 8  # whose choices are

NEW = "new"
BEGUN = f"{NEW}-"
NEW_DESIGN: dict[str, Any] = {
    "name": "New design",
    "workload": {
        "kind": "training",
        "model": "llama_3_1_8b",
        "tokens": 100e9,
        "sequence_length": 8192,
        "global_batch_sequences": 512,
        "precision": "bf16",
    },
    "supernode": {"system": "dgx_h100"},
    "pod": {"supernodes": 1},
}


class Evaluated(NamedTuple):
    """An evaluated design as plain values, with published figures beside ours where there are any.

    `used` are values of the design by place, `origins` where each comes from, `suggested` estimates
    that could be accepted for what is missing.
    """

    key: str
    as_json: dict[str, Any]
    published: list[dict[str, Any]]
    illustrative: bool
    document: ScenarioDocument
    origins: Mapping[str, Origin]
    used: Mapping[str, float | str]
    suggested: Mapping[str, EstimateDocument] = {}


class Designs:
    """Designs by key, and scenarios that are made from them. Raises KeyError where there is no such design or figure.

    A key with @N is that revision of a saved scenario, with today's catalog. What is made from a saved scenario takes
    the catalog and the designs of its workspace, the caller. A scenario that cannot be evaluated raises ScenarioError.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._holder: Saved | None = None  # what scenarios are made from
        self._key = ""
        self._catalog: Catalog | None = None  # of one design, for a single answer
        self._revisions: OrderedDict[SavedKey, ScenarioDocument] = OrderedDict()
        self._choices: dict[str, Mapping[str, tuple[Choice, ...]]] = {}  # by revision of the catalog

    def of(self, key: str) -> Designs:
        """The same for scenarios made from the design `key`: with the catalog and designs of its workspace."""
        named = saved_key(key)
        return self if named is None or key == self._key else self.held_by(self._found(named))

    def opened(self, key: str) -> Designs:
        """The same for a single answer about the design `key`: it and its catalog are looked up once."""
        own = copy.copy(self.of(key))
        own._key, own._catalog = key, own.catalog()
        return own

    @property
    def searches(self) -> RecentSearches:
        """Searches and comparisons of scenarios."""
        return self._service.searches

    @property
    def studies(self) -> RecentStudies:
        """Answers of studies."""
        return self._service.studies

    def listed(self) -> list[str]:
        """Keys of the worked examples."""
        return [one.key for one in list_examples()]

    def at_hand(self, key: str) -> Evaluated | None:
        """A design where its evaluation is kept; None where it would have to be computed."""
        own, document = self._opened(key)
        found = EVALUATIONS.at_hand(document, own.catalog())
        return None if found is None else evaluated(key, found)._replace(document=document)

    def title(self, key: str) -> str:
        """The name of a design, without its evaluation."""
        return self._opened(key)[1].name

    def evaluated(self, key: str) -> Evaluated:
        """A design as it is."""
        own, document = self._opened(key)
        return own._evaluated(key, document)

    def explained(self, key: str, path: str) -> dict[str, Any]:
        """How a figure of a design comes about."""
        own, document = self._opened(key)
        return own.explain(document, path)

    def evaluate(self, key: str, document: ScenarioDocument) -> Evaluated:
        """A scenario made from the design `key`."""
        return self.of(key)._evaluated(key, document)

    def explain(self, document: ScenarioDocument, path: str) -> dict[str, Any]:
        """How a figure of a scenario comes about."""
        scenario = self.scenario(document)
        try:
            return scenario.explain(path)
        except ScenarioError as error:
            raise KeyError(path) from error

    def scenario(self, document: ScenarioDocument) -> EvaluatedScenario:
        """A scenario with its evaluation, the saved designs that it names put in."""
        return EVALUATIONS.of(self._asked.expanded(document, self._holder), self.catalog())

    def catalog(self) -> Catalog:
        """The catalog that scenarios are evaluated with."""
        if self._catalog is not None:
            return self._catalog
        return self._asked.catalog(self._holder.workspace_id if self._holder else None)

    def domain_study(self, document: ScenarioDocument) -> dict[str, Any]:
        """What larger and smaller scale-up domains would bring a scenario."""
        return self.searches.domain_study(self.scenario(document), self.catalog())

    def supernode_sizes(self, document: ScenarioDocument, options: SuperNodeSizesOptions) -> SuperNodeSizes:
        """A scenario over sizes of its SuperNode.

        Raises
        ------
        ScenarioError : SuperNodes of other sizes cannot be bought
        """
        return self.searches.supernode_sizes(self.scenario(document), self.catalog(), options)

    def own_runs(self) -> KeptRuns:
        """The measured runs that are kept."""
        return self._asked.own_runs

    def choices(self) -> Mapping[str, tuple[Choice, ...]]:
        """What the fields of the form offer: rows of the catalog, and saved designs."""
        catalog = self.catalog()
        found = self._choices.get(catalog.revision)
        if found is None:
            found = self._choices[catalog.revision] = choices(catalog)
            while len(self._choices) > CATALOGS_KEPT:
                self._choices.pop(next(iter(self._choices)))
        return with_designs(found, self._asked.saved, self._holder)

    @property
    def _asked(self) -> Service:
        return self._service.of(asked())

    def held_by(self, saved: Saved) -> Designs:
        """The same with the catalog and the designs of the workspace of something saved."""
        own = copy.copy(self)
        own._holder = saved
        return own

    def _opened(self, key: str) -> tuple[Designs, ScenarioDocument]:
        """Where a design is, and its scenario."""
        named = saved_key(key)
        if named is None:
            return self, _started(key) if is_new(key) else example(key).read()
        saved = self._found(named)
        return self.held_by(saved), self._document(named, saved)

    def _evaluated(self, key: str, document: ScenarioDocument) -> Evaluated:
        return evaluated(key, self.scenario(document))._replace(document=document)

    def _found(self, named: SavedKey) -> Saved:
        """What is saved under a key, as the revision of the key has it."""
        work: SavedWork = self._asked.saved
        try:
            if named.revision:
                return work.shown("scenario", named.id, named.revision)
            return work.get("scenario", named.id)
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


def designs(request: Request) -> Designs:
    """The designs of the application, as a dependency of its routes."""
    found: Designs = request.app.state.designs
    return found


DesignsDep = Annotated[Designs, Depends(designs)]


def is_new(key: str) -> bool:
    """Return whether a design is none of those that are kept: a new one, or one that began with an answer."""
    return key == NEW or key.startswith(BEGUN)


def begun(values: dict[str, Any]) -> str:
    """The key of a new design that begins with a scenario, which its changes count from."""
    return f"{BEGUN}{encode_state(values)}"


@functools.lru_cache(maxsize=REVISIONS_KEPT)
def _started(key: str) -> ScenarioDocument:
    """The scenario that a new design begins with.

    Raises
    ------
    KeyError : it is none that can be read
    """
    if key == NEW:
        return new_design()
    values = decode_state(key.removeprefix(BEGUN))
    if values is None:
        raise KeyError(key)
    try:
        return build_scenario(values)
    except ScenarioError as error:
        raise KeyError(key) from error


@functools.cache
def new_design() -> ScenarioDocument:
    """Where a new design starts: one server, and a model that fits it."""
    return build_scenario(NEW_DESIGN)


def evaluated(key: str, scenario: EvaluatedScenario) -> Evaluated:
    """An evaluated scenario as pages read it."""
    return Evaluated(
        key,
        scenario.as_json,
        scenario.published,
        scenario.document.illustrative,
        scenario.document,
        scenario.resolved.origins,
        used_values(scenario.resolved.design),
        scenario.suggested_estimates,
    )


def used_values(design: Design) -> dict[str, float | str]:
    """The value that the design uses for each field of the form, where it is known."""
    used: dict[str, float | str] = {}
    for path in {field.used for field in all_fields() if field.used}:
        part: Any = design
        for name in path.split("."):
            part = getattr(part, name, None)
        if isinstance(part, np.ndarray) and part.size == 1 and np.isfinite(part).all():
            used[path] = float(part[0])
        elif isinstance(part, str):
            used[path] = part
    return used
