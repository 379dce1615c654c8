"""What pages offer: only what the caller may do."""

from __future__ import annotations

from typing import NamedTuple

from app.saved.access import Action, Resource, may
from app.teams.asking import asked


class Rights(NamedTuple):
    """What may be done with one thing that is saved; `keep` is to save something of one's own."""

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
