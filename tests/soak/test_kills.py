"""A server, or its database, that is killed in the middle of saves loses nothing that it acknowledged."""

from __future__ import annotations

import os
import random
import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.db.copying import copy_database
from app.db.engine import open_engine
from app.saved.check import check_database
from app.scenarios.examples import example
from tests.databases import FILE
from tests.postgres import Postgres, running_postgres, server_programs
from tests.soak import lasting
from tests.soak.forking import Forked, forked_server
from tests.soak.test_saving import notes_of
from tests.soak.writers import SCENARIOS, Writer, ask

pytestmark = pytest.mark.soak

KILLS = lasting(200, short=40)
LANES = 2
WRITERS = 3
LONGEST_S = 0.3  # from the first answer to the kill

Blow = Callable[[], None]


@pytest.fixture
def document() -> dict[str, Any]:
    return example("edge_node").read().as_dict()


def test_kills_over_sqlite(
    seeded_data_dir: Path,
    tmp_path: Path,
    document: dict[str, Any],
    record_property: Callable[[str, object], None],
) -> None:
    def lane(number: int) -> Counter[str]:
        data_dir = Path(shutil.copytree(seeded_data_dir, tmp_path / f"data-{number}"))
        address = f"sqlite:///{data_dir / FILE}"
        with forked_server(data_dir, address) as server:
            return struck_over_and_over(server, document, random.Random(number), {"server": server.kill})

    assert_well(lane, record_property)


def test_kills_over_postgresql(
    seeded_data_dir: Path,
    tmp_path: Path,
    document: dict[str, Any],
    record_property: Callable[[str, object], None],
) -> None:
    """The server is killed, or a process of the database, or the whole database stops as by a power cut."""
    if server_programs() is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no PostgreSQL server found; on Debian: apt-get install postgresql")
        pytest.skip("NO POSTGRESQL SERVER: kills over PostgreSQL are not tried")

    one_at_a_time = threading.Lock()

    def lane(number: int) -> Counter[str]:
        data_dir = tmp_path / f"server-{number}"
        data_dir.mkdir()
        with running_postgres(durable=True) as postgres:
            with one_at_a_time:  # Alembic knows one migration in a process
                copy_database(f"sqlite:///{seeded_data_dir / FILE}", postgres.address)
            with forked_server(data_dir, postgres.address) as server:
                blows: dict[str, Blow] = {
                    "server": server.kill,
                    "server again": server.kill,
                    "process of the database": lambda: kill_process(postgres),
                    "database": lambda: cut_power(postgres),
                }
                return struck_over_and_over(server, document, random.Random(number), blows)

    assert_well(lane, record_property)


def assert_well(lane: Callable[[int], Counter[str]], record_property: Callable[[str, object], None]) -> None:
    """Two lanes at a time, each with a database of its own: a start takes one core some moments."""
    with ThreadPoolExecutor(LANES) as pool:
        counts = sum(pool.map(lane, range(LANES)), Counter())
    for name, count in counts.items():
        record_property(name.replace("blows", "kills"), count)
    assert counts["blows"] == KILLS
    assert counts["saved"] > KILLS // 2, "the servers hardly saved anything"
    assert counts["interrupted"] > KILLS // 2, "hardly anything was struck in the middle of a save"


def kill_process(postgres: Postgres) -> None:
    """One process that answers for the database; the others start again, as after any crash."""
    with psycopg.connect(postgres.address, autocommit=True) as connection:
        others = "SELECT pid FROM pg_stat_activity WHERE application_name = 'podwright' ORDER BY random()"
        if found := connection.execute(others).fetchone():
            os.kill(found[0], signal.SIGKILL)


def cut_power(postgres: Postgres) -> None:
    postgres.stop(signal.SIGQUIT)
    postgres.start()


def struck_over_and_over(
    server: Forked, document: dict[str, Any], dice: random.Random, blows: dict[str, Blow]
) -> Counter[str]:
    """How many saves were acknowledged, and how many were under way at a blow."""
    own_database = len(blows) > 1
    writers = [Writer(document, seed, database_may_go=own_database) for seed in range(WRITERS)]
    counts: Counter[str] = Counter()
    for _ in range(KILLS // LANES):
        server.start()
        for writer in writers:
            assert_nothing_acknowledged_is_lost(server.port, writer, writer.touched)
            writer.touched.clear()
        name = dice.choice(list(blows))
        write_and_be_struck(server, writers, dice, blows[name])
        assert [fault for writer in writers for fault in writer.faults] == []
        counts += Counter({"blows": 1, f"blows to the {name}": 1})
        counts["interrupted"] += sum(writer.unanswered is not None for writer in writers)
    server.start()
    for writer in writers:
        if writer.unanswered is not None:
            writer.save(server.port)
        assert_nothing_acknowledged_is_lost(server.port, writer, writer.kept)
    assert ids_of(server.port) == {id for writer in writers for id in writer.kept}
    engine = open_engine(server.database_url)
    assert [str(finding) for finding in check_database(engine)] == []
    engine.dispose()
    counts["saved"] = sum(len(account.notes) for writer in writers for account in writer.kept.values())
    return counts


def write_and_be_struck(server: Forked, writers: list[Writer], dice: random.Random, blow: Blow) -> None:
    """A random time after the first answer; now and then before any was given."""
    ended, answered = threading.Event(), threading.Event()
    with ThreadPoolExecutor(len(writers)) as pool:
        running = [pool.submit(one.write_until, ended, answered, server.port) for one in writers]
        if dice.random() < 0.9:
            answered.wait(timeout=60)
        time.sleep(dice.uniform(0, LONGEST_S))
        ended.set()  # who is answered now does not ask again
        blow()
        for one in running:
            one.result(timeout=120)


def assert_nothing_acknowledged_is_lost(port: int, writer: Writer, ids: Iterable[str]) -> None:
    """Of these scenarios of a writer; one of which no id is known was never acknowledged."""
    for id in set(ids) & set(writer.kept):
        account = writer.kept[id]
        notes = notes_of(port, id)
        known = len(account.notes)
        assert notes[:known] == account.notes, f"{id} lost what was acknowledged"
        last = writer.unanswered or {}
        # a save whose answer was lost is there whole, or not at all
        assert notes[known:] in ([], [last.get("note")]), f"{id} has what no one saved"
        head = ask(port, "GET", f"{SCENARIOS}/{id}").content
        assert head["revision"] == len(notes)
        assert head["document"]["description"] == head["note"] == notes[-1]
        evaluation = ask(port, "GET", f"{SCENARIOS}/{id}/revisions/{len(notes)}/evaluation")
        assert evaluation.content["cost"]["tco_usd"] == head["summary"]["tco_usd"]


def ids_of(port: int) -> set[str]:
    """Every scenario that a server lists."""
    found: set[str] = set()
    after = ""
    while True:
        page = ask(port, "GET", f"{SCENARIOS}?limit=500{after}").content
        found |= {item["id"] for item in page["items"]}
        if page["next"] is None:
            return found
        after = f"&after={page['next']}"
