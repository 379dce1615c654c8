"""What routes need of the rest of the product, one object an application."""

from __future__ import annotations

import logging
import threading

from fastapi import Request
from sqlalchemy.exc import SQLAlchemyError

from app.api.handlers import not_ready
from app.api.limits import Limits
from app.api.workers import Workers
from app.catalog.errors import SeedError
from app.catalog.lookup import Catalog, CatalogLookupError
from app.catalog.ready import ready_catalog, ready_engine
from app.db.migrate import NewerDatabaseError
from app.scenarios.document import ScenarioDocument
from app.scenarios.recent import RecentEvaluations
from app.scenarios.service import EvaluatedScenario
from app.settings import Settings

logger = logging.getLogger(__name__)

NOT_READABLE = (SQLAlchemyError, OSError, CatalogLookupError, SeedError, NewerDatabaseError)


class Services:
    """The catalog as it is now, evaluations, and threads to compute them in."""

    def __init__(self, settings: Settings, limits: Limits) -> None:
        self.limits = limits
        self.workers = Workers(limits)
        self.recent = RecentEvaluations()
        self._settings = settings
        self._ready = False
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
        except NOT_READABLE:
            logger.exception("the database cannot be read")
            raise not_ready(self.limits) from None

    def evaluated(self, document: ScenarioDocument) -> EvaluatedScenario:
        """The evaluation of a scenario."""
        return self.recent.evaluated(document, self.catalog())

    def check(self) -> None:
        """Nothing, if the database can be read and holds a catalog; nothing is written.

        Raises
        ------
        ProblemError : the database cannot be read, or holds no catalog
        """
        try:
            Catalog.open(ready_engine(self._settings))
        except NOT_READABLE:
            logger.exception("the database cannot be read")
            raise not_ready(self.limits) from None


def services(request: Request) -> Services:
    """The services of the application, as a dependency of its routes."""
    found: Services = request.app.state.services
    return found
