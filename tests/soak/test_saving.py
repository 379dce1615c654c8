"""Many who save the same scenario: with If-Match one at a time, with merging all."""

from __future__ import annotations

import copy
import os
import re
import shutil
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.db.copying import copy_database
from app.db.engine import open_engine
from app.saved.check import check_database
from app.scenarios.examples import example
from tests.databases import FILE
from tests.postgres import running_postgres, server_programs
from tests.running_server import Server, running_server
from tests.soak import lasting
from tests.soak.writers import SCENARIOS, ask

pytestmark = pytest.mark.soak

RIVALS = 24
RIVALRY_S = lasting(20.0, short=6.0)
RATE = 6.0  # saves per second on one scenario; two cores that serve and ask manage about twice that


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


def assert_whole(data_dir: Path, address: str = "") -> None:
    engine = open_engine(address or f"sqlite:///{data_dir / FILE}")
    try:
        assert [str(finding) for finding in check_database(engine)] == []
    finally:
        engine.dispose()


def test_rivals_on_one_scenario_make_as_many_revisions_as_were_acknowledged(
    data_dir: Path, document: dict[str, Any], record_property: Callable[[str, object], None]
) -> None:
    """Each reads, changes and saves with If-Match; anyone who comes second is told, and tries again."""
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


FIELDS: dict[str, float] = {
    "workload.tokens": 1e9,
    "supernode.override.max_power_w": 4000.0,
    "supernode.override.price_usd": 1e5,
    "supernode.override.accelerator.tdp_w": 900.0,
    "supernode.override.accelerator.idle_w": 100.0,
    "facility.warming_k": 1.0,
    "facility.clean_energy_share": 0.3,
    "economics.life_years": 4.0,
    "economics.wacc": 0.08,
    "economics.utilisation": 0.8,
    "economics.residual_value": 0.1,
    "economics.electricity_price_usd_per_kwh": 0.1,
    "economics.water_price_usd_per_m3": 2.0,
    "economics.rental_on_demand_usd_per_accelerator_hour": 4.0,
    "economics.rental_reserved_usd_per_accelerator_hour": 2.0,
    "economics.price_discount": 0.1,
    "economics.finance.tax_rate": 0.2,
    "economics.finance.inflation": 0.02,
    "economics.renting.storage_usd_per_tb_month": 20.0,
    "economics.renting.egress_tb_per_month": 20.0,
    "economics.renting.egress_usd_per_tb": 20.0,
    "economics.renting.support_share": 0.03,
    "economics.renting.setup_usd": 1000.0,
    "economics.renting.horizon_months": 24.0,
}
"""A field for each rival, with the value that it begins with."""


def placed(document: dict[str, Any], path: str, value: float) -> dict[str, Any]:
    """The document with another value at a place."""
    changed = copy.deepcopy(document)
    *parts, name = path.split(".")
    part = changed
    for each in parts:
        part = part.setdefault(each, {})
    part[name] = value
    return changed


def value_at(document: dict[str, Any], path: str) -> float:
    found: Any = document
    for name in path.split("."):
        found = found[name]
    return float(found)


@contextmanager
def database_of(kind: str, data_dir: Path) -> Iterator[str]:
    """The address of a database that writes through to the disk."""
    sqlite = f"sqlite:///{data_dir / FILE}"
    if kind == "sqlite":
        yield sqlite
        return
    if server_programs() is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no PostgreSQL server found; on Debian: apt-get install postgresql")
        pytest.skip("NO POSTGRESQL SERVER: merging over PostgreSQL is not tried")
    with running_postgres(durable=True) as postgres:
        copy_database(sqlite, postgres.address)
        yield postgres.address


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_rivals_who_merge_all_save(
    data_dir: Path, document: dict[str, Any], kind: str, record_property: Callable[[str, object], None]
) -> None:
    """Each changes a field of their own, over two processes, from what they saved last: no one is refused."""
    assert len(FIELDS) == RIVALS
    for path, value in FIELDS.items():
        document = placed(document, path, value)
    with (
        database_of(kind, data_dir) as address,
        running_server(data_dir, database_url=address) as first,
        running_server(data_dir, database_url=address) as second,
    ):
        ports = (port_of(first), port_of(second))
        item = ask(ports[0], "POST", SCENARIOS, document).headers["location"]
        deadline = time.monotonic() + RIVALRY_S
        outcomes: Counter[str] = Counter()
        times: list[float] = []

        def compete(number: int) -> tuple[str, list[str], float]:
            place, start = list(FIELDS.items())[number]
            port, saved, base, mine, value = ports[number % 2], [], 1, document, start
            while time.monotonic() < deadline:
                note = f"w{number}-{len(saved)}"
                wanted = start * (1 + (len(saved) + 1) * 2**-12)
                body = {"base_revision": base, "document": placed(mine, place, wanted), "note": note}
                began = time.monotonic()
                answer = ask(port, "POST", f"{item}/merges", body)
                times.append(time.monotonic() - began)
                # a busy machine may give a save up, which may be there or not: only then there is a gap
                assert answer.status in (200, 503), answer
                outcomes["merged" if answer.status == 200 and answer.content["merged_with"] else ""] += 1
                if answer.status == 503:
                    outcomes["unsure"] += 1
                    now = ask(port, "GET", item)
                    base, mine = now.content["revision"], now.content["document"]
                    continue
                saved.append(note)
                value = wanted
                base, mine = answer.content["revision"], answer.content["saved"]["document"]
                assert value_at(mine, place) == wanted, "someone wrote over it"
            return place, saved, value

        began = time.monotonic()
        with ThreadPoolExecutor(RIVALS) as pool:
            done = list(pool.map(compete, range(RIVALS)))
        seconds = time.monotonic() - began
        saved = [note for _, notes, _ in done for note in notes]
        notes = notes_of(ports[0], item.rpartition("/")[2])
        in_history = Counter(found for note in notes for found in re.findall(r"w\d+-\d+", note))
        lost = [note for note in saved if not in_history[note]]
        last = ask(ports[1], "GET", item).content["document"]
        figures = {
            "database": kind,
            "seconds": round(seconds, 1),
            "attempts": len(times),
            "saved": len(saved),
            "saves_per_second": round(len(saved) / seconds, 1),
            "merged": outcomes["merged"],
            "unsure": outcomes["unsure"],
            "lost": len(lost),
            "median_s": round(statistics.median(times), 3),
            "load": round(os.getloadavg()[0], 1),
        }
        sys.stdout.write(f"{figures}\n")
        for name, figure in figures.items():
            record_property(name, figure)
        assert lost == []
        if not outcomes["unsure"]:
            assert len(notes) == 1 + len(saved)  # one revision a save
            assert [value_at(last, place) for place, *_ in done] == [value for *_, value in done]
        assert_whole(data_dir, address)
        idle = os.getloadavg()[0] < 1.5 * (os.cpu_count() or 1)
        assert figures["saves_per_second"] >= (RATE if idle else 1), figures
