"""What pages offer: only what the caller may do."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from fastapi import Depends, FastAPI, Request

from app.saved.access import Action, Resource, may
from app.saved.records import Kind
from app.saved.store import SavedWork
from app.service import Service
from app.teams.asking import asked
from app.teams.notifying.outbox import path_of


class Rights(NamedTuple):
    """Permitted actions on one thing that is saved; `keep` is to save something as one's own."""

    write: bool
    share: bool
    delete: bool
    manage: bool
    keep: bool


def rights(actions: frozenset[Action]) -> Rights:
    """Rights on something, from what may be done with it."""
    return Rights(
        write="write" in actions,
        share="share" in actions,
        delete="delete" in actions,
        manage="manage" in actions,
        keep=may_keep(),
    )


def rights_here() -> Rights:
    """Rights on whatever belongs to the workspace that is asked for."""
    asking = asked()
    place = Resource(workspace_id=asking.workspace_id)
    actions: tuple[Action, ...] = ("write", "share", "delete", "manage")
    return rights(frozenset(action for action in actions if may(asking.actor, action, place)))


def may_keep() -> bool:
    """Return whether the caller can save something of their own."""
    asking = asked()
    return may(asking.actor, "write", Resource(workspace_id=asking.workspace_id))


SAVED = re.compile(r"([0-9a-f]{32})(?:@([1-9][0-9]{0,8}))?")


class SavedKey(NamedTuple):
    """`revision` is 0 where the newest is meant."""

    id: str
    revision: int

    def __str__(self) -> str:
        return f"{self.id}@{self.revision}" if self.revision else self.id


def saved_key(key: str) -> SavedKey | None:
    """What a key names among saved work, None where it is the key of an example.

    >>> saved_key("edge_node") is None, saved_key("0" * 32 + "@3").revision
    (True, 3)
    """
    found = SAVED.fullmatch(key)
    return SavedKey(found[1], int(found[2] or 0)) if found else None


def address_of(kind: Kind, id: str, revision: int | None = None) -> str:
    """Where something saved is looked at, or one revision of it.

    >>> address_of("scenario", "ab", 3), address_of("pod", "cd")
    ('/designs/ab?revision=3', '/saved/pod/cd')
    """
    place = path_of(kind, id)
    return f"{place}?revision={revision}" if revision else place


def service_asked(app: FastAPI) -> Service:
    """The service of the application for the caller."""
    service: Service = app.state.service
    return service.of(asked())


def work_asked(app: FastAPI) -> SavedWork:
    """Saved work as the caller may see it, from the workspace that they ask for."""
    return service_asked(app).saved


def readable(request: Request) -> SavedWork:
    """Saved work to look at."""
    return work_asked(request.app)


def writable(request: Request) -> SavedWork:
    """Saved work to change; what may be changed is asked where it is."""
    return work_asked(request.app)


ReadDep = Annotated[SavedWork, Depends(readable)]
WriteDep = Annotated[SavedWork, Depends(writable)]
