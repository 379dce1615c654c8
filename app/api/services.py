"""What routes need of the rest of the product, one object an application."""

from __future__ import annotations

import logging
import threading
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from app.api.handlers import not_ready
from app.api.limits import Limits
from app.api.problem_types import NOT_READY, READ_ONLY, STORAGE_FULL
from app.api.problems import ProblemError
from app.api.workers import Workers
from app.catalog.errors import SeedError
from app.catalog.lookup import Catalog, CatalogLookupError
from app.catalog.ready import ready_catalog, ready_engine
from app.db.migrate import NewerDatabaseError
from app.scenarios.document import ScenarioDocument
from app.scenarios.load import build_scenario
from app.scenarios.recent import RecentEvaluations
from app.scenarios.saved.expand import expanded
from app.scenarios.saved.faults import reason_of
from app.scenarios.saved.records import Kind, Saved
from app.scenarios.saved.store import SavedWork
from app.scenarios.searching.recent import RecentSearches
from app.scenarios.service import EvaluatedScenario
from app.settings import Settings
from app.validation.calibration.kept import KeptRuns

logger = logging.getLogger(__name__)

NOT_READABLE = (SQLAlchemyError, OSError, CatalogLookupError, SeedError, NewerDatabaseError)


class Services:
    """The catalog as it is now, evaluations and searches made last, and threads to compute them in."""

    def __init__(self, settings: Settings, limits: Limits) -> None:
        self.limits = limits
        self.workers = Workers(limits)
        self.recent = RecentEvaluations()
        self.searches = RecentSearches()
        self._settings = settings
        self._ready = False
        self._saved: SavedWork | None = None
        self._lock = threading.Lock()

    def catalog(self) -> Catalog:
        """The catalog; a database that is not ready is made so once.

        Raises
        ------
        ProblemError : the database cannot be read
        """
        try:
            with self._lock:
                if not self._ready:
                    ready_catalog(self._settings)
                    self._ready = True
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
        with self._lock:
            if self._saved is None:
                try:
                    self._saved = SavedWork(ready_engine(self._settings), self.catalog)
                except NOT_READABLE as error:
                    raise self._problem(error) from None
            return self._saved

    @property
    def own_runs(self) -> KeptRuns:
        """Measured runs that are kept.

        Raises
        ------
        ProblemError : the database cannot be opened
        """
        try:
            return KeptRuns(ready_engine(self._settings))
        except NOT_READABLE as error:
            raise self._problem(error) from None

    def evaluated(self, document: ScenarioDocument) -> EvaluatedScenario:
        """The evaluation of a scenario with today's catalog, the designs that it names put in.

        Raises
        ------
        ScenarioError : it cannot be evaluated
        """
        if document.supernode.design is not None or document.pod.design is not None:
            document = build_scenario(expanded(document.as_dict(), self._design).document)
        return self.recent.evaluated(document, self.catalog())

    def _design(self, kind: Kind, id: str) -> Saved:
        return self.saved.get(kind, id, deleted=True)

    def check(self) -> None:
        """Nothing, if the database can be read and holds a catalog; nothing is written.

        Raises
        ------
        ProblemError : the database cannot be read, or holds no catalog
        """
        try:
            Catalog.open(ready_engine(self._settings))
        except NOT_READABLE as error:
            raise self._problem(error) from None

    def _problem(self, error: Exception) -> ProblemError:
        """What keeps the database from being read, with a way out where one is known."""
        logger.error("the database cannot be read", exc_info=error)
        if isinstance(error, NewerDatabaseError):
            return ProblemError(NOT_READY, f"{str(error)[:1].upper()}{str(error)[1:]}.")
        reason = reason_of(error) if isinstance(error, DBAPIError) else None
        if reason == "read_only":
            detail = "The database is to be brought up to date, and it or its folder cannot be written."
            return ProblemError(READ_ONLY, detail)
        if reason == "full":
            return ProblemError(STORAGE_FULL, "The database is to be brought up to date, and has no room.")
        return not_ready(self.limits)


def services(request: Request) -> Services:
    """The services of the application, as a dependency of its routes."""
    found: Services = request.app.state.services
    return found


ServicesDep = Annotated[Services, Depends(services)]
