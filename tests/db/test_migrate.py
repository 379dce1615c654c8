"""Migrations: up, down, nothing left to do, and what the first one makes."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, Integer, inspect, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from app.db.migrate import HEAD, NewerDatabaseError, alembic_config, current_revision, migrate
from app.db.session import write_connection
from app.db.tables import metadata
from tests.databases import engine_in

TABLES = {
    "workspace", "setting", "source", "part", "fact", "price", "climate_year",
    "scenario", "scenario_revision", "scenario_tag", "scenario_design",
    "design", "design_revision", "design_tag", "catalog_snapshot", "idempotency_key", "own_run",
    "projection", "projection_revision", "projection_tag",
    "account", "account_identity", "sign_in", "sign_in_attempt", "api_token",
    "membership", "invitation", "audit_entry", "share_grant", "share_link",
    "comment", "mention", "change_log", "presence", "revision_name",
    "job", "job_block",
    "study", "study_revision", "study_tag", "review_step", "notification", "team_webhook",
    "fleet", "fleet_revision", "fleet_tag",
}  # fmt: skip
OWNED = ("source", "part", "fact", "price", "climate_year")


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return engine_in(tmp_path)


def test_known_head_is_the_newest_script() -> None:
    assert ScriptDirectory.from_config(alembic_config()).get_current_head() == HEAD


def test_upgrade_makes_every_table_and_the_personal_workspace(engine: Engine) -> None:
    assert migrate(engine) is True
    assert set(inspect(engine).get_table_names()) == TABLES | {"alembic_version"}
    with engine.connect() as connection:
        assert current_revision(connection) == HEAD
        row = connection.execute(text("SELECT id, key, kind FROM workspace")).one()
    assert tuple(row) == (1, "personal", "personal")


def test_a_second_call_does_nothing(engine: Engine) -> None:
    migrate(engine)
    assert migrate(engine) is False


def test_migrations_match_the_tables(engine: Engine) -> None:
    migrate(engine)
    with engine.connect() as connection:
        command.check(alembic_config(connection))


def test_downgrade_and_upgrade_again(engine: Engine) -> None:
    migrate(engine)
    with write_connection(engine) as connection:
        command.downgrade(alembic_config(connection), "base")
    assert inspect(engine).get_table_names() == ["alembic_version"]
    assert migrate(engine) is True


def test_a_failed_migration_leaves_nothing(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("out of disk")

    with monkeypatch.context() as patch:
        patch.setattr("alembic.operations.Operations.bulk_insert", broken)
        patch.setattr("alembic.operations.Operations.execute", broken)
        with pytest.raises(RuntimeError, match="out of disk"):
            migrate(engine)
    assert inspect(engine).get_table_names() == []
    assert migrate(engine) is True


def test_a_database_of_a_newer_version_is_refused(engine: Engine) -> None:
    migrate(engine)
    with write_connection(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerDatabaseError, match="9999"):
        migrate(engine)


def test_generated_migrations_import_what_they_use(engine: Engine) -> None:
    migrate(engine)
    template = Path(__file__).parents[2] / "app/db/migrations/script.py.mako"
    assert "import sqlmodel" in template.read_text(encoding="utf-8")


def test_every_constraint_has_a_name(engine: Engine) -> None:
    for table in metadata.sorted_tables:
        for constraint in itertools.chain(table.constraints, table.indexes):
            assert constraint.name, f"{table.name}: {constraint}"


@pytest.mark.parametrize("name", OWNED)
def test_catalog_rows_can_belong_to_a_workspace(name: str) -> None:
    columns = metadata.tables[name].c
    assert columns["workspace_id"].nullable
    assert {"created_by", "created_at"} <= set(columns.keys())


def test_rows_that_people_edit_count_their_revisions() -> None:
    for name in (
        "part",
        "price",
        "climate_year",
        "scenario",
        "scenario_revision",
        "design",
        "design_revision",
    ):
        assert isinstance(metadata.tables[name].c["revision"].type, Integer)


def test_the_same_tables_can_be_made_on_postgresql() -> None:
    dialect = postgresql.dialect()
    for table in metadata.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=dialect))
        for index in table.indexes:
            assert "INDEX" in str(CreateIndex(index).compile(dialect=dialect))


def test_migration_scripts_compile_for_postgresql(capsys: pytest.CaptureFixture[str]) -> None:
    config = alembic_config()
    config.attributes["dialect"] = "postgresql"
    command.upgrade(config, "head", sql=True)
    printed = capsys.readouterr().out
    assert (
        "CREATE UNIQUE INDEX ux_part_kind_key_builtin ON part (kind, key) WHERE workspace_id IS NULL"
        in printed
    )


def test_alembic_works_for_one_thread_at_a_time(tmp_path: Path) -> None:
    """SQLite's own lock does not keep two apart where the file is read only, and Alembic has one context."""
    engines = [engine_in(tmp_path / name) for name in "abcd"]
    for one in engines:
        migrate(one)
        with one.connect() as connection:
            command.downgrade(alembic_config(connection), "0001")
    paths = [path for one in engines for path in Path(str(one.url.database)).parent.iterdir()]
    assert paths
    with ThreadPoolExecutor() as threads:
        assert list(threads.map(migrate, engines)) == [True] * 4
