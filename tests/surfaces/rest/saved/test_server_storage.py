"""A database server that takes no changes, is full, busy or away: said clearly, and nothing is lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import make_url

from app.catalog.ready import ready_engine
from app.main import create_app
from app.settings import Settings
from tests.asgi import asgi_client_of
from tests.databases import SERVER, address_in, drop_below, engine_in, only_on_postgresql, refuse_rows
from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import SCENARIOS, edge_node
from tests.surfaces.rest.saved.test_storage import change_each_way, content, read_addresses

pytestmark = [pytest.mark.slow, only_on_postgresql()]


@pytest.fixture
def folder(seeded_data_dir: Path, tmp_path: Path) -> Iterator[Path]:
    yield Path(shutil.copytree(seeded_data_dir, tmp_path / "data"))
    ready_engine(Settings(data_dir=tmp_path / "data")).dispose()
    drop_below(tmp_path)


@pytest.fixture
def client(folder):
    with asgi_client_of(create_app(Settings(data_dir=folder))) as opened:
        yield opened


@pytest.fixture
def saved(client):
    """The address of a saved scenario; everything that tests ask for has been asked for once."""
    path = client.post(SCENARIOS, json=edge_node()).headers["location"]
    change_each_way(client, path)
    return path


def on_every_connection(folder: Path, statement: str) -> None:
    """Run a statement on each connection of the application that is made from now on."""
    engine = ready_engine(Settings(data_dir=folder))

    @event.listens_for(engine, "connect")
    def given(connection, _record):
        connection.execute(statement)
        connection.commit()

    engine.dispose()  # only now: what the application connects meanwhile is given the statement too


def test_a_standby_is_read_and_says_so(client, saved, folder):
    before = content(client)
    on_every_connection(folder, "SET default_transaction_read_only = on")
    for answer in change_each_way(client, saved)[:-1]:  # the last finds nothing to bring back
        problem = assert_problem(answer, 503, "read-only")
        assert "takes no changes" in problem["detail"]
    for address in read_addresses(saved):
        assert client.get(address).status_code == 200
    assert content(client) == before


def test_a_full_disk_loses_nothing(client, saved, folder):
    before = content(client)
    refuse_rows(engine_in(folder), "scenario_revision", "53100")
    assert (
        "no room" in assert_problem(client.post(SCENARIOS, json=edge_node()), 507, "storage-full")["detail"]
    )
    assert content(client) == before


def test_a_busy_database_is_asked_again_later(client, saved, folder):
    before = content(client)
    on_every_connection(folder, "SET lock_timeout = '20ms'")
    with engine_in(folder).begin() as other:
        other.execute(text("LOCK TABLE scenario, design IN SHARE ROW EXCLUSIVE MODE"))
        for answer in change_each_way(client, saved)[:-1]:
            assert_problem(answer, 503, "database-busy")
            assert int(answer.headers["retry-after"]) >= 1
        assert content(client) == before
    for answer in change_each_way(client, saved):
        assert answer.is_success, answer.text


def test_a_server_that_is_away_is_asked_again_later(client, saved, folder):
    before = content(client)
    name = make_url(address_in(folder)).database
    keep_out(name)
    for method, address in (("GET", SCENARIOS), ("GET", saved), ("POST", SCENARIOS)):
        answer = client.request(method, address, json=edge_node() if method == "POST" else None)
        problem = assert_problem(answer, 503, "not-ready")
        assert answer.headers["retry-after"]
        assert "postgres@" not in problem["detail"]
    for page in ("/", "/library", "/catalog", "/gallery", "/readyz"):
        answer = client.get(page, headers={"accept": "text/html"})
        assert answer.status_code == 503
        assert "cannot be reached: see whether its server runs" in answer.text
        assert answer.headers["retry-after"]
    assert client.get("/healthz").status_code == 200
    let_in(name)
    assert content(client) == before
    for answer in change_each_way(client, saved):  # without another start
        assert answer.is_success, answer.text


def keep_out(name: str) -> None:
    """The server takes no connection to this database any more, and ends those that there are."""
    on_server(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    on_server(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")


def let_in(name: str) -> None:
    on_server(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def on_server(statement: str) -> None:
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute(statement)
