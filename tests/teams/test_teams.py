"""Teams: made, joined, left; roles that take effect at once; an owner is always left."""

from __future__ import annotations

import itertools

import pytest

from app.saved.access import ForbiddenError
from app.scenarios.errors import ScenarioError
from app.teams import teams
from app.teams.errors import NotThereError

_numbers = itertools.count()


@pytest.fixture
def key(people):
    """A team with one of each role, of this test alone."""
    key = f"team-{next(_numbers)}"
    people.team(key, {"Olga": "owner", "Edna": "editor", "Cora": "commenter", "Vera": "viewer"})
    people.account("Mallory")
    return key


def test_whoever_makes_a_team_owns_it(desk, people, asking_of):
    people.account("Ada")
    asking = asking_of("Ada")
    with desk.writing() as session:
        team = teams.create(session, asking, "crystal-lab", "Crystal  lab")
    with desk.reading() as session:
        (member,) = teams.members(session, team.id)
        (listed,) = teams.listed(session, asking_of("Ada"))
    assert (team.key, team.name, member.role, listed.key, listed.members) == (
        "crystal-lab", "Crystal lab", "owner", "crystal-lab", 1,
    )  # fmt: skip


@pytest.mark.parametrize(
    "key", ["", "ab", "Lab", "1lab", "lab_a", "-lab", "lab-", "l" * 64, "p-12345678", "personal", "läb"]
)
def test_a_key_that_no_address_can_hold_is_refused(desk, people, asking_of, key):
    people.account("Ada")
    asking = asking_of("Ada")
    with desk.writing() as session, pytest.raises(ScenarioError, match="key"):
        teams.create(session, asking, key, "A team")


def test_a_key_is_of_one_team_also_when_that_was_deleted(desk, key, asking_of):
    owner = asking_of("Olga")
    with desk.writing() as session:
        teams.delete(session, owner, key)
    with desk.writing() as session, pytest.raises(ScenarioError, match="There is a team"):
        teams.create(session, owner, key, "Another")


@pytest.mark.parametrize(
    ("who", "error"), [("Edna", ForbiddenError), ("Vera", ForbiddenError), ("Mallory", NotThereError)]
)
def test_only_owners_look_after_a_team(desk, key, people, asking_of, who, error):
    asking, victim = asking_of(who), people.account("Cora").id
    for act in (
        lambda session: teams.rename(session, asking, key, "Mine"),
        lambda session: teams.delete(session, asking, key),
        lambda session: teams.set_role(session, asking, key, victim, "owner"),
        lambda session: teams.set_role(session, asking, key, people.account(who).id, "owner"),
        lambda session: teams.remove_member(session, asking, key, victim),
    ):
        with desk.writing() as session, pytest.raises(error):
            act(session)


def test_an_owner_s_token_needs_the_scope_to_manage(desk, key, people, asking_of):
    token = people.token("Olga", ["read", "write", "share"])
    asking, reading = asking_of(token), people.client(token)
    with desk.writing() as session, pytest.raises(ForbiddenError):
        teams.rename(session, asking, key, "Mine")
    with desk.writing() as session, pytest.raises(ForbiddenError):
        teams.remove_member(session, asking, key, people.account("Olga").id)
    assert reading.get(f"/api/v1/teams/{key}").status_code == 200


def test_a_role_holds_from_the_next_request_on(desk, key, people, asking_of):
    edna, owner = people.account("Edna").id, asking_of("Olga")
    client = people.client("Edna")

    def can_write() -> int:
        return client.post(f"/api/v1/designs?workspace={key}", json={"kind": "supernode"}).status_code

    assert can_write() == 422  # a design that lacks all, of somebody who may save one
    with desk.writing() as session:
        teams.set_role(session, owner, key, edna, "viewer")
    assert client.get(f"/api/v1/designs?workspace={key}").status_code == 200
    with desk.writing() as session:
        teams.remove_member(session, owner, key, edna)
    assert client.get(f"/api/v1/designs?workspace={key}").status_code == 404
    assert client.get(f"/api/v1/teams/{key}").status_code == 404


def test_the_last_owner_stays(desk, key, people, asking_of):
    olga, edna, owner = people.account("Olga").id, people.account("Edna").id, asking_of("Olga")
    with desk.writing() as session, pytest.raises(ScenarioError, match="no owner"):
        teams.set_role(session, owner, key, olga, "editor")
    with desk.writing() as session, pytest.raises(ScenarioError, match="no owner"):
        teams.remove_member(session, owner, key, olga)
    with desk.writing() as session:
        teams.set_role(session, owner, key, edna, "owner")
        teams.remove_member(session, owner, key, olga)
    with desk.reading() as session:
        team = teams.team_of(session, asking_of("Edna"), key)
        assert teams.owners(session, team.id) == [edna]


def test_an_administrator_looks_after_members_and_does_not_see_the_work(desk, key, people, asking_of):
    people.account("Root", admin=True)
    root, vera = asking_of("Root"), people.account("Vera").id
    with desk.writing() as session:
        teams.set_role(session, root, key, vera, "owner")
    client = people.client("Root")
    assert client.get(f"/api/v1/teams/{key}/members").status_code == 200
    assert client.get(f"/api/v1/scenarios?workspace={key}").status_code == 404


def test_a_deleted_team_is_out_of_reach_until_an_administrator_restores_it(desk, key, people, asking_of):
    people.account("Root", admin=True)
    owner, root, client = asking_of("Olga"), asking_of("Root"), people.client("Vera")
    with desk.writing() as session:
        teams.delete(session, owner, key)
    assert client.get(f"/api/v1/scenarios?workspace={key}").status_code == 404
    with desk.writing() as session, pytest.raises(ForbiddenError):
        teams.restore(session, owner, key)
    with desk.writing() as session:
        teams.restore(session, root, key)
    assert client.get(f"/api/v1/scenarios?workspace={key}").status_code == 200
    with desk.reading() as session, pytest.raises(ForbiddenError):
        teams.listed(session, owner, everybodys=True)


def test_a_personal_workspace_is_no_team(desk, people, asking_of):
    people.account("Ada")
    asking = asking_of("Ada")
    with desk.writing() as session, pytest.raises(NotThereError):
        teams.delete(session, asking, asking.workspace.key)


def test_a_role_that_is_none(desk, key, people, asking_of):
    owner = asking_of("Olga")
    with desk.writing() as session, pytest.raises(ScenarioError, match="no role"):
        teams.set_role(session, owner, key, people.account("Vera").id, "king")
