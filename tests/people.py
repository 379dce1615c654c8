"""People in a database, made quickly: accounts that are signed in, teams with roles, tokens, and clients of each.

Rows are written as the product writes them, but without the pages and without the cost of a password.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi import FastAPI
from sqlmodel import select

from app.catalog.ready import ready_engine
from app.db.session import read_session, write_session
from app.db.tables import AccountRow, ApiTokenRow, MembershipRow, SignInRow, WorkspaceRow
from app.db.tables.base import now
from app.saved.access import Action, Role
from app.settings import Settings
from app.teams.identify import SIGN_IN_COOKIE
from app.teams.passwords import Cost
from app.teams.secrets import Secrets, new_secret, secrets_of
from tests.asgi import AsgiClient

HOST = "127.0.0.1"
SECRET = "a secret of these tests, long enough to be taken"
SIGNING_IN = {"PODWRIGHT_SIGN_IN": "required", "PODWRIGHT_SECRET": SECRET}
"""Settings of a server in a process of its own."""


class Person(NamedTuple):
    """An account that is signed in; `headers` are what its browser sends by itself, `csrf` what its pages add."""

    id: str
    headers: dict[str, str]
    csrf: str

    @property
    def writing(self) -> dict[str, str]:
        """The headers of a change."""
        return {**self.headers, "x-csrf-token": self.csrf}


class ActingClient(AsgiClient):
    """A client that sends certain headers with every request; a request's own come on top."""

    def __init__(self, client: httpx.AsyncClient, portal: BlockingPortal, headers: Mapping[str, str]) -> None:
        super().__init__(client, portal)
        self.headers = dict(headers)

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {**self.headers, **(options.pop("headers", None) or {})}
        return super().request(method, path, headers=headers, **options)


class People:
    """Asked twice for the same name it gives the same account, team or client's headers."""

    def __init__(self, app: FastAPI, portal: BlockingPortal, until_done: ExitStack) -> None:
        self.app = app
        self.settings: Settings = app.state.settings
        self.engine = ready_engine(self.settings)
        self.secrets: Secrets = secrets_of(self.settings)
        self._portal = portal
        self._until_done = until_done
        self._people: dict[str, Person] = {}

    def account(self, name: str, admin: bool = False) -> Person:
        """An account with a workspace of its own, signed in; its address is the name at example.org."""
        if name not in self._people:
            account = AccountRow(email=email_of(name), email_key=email_of(name), name=name, is_admin=admin)
            workspace = WorkspaceRow(key=f"p-{account.id[:8]}", name="Personal", kind="personal")
            with write_session(self.engine) as session:
                session.add_all([account, workspace])
                session.flush()
                session.add(
                    MembershipRow(workspace_id=workspace.id or 0, account_id=account.id, role="owner")
                )
            self._people[name] = self.signed_in(account.id)
        return self._people[name]

    def signed_in(self, account_id: str) -> Person:
        """Another browser in which an account is signed in."""
        secret = new_secret()
        hashed = self.secrets.hash("sign-in", secret)
        with write_session(self.engine) as session:
            session.add(
                SignInRow(
                    secret_hash=hashed,
                    account_id=account_id,
                    method="password",
                    expires_at=now() + timedelta(days=1),
                )
            )
        cookie = {"cookie": f"{SIGN_IN_COOKIE}={secret}"}
        return Person(account_id, cookie, self.secrets.proof("csrf", hashed))

    def team(self, key: str, members: Mapping[str, Role] | None = None) -> int:
        """A team; anyone who is named in `members` has that role from now on, and an account."""
        people = {self.account(name).id: role for name, role in (members or {}).items()}
        with write_session(self.engine) as session:
            team = session.exec(select(WorkspaceRow).where(WorkspaceRow.key == key)).first()
            if team is None:
                team = WorkspaceRow(key=key, name=key.capitalize(), kind="team")
                session.add(team)
                session.flush()
            for account_id, role in people.items():
                session.merge(MembershipRow(workspace_id=team.id or 0, account_id=account_id, role=role))
            return team.id or 0

    def home(self, name: str) -> int:
        """The workspace of someone's own."""
        with read_session(self.engine) as session:
            return session.exec(
                select(MembershipRow.workspace_id)
                .join(WorkspaceRow)
                .where(MembershipRow.account_id == self.account(name).id, WorkspaceRow.kind == "personal")
            ).one()

    def token(
        self, name: str, scopes: Sequence[Action] = ("read",), workspace: int | None = None, *, days: int = 90
    ) -> str:
        """A token of someone, for one workspace or for all."""
        secret = new_secret()
        row = ApiTokenRow(
            id=new_secret().encode().hex()[:16],
            account_id=self.account(name).id,
            workspace_id=workspace,
            name="Of a test",
            secret_hash=self.secrets.hash("token", secret),
            scopes=list(scopes),
            expires_at=now() + timedelta(days=days),
        )
        with write_session(self.engine) as session:
            session.add(row)
        return f"pwt_{row.id}.{secret}"

    def client(self, who: str | None = None) -> ActingClient:
        """A client of someone by name, of anyone with a token or the token of a link, or of no one.

        Each keeps the cookies that it is sent, as a browser does.
        """
        headers, cookie = {}, ""
        if who is not None and who.startswith(("pwt_", "pwl_")):
            headers = {"authorization": f"Bearer {who}"}
        elif who is not None:
            person = self.account(who)
            headers, cookie = {"x-csrf-token": person.csrf}, person.headers["cookie"]
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        client = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}")
        if cookie:
            client.cookies.set(*cookie.split("=", 1), domain=HOST)
        self._until_done.enter_context(self._portal.wrap_async_context_manager(client))
        return ActingClient(client, self._portal, headers)


def email_of(name: str) -> str:
    """The address of an account that is made by its name.

    >>> email_of("Ada Lovelace")
    'ada.lovelace@example.org'
    """
    return f"{name.lower().replace(' ', '.')}@example.org"


def required(data_dir: Path, **settings: Any) -> Settings:
    """Settings of a server that people sign in to."""
    return Settings(
        **{"sign_in": "required", "secret": SECRET, "rate_per_minute": 0, "data_dir": data_dir, **settings}
    )


@contextmanager
def cheap_passwords() -> Iterator[None]:
    """Passwords are hashed at the least cost meanwhile: what they cost is tried where that is the question."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.teams.passwords.COST", Cost(1, 8, 1))
        yield


@contextmanager
def people_of(
    data_dir: Path, make_app: Callable[[Settings], FastAPI] | None = None, **settings: Any
) -> Iterator[People]:
    """People of an application of their own, over the database in a folder."""
    from app.main import create_app

    app = (make_app or create_app)(required(data_dir, **settings))
    with ExitStack() as until_done, cheap_passwords():
        portal = until_done.enter_context(start_blocking_portal())
        until_done.enter_context(portal.wrap_async_context_manager(app.router.lifespan_context(app)))
        yield People(app, portal, until_done)


@contextmanager
def people_over(seeded: Path, folder: Path, **settings: Any) -> Iterator[People]:
    """The same over a copy of a seeded folder."""
    shutil.copytree(seeded, folder / "data")
    with people_of(folder / "data", **settings) as people:
        yield people
