"""The log: what is in it, and who may read which part."""

from __future__ import annotations

import pytest

from app.db.tables import AuditEntryRow
from app.saved.access import ForbiddenError, HiddenError
from app.teams.asking import Whence, set_whence
from app.teams.audit import AuditQuery, audit, entries
from app.teams.names import names_of


@pytest.fixture(scope="module")
def log(desk, people):
    """Five entries in each of two teams, and one of a sign-in."""
    ours, theirs = (
        people.team("log-ours", {"Olga": "owner", "Edna": "editor"}),
        people.team("log-theirs", {"Vera": "owner"}),
    )
    people.account("Root", admin=True)
    from app.teams.asking import Asking

    with desk.writing() as session:
        for number in range(5):
            audit(session, Asking(), "member.joined", workspace_id=ours, number=number)
            audit(session, Asking(), "team.renamed", workspace_id=theirs)
        audit(session, Asking(), "sign_in.failed")
        audit(session, Asking(), "sign_input.other")
    return ours, theirs


def actions(desk, asking, **query):
    with desk.reading() as session:
        return [entry.action for entry in entries(session, asking, AuditQuery(**query)).entries]


def test_owners_read_what_was_done_in_their_teams(desk, log, asking_of):
    ours, theirs = log
    assert set(actions(desk, asking_of("Olga"))) == {"member.joined"}
    assert set(actions(desk, asking_of("Vera"), workspace_id=theirs)) == {"team.renamed"}
    with pytest.raises(HiddenError):
        actions(desk, asking_of("Olga"), workspace_id=theirs)
    with pytest.raises(ForbiddenError):
        actions(desk, asking_of("Edna"), workspace_id=ours)


def test_administrators_read_all_of_it_and_narrow_it(desk, log, people, asking_of):
    root = asking_of("Root")
    assert {"member.joined", "team.renamed", "sign_in.failed"} <= set(actions(desk, root))
    assert actions(desk, root, area="sign_in") == ["sign_in.failed"]
    assert actions(desk, root, workspace_id=log[1]) == ["team.renamed"] * 5
    assert actions(desk, root, account_id="nobody") == []
    with pytest.raises(ForbiddenError):
        actions(desk, asking_of(people.token("Root", ["read"])))


def test_pages_follow_one_another_without_gap_or_repetition(desk, log, asking_of):
    root, before, seen = asking_of("Root"), None, []
    with desk.reading() as session:
        while True:
            page = entries(session, root, AuditQuery(workspace_id=log[0], before=before, limit=2))
            seen += [entry.detail["number"] for entry in page.entries]
            before = page.next
            if before is None:
                break
    assert seen == [4, 3, 2, 1, 0]


def test_an_entry_says_who_from_where_and_in_which_request(desk, people, asking_of):
    set_whence(Whence(address="192.0.2.7", request_id="abc"))
    token = people.token("Olga", ["read"])
    asking = asking_of(token)
    with desk.writing() as session:
        audit(session, asking, "token.made", kind="token", resource_id="x")
        session.flush()
        entry = session.get(
            AuditEntryRow,
            entries(session, asking_of_root(people, asking_of), AuditQuery(area="token", limit=1))
            .entries[0]
            .id,
        )
    assert (entry.actor, entry.address, entry.request_id) == ("Olga", "192.0.2.7", "abc")
    assert entry.detail == {"token": asking.token_id}


def asking_of_root(people, asking_of):
    people.account("Root", admin=True)
    return asking_of("Root")


def test_names_by_id(desk, people):
    ada = people.account("Ada").id
    with desk.reading() as session:
        assert names_of(session, [ada, None, "unknown", ada]) == {ada: "Ada"}
        assert names_of(session, []) == {}
