"""A seeded database to write to, and a new team in it for each test."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.db.session import write_session
from app.db.tables import WorkspaceRow
from app.saved.access import Actor
from app.saved.team_catalog.service import TeamCatalog
from tests.databases import engine_in

NewTeam = Callable[[], TeamCatalog]
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def teams_database(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return engine_in(shutil.copytree(seeded_data_dir, tmp_path_factory.mktemp("teams") / "data"))


@pytest.fixture(scope="session")
def new_team(teams_database: Engine) -> NewTeam:
    """Makes a team without own rows, as one of its owners has it."""

    def make() -> TeamCatalog:
        with write_session(teams_database) as session:
            row = WorkspaceRow(key=f"team-{next(_numbers)}", name="Acme", kind="team")
            session.add(row)
            session.flush()
            found = row.id or 0
        actor = Actor(name="Anna", roles={found: "owner"})
        return TeamCatalog(teams_database, lambda: Catalog.open(teams_database), found, actor)

    return make


@pytest.fixture
def team(new_team: NewTeam) -> TeamCatalog:
    return new_team()
