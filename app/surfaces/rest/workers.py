"""Threads for evaluations: few, so that the event loop always gets its turn, and with a time limit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, ParamSpec, TypeVar

from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problem_types import TOO_BUSY, TOOK_TOO_LONG
from app.surfaces.rest.problems import ProblemError

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
        """What `work` gives.

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
