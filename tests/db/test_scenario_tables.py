"""Saved scenarios: revisions are numbered once and never change."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import select

from app.db.migrate import migrate
from app.db.session import read_session, write_session
from app.db.tables import PERSONAL_WORKSPACE_ID, ScenarioRevisionRow, ScenarioRow
from app.db.tables.saved import ImmutableRevisionError
from tests.databases import engine_in


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    opened = engine_in(tmp_path)
    migrate(opened)
    return opened


def revision(scenario_id: str, number: int) -> ScenarioRevisionRow:
    return ScenarioRevisionRow(
        saved_id=scenario_id,
        revision=number,
        schema_version=1,
        document={"name": "test", "tokens": 15.6e12},
        results=b"compressed",
        catalog_revision="abc",
        engine_version="0.1",
    )


@pytest.fixture
def scenario_id(engine: Engine) -> str:
    with write_session(engine) as session:
        scenario = ScenarioRow(workspace_id=PERSONAL_WORKSPACE_ID, name="test")
        session.add(scenario)
        session.flush()
        session.add(revision(scenario.id, 1))
    return scenario.id


def test_a_revision_keeps_its_document_and_results(engine: Engine, scenario_id: str) -> None:
    with read_session(engine) as session:
        stored = session.exec(select(ScenarioRevisionRow)).one()
    assert stored.document["tokens"] == 15.6e12
    assert stored.results == b"compressed"
    assert stored.created_at.tzinfo == UTC


def test_a_revision_cannot_be_changed(engine: Engine, scenario_id: str) -> None:
    with pytest.raises(ImmutableRevisionError, match="revision 1"), write_session(engine) as session:
        session.exec(select(ScenarioRevisionRow)).one().note = "changed"


def test_a_revision_number_is_used_once(engine: Engine, scenario_id: str) -> None:
    with pytest.raises(IntegrityError), write_session(engine) as session:
        session.add(revision(scenario_id, 1))


def test_a_revision_cannot_be_removed(engine: Engine, scenario_id: str) -> None:
    with pytest.raises(ImmutableRevisionError, match="revision 1"), write_session(engine) as session:
        session.delete(session.exec(select(ScenarioRevisionRow)).one())
