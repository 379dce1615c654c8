"""Reviews: states, who may move them, the locked baseline, and who is told."""

from __future__ import annotations

import dataclasses

import pytest
from sqlmodel import col, select

from app.db.session import read_session
from app.db.tables import AuditEntryRow, ChangeRow, NotificationRow
from app.saved.access import ForbiddenError
from app.saved.errors import ChangedMeanwhileError, NotSavedError
from app.scenarios.errors import ScenarioError
from app.teams.comments.anchors import Anchor
from app.teams.comments.store import Comments
from app.teams.reviews import Reviews
from tests.saved.support import study
from tests.teams.conftest import MACHINE


@pytest.fixture(scope="module")
def team(people):
    return people.team("board", {"Ada": "owner", "Bea": "owner", "Ed": "editor", "Cy": "commenter"})


@pytest.fixture
def as_(people, team, asking_of):
    """Saved work and reviews as someone sees them, with both ways of telling."""

    def found(who):
        asking = asking_of(who)
        work = people.app.state.service.saved.of(asking.actor, team)
        work.channels = ("webhook", "mail")
        return work, Reviews(work, asking)

    return found


def news(people, id):
    with read_session(people.engine) as session:
        rows = session.exec(
            select(NotificationRow)
            .where(col(NotificationRow.saved_id) == id)
            .order_by(col(NotificationRow.created_at))
        ).all()
        return [(row.channel, row.event, row.recipient) for row in rows]


def test_a_draft_is_sent_approved_and_changed_again(people, as_):
    work, reviews = as_("Ed")
    saved = work.create("study", study())
    first = reviews.of("study", saved.id)
    assert (first.state, first.moves, first.baseline) == ("draft", ("send",), None)
    sent = reviews.move("study", saved.id, "send", version=1, note="Ready")
    assert (sent.state, sent.moves, sent.step.by, sent.step.note) == (
        "in_review",
        ("withdraw",),
        "Ed",
        "Ready",
    )
    assert "owner" in sent.waits_for
    _, of_owner = as_("Ada")
    assert of_owner.of("study", saved.id).moves == ("withdraw", "return", "approve")
    approved = of_owner.move("study", saved.id, "approve", version=sent.version)
    assert (approved.state, approved.moves) == ("approved", ())
    assert (approved.baseline.by, approved.baseline.revision) == ("Ada", 1)
    # a change is a new draft, and the baseline stays as it was
    work.replace("study", saved.id, study(objective="power"), version=None)
    after = reviews.of("study", saved.id)
    assert (after.state, after.revision, after.baseline) == ("draft", 2, approved.baseline)
    assert work.revision("study", saved.id, 1).document == saved.document
    assert [step.state for step in after.steps] == ["approved", "in_review"]


def test_who_is_told(people, as_, team):
    work, reviews = as_("Ed")
    saved = work.create("study", study())
    reviews.move("study", saved.id, "send", version=None)
    owners = {people.account(name).id for name in ("Ada", "Bea")}
    told = news(people, saved.id)
    assert ("webhook", "reviewed", "") in told
    assert {recipient for channel, _, recipient in told if channel == "mail"} == owners
    as_("Ada")[1].move("study", saved.id, "return", version=None, note="Add the network")
    assert ("mail", "reviewed", people.account("Ed").id) in news(people, saved.id)
    Comments(work).add("study", saved.id, "@Bea look", anchor=Anchor("cell", "Small/tco_usd"))
    assert ("mail", "mentioned", people.account("Bea").id) in news(people, saved.id)
    with read_session(people.engine) as session:
        entries = session.exec(select(AuditEntryRow).where(col(AuditEntryRow.resource_id) == saved.id)).all()
        assert [row.action for row in entries] == ["review.sent_for_review", "review.returned"]
        changes = session.exec(select(ChangeRow).where(col(ChangeRow.saved_id) == saved.id)).all()
        assert [row.detail["state"] for row in changes if row.event == "reviewed"] == ["in_review", "draft"]


def test_no_owner_approves_their_own_where_there_is_another(as_):
    work, reviews = as_("Ada")
    saved = work.create("study", study())
    sent = reviews.move("study", saved.id, "send", version=None)
    assert "approve" not in sent.moves
    with pytest.raises(ForbiddenError, match="another owner"):
        reviews.move("study", saved.id, "approve", version=None)
    assert as_("Bea")[1].move("study", saved.id, "approve", version=None).state == "approved"


def test_who_works_alone_approves_their_own(people):
    work = people.app.state.service.saved.of(MACHINE.actor, 1)
    reviews = Reviews(work, MACHINE)
    saved = work.create("study", study())
    reviews.move("study", saved.id, "send", version=None)
    assert reviews.move("study", saved.id, "approve", version=None).baseline.revision == 1


@pytest.mark.parametrize(
    ("who", "move", "fault"),
    [
        ("Ed", "approve", ForbiddenError), ("Ed", "return", ForbiddenError), ("Cy", "withdraw", ForbiddenError),
        ("Ada", "send", ScenarioError), ("Ada", "return", ScenarioError), ("stranger", "approve", NotSavedError),
    ],
)  # fmt: skip
def test_what_is_not_allowed(as_, who, move, fault):
    work, reviews = as_("Ed")
    saved = work.create("study", study())
    reviews.move("study", saved.id, "send", version=None)
    with pytest.raises(fault):
        as_(who)[1].move("study", saved.id, move, version=None)
    assert reviews.of("study", saved.id).state == "in_review"


def test_what_changed_meanwhile_is_not_approved(as_):
    work, reviews = as_("Ed")
    saved = work.create("study", study())
    sent = reviews.move("study", saved.id, "send", version=None)
    work.replace("study", saved.id, study(objective="time"), version=None)
    with pytest.raises(ChangedMeanwhileError):
        as_("Ada")[1].move("study", saved.id, "approve", version=sent.version)
    with pytest.raises(ScenarioError, match="Revision 2 is draft"):
        as_("Ada")[1].move("study", saved.id, "approve", version=None)


def test_what_is_erased_leaves_nothing(people, as_):
    work, reviews = as_("Ada")
    saved = work.create("study", study())
    reviews.move("study", saved.id, "send", version=None)
    work.delete("study", saved.id, version=None)
    work.erase("study", saved.id)
    assert news(people, saved.id) == []


def test_nothing_is_written_where_the_server_tells_no_one(people, as_, team, asking_of):
    asking = asking_of("Ed")
    work = people.app.state.service.saved.of(asking.actor, team)
    saved = work.create("study", study())
    Reviews(work, dataclasses.replace(asking)).move("study", saved.id, "send", version=None)
    assert news(people, saved.id) == []
