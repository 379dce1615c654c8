"""From a request's cookies and headers to who asks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from app.db.session import read_session, write_session
from app.db.tables import (
    AccountRow,
    ApiTokenRow,
    MembershipRow,
    ShareLinkRow,
    SignInRow,
    WorkspaceRow,
)
from app.db.tables.base import now
from app.db.turns import TurnTimeoutError
from app.saved.access import ACTIONS, Action, Actor, LinkRight, Role
from app.teams.asking import HERE, PERSONAL, Asking, Workspace
from app.teams.secrets import LINK, TOKEN, Secrets, same
from app.teams.signed_in import until

SIGN_IN_COOKIE = "podwright_sign_in"
LINKS_COOKIE = "podwright_links"
WORKSPACE_COOKIE = "podwright_workspace"
LINKS_APART = "!"
MOST_LINKS = 10
SEEN_EVERY = timedelta(minutes=1)
"""How often it is written down that a sign-in or token is in use."""


class BadTokenError(PermissionError):
    """A token was sent that is not known, or no longer valid."""


class Identify:
    """Finds out who asks. `required` says whether the local user must sign in as well."""

    def __init__(
        self, engine: Callable[[], Engine], secrets: Callable[[], Secrets], *, required: bool
    ) -> None:
        self._engine = engine
        self._secrets = secrets
        self.required = required

    def asking(self, *, bearer: str, cookies: Mapping[str, str], workspace: str) -> Asking:
        """Who asks; `workspace` is the key of the one that is asked for, empty for the usual one.

        Raises
        ------
        BadTokenError : a token was sent that cannot be used
        """
        if bearer:
            return self._of_bearer(bearer, workspace)
        if not self.required:
            return HERE if workspace in ("", PERSONAL.key) else dataclasses.replace(HERE, workspace=None)
        links = self._links(cookies.get(LINKS_COOKIE, "").split(LINKS_APART)[:MOST_LINKS])
        secret = cookies.get(SIGN_IN_COOKIE, "")
        found = self._of_browser(secret, links) if secret else None
        if found is not None:
            return self._chosen(found, workspace, cookies.get(WORKSPACE_COOKIE, ""))
        return Asking(actor=Actor(name="Guest", links=links), by="link") if links else Asking()

    def _of_browser(self, secret: str, links: tuple[LinkRight, ...]) -> Asking | None:
        hashed = self._secrets().hash("sign-in", secret)
        with read_session(self._engine()) as session:
            row = session.get(SignInRow, hashed)
            if row is None or row.expires_at <= now():
                return None
            actor = self._actor(session, row.account_id, links=links)
            account = session.get(AccountRow, row.account_id)
        if actor is None:
            return None
        if row.last_used_at < now() - SEEN_EVERY:
            self._seen(SignInRow, hashed, row.account_id)
        csrf = self._secrets().proof("csrf", hashed)
        return Asking(
            actor=actor, by="browser", csrf=csrf, sign_in=hashed, units=account.units if account else ""
        )

    def _of_bearer(self, bearer: str, workspace: str) -> Asking:
        if LINK.fullmatch(bearer):
            links = self._links([bearer])
            if not links:
                raise BadTokenError("This link is not known, has expired, or was revoked.")
            return Asking(actor=Actor(name="Guest", links=links), by="link")
        found = TOKEN.fullmatch(bearer)
        if found is None:
            raise BadTokenError("This is not a token of Podwright: one begins with pwt_.")
        with read_session(self._engine()) as session:
            row = session.get(ApiTokenRow, found[1])
            hashed = self._secrets().hash("token", found[2])
            if row is None or not same(row.secret_hash, hashed) or row.revoked_at is not None:
                raise BadTokenError("This token is not known, or was revoked.")
            if row.expires_at is not None and row.expires_at <= now():
                raise BadTokenError(f"This token expired on {row.expires_at:%Y-%m-%d}. Make another one.")
            scopes = frozenset(action for action in ACTIONS if action in row.scopes)
            actor = self._actor(session, row.account_id, scopes=scopes, only=row.workspace_id)
        if actor is None:
            raise BadTokenError("The account of this token can no longer be used.")
        if row.last_used_at is None or row.last_used_at < now() - SEEN_EVERY:
            self._seen(ApiTokenRow, row.id, row.account_id)
        return self._chosen(Asking(actor=actor, by="token", token_id=row.id), workspace)

    def _actor(
        self,
        session: Session,
        account_id: str,
        *,
        scopes: frozenset[Action] = frozenset(ACTIONS),
        only: int | None = None,
        links: tuple[LinkRight, ...] = (),
    ) -> Actor | None:
        """An account with its roles, None where it may no longer be used."""
        account = session.get(AccountRow, account_id)
        if account is None or account.disabled_at is not None or account.deleted_at is not None:
            return None
        rows = session.exec(
            select(MembershipRow.workspace_id, MembershipRow.role, WorkspaceRow.kind)
            .join(WorkspaceRow, col(WorkspaceRow.id) == col(MembershipRow.workspace_id))
            .where(col(MembershipRow.account_id) == account_id, col(WorkspaceRow.deleted_at).is_(None))
            .order_by(col(MembershipRow.workspace_id))
        ).all()
        roles: dict[int, Role] = {id: role for id, role, _ in rows if only in (None, id)}  # type: ignore[misc]
        home = next((id for id, _, kind in rows if kind == "personal" and id in roles), None)
        return Actor(
            name=account.name,
            account_id=account.id,
            home=home,
            roles=roles,
            scopes=scopes,
            links=links,
            is_admin=account.is_admin and only is None,
        )

    def _links(self, tokens: list[str]) -> tuple[LinkRight, ...]:
        """The rights of links that still hold."""
        secrets = self._secrets()
        ids = [
            found[1]
            for token in tokens
            if (found := LINK.fullmatch(token)) and secrets.proves("link", found[1], found[2])
        ]
        if not ids:
            return ()
        with read_session(self._engine()) as session:
            asked = select(ShareLinkRow).where(col(ShareLinkRow.id).in_(ids)).order_by(col(ShareLinkRow.id))
            rows = session.exec(asked).all()
        return tuple(
            LinkRight(id=row.id, saved_id=row.saved_id, role=row.role, revision=row.revision)  # type: ignore[arg-type]
            for row in rows
            if row.revoked_at is None and (row.expires_at is None or row.expires_at > now())
        )

    def _chosen(self, asking: Asking, key: str, last: str = "") -> Asking:
        """The same with the workspaces of the actor, and the one of `key`, else the one they used last."""
        with read_session(self._engine()) as session:
            rows = session.exec(
                select(WorkspaceRow)
                .where(col(WorkspaceRow.id).in_(list(asking.actor.roles)))
                .order_by(col(WorkspaceRow.kind), col(WorkspaceRow.name), col(WorkspaceRow.id))
            ).all()
        found = tuple(Workspace(id=row.id or 0, key=row.key, name=row.name, kind=row.kind) for row in rows)
        by_key = {each.key: each for each in found}
        home = next((each for each in found if each.id == asking.actor.home), None)
        usual = by_key.get(last) or home or next(iter(found), None)
        return dataclasses.replace(asking, workspace=by_key.get(key) if key else usual, workspaces=found)

    def _seen(self, table: type[SignInRow] | type[ApiTokenRow], key: str, account_id: str) -> None:
        """Write down that something is in use, where that can be written: reading must work without."""
        moment = now()
        with suppress(SQLAlchemyError, TurnTimeoutError), write_session(self._engine()) as session:
            row = session.get(table, key)
            account = session.get(AccountRow, account_id)
            if row is not None:
                row.last_used_at = moment
            if isinstance(row, SignInRow):
                row.expires_at = until(row.created_at, moment)
            if account is not None:
                account.last_seen_at = moment
