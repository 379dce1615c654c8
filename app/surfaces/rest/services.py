"""What routes need of the rest of the product, one object an application."""

from __future__ import annotations

import copy
import functools
import logging
import threading
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from app.catalog.errors import SeedError
from app.catalog.lookup import Catalog, CatalogLookupError
from app.catalog.ready import ready_catalog, ready_engine
from app.db.address import read_address
from app.jobs.store import Jobs
from app.saved.expand import expanded
from app.saved.faults import DATABASE_ERRORS, known_damage, storage_fault
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.recent import RecentEvaluations
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.settings import Settings
from app.surfaces.rest.handlers import storage_problem
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problem_types import NOT_READY
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.workers import Workers
from app.teams.asking import Asking
from app.teams.catalog import team_catalog
from app.teams.secrets import secrets_of
from app.teams.sharing import Sharing
from app.validation.calibration.kept import KeptRuns
from app.views.searching.recent import RecentSearches

logger = logging.getLogger(__name__)

NOT_READABLE: tuple[type[Exception], ...] = (*DATABASE_ERRORS, OSError, CatalogLookupError, SeedError)


@dataclass(slots=True)
class _Shared:
    """What is made once an application."""

    ready: bool = False
    saved: SavedWork | None = None


class Services:
    """The catalog as it is now, evaluations and searches made last, and threads to compute them in."""

    def __init__(self, settings: Settings, limits: Limits) -> None:
        self.limits = limits
        self.workers = Workers(limits)
        self.recent = RecentEvaluations()
        self.searches = RecentSearches()
        self._settings = settings
        self._shared = _Shared()
        self._lock = threading.Lock()
        self._asking = Asking()
        self._secrets = functools.cache(lambda: secrets_of(settings))

    def of(self, asking: Asking) -> Services:
        """The same for whoever asks."""
        own = copy.copy(self)
        own._asking = asking
        return own

    def catalog(self) -> Catalog:
        """The catalog of the workspace that is asked for."""
        return self._builtin().of(self._asking.workspace_id)

    def _all_saved(self) -> SavedWork:
        with self._lock:
            if self._shared.saved is None:
                try:
                    self._shared.saved = SavedWork(ready_engine(self._settings), self._builtin)
                except NOT_READABLE as error:
                    raise self._problem(error) from None
            return self._shared.saved

    def _builtin(self) -> Catalog:
        """The built-in catalog; a database that is not ready is made so once.

        Raises
        ------
        ProblemError : the database cannot be read
        """
        try:
            with self._lock:
                if not self._shared.ready:
                    ready_catalog(self._settings)
                    self._shared.ready = True
            return Catalog.open(ready_engine(self._settings))
        except NOT_READABLE as error:
            raise self._problem(error) from None

    @property
    def saved(self) -> SavedWork:
        """Saved scenarios and designs.

        Raises
        ------
        ProblemError : the database cannot be opened
        """
        return self._all_saved().of(self._asking.actor, self._asking.workspace_id)

    def builtin_catalog(self) -> Catalog:
        """The catalog that Podwright ships: what is published of its accuracy depends on no team's values."""
        return self._builtin()

    @property
    def team_catalog(self) -> TeamCatalog:
        """The own rows of the workspace that is asked for.

        Raises
        ------
        ProblemError : the database cannot be opened
        """
        self._builtin()  # a database that is not ready is made so
        return team_catalog(ready_engine(self._settings), self._builtin, self._asking)

    @property
    def sharing(self) -> Sharing:
        """Shares of saved work.

        Raises
        ------
        ProblemError : the database cannot be opened
        """
        return Sharing(self.saved, self._secrets, self._asking)

    @property
    def own_runs(self) -> KeptRuns:
        """Measured runs that are kept.

        Raises
        ------
        ProblemError : the database cannot be opened
        """
        try:
            engine = ready_engine(self._settings)
            return KeptRuns(engine, self._asking.workspace_id, self._asking.actor)
        except NOT_READABLE as error:
            raise self._problem(error) from None

    @property
    def jobs(self) -> Jobs:
        """Sweeps of the workspace.

        Raises
        ------
        ProblemError : the database cannot be opened
        """
        try:
            return Jobs(ready_engine(self._settings), self._asking.workspace_id, self._asking.actor)
        except NOT_READABLE as error:
            raise self._problem(error) from None

    def evaluated(self, document: ScenarioDocument, saved: Saved | None = None) -> EvaluatedScenario:
        """The evaluation of a scenario with today's catalog, the designs that it names put in.

        `saved` is what it was saved as, where it was: then its workspace's catalog and designs count.

        Raises
        ------
        ScenarioError : it cannot be evaluated
        """
        document = self._expanded(document, saved)
        catalog = self.saved.catalog(saved.workspace_id) if saved else self.catalog()
        return self.recent.evaluated(document, catalog)

    def evaluated_once(self, document: ScenarioDocument, catalog: Catalog) -> EvaluatedScenario:
        """The evaluation of one of many scenarios, with a catalog that all of them share; it is not kept.

        Raises
        ------
        ScenarioError : it cannot be evaluated
        """
        return evaluate_scenario(self._expanded(document), catalog)

    def _expanded(self, document: ScenarioDocument, saved: Saved | None = None) -> ScenarioDocument:
        """The scenario with the saved designs that it names in their places."""
        if document.supernode.design is None and document.pod.design is None:
            return document
        return build_scenario(expanded(document.as_dict(), self.saved.finder(saved)).document)

    def check(self) -> None:
        """Nothing, if the database can be read, holds a catalog and showed no damage; nothing is written.

        Raises
        ------
        ProblemError : the database cannot be read, or holds no catalog
        """
        try:
            engine = ready_engine(self._settings)
            Catalog.open(engine)
            if (damage := known_damage(engine)) is not None:
                raise damage
        except NOT_READABLE as error:
            raise self._problem(error) from None

    def storage_problem(self, error: Exception) -> ProblemError | None:
        """What an error says of the database; None for a fault of the program."""
        fault = storage_fault(error, read_address(self._settings.database_url))
        return None if fault is None else storage_problem(fault, self.limits)

    def _problem(self, error: Exception) -> ProblemError:
        """What keeps the database from being read, with a way out where one is known."""
        problem = self.storage_problem(error)
        if problem is not None:
            logger.error("the database cannot be read: %s", problem.detail)
            return problem
        logger.error("the database cannot be read", exc_info=error)
        soon = {"retry-after": str(self.limits.retry_after_s)}
        return ProblemError(NOT_READY, "The database or its catalog cannot be read.", headers=soon)


def services(request: Request) -> Services:
    """The services of the application as whoever asks may use them, as a dependency of its routes."""
    found: Services = request.app.state.services
    return found.of(getattr(request.state, "asking", Asking()))


ServicesDep = Annotated[Services, Depends(services)]
