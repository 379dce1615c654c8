"""A database that is damaged, gone, replaced, newer or full: pages, API and /readyz say so in the same words.

`tests/surfaces/rest/saved/test_storage.py` has what becomes of saves, `tests/saved/test_faults.py` what each error means.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from app.catalog import ready
from app.catalog.ready import ready_engine
from app.db.engine import open_engine
from app.db.migrate import HEAD
from app.db.tables import metadata
from app.main import create_app
from app.saved import faults
from app.saved.check import check_database
from app.settings import Settings
from tests.asgi import AsgiClient, asgi_client_of
from tests.databases import FILE, only_on_sqlite
from tests.support import read_example

pytestmark = [
    pytest.mark.slow,
    only_on_sqlite("about the file; tests/surfaces/rest/saved/test_server_storage.py has a server"),
]

SCENARIOS = "/api/v1/scenarios"
PAGE = {"accept": "text/html"}
PAGES = (
    "/",
    "/library",
    "/catalog",
    "/gallery",
    "/designs/edge_node",
    "/fabric/edge_node/bill",
    "/deleted",
    "/sweeps",
)
ANSWERS = (SCENARIOS, "/api/v1/catalog/accelerators", "/api/v1/designs", "/api/v1/jobs", "/api/v1/gallery")
Spoil = Callable[[Path], object]


@pytest.fixture
def folder(seeded_data_dir: Path, tmp_path: Path) -> Iterator[Path]:
    yield Path(shutil.copytree(seeded_data_dir, tmp_path / "data"))
    ready._engine.cache_clear()  # some are of databases that could not be opened


@contextmanager
def client_of(folder: Path, **settings: object) -> Iterator[AsgiClient]:
    found = Settings(data_dir=folder, run_jobs=False, trash_days=0, **settings)  # type: ignore[arg-type]
    with asgi_client_of(create_app(found)) as client:
        yield client
    if engine := ready._opened.get(found.database_url):
        engine.dispose()


@pytest.fixture(scope="module")
def spoilt(
    seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[AsgiClient, Path]]:
    """An application with something saved, over a file that each test spoils and puts right again."""
    folder = Path(shutil.copytree(seeded_data_dir, tmp_path_factory.mktemp("spoilt") / "data"))
    with client_of(folder) as client:
        assert save(client).status_code == 201
        yield client, folder


def save(client: AsgiClient, name: str = "Kept") -> httpx.Response:
    return client.post(SCENARIOS, json={**read_example("edge_node").as_dict(), "name": name})


def names(client: AsgiClient) -> set[str]:
    return {item["name"] for item in client.get(SCENARIOS).json()["items"]}


def closed(folder: Path) -> Path:
    """The file with all that was saved in it, and no one at it."""
    engine = ready_engine(Settings(data_dir=folder))
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return folder / FILE


def overwrite(file: Path, start: int) -> None:
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(start)
        opened.write(b"\xff" * (size - start))


def truncate(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 3 // 4096 * 4096)


def make_newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        pytest.param(lambda file: overwrite(file, 4096), "is damaged or its disk fails", id="pages"),
        pytest.param(lambda file: overwrite(file, 0), "is damaged or its disk fails", id="header"),
        pytest.param(truncate, "is damaged or its disk fails", id="truncated"),
        pytest.param(Path.unlink, "cannot be opened: see whether the file", id="gone"),
    ],
)
def test_every_page_and_answer_says_what_is_wrong_with_the_file(
    spoilt: tuple[AsgiClient, Path], spoil: Spoil, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    client, folder = spoilt
    file = closed(folder)
    whole = file.read_bytes()
    spoil(file)
    with caplog.at_level(logging.ERROR):
        for path in (*PAGES, *ANSWERS, "/readyz"):
            answer = client.get(path, headers=PAGE)
            assert answer.status_code == 503, path
            assert words in answer.text, path
            assert str(file) in answer.text, path
        assert words in save(client).json()["detail"]
    assert all(record.exc_info is None for record in caplog.records)  # it is no fault of the program
    assert client.get("/healthz").status_code == 200
    assert file.exists() is (spoil is not Path.unlink)  # an empty one is not made
    file.write_bytes(whole)
    faults._damaged.pop(str(file), None)  # which is looked at again within a minute
    assert names(client) == {"Kept"}  # without another start
    assert client.get("/deleted", headers=PAGE).status_code == client.get("/readyz").status_code == 200


def test_a_newer_database_is_refused_everywhere(folder: Path) -> None:
    make_newer(closed(folder))
    ready._engine.cache_clear()  # as by another start
    before = (folder / FILE).read_bytes()
    with client_of(folder) as client:
        for path in (*PAGES, *ANSWERS, "/readyz"):
            answer = client.get(path, headers=PAGE)
            assert answer.status_code == 503, path
            assert f"has schema 9999, which this version (schema {HEAD}) does not know" in answer.text
            assert "use the newer version, or another database" in answer.text
        assert save(client).status_code == 503
    assert (folder / FILE).read_bytes() == before


def test_who_asks_for_a_sign_in_says_it_too(folder: Path) -> None:
    overwrite(closed(folder), 4096)
    with client_of(folder, sign_in="required", secret="s" * 40) as client:
        signed_in = {"cookie": "podwright_sign_in=" + "a" * 43}
        for path in ("/", SCENARIOS):
            answer = client.get(path, headers=PAGE | signed_in)
            assert answer.status_code == 503
            assert "is damaged or its disk fails" in answer.text


def test_what_is_not_damaged_is_read_and_readyz_tells_the_damage(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client_of(folder) as client:
        addresses = [save(client, name).headers["location"] for name in ("First", "Second")]
        for address in addresses:
            assert client.put(
                address, json=client.get(address).json()["document"], headers={"if-match": "*"}
            ).is_success
        file = closed(folder)
        whole = file.read_bytes()
        with closing(sqlite3.connect(file)) as connection:
            pages = "SELECT pageno FROM dbstat WHERE name = 'catalog_snapshot' AND pagetype = 'overflow'"
            try:
                found = [page for (page,) in connection.execute(pages)]
            except sqlite3.OperationalError:
                pytest.skip("this SQLite was built without dbstat")
        with file.open("r+b") as opened:
            for page in found:
                opened.seek((page - 1) * 4096)
                opened.write(b"\xff" * 4096)
        assert client.get("/readyz").status_code == 200  # nobody has met it yet
        assert client.get(f"{addresses[0]}/revisions/1/moved").status_code == 503
        for path in (SCENARIOS, *addresses, f"{addresses[0]}/revisions", "/catalog"):
            assert client.get(path, headers=PAGE).status_code == 200, path
        problem = client.get("/readyz")
        assert problem.status_code == 503
        assert "go back to a backup" in problem.json()["detail"]
        engine = open_engine(f"sqlite:///{file}")
        assert any(finding.severity == "error" for finding in check_database(engine))
        engine.dispose()
        closed(folder)
        file.write_bytes(whole)
        monkeypatch.setattr(faults.time, "monotonic", lambda: float("inf"))
        assert client.get("/readyz").status_code == 200


def test_nothing_is_saved_into_a_file_without_a_name(folder: Path) -> None:
    """Who replaces the file of a running server does not make it acknowledge what goes with the old one."""
    with client_of(folder) as client:
        save(client, "Before")
        file = closed(folder)
        other = folder / "other.db"
        shutil.copy(file, other)
        assert save(client, "In the old file").status_code == 201
        engine = ready_engine(Settings(data_dir=folder))
        assert engine.pool.checkedin()  # type: ignore[attr-defined]  # it is still open
        closed_log = [Path(f"{file}{ending}") for ending in ("-wal", "-shm")]
        other.replace(file)
        for path in closed_log:
            path.unlink(missing_ok=True)
        assert names(client) == {"Before"}
        assert save(client, "In the new file").status_code == 201
        with closing(sqlite3.connect(file)) as connection:
            kept = {name for (name,) in connection.execute("SELECT name FROM scenario")}
        assert kept == {"Before", "In the new file"}


def test_a_damaged_log_leaves_what_came_before(folder: Path, tmp_path: Path) -> None:
    """SQLite trusts its log up to the first frame that is not whole, and the database is one moment of itself."""
    copy = tmp_path / "copy"
    copy.mkdir()
    with client_of(folder) as client:
        for number in range(6):
            assert save(client, f"Pod {number}").status_code == 201
        for path in (FILE, f"{FILE}-wal"):
            shutil.copy(folder / path, copy)
    log = copy / f"{FILE}-wal"
    with log.open("r+b") as opened:
        opened.seek(log.stat().st_size * 2 // 3)
        opened.write(os.urandom(64))
    engine = open_engine(f"sqlite:///{copy / FILE}")
    assert check_database(engine) == []
    with engine.connect() as connection:
        kept = list(connection.execute(text("SELECT name FROM scenario ORDER BY created_at")).scalars())
    engine.dispose()
    assert kept == [f"Pod {number}" for number in range(len(kept))]
    assert 1 <= len(kept) < 6


@pytest.mark.parametrize("index", ["ix_scenario_workspace_id", "alembic_version", "scenario_revision"])
def test_damage_of_any_tree_is_found(folder: Path, index: str) -> None:
    file = folder / FILE
    assert index == "alembic_version" or index.startswith("ix_") or index in metadata.tables
    with closing(sqlite3.connect(file)) as connection:
        row = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = ? OR (? LIKE 'ix%' AND type = 'index' AND"
            " tbl_name = 'scenario')",
            (index, index),
        ).fetchone()
    with file.open("r+b") as opened:
        opened.seek((row[0] - 1) * 4096)
        opened.write(b"\xff" * 4096)
    engine = open_engine(f"sqlite:///{file}")
    found = check_database(engine)
    engine.dispose()
    assert any(finding.severity == "error" and "backup" in finding.way_out for finding in found)


def test_a_disk_without_room_is_read_until_there_is_some(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite says "disk I/O error" where it cannot make the files beside a database; they are not needed to read."""
    connect, is_full = sqlite3.connect, [True]

    def without_room(address: str, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(address, **options)  # type: ignore[call-overload]
        if is_full[0] and "immutable" not in address:
            connection.close()
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
            raise error
        return connection

    with client_of(folder) as client:
        save(client)
        closed(folder)
        monkeypatch.setattr("app.db.engine.sqlite3.connect", without_room)
        monkeypatch.setattr("app.db.engine.has_room", lambda _: not is_full[0])
        monkeypatch.setattr(faults, "has_room", lambda _: not is_full[0])
        for path in ("/", SCENARIOS, "/readyz"):
            assert client.get(path, headers=PAGE).status_code == 200, path
        assert names(client) == {"Kept"}
        (item,) = client.get(SCENARIOS).json()["items"]
        form = {"version": "1", "name": "Renamed"}
        for answer in (
            save(client),
            client.post(f"/saved/scenario/{item['id']}/rename", data=form, headers=PAGE),
        ):
            assert answer.status_code == 507
            assert "free some space on its disk" in answer.text
        assert 'type="hidden" name="name" value="Renamed"' in answer.text
        is_full[0] = False
        assert save(client, "With room").status_code == 201
        assert names(client) == {"Kept", "With room"}
