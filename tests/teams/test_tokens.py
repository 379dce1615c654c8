"""Tokens: no more than their maker may, shown once, ended; and what guessing at them finds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.db.tables import ApiTokenRow
from app.db.tables.base import now
from app.saved.access import ForbiddenError
from app.scenarios.errors import ScenarioError
from app.teams import tokens
from app.teams.errors import NotThereError


def made(desk, asking, **wanted):
    with desk.writing() as session:
        return tokens.make(session, asking, desk.secrets, **{"name": "Report", **wanted})


def status(people, token, path="/api/v1/account"):
    return people.client().get(path, headers={"authorization": f"Bearer {token}"}).status_code


def test_a_token_is_used_and_revoked(desk, people, asking_of):
    people.account("Ada")
    asking = asking_of("Ada")
    row, text = made(desk, asking, scopes=["write"])
    assert text.startswith(f"pwt_{row.id}.")
    assert text.partition(".")[2] not in str(row)
    assert row.scopes == ["read", "write"]
    assert abs(row.expires_at - now() - timedelta(days=90)) < timedelta(minutes=1)
    assert status(people, text) == 200
    with desk.reading() as session:
        assert session.get(ApiTokenRow, row.id).last_used_at is not None
        assert row.id in [each.id for each in tokens.listed(session, people.account("Ada").id)]
    with desk.writing() as session:
        tokens.revoke(session, asking, row.id)
    assert status(people, text) == 401


def test_guessing_finds_nothing(desk, people, asking_of):
    people.account("Ada")
    row, text = made(desk, asking_of("Ada"))
    id, secret = row.id, text.partition(".")[2]
    flipped = ("A" if secret[0] != "A" else "B") + secret[1:]
    with desk.reading() as session:
        hashed = session.get(ApiTokenRow, id).secret_hash
    for guess in (
        f"pwt_{id}.{flipped}",
        f"pwt_{'0' * 16}.{secret}",
        f"pwt_{id}.",
        id,
        hashed,
        f"pwt_{id}.{hashed[:43]}",
        "pwt_",
        "x" * 5000,
    ):
        assert status(people, guess) == 401
    assert status(people, text) == 200


def test_an_old_one_and_one_of_a_disabled_account_are_refused(desk, people, asking_of):
    people.account("Dora")
    row, text = made(desk, asking_of("Dora"))
    with desk.writing() as session:
        session.get(ApiTokenRow, row.id).expires_at = now() - timedelta(seconds=1)
    answer = people.client(text).get("/api/v1/account")
    assert (answer.status_code, "expired" in answer.json()["detail"]) == (401, True)


def test_a_token_makes_none_that_may_more(desk, people, asking_of):
    people.team("token-lab", {"Ada": "owner"})
    by_reader = asking_of(people.token("Ada", ["read", "write"]))
    with pytest.raises(ForbiddenError):
        made(desk, by_reader)
    by_manager = asking_of(people.token("Ada", ["read", "manage"], people.team("token-lab"), days=5))
    with pytest.raises(ScenarioError, match="no more than what makes it has"):
        made(desk, by_manager, scopes=["write"])
    child, text = made(desk, by_manager, scopes=["manage"], days=300)
    assert child.workspace_id == people.team("token-lab")
    assert child.expires_at - now() < timedelta(days=5)
    assert status(people, text, "/api/v1/scenarios?workspace=token-lab") == 200
    assert status(people, text, f"/api/v1/scenarios?workspace={asking_of('Ada').workspace.key}") == 404


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"scopes": ["fly"]}, "scopes"),
        ({"days": 0}, "days"),
        ({"days": 367}, "days"),
        ({"workspace": "nowhere"}, "workspace"),
        ({"name": " "}, "name"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(desk, people, asking_of, wanted, field):
    people.account("Ada")
    with pytest.raises(ScenarioError) as refused:
        made(desk, asking_of("Ada"), **wanted)
    assert [error.path for error in refused.value.errors] == [field]


def test_nobody_revokes_another_s(desk, people, asking_of):
    people.account("Ada"), people.account("Mallory")
    row, text = made(desk, asking_of("Ada"))
    mallory, reading = asking_of("Mallory"), asking_of(people.token("Ada", ["read"]))
    with desk.writing() as session, pytest.raises(NotThereError):
        tokens.revoke(session, mallory, row.id)
    with desk.writing() as session, pytest.raises(ForbiddenError):
        tokens.revoke(session, reading, row.id)
    with desk.writing() as session:
        tokens.revoke(session, reading, reading.token_id)
    assert status(people, text) == 200
