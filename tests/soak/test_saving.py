"""Many who save the same scenario."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.db.engine import open_engine
from app.scenarios.examples import example
from app.scenarios.saved.check import check_database
from tests.server import Server, running_server
from tests.soak import lasting
from tests.soak.writers import SCENARIOS, ask

pytestmark = pytest.mark.soak

RIVALS = 24
RIVALRY_S = lasting(20.0, short=6.0)


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


def assert_whole(data_dir: Path) -> None:
    engine = open_engine(f"sqlite:///{data_dir / 'podwright.db'}")
    try:
        assert [str(finding) for finding in check_database(engine)] == []
    finally:
        engine.dispose()


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
