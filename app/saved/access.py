"""Access control: the one question that is asked before anything saved is read or written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from app.db.tables import PERSONAL_WORKSPACE_ID

Role = Literal["viewer", "commenter", "editor", "owner"]
"""Each may do what those before it may."""

Action = Literal["read", "comment", "write", "delete", "share", "manage"]

ROLES: tuple[Role, ...] = get_args(Role)
ACTIONS: tuple[Action, ...] = get_args(Action)
NEEDED: dict[Action, Role] = {
    "read": "viewer",
    "comment": "commenter",
    "write": "editor",
    "delete": "editor",  # and bring back
    "share": "editor",  # with other teams, and by links
    "manage": "owner",  # members, invitations, the team itself
}
THROUGH_A_SHARE: frozenset[Action] = frozenset({"read", "comment", "write"})
"""What a share can give: anyone who is not of the workspace cannot put its work away or pass it on."""


class ForbiddenError(PermissionError):
    """The caller may see this, but may not do that."""


class HiddenError(ForbiddenError):
    """The caller may not even know that it is there: the answer is as if it were not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRight:
    """What a link gives to anyone who has it. One that names a revision shows that revision for ever."""

    id: str
    saved_id: str
    role: Role
    revision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """The caller: an account, a program with its token, a guest with links, or no one.

    `roles` are by workspace. `scopes` bounds what a token may do, whatever the role of its owner.
    """

    name: str = ""
    account_id: str | None = None
    home: int | None = None  # the workspace of one's own
    roles: Mapping[int, Role] = field(default_factory=dict)
    scopes: frozenset[Action] = frozenset(ACTIONS)
    links: tuple[LinkRight, ...] = ()
    is_admin: bool = False
    is_local: bool = False

    @property
    def is_nobody(self) -> bool:
        """Return whether nothing at all is known of the caller."""
        return self.account_id is None and not self.is_local and not self.links


LOCAL = Actor(
    name="You",
    home=PERSONAL_WORKSPACE_ID,
    roles={PERSONAL_WORKSPACE_ID: "owner"},
    is_admin=True,
    is_local=True,
)
"""The local user, where no sign-in is asked for."""

NOBODY = Actor()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A workspace, or something saved in it, or one revision of that.

    `shared_with` are the teams that it is shared with.
    """

    workspace_id: int
    saved_id: str = ""
    revision: int | None = None
    shared_with: Mapping[int, Role] = field(default_factory=dict)


def role_on(actor: Actor, resource: Resource) -> tuple[Role | None, bool]:
    """The highest role of an actor on something, and whether it comes through a share only.

    A share gives at most the role that one has in the team that it was shared with.

    >>> role_on(LOCAL, Resource(workspace_id=1))
    ('owner', False)
    >>> role_on(LOCAL, Resource(workspace_id=2, saved_id="a", shared_with={1: "viewer"}))
    ('viewer', True)
    """
    own = actor.roles.get(resource.workspace_id)
    shared = [
        min(actor.roles[team], role, key=ROLES.index)
        for team, role in resource.shared_with.items()
        if team in actor.roles
    ]
    shared += [
        link.role
        for link in actor.links
        if link.saved_id == resource.saved_id and link.revision in (None, resource.revision)
    ]
    best = max(shared, key=ROLES.index, default=None)
    if own is not None and (best is None or ROLES.index(own) >= ROLES.index(best)):
        return own, False
    return best, best is not None


def may(actor: Actor, action: Action, resource: Resource) -> bool:
    """Return whether an actor may do something."""
    role, through_a_share = role_on(actor, resource)
    if role is None or action not in actor.scopes:
        return False
    if through_a_share and action not in THROUGH_A_SHARE:
        own = actor.roles.get(resource.workspace_id)  # a lesser role of one's own gives nothing more
        return own is not None and ROLES.index(own) >= ROLES.index(NEEDED[action])
    return ROLES.index(role) >= ROLES.index(NEEDED[action])


def require(actor: Actor, action: Action, resource: Resource) -> None:
    """Nothing, where an actor may do something.

    Raises
    ------
    HiddenError : may not even see it
    ForbiddenError : may see it, but not do that
    """
    if may(actor, action, resource):
        return
    if not may(actor, "read", resource):
        raise HiddenError("There is nothing of this kind here.")
    if action not in actor.scopes:
        raise ForbiddenError(
            f"This token may not {action}: its scopes are {', '.join(sorted(actor.scopes))}."
        )
    role, through_a_share = role_on(actor, resource)
    if through_a_share and action not in THROUGH_A_SHARE:
        raise ForbiddenError(
            "It is shared with you, which does not allow this. Ask an owner of its workspace."
        )
    raise ForbiddenError(
        f"This needs the role {NEEDED[action]}; yours is {role}. Ask an owner of the workspace."
    )
