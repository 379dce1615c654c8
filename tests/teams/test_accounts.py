"""Accounts: what can be one, the workspace of its own, and that an administrator is always left."""

from __future__ import annotations

import pytest
from sqlmodel import select

from app.db.tables import (
    PERSONAL_WORKSPACE_ID,
    AccountRow,
    AuditEntryRow,
    MembershipRow,
    SignInRow,
    WorkspaceRow,
)
from app.saved.access import ForbiddenError
from app.scenarios.errors import ScenarioError
from app.teams import accounts
from app.teams.errors import NotThereError
from tests.people import people_over
from tests.teams.conftest import MACHINE


def test_an_account_has_a_workspace_of_its_own(desk):
    with desk.writing() as session:
        made = accounts.create(session, MACHINE, email="Augusta@Example.org", name="  Ada  Lovelace ")
    with desk.reading() as session:
        assert accounts.by_email(session, "AUGUSTA@example.org ").id == made.id
        ((workspace, role),) = session.exec(
            select(WorkspaceRow, MembershipRow.role)
            .join(MembershipRow)
            .where(MembershipRow.account_id == made.id)
        ).all()
        log = session.exec(select(AuditEntryRow).where(AuditEntryRow.resource_id == made.id)).one()
    assert (made.name, workspace.kind, role) == ("Ada Lovelace", "personal", "owner")
    assert workspace.key.startswith("p-")
    assert (log.action, log.actor) == ("account.created", "Command line")


@pytest.mark.parametrize(
    "email", ["", "ada", "ada@", "a b@example.org", "@example.org", "a@b\u0000c", "a" * 320 + "@b"]
)
def test_what_is_no_address_is_refused(desk, email):
    with desk.writing() as session, pytest.raises(ScenarioError, match="no address of mail"):
        accounts.create(session, MACHINE, email=email)


@pytest.mark.parametrize("name", ["x" * 201, "a\u202eb", "\u0000"])
def test_what_is_no_name_is_refused(desk, name):
    with desk.writing() as session, pytest.raises(ScenarioError, match="printable"):
        accounts.create(session, MACHINE, email="name@example.org", name=name)


def test_an_address_has_one_account_whatever_its_case(desk, people):
    people.account("taken")
    with desk.writing() as session, pytest.raises(ScenarioError, match="There is an account"):
        accounts.create(session, MACHINE, email="TAKEN@example.org")
    other = people.account("other").id
    with desk.writing() as session, pytest.raises(ScenarioError, match="There is an account"):
        accounts.change_email(session, MACHINE, other, "taken@EXAMPLE.org")
    with desk.writing() as session:
        accounts.change_email(session, MACHINE, other, "Other@example.org")
        assert accounts.account_of(session, other).email == "Other@example.org"


def test_the_first_administrator_takes_over_what_was_made_without_a_sign_in(seeded_data_dir, tmp_path):
    with people_over(seeded_data_dir, tmp_path) as people:
        from app.teams.people import People as Desk

        desk = Desk(lambda: people.engine, lambda: people.secrets)
        with desk.writing() as session:
            plain = accounts.create(session, MACHINE, email="plain@example.org")
            first = accounts.create(session, MACHINE, email="first@example.org", is_admin=True)
            second = accounts.create(session, MACHINE, email="second@example.org", is_admin=True)
        with desk.reading() as session:
            of = {
                account.id: session.exec(
                    select(MembershipRow.workspace_id).where(MembershipRow.account_id == account.id)
                ).all()
                for account in (plain, first, second)
            }
        assert of[first.id] == [PERSONAL_WORKSPACE_ID]
        assert PERSONAL_WORKSPACE_ID not in of[second.id] + of[plain.id]
        assert [len(of[account.id]) for account in (plain, second)] == [1, 1]


def test_the_last_administrator_stays(seeded_data_dir, tmp_path):
    with people_over(seeded_data_dir, tmp_path) as people:
        from app.teams.people import People as Desk

        desk = Desk(lambda: people.engine, lambda: people.secrets)
        boss, other = people.account("boss", admin=True).id, people.account("other").id
        with desk.writing() as session, pytest.raises(ScenarioError, match="last administrator"):
            accounts.disable(session, MACHINE, boss)
        with desk.writing() as session, pytest.raises(ScenarioError, match="last administrator"):
            accounts.set_administrator(session, MACHINE, boss, False)
        with desk.writing() as session:
            accounts.set_administrator(session, MACHINE, other, True)
            accounts.disable(session, MACHINE, boss)
        with desk.reading() as session:
            assert session.exec(select(SignInRow).where(SignInRow.account_id == boss)).all() == []
        with desk.writing() as session, pytest.raises(ScenarioError, match="last administrator"):
            accounts.set_administrator(session, MACHINE, other, False)


def test_only_administrators_manage_accounts(desk, people, asking_of):
    mallory, ada = people.account("Mallory").id, people.account("Ada").id
    people.account("Root", admin=True)
    by_her, by_root = asking_of("Mallory"), asking_of("Root")
    by_token = asking_of(people.token("Root", ["read", "write"]))
    for act in (
        lambda session: accounts.disable(session, by_her, ada),
        lambda session: accounts.enable(session, by_her, ada),
        lambda session: accounts.set_administrator(session, by_her, mallory, True),
        lambda session: accounts.disable(session, by_token, ada),
    ):
        with desk.writing() as session, pytest.raises(ForbiddenError):
            act(session)
    with desk.writing() as session:
        accounts.disable(session, by_root, ada)
    assert people.client("Ada").get("/api/v1/scenarios").status_code == 401
    with desk.reading() as session:
        assert session.get(AccountRow, ada).disabled_at is not None


def test_an_account_that_is_not_there(desk):
    with desk.writing() as session, pytest.raises(NotThereError):
        accounts.rename(session, MACHINE, "0" * 32, "X")
