"""Caller and workspace of a request: found out once a request, before anything else is done."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from app.db.tables import PERSONAL_WORKSPACE_ID
from app.saved.access import LOCAL, NOBODY, Actor

Means = Literal["local", "browser", "token", "link", "nothing"]
"""How someone is known: they sit at this machine, signed in, sent a token, or came by a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A workspace as its members see it."""

    id: int
    key: str
    name: str
    kind: str  # personal | team


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """`csrf` is what changes must carry where a browser would send its cookie by itself, else empty."""

    actor: Actor = NOBODY
    by: Means = "nothing"
    workspace: Workspace | None = None
    workspaces: tuple[Workspace, ...] = ()
    csrf: str = ""
    sign_in: str = ""  # hash of the browser's secret, by which it can be signed out
    token_id: str = ""
    units: str = ""  # in which the account reads figures, where it has chosen

    @property
    def workspace_id(self) -> int:
        """The workspace that is asked for; 0, in which no one has a role, where there is none."""
        return self.workspace.id if self.workspace else 0


PERSONAL = Workspace(id=PERSONAL_WORKSPACE_ID, key="personal", name="Personal", kind="personal")
HERE = Asking(actor=LOCAL, by="local", workspace=PERSONAL, workspaces=(PERSONAL,))
"""The local user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whence:
    """Where a request comes from, as far as the log of who did what keeps it; empty on the command line."""

    address: str = ""
    browser: str = ""
    request_id: str = ""


_asking: ContextVar[Asking] = ContextVar("asking")
_whence: ContextVar[Whence] = ContextVar("whence")


def asked() -> Asking:
    """Who asks in the request that is being answered; no one, outside of one."""
    return _asking.get(Asking())


def set_asked(asking: Asking) -> None:
    """Say who asks, for the rest of this request."""
    _asking.set(asking)


def whence() -> Whence:
    """Where the request that is being answered comes from."""
    return _whence.get(Whence())


def set_whence(found: Whence) -> None:
    """Say where this request comes from."""
    _whence.set(found)
