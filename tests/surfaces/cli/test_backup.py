"""backup, restore and db copy as people call them: what is there is kept, what is refused says why."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from app.catalog.ready import ready_engine
from app.db.migrate import HEAD
from app.settings import Settings, get_settings
from app.surfaces.cli.common import saved_work_here
from tests.databases import FILE, address_in, freeze, only_on_sqlite
from tests.saved.support import document
from tests.surfaces.cli.conftest import Run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def saved_data_dir(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one saved scenario, to be copied."""
    folder = Path(shutil.copytree(seeded_data_dir, tmp_path_factory.mktemp("saved") / "data"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PODWRIGHT_DATA_DIR", str(folder))
        get_settings.cache_clear()
        saved_work_here().create("scenario", document("Kept"))
        ready_engine(get_settings()).dispose()  # the last to leave brings the database file up to date
    get_settings.cache_clear()
    freeze(folder)
    return folder


@pytest.fixture
def data_dir(saved_data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of this test's own with one saved scenario."""
    folder = Path(shutil.copytree(saved_data_dir, tmp_path / "data"))
    monkeypatch.setenv("PODWRIGHT_DATA_DIR", str(folder))
    get_settings.cache_clear()
    yield folder
    get_settings.cache_clear()


def names() -> list[str]:
    return [saved.name for saved in saved_work_here().listed("scenario", sort="name").items]


def test_backup_and_restore(run: Run, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    assert run("backup", file)[0] == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [left for left in tmp_path.iterdir() if left.name.startswith(".")] == []
    saved_work_here().create("scenario", document("Later"))
    before = file.read_bytes()

    code, _, err = run("restore", file)
    assert (code, names()) == (2, ["Kept", "Later"])
    assert "--replace" in err
    code, out, err = run("restore", file, "--replace")
    assert (code, err, names()) == (0, "", ["Kept"])
    assert file.read_bytes() == before
    assert run("db", "check")[0] == 0

    kept = Path(out.strip().rpartition(" kept in ")[2].rstrip("."))
    assert kept.parent == data_dir
    assert run("restore", kept, "--replace")[0] == 0
    assert names() == ["Kept", "Later"]


def test_restores_of_one_second_keep_a_file_each(
    run: Run, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stopped(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Stopped:
            return cls(2026, 1, 2, 3, 4, 5, tzinfo=tz)

    monkeypatch.setattr("app.saved.restoring.datetime", Stopped)
    run("backup", tmp_path / "backup.db")
    for _ in range(3):
        assert run("restore", tmp_path / "backup.db", "--replace")[0] == 0
    kept = sorted(file.name for file in data_dir.glob("podwright-*.db"))
    first = "podwright-before-restore-20260102-030405"
    assert kept == [f"{first}-2.db", f"{first}-3.db", f"{first}.db"]


def test_a_backup_is_a_sqlite_file_for_every_database(run: Run, data_dir: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "backup.db")
    with closing(sqlite3.connect(tmp_path / "backup.db")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)  # one file is all
        assert connection.execute("SELECT name FROM scenario").fetchall() == [("Kept",)]
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (HEAD,)


def test_a_file_that_is_there_is_not_overwritten(run: Run, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    file.write_text("something else")
    code, _, err = run("backup", file)
    assert code == 2
    assert "there already" in err
    assert file.read_text() == "something else"
    assert run("backup", file, "--replace")[0] == 0
    assert run("restore", file, "--replace")[0] == 0


def test_a_folder_that_is_not_there_is_named(run: Run, data_dir: Path, tmp_path: Path) -> None:
    code, _, err = run("backup", tmp_path / "nowhere" / "backup.db")
    assert code == 2
    assert "nowhere" in err


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4096])
def test_what_is_no_backup_is_refused(run: Run, data_dir: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "odd.db"
    file.write_bytes(content)
    code, _, err = run("restore", file, "--replace")
    assert (code, len(err.strip().splitlines()), names()) == (2, 1, ["Kept"])
    assert run("restore", tmp_path / "nowhere.db", "--replace")[0] == 2


def test_a_backup_with_holes_is_refused(run: Run, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    run("backup", file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM scenario_revision")
        connection.commit()
    code, _, err = run("restore", file, "--replace")
    assert (code, names()) == (2, ["Kept"])
    assert "is damaged, and nothing was restored" in err


def test_a_backup_of_a_newer_version_is_refused(run: Run, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    run("backup", file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    code, _, err = run("restore", file, "--replace")
    assert (code, names()) == (2, ["Kept"])
    assert "9999" in err


def test_an_empty_database_needs_no_word(run: Run, data_dir: Path, tmp_path: Path, monkeypatch) -> None:
    run("backup", tmp_path / "backup.db")
    monkeypatch.setenv("PODWRIGHT_DATA_DIR", str(tmp_path / "new"))
    get_settings.cache_clear()
    code, out, _ = run("restore", tmp_path / "backup.db")
    assert (code, names()) == (0, ["Kept"])
    assert "kept in" not in out


@only_on_sqlite("a server looks after its own files")
def test_a_damaged_database_is_put_aside(run: Run, data_dir: Path, tmp_path: Path) -> None:
    run("backup", tmp_path / "backup.db")
    ready_engine(get_settings()).dispose()  # as by the end of a command
    content = bytearray((data_dir / FILE).read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    (data_dir / FILE).write_bytes(content)
    assert run("restore", tmp_path / "backup.db")[0] == 2
    ready_engine(get_settings()).dispose()
    code, out, _ = run("restore", tmp_path / "backup.db", "--replace")
    assert (code, names()) == (0, ["Kept"])
    assert "podwright-damaged-" in out


def test_copy_from_one_database_to_another(run: Run, data_dir: Path, tmp_path: Path) -> None:
    here, there = Settings(data_dir=data_dir).database_url, tmp_path / "there.db"
    assert here == address_in(data_dir)
    code, out, err = run("db", "copy", here, there)
    assert (code, err) == (0, "")
    assert "rows copied" in out
    code, _, err = run("db", "copy", there, here)
    assert (code, "--replace" in err) == (2, True)
    assert run("db", "copy", there, here, "--replace")[0] == 0
    assert names() == ["Kept"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nowhere.db", "there is no database"),
        ("mysql://me:secret@host/db", "sqlite:///FILE or postgresql://"),
    ],
)
def test_what_cannot_be_copied_says_so(
    run: Run, data_dir: Path, tmp_path: Path, source: str, words: str
) -> None:
    code, _, err = run("db", "copy", source if "://" in source else tmp_path / source, tmp_path / "there.db")
    assert code == 2
    assert words in err
    assert "secret" not in err
    assert not (tmp_path / source).exists()
