"""Services of event streams besides those of a request: the feed of this process, and who asks."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from app.catalog.ready import ready_engine
from app.settings import Settings
from app.teams.asking import Asking
from app.teams.identify import BadTokenError
from app.teams.middleware import credentials_of, identify_of
from app.teams.together.feed import Feed


class Live:
    """One an application."""

    def __init__(self, settings: Settings) -> None:
        self.feed = Feed(
            lambda: ready_engine(settings),
            every_s=settings.poll_seconds,
            most=settings.streams_per_process,
            most_of_one=settings.streams_per_caller,
        )
        self._identify = identify_of(settings)

    def asking_again(self, request: Request) -> Asking:
        """Who sent a request that is still being answered, as that is known now. Reads the database."""
        try:
            return self._identify.asking(**credentials_of(request.scope))
        except BadTokenError:
            return Asking()


def caller_of(request: Request, asking: Asking) -> str:
    """Whose streams are counted together: an account's, else an address's.

    Callers on this machine may have any number.
    """
    if asking.actor.is_local:
        return ""
    return asking.actor.account_id or (request.client.host if request.client else "nowhere")


def live(request: Request) -> Live:
    """Of the application, as a dependency of its routes."""
    found: Live = request.app.state.live
    return found


LiveDep = Annotated[Live, Depends(live)]
