"""Services of the product for routes, one object per application."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import Annotated, Any, ParamSpec, TypeVar, cast

from fastapi import Depends, Request

from app.catalog.errors import SeedError
from app.catalog.lookup import Catalog, CatalogLookupError
from app.catalog.ready import ready_engine
from app.db.address import read_address
from app.saved.faults import DATABASE_ERRORS, known_damage, storage_fault
from app.scenarios.answers import Answers, at_most
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.load import build_scenario
from app.service import Service
from app.settings import Settings
from app.surfaces.rest.bodies import Body, read_body
from app.surfaces.rest.handlers import storage_problem
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problem_types import NOT_READY, TOO_BUSY, TOOK_TOO_LONG
from app.surfaces.rest.problems import ProblemError
from app.teams.asking import Asking

MOST_DOCUMENTS = 128
MOST_DOCUMENT_BYTES = 32_768
"""Scenarios that are kept as they were read; a usual one has 3 kB."""
logger = logging.getLogger(__name__)

NOT_READABLE: tuple[type[Exception], ...] = (*DATABASE_ERRORS, OSError, CatalogLookupError, SeedError)


class Services(Service):
    """The service of the application with limits, threads to compute in, and faults of the database as problems.

    Whatever opens the database raises ProblemError where it cannot be read.
    """

    def __init__(self, settings: Settings, limits: Limits, shared: Service | None = None) -> None:
        super().__init__(settings, shared)
        self.limits = limits
        self.workers = Workers(limits)
        self._documents: Answers[ScenarioDocument] = Answers(at_most(MOST_DOCUMENTS))

    def document(self, body: Body) -> ScenarioDocument:
        """The scenario of a request body; texts sent again and again, which follow from nothing else, are read once.

        Raises
        ------
        ProblemError : the text cannot be read
        ScenarioError : it is not a scenario
        """

        def read() -> ScenarioDocument:
            found = read_body(body, self.limits)
            return build_scenario(found.values, found.positions)

        if len(body.content) > MOST_DOCUMENT_BYTES:
            return read()
        return self._documents.of((body.format, body.content), read)

    def check(self) -> None:
        """Nothing, if the database can be read, holds a catalog and showed no damage; nothing is written.

        Raises
        ------
        ProblemError : the database cannot be read, or holds no catalog
        """
        with self._reading():
            engine = ready_engine(self._settings)
            Catalog.open(engine)
            if (damage := known_damage(engine)) is not None:
                raise damage

    def storage_problem(self, error: Exception) -> ProblemError | None:
        """Cause of an error in the database; None for a fault of the program."""
        fault = storage_fault(error, read_address(self._settings.database_url))
        return None if fault is None else storage_problem(fault, self.limits)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except NOT_READABLE as error:
            raise self._problem(error) from None

    def _problem(self, error: Exception) -> ProblemError:
        """Cause of an unreadable database, with a remedy where one is known."""
        problem = self.storage_problem(error)
        if problem is not None:
            logger.error("the database cannot be read: %s", problem.detail)
            return problem
        logger.error("the database cannot be read", exc_info=error)
        soon = {"retry-after": str(self.limits.retry_after_s)}
        return ProblemError(NOT_READY, "The database or its catalog cannot be read.", headers=soon)


async def services(request: Request) -> Services:
    """The services of the application as the caller may use them, as a dependency of its routes."""
    found: Services = request.app.state.services
    return cast(Services, found.of(getattr(request.state, "asking", Asking())))


Given = ParamSpec("Given")
Result = TypeVar("Result")


class Workers:
    """A bounded pool. What is given up at the time limit ends its work unseen, or never starts it."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pool = self._new_pool()
        self._lock = threading.Lock()
        self._under_way = 0

    async def run(
        self, work: Callable[Given, Result], *arguments: Given.args, **named: Given.kwargs
    ) -> Result:
        """Result of `work`.

        Raises
        ------
        ProblemError : too much is under way already, or the time limit has passed
        """
        retry = {"retry-after": str(self._limits.retry_after_s)}
        with self._lock:
            if self._under_way >= self._limits.most_under_way:
                raise ProblemError(TOO_BUSY, "Too many evaluations are under way.", headers=retry)
            self._under_way += 1
        context = copy_context()  # so that what is logged meanwhile names the request
        future = self._pool.submit(lambda: context.run(work, *arguments, **named))
        future.add_done_callback(self._done)
        try:
            async with asyncio.timeout(self._limits.time_limit_s):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            future.cancel()
            detail = f"The evaluation was given up after {self._limits.time_limit_s:g} s."
            raise ProblemError(TOOK_TOO_LONG, detail, headers=retry) from None

    def close(self) -> None:
        """Begin nothing that waits; what is under way ends by itself. An application may be started again."""
        ended, self._pool = self._pool, self._new_pool()
        ended.shutdown(wait=False, cancel_futures=True)

    def _new_pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._limits.workers, thread_name_prefix="evaluation")

    def _done(self, _: Future[Any]) -> None:
        with self._lock:
            self._under_way -= 1


ServicesDep = Annotated[Services, Depends(services)]
