"""Saved work shared with other teams, and with anyone with a link. Who may `share` decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from app.db.session import read_session, write_session
from app.db.tables import AccountRow, MembershipRow, ShareGrantRow, ShareLinkRow, WorkspaceRow
from app.db.tables.base import now
from app.db.tables.saved import new_id
from app.db.turns import TurnTimeoutError
from app.saved.access import ROLES, Role
from app.saved.change_log import log_change
from app.saved.records import Kind, Saved
from app.saved.rows import TABLES, HeadRow
from app.saved.store import SavedWork
from app.scenarios.errors import refuse, shorten
from app.teams.asking import Asking
from app.teams.audit import audit
from app.teams.secrets import LINK, Secrets

SHARED_ROLES: tuple[Role, ...] = ROLES[:3]
"""What a share can give: no one owns the work of another workspace."""

State = Literal["open", "expired", "revoked"]
LONGEST_LABEL = 200
MOST_LINKS_EACH = 100


class NoShareError(LookupError):
    """There is no such share or link of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A team that may use something. Its members have at most the role that they have in the team."""

    key: str
    name: str
    role: Role
    created_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Anyone with the token may use something; with a `revision` they see that one for ever, and no other."""

    id: str
    role: Role
    revision: int | None
    label: str
    token: str
    state: State
    created_by: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None

    @property
    def path(self) -> str:
        """Where it leads, on this server."""
        return f"/s/{self.token}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """Someone of the workspace, who sees everything in it."""

    name: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a link leads to."""

    kind: Kind
    id: str
    revision: int | None


class Sharing:
    """The shares of saved work, as the caller may see and change them."""

    def __init__(self, work: SavedWork, secrets: Callable[[], Secrets], asking: Asking) -> None:
        self._work = work
        self._secrets = secrets
        self._asking = asking

    def grants(self, kind: Kind, id: str) -> tuple[Grant, ...]:
        """The teams that it is shared with, by name."""
        with self._work.sessions.reading() as session:
            self._work.sessions.head(session, kind, id, action="share")
            return _grants(session, id)

    def grant(self, kind: Kind, id: str, key: str, role: str) -> Grant:
        """Share it with a team, or give the team another role.

        Raises
        ------
        ScenarioError : there is no such team or role
        """
        wanted = _role(role)
        with self._work.sessions.changing(kind, id, None, action="share") as (session, head):
            team = _team(session, key, head)
            row = session.get(ShareGrantRow, (id, team.id))
            before = row.role if row else None
            if row is None:
                row = ShareGrantRow(saved_id=id, workspace_id=team.id or 0, kind=kind, role=wanted)
                row.created_by = self._asking.actor.account_id
            row.role = wanted
            session.add(row)
            if before != wanted:
                self._note(session, kind, head, "shared", team=key, role=wanted, before=before)
            session.flush()
            return next(each for each in _grants(session, id) if each.key == key)

    def withdraw(self, kind: Kind, id: str, key: str) -> None:
        """Share it no longer with a team.

        Raises
        ------
        NoShareError : it is not shared with this team
        """
        with self._work.sessions.changing(kind, id, None, action="share") as (session, head):
            team = session.exec(select(WorkspaceRow).where(col(WorkspaceRow.key) == key)).first()
            row = session.get(ShareGrantRow, (id, team.id)) if team else None
            if row is None:
                raise NoShareError(f"It is not shared with a team {key[:60]!r}.")
            session.delete(row)
            self._note(session, kind, head, "withdrawn", team=key, role=row.role)

    def links(self, kind: Kind, id: str) -> tuple[Link, ...]:
        """Its links, the newest first; those that no longer work too."""
        with self._work.sessions.reading() as session:
            self._work.sessions.head(session, kind, id, action="share")
            rows = session.exec(
                select(ShareLinkRow)
                .where(col(ShareLinkRow.saved_id) == id)
                .order_by(col(ShareLinkRow.created_at).desc(), col(ShareLinkRow.id))
            ).all()
            names = _names(session, (row.created_by for row in rows))
            return tuple(self._link(row, names) for row in rows)

    def add_link(
        self,
        kind: Kind,
        id: str,
        *,
        role: str = "viewer",
        revision: int | None = None,
        expires_at: datetime | None = None,
        label: str = "",
    ) -> Link:
        """A new link.

        Raises
        ------
        ScenarioError : it cannot have this role, revision, end or label
        """
        wanted, words = _role(role), " ".join(label.split())
        if len(words) > LONGEST_LABEL:
            raise refuse(f"A label has at most {LONGEST_LABEL} characters.", rule="at_most", path="label")
        if revision is not None and wanted != "viewer":
            hint = "Give it the role viewer, or let it show whatever is newest."
            message = "A link to one revision is to look at only."
            raise refuse(message, rule="one_of", path="role", value=role, hint=hint)
        _check_end(expires_at)
        with self._work.sessions.changing(kind, id, None, action="share") as (session, head):
            if revision is not None and not 1 <= revision <= head.revision:
                hint = f"It has revisions 1 to {head.revision}."
                message = f"There is no revision {revision}."
                raise refuse(message, rule="range", path="revision", value=revision, hint=hint)
            there = session.exec(
                select(ShareLinkRow.id).where(
                    col(ShareLinkRow.saved_id) == id, col(ShareLinkRow.revoked_at).is_(None)
                )
            ).all()
            if len(there) >= MOST_LINKS_EACH:
                message = f"It has {MOST_LINKS_EACH} links already."
                raise refuse(message, rule="at_most", hint="Revoke some that are no longer needed.")
            row = ShareLinkRow(
                id=new_id(),
                workspace_id=head.workspace_id,
                kind=kind,
                saved_id=id,
                role=wanted,
                revision=revision,
                label=words,
                created_by=self._asking.actor.account_id,
                expires_at=expires_at,
            )
            session.add(row)
            self._note(session, kind, head, "link_made", link=row.id, role=wanted, revision=revision)
            return self._link(row, _names(session, [row.created_by]))

    def extend_link(self, kind: Kind, id: str, link_id: str, expires_at: datetime | None) -> Link:
        """Another end of a link, later or sooner, or none; one that was revoked stays so.

        Raises
        ------
        NoShareError : it has no such link
        ScenarioError : the end has passed, or the link was revoked
        """
        _check_end(expires_at)
        with self._work.sessions.changing(kind, id, None, action="share") as (session, head):
            row = _link_row(session, id, link_id)
            if row.revoked_at is not None:
                message = "This link was revoked, which cannot be undone."
                raise refuse(message, rule="revoked", hint="Make a new one.")
            row.expires_at = expires_at
            session.add(row)
            until = expires_at.isoformat() if expires_at else None
            self._note(session, kind, head, "link_extended", link=link_id, until=until)
            return self._link(row, _names(session, [row.created_by]))

    def revoke_link(self, kind: Kind, id: str, link_id: str) -> None:
        """From now on the link opens nothing.

        Raises
        ------
        NoShareError : it has no such link
        """
        with self._work.sessions.changing(kind, id, None, action="share") as (session, head):
            row = _link_row(session, id, link_id)
            if row.revoked_at is None:
                row.revoked_at = now()
                session.add(row)
                self._note(session, kind, head, "link_revoked", link=link_id)

    def members(self, kind: Kind, id: str) -> tuple[str, tuple[Member, ...]]:
        """The name of its workspace, and who is in it; no one is named without sign-in."""
        with self._work.sessions.reading() as session:
            head = self._work.sessions.head(session, kind, id, action="share")
            workspace = session.get(WorkspaceRow, head.workspace_id)
            rows = session.exec(
                select(AccountRow.name, MembershipRow.role)
                .join(MembershipRow, col(MembershipRow.account_id) == col(AccountRow.id))
                .where(col(MembershipRow.workspace_id) == head.workspace_id)
                .order_by(col(AccountRow.name), col(AccountRow.id))
            ).all()
            found = tuple(Member(name=name, role=role) for name, role in rows)  # type: ignore[arg-type]
            return (workspace.name if workspace else "", found)

    def _link(self, row: ShareLinkRow, names: dict[str, str]) -> Link:
        return Link(
            id=row.id,
            role=row.role,  # type: ignore[arg-type]
            revision=row.revision,
            label=row.label,
            token=link_token(self._secrets(), row.id),
            state=_state(row),
            created_by=names.get(row.created_by or "", ""),
            created_at=row.created_at,
            expires_at=row.expires_at,
            last_used_at=row.last_used_at,
        )

    def _note(self, session: Session, kind: Kind, head: HeadRow, what: str, **detail: object) -> None:
        """In the log of who did what, and in that which open pages follow."""
        where = {"kind": kind, "saved_id": head.id, "workspace_id": head.workspace_id}
        log_change(session, self._asking.actor, "shared", **where, version=head.version)  # type: ignore[arg-type]
        audit(
            session,
            self._asking,
            f"share.{what}",
            kind=kind,
            resource_id=head.id,
            workspace_id=head.workspace_id,
            **{name: value for name, value in detail.items() if value is not None},
        )


def workspace_name(work: SavedWork, saved: Saved) -> str:
    """Name of the workspace of something shared."""
    with work.sessions.reading() as session:
        row = session.get(WorkspaceRow, saved.workspace_id)
        return row.name if row else ""


def link_token(secrets: Secrets, id: str) -> str:
    """The token of a link: made from its id whenever it is shown, and kept nowhere."""
    return f"pwl_{id}.{secrets.proof('link', id)}"


def follow(engine: Engine, secrets: Secrets, token: str) -> Target:
    """What a link leads to.

    Raises
    ------
    NoShareError : it is not known, has expired, was revoked, or leads to what is not there any more
    """
    found = LINK.fullmatch(token)
    if found is None or not secrets.proves("link", found[1], found[2]):
        raise NoShareError("There is no such link.")
    with read_session(engine) as session:
        row = session.get(ShareLinkRow, found[1])
        head = session.get(TABLES[row.kind].head, row.saved_id) if row else None  # type: ignore[index]
    if row is None or _state(row) != "open" or head is None or head.deleted_at is not None:
        raise NoShareError("There is no such link.")
    with suppress(SQLAlchemyError, TurnTimeoutError), write_session(engine) as session:
        used = session.get(ShareLinkRow, row.id)
        if used is not None:  # reading must work where this cannot be written
            used.last_used_at = now()
    return Target(kind=row.kind, id=row.saved_id, revision=row.revision)  # type: ignore[arg-type]


def _state(row: ShareLinkRow) -> State:
    if row.revoked_at is not None:
        return "revoked"
    return "expired" if row.expires_at is not None and row.expires_at <= now() else "open"


def _grants(session: Session, id: str) -> tuple[Grant, ...]:
    rows = session.exec(
        select(ShareGrantRow, WorkspaceRow)
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(ShareGrantRow.workspace_id))
        .where(col(ShareGrantRow.saved_id) == id, col(WorkspaceRow.deleted_at).is_(None))
        .order_by(col(WorkspaceRow.name), col(WorkspaceRow.id))
    ).all()
    names = _names(session, (row.created_by for row, _ in rows))
    return tuple(
        Grant(
            key=team.key,
            name=team.name,
            role=row.role,  # type: ignore[arg-type]
            created_by=names.get(row.created_by or "", ""),
            created_at=row.created_at,
        )
        for row, team in rows
    )


def _team(session: Session, key: str, head: HeadRow) -> WorkspaceRow:
    found = select(WorkspaceRow).where(
        col(WorkspaceRow.key) == key, col(WorkspaceRow.kind) == "team", col(WorkspaceRow.deleted_at).is_(None)
    )
    team = session.exec(found).first()
    if team is None:
        hint = "A team's address says its key; an owner of the team can tell it."
        message = f"There is no team {shorten(key)}."
        raise refuse(message, rule="unknown_team", path="workspace", value=key, hint=hint)
    if team.id == head.workspace_id:
        hint = "Its members see it already."
        message = f"It belongs to {team.name}."
        raise refuse(message, rule="own_team", path="workspace", value=key, hint=hint)
    return team


def _link_row(session: Session, saved_id: str, link_id: str) -> ShareLinkRow:
    row = session.get(ShareLinkRow, link_id)
    if row is None or row.saved_id != saved_id:
        raise NoShareError(f"It has no link {link_id[:40]!r}.")
    return row


def _role(text: str) -> Role:
    role = next((role for role in SHARED_ROLES if role == text), None)
    if role is None:
        hint = f"Known here: {', '.join(SHARED_ROLES)}."
        raise refuse(
            f"{shorten(text)} is not a role of a share.", rule="one_of", path="role", value=text, hint=hint
        )
    return role


def _check_end(moment: datetime | None) -> None:
    if moment is not None and moment <= now():
        message = f"{moment:%Y-%m-%d %H:%M} UTC has passed."
        hint = "Choose a later end, or revoke the link."
        raise refuse(message, rule="future", path="expires_at", value=moment.isoformat(), hint=hint)


def _names(session: Session, ids: Iterable[str | None]) -> dict[str, str]:
    wanted = {id for id in ids if id}
    if not wanted:
        return {}
    rows = session.exec(select(AccountRow).where(col(AccountRow.id).in_(wanted)))
    return {row.id: row.name for row in rows}
