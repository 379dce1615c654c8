"""Saving under duress: a server that is killed, and many who save the same scenario."""

from __future__ import annotations

import random
import shutil
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.db.engine import open_engine
from app.scenarios.examples import example
from app.scenarios.saved.check import check_database
from tests.server import Server, running_server
from tests.soak.writers import SCENARIOS, Writer, ask

pytestmark = pytest.mark.soak

KILLS = 100
LANES = 2
WRITERS = 3
RIVALS = 24
RIVALRY_S = 20.0


@pytest.fixture
def data_dir(seeded_data_dir: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(seeded_data_dir, tmp_path / "data"))


@pytest.fixture
def document() -> dict[str, Any]:
    return example("edge_node").read().as_dict()


def port_of(server: Server) -> int:
    port = urlsplit(server.base_url).port
    assert port is not None
    return port


def notes_of(port: int, id: str) -> list[str]:
    """The notes of all revisions of a scenario, the oldest first."""
    notes: list[str] = []
    after = ""
    while True:
        page = ask(port, "GET", f"{SCENARIOS}/{id}/revisions?limit=500{after}").content
        notes += [item["note"] for item in page["items"]]
        if page["next"] is None:
            return notes[::-1]
        after = f"&after={page['next']}"


def assert_nothing_acknowledged_is_lost(port: int, writer: Writer, ids: Iterable[str]) -> None:
    """Of these scenarios of a writer; one of which no id is known was never acknowledged."""
    for id in set(ids) & set(writer.kept):
        account = writer.kept[id]
        notes = notes_of(port, id)
        known = len(account.notes)
        assert notes[:known] == account.notes, f"{id} lost what was acknowledged"
        last = writer.unanswered or {}
        # a save whose answer was lost is there whole, or not at all
        assert notes[known:] in ([], [last.get("note")]), f"{id} has what nobody saved"
        head = ask(port, "GET", f"{SCENARIOS}/{id}").content
        assert head["revision"] == len(notes)
        assert head["document"]["description"] == head["note"] == notes[-1]
        evaluation = ask(port, "GET", f"{SCENARIOS}/{id}/revisions/{len(notes)}/evaluation")
        assert evaluation.content["cost"]["tco_usd"] == head["summary"]["tco_usd"]


def assert_whole(data_dir: Path) -> None:
    engine = open_engine(f"sqlite:///{data_dir / 'podwright.db'}")
    try:
        assert [str(finding) for finding in check_database(engine)] == []
    finally:
        engine.dispose()


def test_a_server_that_is_killed_loses_nothing_acknowledged(
    seeded_data_dir: Path,
    tmp_path: Path,
    document: dict[str, Any],
    record_property: Callable[[str, object], None],
) -> None:
    """Two servers at a time, each over a database of its own: a start takes one core some seconds."""

    def lane(number: int) -> tuple[int, int]:
        data_dir = Path(shutil.copytree(seeded_data_dir, tmp_path / f"data-{number}"))
        return killed_over_and_over(data_dir, document, random.Random(number), KILLS // LANES)

    with ThreadPoolExecutor(LANES) as pool:
        outcomes = list(pool.map(lane, range(LANES)))
    saved, interrupted = (sum(counts) for counts in zip(*outcomes, strict=True))
    record_property("saved", saved)
    record_property("interrupted", interrupted)
    assert saved > KILLS // 2, "the servers hardly saved anything"
    assert interrupted > KILLS, "the servers were hardly ever killed in the middle of a save"


def killed_over_and_over(
    data_dir: Path, document: dict[str, Any], dice: random.Random, kills: int
) -> tuple[int, int]:
    """How many saves were acknowledged, and how many were under way when the server was killed."""
    writers = [Writer(document=document, seed=seed) for seed in range(WRITERS)]
    interrupted = 0
    for _ in range(kills):
        with running_server(data_dir) as server:
            port = port_of(server)
            for writer in writers:
                assert_nothing_acknowledged_is_lost(port, writer, writer.touched)
                writer.touched.clear()
            write_and_be_killed(server, writers, dice)
        assert [fault for writer in writers for fault in writer.faults] == []
        interrupted += sum(writer.unanswered is not None for writer in writers)
    with running_server(data_dir) as server:
        port = port_of(server)
        for writer in writers:
            if writer.unanswered is not None:
                writer.save(port)
            assert_nothing_acknowledged_is_lost(port, writer, writer.kept)
        assert ids_of(port) == {id for writer in writers for id in writer.kept}
    assert_whole(data_dir)
    accounts = [account for writer in writers for account in writer.kept.values()]
    return sum(len(account.notes) for account in accounts), interrupted


def write_and_be_killed(server: Server, writers: list[Writer], dice: random.Random) -> None:
    """The server is killed a random time after its first answer; now and then before it has given any."""
    ended, answered = threading.Event(), threading.Event()
    with ThreadPoolExecutor(len(writers)) as pool:
        running = [pool.submit(one.write_until, ended, answered, port_of(server)) for one in writers]
        if dice.random() < 0.9:
            answered.wait(timeout=60)
        time.sleep(dice.uniform(0, 0.4))
        server.process.kill()
        ended.set()
        for one in running:
            one.result(timeout=60)


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


def test_rivals_on_one_scenario_make_as_many_revisions_as_were_acknowledged(
    data_dir: Path, document: dict[str, Any], record_property: Callable[[str, object], None]
) -> None:
    """Each reads, changes and saves with If-Match; whoever comes second is told, and tries again."""
    with running_server(data_dir) as server:
        port = port_of(server)
        path = ask(port, "POST", SCENARIOS, document).headers["location"]
        deadline = time.monotonic() + RIVALRY_S

        def compete(number: int) -> tuple[list[str], int]:
            acknowledged, refused = [], 0
            etag = ask(port, "GET", path).headers["etag"]
            while time.monotonic() < deadline:
                note = f"{number}-{len(acknowledged)}"
                content = {**document, "description": note}
                answer = ask(port, "PUT", f"{path}?note={note}", content, {"if-match": etag})
                assert answer.status in (200, 412), answer
                if answer.status == 200:
                    acknowledged.append(note)
                else:
                    refused += 1
                    assert answer.content["etag"] == answer.headers["etag"]
                etag = answer.headers["etag"]
            return acknowledged, refused

        with ThreadPoolExecutor(RIVALS) as pool:
            outcomes = list(pool.map(compete, range(RIVALS)))

        saved = [note for acknowledged, _ in outcomes for note in acknowledged]
        record_property("saved", len(saved))
        record_property("refused", sum(refused for _, refused in outcomes))
        notes = notes_of(port, path.rpartition("/")[2])
        assert sorted(notes[1:]) == sorted(saved)
        assert ask(port, "GET", path).content["revision"] == 1 + len(saved)
        assert len(saved) > RIVALRY_S
    assert_whole(data_dir)
