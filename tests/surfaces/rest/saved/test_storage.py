"""A database that cannot be written, is full, busy, damaged, older or newer: said clearly, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import pytest
from alembic import command
from sqlalchemy import event, text

from app.catalog.ready import ready_engine
from app.db.migrate import NewerDatabaseError, alembic_config
from app.db.session import write_connection
from app.main import create_app
from app.settings import Settings
from tests.asgi import asgi_client_of
from tests.databases import FILE, ON_POSTGRESQL, drop_below, emptied, engine_in, only_on_sqlite
from tests.rights import read_only
from tests.surfaces.rest.conftest import EVALUATIONS, assert_problem
from tests.surfaces.rest.saved.conftest import SCENARIOS, edge_node, said

pytestmark = pytest.mark.slow

OLD_ID = "1" * 32
of_a_file = only_on_sqlite("its file and locks; test_server_storage.py has those of a database server")


@pytest.fixture
def folder(seeded_data_dir) -> Iterator[Path]:
    """A data folder of its own that anybody may look into, with a copy of the seeded database."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        shutil.copytree(seeded_data_dir, made, dirs_exist_ok=True)
        yield Path(made)
        drop_below(Path(made))


@pytest.fixture
def client(folder):
    with client_of(folder) as opened:
        yield opened


@contextmanager
def client_of(folder):
    """The application over the database of a folder as it is now; it looks into it when it starts.

    Nothing looks for jobs meanwhile: it would hold the files open while a test changes their rights.
    """
    with asgi_client_of(create_app(Settings(data_dir=folder, run_jobs=False))) as opened:
        yield opened
    with suppress(NewerDatabaseError):  # one that was never opened
        ready_engine(Settings(data_dir=folder)).dispose()


@pytest.fixture
def saved(client):
    """The address of a saved scenario; everything that tests ask for has been asked for once."""
    path = client.post(SCENARIOS, json=edge_node()).headers["location"]
    change_each_way(client, path)
    for address in read_addresses(path):
        assert client.get(address).status_code == 200
    return path


def read_addresses(path):
    below = ("", "/revisions", "/revisions/1", "/revisions/1/evaluation", "/evaluation", "/revisions/1/moved")
    return [SCENARIOS, *(f"{path}{address}" for address in below), "/readyz"]


def change_each_way(client, path):
    """The answers to a change of each kind; what was deleted is brought back."""
    anything = {"if-match": "*"}
    yaml = {"accept": "application/yaml"}
    assert client.get(path, headers=yaml).status_code == 200
    assert client.post(EVALUATIONS, json=edge_node()).status_code == 200
    return [
        client.post(SCENARIOS, json=edge_node()),
        client.post("/api/v1/designs", json={"name": "X", "pod": {}}),
        client.put(path, json=edge_node(), headers=anything),
        client.patch(path, json={"name": uuid4().hex}, headers=anything),
        client.post(f"{path}/duplicate"),
        client.delete(path, headers=anything),
        client.post(f"{path}/restore"),
    ]


def content(client):
    """All that is saved."""
    items = said(client.get(f"{SCENARIOS}?limit=500"))["items"]
    return [said(client.get(item["links"]["self"])) for item in items]


@contextmanager
def with_pragma(folder, text):
    """Every connection that is made inside gets a pragma."""
    engine = ready_engine(Settings(data_dir=folder))

    def given(connection, _record):
        connection.execute(text)

    engine.dispose()
    event.listen(engine, "connect", given)
    try:
        yield
    finally:
        event.remove(engine, "connect", given)
        engine.dispose()


@of_a_file
@pytest.mark.parametrize(
    ("file", "directory"), [(True, False), (False, True), (True, True)], ids=["file", "folder", "both"]
)
def test_a_read_only_database_is_read_and_says_so(client, saved, folder, file, directory):
    before = content(client)
    engine = ready_engine(Settings(data_dir=folder))
    engine.dispose()
    with read_only(folder, file=file, directory=directory):
        for answer in change_each_way(client, saved)[:-1]:  # the last finds nothing to bring back
            problem = assert_problem(answer, 503, "read-only")
            assert "podwright.db cannot be written" in problem["detail"]
            assert "retry-after" not in answer.headers
        for address in read_addresses(saved):
            assert client.get(address).status_code == 200
        assert content(client) == before
        engine.dispose()
    assert content(client) == before
    for answer in change_each_way(client, saved):  # without another start
        assert answer.is_success, answer.text


@of_a_file
def test_a_log_left_empty_in_a_read_only_folder_does_not_hide_the_database(client, saved, folder):
    before = content(client)
    ready_engine(Settings(data_dir=folder)).dispose()
    (folder / "podwright.db-wal").touch()
    with read_only(folder, file=True, directory=True):
        assert content(client) == before
        ready_engine(Settings(data_dir=folder)).dispose()


@of_a_file
def test_a_full_disk_loses_nothing(client, saved, folder):
    with sqlite3.connect(folder / "podwright.db") as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    made = 0
    with with_pragma(folder, f"PRAGMA max_page_count={pages}"):
        before = content(client)
        for number in range(100):
            answer = client.post(f"{SCENARIOS}?note={number}", json=edge_node())
            if answer.status_code != 201:
                break
            made += 1
        problem = assert_problem(answer, 507, "storage-full")
        assert "no room" in problem["detail"]
        assert len(content(client)) == len(before) + made
        for address in read_addresses(saved):
            assert client.get(address).status_code == 200
    assert client.post(SCENARIOS, json=edge_node()).status_code == 201
    assert len(content(client)) == len(before) + made + 1


@of_a_file
def test_a_busy_database_is_asked_again_later(client, saved, folder):
    before = content(client)
    with with_pragma(folder, "PRAGMA busy_timeout=20"):
        writer = sqlite3.connect(folder / "podwright.db", isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        for answer in change_each_way(client, saved):
            assert_problem(answer, 503, "database-busy")
            assert int(answer.headers["retry-after"]) >= 1
        assert content(client) == before
        writer.execute("ROLLBACK")
        writer.close()
        for answer in change_each_way(client, saved):
            assert answer.is_success, answer.text


@of_a_file
def test_a_damaged_database_is_no_defect_of_ours(client, saved, folder):
    ready_engine(Settings(data_dir=folder)).dispose()
    path = folder / "podwright.db"
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096))
    for method, address in (("GET", SCENARIOS), ("GET", saved), ("POST", SCENARIOS), ("POST", EVALUATIONS)):
        answer = client.request(method, address, json=edge_node() if method == "POST" else None)
        assert_problem(answer, 503, "not-ready")


def old_database(folder: Path) -> None:
    """A database of the first schema with a scenario in it."""
    engine = emptied(folder)
    moment = "2026-01-02 03:04:05+00:00" if ON_POSTGRESQL else "2026-01-02 03:04:05"
    values = {"id": OLD_ID, "moment": moment, "document": json.dumps(edge_node())}
    with write_connection(engine) as connection:
        command.upgrade(alembic_config(connection), "0001")
        connection.execute(
            text(
                "INSERT INTO scenario (id, workspace_id, name, revision, created_at, updated_at) "
                "VALUES (:id, 1, 'Old work', 1, :moment, :moment)"
            ),
            values,
        )
        connection.execute(
            text(
                "INSERT INTO scenario_revision (scenario_id, revision, schema_version, document, resolved, "
                "catalog_revision, engine_version, note, created_at) "
                "VALUES (:id, 1, 1, :document, '{}', 'old', '0.0.1', 'By hand', :moment)"
            ),
            values,
        )
    engine.dispose()


def test_an_older_database_is_brought_up_to_date_with_what_it_holds(folder):
    old_database(folder)
    with client_of(folder) as client:
        (item,) = said(client.get(SCENARIOS))["items"]
        assert (item["id"], item["name"], item["note"]) == (OLD_ID, "Old work", "By hand")
        assert item["created_at"].startswith("2026-01-02T03:04:05")
        path = item["links"]["self"]
        assert said(client.get(path))["document"] == edge_node()
        assert said(client.get(f"{path}/revisions/1"))["engine_version"] == "0.0.1"
        assert said(client.get(f"{path}/revisions/1/evaluation"))["feasible"] in (True, False)
        assert said(client.get(f"{path}/revisions/1/moved"))["from_today"]
        tag = client.get(path).headers["etag"]
        assert said(client.put(path, json=edge_node(), headers={"if-match": tag}))["revision"] == 2


@of_a_file
def test_an_older_database_that_cannot_be_written_says_what_it_needs(folder):
    old_database(folder)
    with (
        read_only(folder, file=True, directory=True),
        asgi_client_of(create_app(Settings(data_dir=folder))) as client,
    ):
        problem = assert_problem(client.get(SCENARIOS), 503, "read-only")
        assert "brought up to date" in problem["detail"]
    with client_of(folder) as client:
        assert said(client.get(SCENARIOS))["items"][0]["name"] == "Old work"


def schema(folder, version):
    """Give the database another revision; the one it had."""
    engine = engine_in(folder)
    with engine.begin() as connection:
        known = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    engine.dispose()
    return known


def test_a_newer_database_is_left_alone(folder):
    schema(folder, "9999")
    before = None if ON_POSTGRESQL else (folder / FILE).read_bytes()
    with client_of(folder) as client:
        for method in ("GET", "POST"):
            answer = client.request(method, SCENARIOS, json=edge_node() if method == "POST" else None)
            problem = assert_problem(answer, 503, "not-ready")
            assert "9999" in problem["detail"]
            assert "newer version" in problem["detail"]
        assert ON_POSTGRESQL or (folder / FILE).read_bytes() == before
        assert schema(folder, "9999") == "9999"


def test_what_a_newer_version_took_over_meanwhile_is_only_read(client, saved, folder):
    before = content(client)
    known = schema(folder, "9999")
    for answer in change_each_way(client, saved):
        assert "newer version" in assert_problem(answer, 503, "not-ready")["detail"]
    assert content(client) == before
    schema(folder, known)
    assert client.post(SCENARIOS, json=edge_node()).status_code == 201
