"""What was deleted: by whom, and how it goes for good."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.db.session import read_session, write_session
from app.db.tables import (
    CommentRow,
    MentionRow,
    RevisionNameRow,
    ShareGrantRow,
    ShareLinkRow,
    metadata,
    table_of,
)
from app.db.tables.base import now
from app.saved.access import LOCAL, ForbiddenError
from app.saved.check import check_database
from app.saved.clearing import TrashClearing, clear
from app.saved.errors import NotSavedError
from app.scenarios.errors import ScenarioError
from tests.saved.support import document, projection, supernode_design


def rows_about(engine, id):
    """Every table with a row that holds an id in some column, but the log of changes."""
    found = set()
    with engine.connect() as connection:
        for table in metadata.tables.values():
            for row in connection.execute(sa.select(table)):
                if table.name != "change_log" and id in map(str, row):
                    found.add(table.name)
    return found


def with_company(engine, id):
    """Everything that may be kept beside a scenario."""
    with write_session(engine) as session:
        first = CommentRow(
            workspace_id=1, kind="scenario", saved_id=id, revision=1, body="?", author_name="A"
        )
        session.add(first)
        session.flush()
        answer = CommentRow(
            workspace_id=1,
            kind="scenario",
            saved_id=id,
            revision=1,
            body="!",
            author_name="B",
            thread_id=first.id,
        )
        session.add_all([
            answer,
            RevisionNameRow(saved_id=id, revision=1, kind="scenario", name="As ordered"),
            ShareGrantRow(saved_id=id, workspace_id=1, kind="scenario", role="viewer"),
            ShareLinkRow(workspace_id=1, kind="scenario", saved_id=id, role="viewer"),
        ])  # fmt: skip


def test_it_is_known_who_deleted_it(work):
    saved = work.create("scenario", document())
    work.of(dataclasses.replace(LOCAL, name="Ada"), 1).delete("scenario", saved.id, version=None)
    work.restore("scenario", saved.id)
    work.of(dataclasses.replace(LOCAL, name="Bob"), 1).delete("scenario", saved.id, version=None)
    assert work.deleted_by([saved.id, "0" * 32]) == {saved.id: "Bob"}


def test_what_is_deleted_for_good_leaves_nothing_but_its_copies(work, engine):
    saved = work.create("scenario", document(), tags=("draft",))
    work.update("scenario", saved.id, version=None, name="Renamed")
    copy = work.duplicate("scenario", saved.id)
    with_company(engine, saved.id)
    work.delete("scenario", saved.id, version=None)
    assert len(rows_about(engine, saved.id)) >= 6
    work.erase("scenario", saved.id)
    assert rows_about(engine, saved.id) == set()
    assert work.get("scenario", copy.id).forked_from_id is None
    assert check_database(engine) == []
    with pytest.raises(NotSavedError):
        work.restore("scenario", saved.id)
    with read_session(engine) as session:
        assert session.execute(sa.select(sa.func.count()).select_from(table_of(MentionRow))).scalar() == 0


def test_only_what_was_deleted_goes_for_good(work):
    saved = work.create("scenario", document())
    with pytest.raises(ScenarioError, match="not deleted"):
        work.erase("scenario", saved.id)


def test_it_needs_the_role_owner(work):
    saved = work.create("scenario", document())
    editor = work.of(dataclasses.replace(LOCAL, roles={1: "editor"}), 1)
    editor.delete("scenario", saved.id, version=None)
    with pytest.raises(ForbiddenError, match="needs the role owner"):
        editor.erase("scenario", saved.id)


def test_what_other_saved_work_names_stays_until_that_goes(work, engine):
    node = work.create("supernode", supernode_design())
    user = work.create("scenario", {**document("The user"), "supernode": {"design": node.id}})
    work.replace("scenario", user.id, document("The user"), version=user.version)  # an older revision counts
    work.delete("supernode", node.id, version=None)
    with pytest.raises(ScenarioError, match="used by The user") as caught:
        work.erase("supernode", node.id)
    assert caught.value.errors[0].rule == "in_use"
    work.delete("scenario", user.id, version=None)
    work.erase("scenario", user.id)
    work.erase("supernode", node.id)
    assert rows_about(engine, node.id) == set()


def test_a_projection_keeps_its_scenario(work):
    scenario = work.create("scenario", document())
    work.create("projection", projection("Best model", scenario=scenario.id, deadline_days=30.0))
    work.delete("scenario", scenario.id, version=None)
    with pytest.raises(ScenarioError, match="used by Best model"):
        work.erase("scenario", scenario.id)


def test_what_was_deleted_long_ago_is_cleared_with_its_users(work, engine):
    node = work.create("supernode", supernode_design())
    user = work.create("scenario", {**document(), "supernode": {"design": node.id}})
    kept = work.create("scenario", document("Kept"))
    recent = work.create("scenario", document("Recent"))
    for kind, id, days in (
        ("supernode", node.id, 40),
        ("scenario", user.id, 31),
        ("scenario", recent.id, 29),
    ):
        work.delete(kind, id, version=None)
        table = metadata.tables["design" if kind == "supernode" else "scenario"]
        with engine.begin() as connection:
            moment = now() - timedelta(days=days)
            connection.execute(table.update().where(table.c.id == id).values(deleted_at=moment))
    assert clear(engine, timedelta(days=30)) == 2
    assert rows_about(engine, node.id) | rows_about(engine, user.id) == set()
    assert work.get("scenario", recent.id, deleted=True).deleted_at is not None
    assert work.get("scenario", kept.id).name == "Kept"
    assert clear(engine, timedelta(days=30)) == 0


def test_a_server_clears_when_it_starts(work, engine):
    saved = work.create("scenario", document())
    work.delete("scenario", saved.id, version=None)
    clearing = TrashClearing(lambda: engine, days=0)
    clearing.start()
    clearing.stop()
    with pytest.raises(NotSavedError):
        work.get("scenario", saved.id, deleted=True)
