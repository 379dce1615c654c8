"""Looking a database over finds what is wrong, and nothing where nothing is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from app.catalog.lookup import Catalog
from app.db.engine import open_engine
from app.saved.check import check_database
from app.saved.store import SavedWork
from tests.databases import FILE, ON_POSTGRESQL, engine_in, freeze, only_on_sqlite
from tests.saved.support import document, pod_design, projection, supernode_design


@pytest.fixture(scope="module")
def filled(empty_data_dir: Path, tmp_path_factory: pytest.TempPathFactory, catalog: Catalog) -> Path:
    """A data folder whose database has everything in it that can be looked over."""
    data_dir = Path(shutil.copytree(empty_data_dir, tmp_path_factory.mktemp("filled") / "data"))
    engine = engine_in(data_dir)
    work = SavedWork(engine, lambda: catalog)
    node = work.create("supernode", supernode_design(), tags=["a"])
    work.create("pod", pod_design())
    work.create("projection", projection(), tags=["a"])
    saved = work.create("scenario", document("Checked", supernode={"design": node.id}), tags=["a", "b"])
    work.replace("scenario", saved.id, document("Checked"), version=1)
    gone = work.duplicate("scenario", saved.id)
    work.delete("scenario", gone.id, version=1)
    engine.dispose()
    freeze(data_dir)
    return data_dir


@pytest.fixture
def data_dir(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "data"))


def spoil(data_dir: Path, *statements: str) -> None:
    """Change the database behind the product's back."""
    with engine_in(data_dir).connect() as connection:
        if not ON_POSTGRESQL:
            connection.exec_driver_sql("ROLLBACK")  # it can be switched outside of transactions only
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
            connection.exec_driver_sql("BEGIN")
        for statement in statements:
            assert connection.exec_driver_sql(statement).rowcount != 0, statement
        connection.commit()


def messages(engine: Engine) -> str:
    return "\n".join(str(finding) for finding in check_database(engine))


def test_a_whole_database_has_no_findings(engine: Engine) -> None:
    assert check_database(engine) == []


WHAT_A_SERVER_REFUSES = [
    ("DELETE FROM scenario_revision WHERE revision = 1", "1 revisions from 2 to 2"),
    ("DELETE FROM catalog_snapshot", "refers to a row of catalog_snapshot that is not there"),
    ("UPDATE scenario_revision SET document = '{'", "document cannot be read"),
]


@only_on_sqlite("a server enforces references and the syntax of JSON itself")
@pytest.mark.parametrize(("statement", "expected"), WHAT_A_SERVER_REFUSES)
def test_what_a_server_refuses_is_found(
    engine: Engine, data_dir: Path, statement: str, expected: str
) -> None:
    spoil(data_dir, statement)
    assert expected in messages(engine)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("DELETE FROM scenario_revision WHERE revision = 2", "'Checked' should have revisions 1 to 2"),
        ("UPDATE scenario_revision SET revision = 5 WHERE revision = 2", "2 revisions from 1 to 5"),
        ("DELETE FROM design_revision", "has no revisions"),
        ("UPDATE catalog_snapshot SET content = {zero}", "catalog values cannot be read"),
        ("UPDATE scenario_revision SET results = {zero}", "results cannot be read"),
        ("UPDATE scenario_revision SET snapshot_hash = NULL", "no catalog values"),
        ("UPDATE scenario_revision SET document = '{{\"tokens\": 1}}'", "workload"),
        ("DELETE FROM scenario_tag WHERE tag = 'b'", "lists by tag do not find"),
        ("UPDATE alembic_version SET version_num = '9999'", "newer than"),
        ("UPDATE alembic_version SET version_num = '0001'", "older than"),
        ("DELETE FROM alembic_version", "is empty"),
        ("DROP TABLE idempotency_key", "idempotency_key is missing"),
    ],
)
def test_what_is_wrong_is_found(engine: Engine, data_dir: Path, statement: str, expected: str) -> None:
    spoil(data_dir, statement.format(zero="'\\x00'::bytea" if ON_POSTGRESQL else "x'00'"))
    assert expected in messages(engine)
    assert all(finding.way_out for finding in check_database(engine))


def test_other_values_than_were_kept_are_found(engine: Engine, data_dir: Path) -> None:
    spoil(
        data_dir,
        "INSERT INTO catalog_snapshot SELECT 'another', content, created_at FROM catalog_snapshot LIMIT 1",
    )
    assert "are not those that were kept" in messages(engine)


@only_on_sqlite("a server looks after its own files")
def test_a_damaged_file_is_found(engine: Engine, data_dir: Path) -> None:
    database = data_dir / FILE
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


@only_on_sqlite("a server looks after its own files")
def test_what_is_no_database_is_found(tmp_path: Path) -> None:
    path = tmp_path / "podwright.db"
    path.write_bytes(b"not a database at all, and long enough to be looked at" * 100)
    assert "cannot be read" in messages(open_engine(f"sqlite:///{path}"))


@only_on_sqlite("looks at the bytes of the file")
def test_nothing_is_written(engine: Engine, data_dir: Path) -> None:
    database = data_dir / FILE
    with engine.connect() as connection:
        connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
    before = database.read_bytes()
    check_database(engine)
    assert database.read_bytes() == before
