"""Groups of routes that are imported when the first request for one of their addresses comes.

All pages and all of the API take two seconds and 50 MB to import, and a process needs few: what computes for
long is answered by workers, and most people open the same pages. A group has no route until then, so an address of it
is found, refused or redirected as if it had been there from the start.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from importlib import import_module

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send


class Group:
    """The routes of some modules, each of which has a `router`, or `ROUTERS` in order.

    Parameters
    ----------
    prefixes : what the addresses of all its routes begin with
    modules : by their full names, in the order in which their routes are tried
    """

    def __init__(self, prefixes: Sequence[str], *modules: str) -> None:
        self.prefixes, self.modules = tuple(prefixes), modules


class OnDemand:
    """The groups of one application, to be included where they come among its routes.

    `LoadRoutes` has to be the innermost of its middleware: what is refused or answered elsewhere loads nothing.
    """

    def __init__(self, groups: Sequence[Group], prefix: str = "") -> None:
        self._lock = threading.Lock()
        self._prefix = prefix
        self._waiting = {group: APIRouter() for group in groups}
        self._prefixes = {group: tuple(f"{prefix}{one}" for one in group.prefixes) for group in groups}

    def include_in(self, app: FastAPI) -> None:
        """Give the groups their place, after the routes that the application has already."""
        for router in self._waiting.values():
            app.include_router(router, prefix=self._prefix)

    def missing(self, scope: Scope) -> list[Group]:
        """Groups that an address may be of, and that are not loaded."""
        if not self._waiting:
            return []
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        return [group for group in list(self._waiting) if path.startswith(self._prefixes[group])]

    def load(self, groups: Sequence[Group] | None = None) -> None:
        """Load groups, or all that are missing."""
        for group in list(self._waiting) if groups is None else groups:
            routers = routers_of(group)
            with self._lock:
                if group in self._waiting:  # else another request was quicker
                    for router in routers:
                        self._waiting[group].include_router(router)
                    del self._waiting[group]


def routers_of(group: Group) -> list[APIRouter]:
    """The routers of a group, its modules imported."""
    found: list[APIRouter] = []
    for name in group.modules:
        module = import_module(name)
        found += getattr(module, "ROUTERS", None) or (module.router,)
    return found


class LoadRoutes:
    """Around the router of an application: loads the groups of an address in a thread, as importing takes a while."""

    def __init__(self, app: ASGIApp, on_demand: OnDemand) -> None:
        self.app = app
        self.on_demand = on_demand

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (missing := self.on_demand.missing(scope)):
            await asyncio.to_thread(self.on_demand.load, missing)
        await self.app(scope, receive, send)
