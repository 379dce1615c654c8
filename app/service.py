"""Services of pages and REST, one object per application: catalog, saved work, evaluations and searches."""

from __future__ import annotations

import copy
import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.catalog.lookup import Catalog
from app.catalog.ready import present_catalog, ready_catalog, ready_engine
from app.jobs.store import Jobs
from app.saved.errors import NotSavedError
from app.saved.expand import expanded
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import refuse, shorten
from app.scenarios.evaluation.service import EvaluatedScenario, evaluated
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.settings import Settings
from app.teams.asking import Asking
from app.teams.catalog import team_catalog
from app.teams.reviews import Reviews
from app.teams.secrets import secrets_of
from app.teams.sharing import Sharing

if TYPE_CHECKING:  # imported when they are asked for: both bring much that only workers compute
    from app.validation.calibration.kept import KeptRuns
    from app.views.searching.recent import RecentSearches
    from app.views.study.recent import RecentStudies


@dataclass(slots=True)
class _Shared:
    """What is made once an application."""

    ready: bool = False
    lock: threading.RLock = field(default_factory=threading.RLock)
    searches: RecentSearches | None = None
    studies: RecentStudies | None = None


class Service:
    """The catalog as it is now, saved work, evaluations and searches, for the caller from a workspace.

    `shared` is another service of the same application: both have everything in common but how faults are told.
    """

    def __init__(self, settings: Settings, shared: Service | None = None) -> None:
        self._settings = settings
        self._shared: _Shared = shared._shared if shared else _Shared()
        self._asking = Asking()
        # made once: concurrent saves of one item wait for each other, and files of secrets are read once
        self._saved = functools.cache(
            lambda: SavedWork(ready_engine(settings), self.builtin_catalog, channels=settings.channels)
        )
        self.secrets = functools.cache(lambda: secrets_of(settings))

    def of(self, asking: Asking) -> Service:
        """The same for the caller."""
        own = copy.copy(self)
        own._asking = asking
        return own

    @property
    def searches(self) -> RecentSearches:
        """Searches made last."""
        with self._shared.lock:
            if self._shared.searches is None:
                from app.views.searching.recent import RecentSearches

                self._shared.searches = RecentSearches()
            return self._shared.searches

    @property
    def studies(self) -> RecentStudies:
        """Studies answered last."""
        with self._shared.lock:
            if self._shared.studies is None:
                from app.views.study.recent import RecentStudies

                self._shared.studies = RecentStudies(self._settings.study_seconds)
            return self._shared.studies

    def builtin_catalog(self) -> Catalog:
        """The catalog that Podwright ships, as it is now; a database that is not ready is made so once.

        What is published of its accuracy depends on no team's values.
        """
        with self._reading():
            self._make_ready()
            return Catalog.open(ready_engine(self._settings))

    def catalog(self, workspace_id: int | None = None) -> Catalog:
        """The catalog of a workspace: of the one that is asked for, where none is named."""
        own = self._asking.workspace_id if workspace_id is None else workspace_id
        with self._reading():
            self._make_ready()
            return Catalog.of_workspace(ready_engine(self._settings), own)

    @property
    def saved(self) -> SavedWork:
        """Saved scenarios and designs."""
        with self._shared.lock, self._reading():
            found = self._saved()
        return found.of(self._asking.actor, self._asking.workspace_id)

    @property
    def team_catalog(self) -> TeamCatalog:
        """The own rows of the workspace that is asked for."""
        self.builtin_catalog()  # a database that is not ready is made so
        return team_catalog(ready_engine(self._settings), self.builtin_catalog, self._asking)

    @property
    def sharing(self) -> Sharing:
        """Shares of saved work."""
        return Sharing(self.saved, self.secrets, self._asking)

    @property
    def reviews(self) -> Reviews:
        """Reviews of saved work."""
        return Reviews(self.saved, self._asking)

    @property
    def own_runs(self) -> KeptRuns:
        """Measured runs that are kept."""
        from app.validation.calibration.kept import KeptRuns

        self.builtin_catalog()  # a database that is not ready is made so
        return KeptRuns(ready_engine(self._settings), self._asking.workspace_id, self._asking.actor)

    @property
    def jobs(self) -> Jobs:
        """Sweeps of the workspace."""
        with self._reading():
            return Jobs(ready_engine(self._settings), self._asking.workspace_id, self._asking.actor)

    def evaluated(self, document: ScenarioDocument, holder: Saved | None = None) -> EvaluatedScenario:
        """The evaluation of a scenario with today's catalog, the designs that it names put in.

        `holder` is what it was saved as, where it was: then its workspace's catalog and designs count.

        Raises
        ------
        ScenarioError : it cannot be evaluated
        """
        catalog = self.catalog(holder.workspace_id if holder else None)
        return evaluated(self.expanded(document, holder), catalog)

    def named(self, name: str) -> EvaluatedScenario:
        """The evaluation of an example by its key, or of a saved scenario by its id.

        Raises
        ------
        ScenarioError : there is neither, or it cannot be evaluated
        """
        try:
            return self.evaluated(example(name).read())
        except KeyError:
            pass
        try:
            saved = self.saved.get("scenario", name)
        except NotSavedError:
            raise refuse(
                f"There is no example and no saved scenario {shorten(name)}.",
                rule="unknown_scenario",
                path="design",
                value=name,
                hint="Name the key of an example or the id of a saved scenario, or state the pod in numbers.",
            ) from None
        return self.evaluated(build_scenario(saved.document), saved)

    def expanded(self, document: ScenarioDocument, holder: Saved | None = None) -> ScenarioDocument:
        """The scenario with the saved designs that it names in their places; itself where it names none.

        Raises
        ------
        ScenarioError : it names a design that is not there
        """
        if document.supernode.design is None and document.pod.design is None:
            return document
        values = document.model_dump(mode="json", exclude_unset=True)
        return build_scenario(expanded(values, self.saved.finder(holder)).document)

    def catalog_as_it_is(self) -> Catalog:
        """The catalog as the database has it, which the server that starts a worker has brought up to date
        already: a worker that starts while another version takes over leaves the newer one's alone.
        """
        with self._reading(), self._shared.lock:
            found = present_catalog(self._settings)
            self._shared.ready = True
            return found

    def _make_ready(self) -> None:
        if not self._shared.ready:
            with self._shared.lock:
                ready_catalog(self._settings)
                self._shared.ready = True

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Around what opens the database or reads the catalog."""
        yield
