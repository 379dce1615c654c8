"""A whole database in another, to the last byte, on either database."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Engine, text

from app.catalog.lookup import Catalog
from app.db import copying
from app.db.copying import CopyError, NotEmptyError, copy_database
from app.db.engine import open_engine
from app.db.migrate import NewerDatabaseError, migrate
from app.db.session import read_connection, write_connection
from app.db.tables import metadata
from app.saved.check import check_database
from app.saved.store import SavedWork
from tests.databases import address_in, engine_in
from tests.saved.support import document, pod_design, projection, study, supernode_design

pytestmark = pytest.mark.slow


@pytest.fixture
def worked_with(seeded_data_dir: Path, tmp_path: Path) -> Path:
    """A SQLite file with saved work of each kind, copies of copies, and JSON of nothing."""
    path = tmp_path / "worked" / "podwright.db"
    engine = open_engine(f"sqlite:///{path}")
    migrate(engine)
    catalog = Catalog.open(engine_in(seeded_data_dir))
    work = SavedWork(engine, lambda: catalog)
    node = work.create("supernode", supernode_design(), tags=["a"])
    work.create("pod", pod_design("Löng näme 😀"))
    work.create("projection", projection())
    work.create("study", study(), tags=["a"])
    saved = work.create("scenario", document("Copied", supernode={"design": node.id}), tags=["a", "b"])
    work.replace("scenario", saved.id, document("Copied"), version=1)
    once = work.duplicate("scenario", saved.id)
    work.duplicate("scenario", once.id)
    work.delete("scenario", once.id, version=1)
    with engine.begin() as connection:
        # refers to what comes after it, by its id and by its time
        connection.execute(
            text("UPDATE scenario SET forked_from_id = :last WHERE id = :first"),
            {"first": saved.id, "last": once.id},
        )
    engine.dispose()
    return path


def content(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    """Every row as text and bytes."""

    def plain(value: Any) -> Any:
        return bytes(value) if isinstance(value, memoryview) else value

    with read_connection(engine) as connection:
        return {
            table.name: [
                tuple(map(plain, row))
                for row in connection.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in metadata.sorted_tables
        }


def raw(path: Path) -> list[str]:
    """Every row of a SQLite file as it is stored, types included."""
    with closing(sqlite3.connect(path)) as connection:
        return [
            repr(row)
            for table in metadata.sorted_tables
            for row in sorted(connection.execute(f"SELECT * FROM {table.name}"), key=repr)
        ]


def test_there_and_back_again(worked_with: Path, tmp_path: Path) -> None:
    source, there = f"sqlite:///{worked_with}", address_in(tmp_path / "there")
    counts = copy_database(source, there)
    assert counts["scenario"] == 3
    assert counts["scenario_revision"] == 4
    engine, first = engine_in(tmp_path / "there"), open_engine(source)
    assert content(engine) == content(first)
    first.dispose()
    assert check_database(engine) == []
    back = tmp_path / "back.db"
    copy_database(there, f"sqlite:///{back}")
    assert raw(back) == raw(worked_with)


def test_the_copy_can_be_worked_with(worked_with: Path, tmp_path: Path, seeded_data_dir: Path) -> None:
    """Ids go on after those that were copied."""
    copy_database(f"sqlite:///{worked_with}", address_in(tmp_path / "there"))
    engine = engine_in(tmp_path / "there")
    catalog = Catalog.open(engine_in(seeded_data_dir))
    work = SavedWork(engine, lambda: catalog)
    saved = work.listed("scenario", search="copied").items[0]
    assert work.replace("scenario", saved.id, document("Copied"), version=None).revision == saved.revision + 1
    assert work.create("scenario", document("New")).revision == 1
    assert check_database(engine) == []


def test_work_that_is_there_is_kept_unless_it_is_said(worked_with: Path, tmp_path: Path) -> None:
    source, there = f"sqlite:///{worked_with}", address_in(tmp_path / "there")
    copy_database(source, there)
    engine = engine_in(tmp_path / "there")
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM scenario_tag"))
    before = content(engine)
    with pytest.raises(NotEmptyError, match="--replace"):
        copy_database(source, there)
    assert content(engine) == before
    copy_database(source, there, replace=True)
    assert len(content(engine)["scenario_tag"]) == 6


def test_a_seeded_database_is_empty(seeded_data_dir: Path, worked_with: Path, tmp_path: Path) -> None:
    """What Podwright put there by itself is no reason to refuse."""
    folder = Path(shutil.copytree(seeded_data_dir, tmp_path / "seeded"))
    copy_database(f"sqlite:///{worked_with}", address_in(folder))
    assert len(content(engine_in(folder))["scenario"]) == 3


def test_a_copy_that_fails_changes_nothing(
    worked_with: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = address_in(tmp_path / "there")
    copy_database(f"sqlite:///{worked_with}", there)
    engine = engine_in(tmp_path / "there")
    before = content(engine)
    sent = copying._copy_table

    def one_too_many(*given: Any) -> int:
        return sent(*given) + (given[2].name == "scenario_tag")

    monkeypatch.setattr(copying, "_copy_table", one_too_many)
    with pytest.raises(CopyError, match="6 rows of scenario_tag arrived, and 7 were sent"):
        copy_database(f"sqlite:///{worked_with}", there, replace=True)
    assert content(engine) == before


def test_into_itself_is_refused(worked_with: Path) -> None:
    with pytest.raises(CopyError, match="into itself"):
        copy_database(f"sqlite:///{worked_with}", f"sqlite:///{worked_with}", replace=True)


def test_a_newer_database_is_neither_read_nor_written(worked_with: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer"
    engine = engine_in(newer)
    migrate(engine)
    with write_connection(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for source, target in (
        (f"sqlite:///{worked_with}", address_in(newer)),
        (address_in(newer), f"sqlite:///{worked_with}"),
    ):
        with pytest.raises(NewerDatabaseError, match="9999"):
            copy_database(source, target, replace=True)
