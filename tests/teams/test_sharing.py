"""Shares of saved work: who may make them, what they give, and what becomes of them."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import pytest
from sqlmodel import col, select

from app.db.session import read_session, write_session
from app.db.tables import AuditEntryRow, ChangeRow, ShareLinkRow
from app.db.tables.base import now
from app.saved.access import ForbiddenError
from app.saved.errors import NotSavedError
from app.scenarios.errors import ScenarioError
from app.teams.sharing import NoShareError, Sharing, follow, link_token

NODE = {"name": "Node", "supernode": {"system": "dgx_h100"}}


@pytest.fixture(scope="module")
def teams(people):
    """Two teams: the item is of the first."""
    alpha = people.team("alpha", {"Ada": "owner", "Ed": "editor", "Cy": "commenter", "Vi": "viewer"})
    beta = people.team("beta", {"Bob": "editor", "Bo": "viewer"})
    return alpha, beta


@pytest.fixture
def sharing_of(people, asking_of):
    """Shares and saved work as someone sees them from a workspace."""

    def found(who, workspace_id):
        asking = asking_of(who)
        work = people.app.state.service.saved.of(asking.actor, workspace_id)
        return Sharing(work, lambda: people.secrets, asking), work

    return found


@pytest.fixture
def item(sharing_of, teams):
    _, work = sharing_of("Ada", teams[0])
    return work.create("supernode", NODE)


def guest_of(people, *links):
    """What anyone who has these links sees."""
    from app.teams.identify import LINKS_APART, LINKS_COOKIE, Identify

    identify = Identify(lambda: people.engine, lambda: people.secrets, required=True)
    cookie = LINKS_APART.join(link.token for link in links)
    asking = identify.asking(bearer="", cookies={LINKS_COOKIE: cookie}, workspace="")
    return people.app.state.service.saved.of(asking.actor, asking.workspace_id)


def test_a_share_gives_a_team_at_most_the_role_of_each_member(item, sharing_of, teams):
    ada, _ = sharing_of("Ada", teams[0])
    ada.grant("supernode", item.id, "beta", "editor")
    _, bob = sharing_of("Bob", teams[1])
    _, bo = sharing_of("Bo", teams[1])
    assert bob.rights("supernode", item.id) == {"read", "comment", "write"}
    assert bo.rights("supernode", item.id) == {"read"}
    ada.grant("supernode", item.id, "beta", "commenter")
    assert bob.rights("supernode", item.id) == {"read", "comment"}
    ada.withdraw("supernode", item.id, "beta")
    assert bob.rights("supernode", item.id) == frozenset()
    with pytest.raises(NotSavedError):
        bob.get("supernode", item.id)


@pytest.mark.parametrize("who", ["Cy", "Vi"])
def test_sharing_needs_the_role_editor(item, sharing_of, teams, who):
    sharing, _ = sharing_of(who, teams[0])
    for action in (
        lambda: sharing.grants("supernode", item.id),
        lambda: sharing.grant("supernode", item.id, "beta", "viewer"),
        lambda: sharing.links("supernode", item.id),
        lambda: sharing.add_link("supernode", item.id),
        lambda: sharing.members("supernode", item.id),
    ):
        with pytest.raises(ForbiddenError):
            action()


def test_what_is_shared_cannot_be_shared_on(item, sharing_of, teams):
    ada, _ = sharing_of("Ada", teams[0])
    ada.grant("supernode", item.id, "beta", "editor")
    bob, work = sharing_of("Bob", teams[1])
    with pytest.raises(ForbiddenError, match="shared with you"):
        bob.add_link("supernode", item.id)
    with pytest.raises(ForbiddenError, match="shared with you"):
        work.delete("supernode", item.id, version=None)


def test_who_cannot_see_it_is_told_that_there_is_nothing(item, sharing_of, teams):
    bob, _ = sharing_of("Bob", teams[1])
    with pytest.raises(NotSavedError):
        bob.links("supernode", item.id)


@pytest.mark.parametrize(
    ("key", "role", "rule"),
    [("nowhere", "viewer", "unknown_team"), ("alpha", "viewer", "own_team"), ("beta", "owner", "one_of")],
)
def test_a_share_that_cannot_be_says_why(item, sharing_of, teams, key, role, rule):
    ada, _ = sharing_of("Ada", teams[0])
    with pytest.raises(ScenarioError) as caught:
        ada.grant("supernode", item.id, key, role)
    assert caught.value.errors[0].rule == rule


def test_a_personal_workspace_is_no_team(item, people, sharing_of, teams):
    people.account("Zoe")
    ada, _ = sharing_of("Ada", teams[0])
    key = f"p-{people.account('Zoe').id[:8]}"
    with pytest.raises(ScenarioError, match="no team"):
        ada.grant("supernode", item.id, key, "viewer")


def test_a_link_opens_the_newest_until_it_is_revoked(item, people, sharing_of, teams):
    ada, work = sharing_of("Ada", teams[0])
    link = ada.add_link("supernode", item.id, label="  For  the vendor ")
    assert (link.label, link.state) == ("For the vendor", "open")
    guest = guest_of(people, link)
    renamed = work.update("supernode", item.id, version=None, name="Renamed")
    assert guest.get("supernode", item.id).name == renamed.name
    assert guest.rights("supernode", item.id) == {"read"}
    assert [each.id for each in guest.shared("supernode").items] == [item.id]
    ada.revoke_link("supernode", item.id, link.id)
    assert guest_of(people, link).rights("supernode", item.id) == frozenset()
    with pytest.raises(NoShareError):
        follow(people.engine, people.secrets, link.token)
    assert [each.state for each in ada.links("supernode", item.id)] == ["revoked"]
    with pytest.raises(ScenarioError, match="revoked"):
        ada.extend_link("supernode", item.id, link.id, None)


def test_a_link_ends_when_its_time_has_passed_and_can_be_given_more(item, people, sharing_of, teams):
    ada, _ = sharing_of("Ada", teams[0])
    link = ada.add_link("supernode", item.id, expires_at=now() + timedelta(days=1))
    assert guest_of(people, link).rights("supernode", item.id)
    with write_session(people.engine) as session:
        row = session.get(ShareLinkRow, link.id)
        row.expires_at = now() - timedelta(seconds=1)
        session.add(row)
    assert guest_of(people, link).rights("supernode", item.id) == frozenset()
    assert ada.links("supernode", item.id)[0].state == "expired"
    extended = ada.extend_link("supernode", item.id, link.id, now() + timedelta(days=7))
    assert (extended.state, extended.token) == ("open", link.token)
    assert guest_of(people, link).rights("supernode", item.id) == {"read"}
    with pytest.raises(ScenarioError, match="passed"):
        ada.extend_link("supernode", item.id, link.id, now() - timedelta(seconds=1))


def test_a_pinned_link_shows_its_revision_and_no_other(item, people, sharing_of, teams):
    ada, work = sharing_of("Ada", teams[0])
    link = ada.add_link("supernode", item.id, revision=1)
    work.update("supernode", item.id, version=None, name="Confidential")
    guest = guest_of(people, link)
    assert guest.shown("supernode", item.id, 1).name == "Node"
    assert [saved.name for saved in guest.pinned("supernode")] == ["Node"]
    assert guest.shared("supernode").items == ()
    for hidden in (
        lambda: guest.get("supernode", item.id),
        lambda: guest.shown("supernode", item.id, 2),
        lambda: guest.revisions("supernode", item.id),
    ):
        with pytest.raises(NotSavedError):
            hidden()


def test_a_pinned_link_is_to_look_at_only(item, sharing_of, teams):
    ada, _ = sharing_of("Ada", teams[0])
    with pytest.raises(ScenarioError, match="look at only"):
        ada.add_link("supernode", item.id, role="editor", revision=1)
    with pytest.raises(ScenarioError, match="no revision 2"):
        ada.add_link("supernode", item.id, revision=2)


def test_an_editor_by_link_may_save_and_nothing_else(item, people, sharing_of, teams):
    ada, _ = sharing_of("Ada", teams[0])
    guest = guest_of(people, ada.add_link("supernode", item.id, role="editor"))
    saved = guest.replace("supernode", item.id, {**NODE, "description": "By a guest"}, version=1)
    assert (saved.revision, guest.revision("supernode", item.id, 2).created_by) == (2, None)
    with pytest.raises(ForbiddenError):
        guest.delete("supernode", item.id, version=None)
    with pytest.raises(ForbiddenError):
        guest.create("supernode", NODE)


def test_what_was_deleted_is_not_shared_any_more(item, people, sharing_of, teams):
    ada, work = sharing_of("Ada", teams[0])
    link = ada.add_link("supernode", item.id)
    work.delete("supernode", item.id, version=None)
    assert guest_of(people, link).rights("supernode", item.id) == frozenset()
    with pytest.raises(NoShareError):
        follow(people.engine, people.secrets, link.token)
    work.restore("supernode", item.id)
    assert follow(people.engine, people.secrets, link.token).id == item.id


def test_tokens_cannot_be_guessed(item, people, sharing_of, teams):
    ada, _ = sharing_of("Ada", teams[0])
    link = ada.add_link("supernode", item.id)
    id, proof = link.token.removeprefix("pwl_").split(".")
    other = ada.add_link("supernode", item.id)
    changed = f"{'A' if proof[0] != 'A' else 'B'}{proof[1:]}"
    for token in (
        f"pwl_{id}.{changed}",
        f"pwl_{other.id}.{proof}",
        f"pwl_{'0' * 32}.{people.secrets.proof('link', '0' * 32)}",  # proved, and no link
        f"pwl_{id}.{people.secrets.proof('csrf', id)}",
        f"pwl_{item.id}.{proof}",
        "",
        "pwl_",
        link.token + "A",
    ):
        with pytest.raises(NoShareError):
            follow(people.engine, people.secrets, token)
        assert guest_of(people, dataclasses.replace(link, token=token)).actor.is_nobody
    assert link_token(people.secrets, id) == link.token


def test_tokens_are_kept_nowhere(item, people, sharing_of, teams):
    ada, _ = sharing_of("Ada", teams[0])
    proof = ada.add_link("supernode", item.id).token.split(".")[1]
    with read_session(people.engine) as session:
        rows = [*session.exec(select(ShareLinkRow)), *session.exec(select(AuditEntryRow))]
        assert rows
        assert not any(proof in repr(row) for row in rows)


def test_each_change_is_written_down(item, people, sharing_of, teams):
    ada, _ = sharing_of("Ada", teams[0])
    ada.grant("supernode", item.id, "beta", "viewer")
    ada.grant("supernode", item.id, "beta", "viewer")  # changes nothing
    link = ada.add_link("supernode", item.id)
    ada.extend_link("supernode", item.id, link.id, None)
    ada.revoke_link("supernode", item.id, link.id)
    ada.revoke_link("supernode", item.id, link.id)  # as before
    ada.withdraw("supernode", item.id, "beta")
    with read_session(people.engine) as session:
        audited = select(AuditEntryRow).where(col(AuditEntryRow.resource_id) == item.id)
        found = session.exec(audited.order_by(col(AuditEntryRow.id))).all()
        logged = select(ChangeRow).where(col(ChangeRow.saved_id) == item.id, col(ChangeRow.event) == "shared")
        assert len(session.exec(logged).all()) == 5
    assert [row.action.removeprefix("share.") for row in found] == [
        "shared", "link_made", "link_extended", "link_revoked", "withdrawn",
    ]  # fmt: skip
    assert {(row.actor, row.workspace_id) for row in found} == {("Ada", teams[0])}


def test_shares_that_are_not_there_cannot_be_changed(item, sharing_of, teams):
    ada, work = sharing_of("Ada", teams[0])
    other = work.create("supernode", NODE)
    link = ada.add_link("supernode", other.id)
    for action in (
        lambda: ada.withdraw("supernode", item.id, "beta"),
        lambda: ada.withdraw("supernode", item.id, "nowhere"),
        lambda: ada.revoke_link("supernode", item.id, link.id),
        lambda: ada.extend_link("supernode", item.id, "0" * 32, None),
    ):
        with pytest.raises(NoShareError):
            action()


def test_lists_of_what_is_shared_hold_no_own_work_and_narrow_down(item, sharing_of, teams):
    ada, work = sharing_of("Ada", teams[0])
    tagged = work.create("supernode", {**NODE, "name": "Tagged"}, tags=("draft",))
    for each in (item, tagged):
        ada.grant("supernode", each.id, "beta", "viewer")
    _, bob = sharing_of("Bob", teams[1])
    assert {tagged.id, item.id} <= {each.id for each in bob.shared("supernode").items}
    assert [each.id for each in bob.shared("supernode", tag="draft").items] == [tagged.id]
    assert [each.id for each in bob.shared("supernode", search="tagged").items] == [tagged.id]
    first = bob.shared("supernode", limit=1, sort="name")
    rest = bob.shared("supernode", limit=500, sort="name", after=first.next)
    assert {each.id for each in (*first.items, *rest.items)} == {
        each.id for each in bob.shared("supernode").items
    }
    assert work.shared("supernode").items == ()
