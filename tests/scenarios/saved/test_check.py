"""Looking a database over finds what is wrong, and nothing where nothing is."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from app.catalog.lookup import Catalog
from app.db.engine import open_engine
from app.scenarios.saved.check import check_database
from app.scenarios.saved.store import SavedWork
from tests.scenarios.saved.support import document, pod_design, projection, supernode_design


@pytest.fixture(scope="module")
def filled(empty_database: Path, tmp_path_factory: pytest.TempPathFactory, catalog: Catalog) -> Path:
    """A database with everything in it that can be looked over."""
    path = Path(shutil.copy(empty_database, tmp_path_factory.mktemp("filled") / "podwright.db"))
    engine = open_engine(f"sqlite:///{path}")
    work = SavedWork(engine, lambda: catalog)
    node = work.create("supernode", supernode_design(), tags=["a"])
    work.create("pod", pod_design())
    work.create("projection", projection(), tags=["a"])
    saved = work.create("scenario", document("Checked", supernode={"design": node.id}), tags=["a", "b"])
    work.replace("scenario", saved.id, document("Checked"), version=1)
    gone = work.duplicate("scenario", saved.id)
    work.delete("scenario", gone.id, version=1)
    engine.dispose()
    return path


@pytest.fixture
def database(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(filled, tmp_path / "podwright.db"))


def spoil(database: Path, *statements: str) -> None:
    """Change the database behind the product's back."""
    with sqlite3.connect(database) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement
    connection.close()


def messages(engine: Engine) -> str:
    return "\n".join(str(finding) for finding in check_database(engine))


def test_a_whole_database_has_no_findings(engine: Engine) -> None:
    assert check_database(engine) == []


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("DELETE FROM scenario_revision WHERE revision = 2", "'Checked' should have revisions 1 to 2"),
        ("DELETE FROM scenario_revision WHERE revision = 1", "1 revisions from 2 to 2"),
        ("UPDATE scenario_revision SET revision = 5 WHERE revision = 2", "2 revisions from 1 to 5"),
        ("DELETE FROM design_revision", "has no revisions"),
        ("DELETE FROM catalog_snapshot", "refers to a row of catalog_snapshot that is not there"),
        ("UPDATE catalog_snapshot SET content = x'00'", "catalog values cannot be read"),
        ("UPDATE scenario_revision SET results = x'00'", "results cannot be read"),
        ("UPDATE scenario_revision SET snapshot_hash = NULL", "no catalog values"),
        ("UPDATE scenario_revision SET document = '{'", "document cannot be read"),
        ("UPDATE scenario_revision SET document = '{\"tokens\": 1}'", "workload"),
        ("DELETE FROM scenario_tag WHERE tag = 'b'", "lists by tag do not find"),
        ("UPDATE alembic_version SET version_num = '9999'", "newer than"),
        ("UPDATE alembic_version SET version_num = '0001'", "older than"),
        ("DELETE FROM alembic_version", "is empty"),
        ("DROP TABLE idempotency_key", "idempotency_key is missing"),
    ],
)
def test_what_is_wrong_is_found(engine: Engine, database: Path, statement: str, expected: str) -> None:
    spoil(database, statement)
    assert expected in messages(engine)
    assert all(finding.way_out for finding in check_database(engine))


def test_other_values_than_were_kept_are_found(engine: Engine, database: Path) -> None:
    spoil(
        database,
        "UPDATE catalog_snapshot SET hash = 'another'",
        "UPDATE scenario_revision SET snapshot_hash = 'another'",
    )
    assert "are not those that were kept" in messages(engine)


def test_a_damaged_file_is_found(engine: Engine, database: Path) -> None:
    with engine.connect() as connection:
        connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
    engine.dispose()
    content = bytearray(database.read_bytes())
    for page in range(2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    database.write_bytes(content)
    found = check_database(engine)
    assert found
    assert all(finding.severity == "error" for finding in found)
    assert "backup" in str(found[0])


def test_what_is_no_database_is_found(tmp_path: Path) -> None:
    path = tmp_path / "podwright.db"
    path.write_bytes(b"not a database at all, and long enough to be looked at" * 100)
    assert "cannot be read" in messages(open_engine(f"sqlite:///{path}"))


def test_nothing_is_written(engine: Engine, database: Path) -> None:
    with engine.connect() as connection:
        connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
    before = database.read_bytes()
    check_database(engine)
    assert database.read_bytes() == before
