"""Taking everything along, and what is left when an account is deleted."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
import sqlalchemy as sa

from app.db.tables import (
    PERSONAL_WORKSPACE_ID,
    AccountRow,
    ApiTokenRow,
    CommentRow,
    MembershipRow,
    ScenarioRow,
    SignInRow,
    WorkspaceRow,
)
from app.db.tables.base import metadata, now
from app.saved.access import ForbiddenError
from app.scenarios.errors import ScenarioError
from app.scenarios.examples import example
from app.teams import leaving
from tests.people import SECRET, email_of
from tests.teams.conftest import MACHINE


def saved(people, who, workspace=""):
    answer = people.client(who).post(
        f"/api/v1/scenarios{f'?workspace={workspace}' if workspace else ''}",
        json=example("edge_node").read().as_dict(),
    )
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


@pytest.mark.slow
def test_everything_is_taken_along_and_no_secret(desk, people):
    person = people.account("Ada")
    team = people.team("take-lab", {"Ada": "editor"})
    own, shared = saved(people, "Ada"), saved(people, "Ada", "take-lab")
    token = people.token("Ada")
    with desk.writing() as session:
        session.get(AccountRow, person.id).password_hash = "a hash"
        session.add(comment_of(team, shared, person.id, "Ada"))
    with desk.reading() as session:
        content = leaving.export(session, person.id)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        texts = {name: archive.read(name).decode() for name in names}
    account = json.loads(texts["account.json"])
    (workspace,) = [name for name in names if name.startswith("workspace-")]
    work = json.loads(texts[workspace])
    assert account["account"]["email"] == email_of("Ada")
    assert [role["role"] for role in account["roles"]] == ["owner", "editor"]
    assert [one["body"] for one in account["comments"]] == ["Looks right"]
    assert len(account["tokens"]) == len(account["sign_ins"]) == 1
    assert [row["id"] for row in work["scenario"]] == [own]
    assert work["scenario_revision"][0]["document"]["name"]
    everything = "".join(texts.values())
    for secret in (
        "a hash",
        token.partition(".")[2],
        desk.secrets.hash("token", token.partition(".")[2]),
        SECRET,
        "secret_hash",
    ):
        assert secret not in everything


@pytest.mark.slow
def test_a_deleted_account_leaves_what_is_the_team_s_and_nothing_of_its_own(desk, people, asking_of):
    person, home = people.account("Greta"), people.home("Greta")
    team = people.team("left-lab", {"Greta": "editor", "Olga": "owner"})
    own, shared = saved(people, "Greta"), saved(people, "Greta", "left-lab")
    token, asking = people.token("Greta"), asking_of("Greta")
    with desk.writing() as session:
        session.add(comment_of(team, shared, person.id, "Greta"))
    # somebody made their own from it, and it stays theirs
    fork = saved(people, "Olga", "left-lab")
    with desk.writing() as session:
        session.get(ScenarioRow, fork).forked_from_id = own
    with desk.writing() as session:
        leaving.delete_account(session, asking, person.id)
    with desk.reading() as session:
        account = session.get(AccountRow, person.id)
        assert (account.name, account.email, account.password_hash) == ("Deleted account", "", None)
        assert session.get(WorkspaceRow, home) is None
        assert session.get(ScenarioRow, own) is None
        assert session.get(ScenarioRow, shared).workspace_id == team
        assert session.get(ScenarioRow, fork).forked_from_id is None
        for row in (MembershipRow, ApiTokenRow, SignInRow):
            table = row.__table__
            assert session.execute(sa.select(table).where(table.c.account_id == person.id)).all() == []
        assert session.exec(
            sa.select(CommentRow.author_name).where(CommentRow.author_id == person.id)
        ).all() == [("Deleted account",)]
        left = {
            table.name
            for table in metadata.sorted_tables
            if "workspace_id" in table.c
            and table.name != "audit_entry"
            and session.execute(sa.select(table).where(table.c.workspace_id == home)).first()
        }
        assert left == set()
    assert people.client("Greta").get("/api/v1/account").status_code == 401
    assert people.client(token).get("/api/v1/account").status_code == 401
    answer = people.client("Olga").get(f"/api/v1/scenarios/{shared}")
    assert answer.status_code == 200


def test_who_alone_owns_a_team_with_others_hands_it_over_first(desk, people, asking_of):
    person = people.account("Hugo")
    shared = people.team("hugo-lab", {"Hugo": "owner", "Vera": "viewer"})
    alone = people.team("hugo-alone", {"Hugo": "owner"})
    asking = asking_of("Hugo")
    with desk.writing() as session, pytest.raises(ScenarioError, match="No one else owns Hugo-lab"):
        leaving.delete_account(session, asking, person.id)
    people.team("hugo-lab", {"Vera": "owner"})
    with desk.writing() as session:
        leaving.delete_account(session, asking, person.id)
        assert session.get(WorkspaceRow, alone).deleted_at is not None
        assert session.get(WorkspaceRow, shared).deleted_at is None


def test_nobody_deletes_another_s_account(desk, people, asking_of):
    victim = people.account("Ada").id
    people.account("Mallory")
    asking = asking_of("Mallory")
    with desk.writing() as session, pytest.raises(ForbiddenError):
        leaving.delete_account(session, asking, victim)


def test_the_workspace_of_this_machine_is_emptied_and_stays(desk, people):
    person = people.account("Machinist")
    with desk.writing() as session:
        session.merge(MembershipRow(workspace_id=PERSONAL_WORKSPACE_ID, account_id=person.id, role="owner"))
        leaving.delete_account(session, MACHINE, person.id)
        assert session.get(WorkspaceRow, PERSONAL_WORKSPACE_ID) is not None
        assert leaving.rows_of(session, PERSONAL_WORKSPACE_ID) == {}


def comment_of(workspace_id, saved_id, account_id, name):
    return CommentRow(
        workspace_id=workspace_id, kind="scenario", saved_id=saved_id, revision=1, body="Looks right",
        author_id=account_id, author_name=name, created_at=now(),
    )  # fmt: skip
