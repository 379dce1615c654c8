"""Invitations: once, in time, for whom they are meant."""

from __future__ import annotations

import itertools
from datetime import timedelta

import pytest
from sqlmodel import select

from app.db.tables import InvitationRow, MembershipRow
from app.db.tables.base import now
from app.saved.access import ForbiddenError
from app.scenarios.errors import ScenarioError
from app.teams import invitations
from app.teams.asking import Asking
from app.teams.errors import NotThereError
from tests.people import email_of

_numbers = itertools.count()


@pytest.fixture
def key(people):
    key = f"invited-{next(_numbers)}"
    people.team(key, {"Olga": "owner", "Edna": "editor"})
    return key


def invited(desk, asking, key, role="editor", email=""):
    with desk.writing() as session:
        return invitations.invite(session, asking, desk.secrets, key, role, email)


def role_in(desk, row, account_id):
    with desk.reading() as session:
        found = session.get(MembershipRow, (row.workspace_id, account_id))
        return found.role if found else None


def test_an_invitation_is_accepted_once(desk, people, asking_of, key):
    newcomer, other = people.account("Nina").id, people.account("Otto").id
    row, secret = invited(desk, asking_of("Olga"), key)
    assert secret not in str(row)
    with desk.reading() as session:
        found = invitations.opened(session, desk.secrets, secret)
    assert (found.team_key, found.role, found.invited_by, found.state) == (key, "editor", "Olga", "open")
    by_nina, by_otto = asking_of("Nina"), asking_of("Otto")
    with desk.writing() as session:
        invitations.accept(session, by_nina, desk.secrets, secret)
    with desk.writing() as session, pytest.raises(ScenarioError, match="used already"):
        invitations.accept(session, by_otto, desk.secrets, secret)
    assert (role_in(desk, row, newcomer), role_in(desk, row, other)) == ("editor", None)


def test_one_for_an_address_is_for_that_account_only(desk, people, asking_of, key):
    people.account("Nina"), people.account("Otto")
    row, secret = invited(desk, asking_of("Olga"), key, "viewer", email_of("Nina").upper())
    by_nina, by_otto = asking_of("Nina"), asking_of("Otto")
    with desk.writing() as session, pytest.raises(ScenarioError, match="you are signed in as otto"):
        invitations.accept(session, by_otto, desk.secrets, secret)
    with desk.writing() as session:
        invitations.accept(session, by_nina, desk.secrets, secret)
    assert role_in(desk, row, people.account("Nina").id) == "viewer"


def test_a_higher_role_is_kept(desk, people, asking_of, key):
    row, secret = invited(desk, asking_of("Olga"), key, "viewer")
    by_edna = asking_of("Edna")
    with desk.writing() as session:
        invitations.accept(session, by_edna, desk.secrets, secret)
    assert role_in(desk, row, people.account("Edna").id) == "editor"


def test_what_was_taken_back_or_is_too_old_lets_nobody_in(desk, people, asking_of, key):
    people.account("Nina")
    owner, by_nina = asking_of("Olga"), asking_of("Nina")
    row, secret = invited(desk, owner, key)
    old, old_secret = invited(desk, owner, key)
    with desk.writing() as session:
        assert [each.id for each in invitations.waiting(session, row.workspace_id)] == [old.id, row.id]
        invitations.revoke(session, owner, key, row.id)
        session.get(InvitationRow, old.id).expires_at = now() - timedelta(seconds=1)
    for worthless, words in ((secret, "taken back"), (old_secret, "was valid until")):
        with desk.writing() as session, pytest.raises(ScenarioError, match=words):
            invitations.accept(session, by_nina, desk.secrets, worthless)
    with desk.reading() as session:
        assert invitations.waiting(session, row.workspace_id) == []


def test_only_owners_invite_and_take_back(desk, asking_of, key):
    row, _ = invited(desk, asking_of("Olga"), key)
    editor = asking_of("Edna")
    with desk.writing() as session, pytest.raises(ForbiddenError):
        invitations.invite(session, editor, desk.secrets, key, "owner")
    with desk.writing() as session, pytest.raises(ForbiddenError):
        invitations.revoke(session, editor, key, row.id)


def test_an_invitation_of_one_team_is_not_taken_back_from_another(desk, people, asking_of, key):
    people.team("elsewhere", {"Olga": "owner"})
    owner = asking_of("Olga")
    row, _ = invited(desk, owner, key)
    with desk.writing() as session, pytest.raises(NotThereError):
        invitations.revoke(session, owner, "elsewhere", row.id)


def test_guessing_finds_nothing(desk, asking_of, key):
    _, secret = invited(desk, asking_of("Olga"), key)
    wrong = ("A" if secret[0] != "A" else "B") + secret[1:]
    with desk.reading() as session:
        for guess in (wrong, secret[:-1], "", session.exec(select(InvitationRow.secret_hash)).first()):
            with pytest.raises(NotThereError):
                invitations.opened(session, desk.secrets, guess)


def test_nobody_and_no_token_joins(desk, people, asking_of, key):
    _, secret = invited(desk, asking_of("Olga"), key)
    people.account("Nina")
    by_token = asking_of(people.token("Nina", ["read", "manage"]))
    for asking in (Asking(), by_token):
        with desk.writing() as session, pytest.raises(ForbiddenError):
            invitations.accept(session, asking, desk.secrets, secret)
