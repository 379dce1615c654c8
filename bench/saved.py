"""How quick saved work is when there is a lot of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Engine

from app.catalog.ready import ready_catalog
from app.db.engine import is_server, open_engine
from app.db.migrate import migrate
from app.db.session import write_connection
from app.db.tables.saved import new_id
from app.saved.rows import SCENARIOS
from app.saved.store import SavedWork
from app.scenarios.examples import example
from bench.engine import EXAMPLE
from bench.postgres import postgres_address
from bench.timing import Measurement, measured, timed
from tests.postgres import VARIABLE

SCENARIOS_SAVED = 100_000
BLOCK = 10_000
ROUNDS, SAVES = 3, 30
TAG, TAGGED_EVERY = "tagged", 100


def saved_measurements(data_dir: Path) -> Iterator[Measurement]:
    """On SQLite, and on PostgreSQL where a server is installed or named."""
    yield from _measurements(f"sqlite:///{data_dir / 'saved' / 'podwright.db'}", "")
    with postgres_address() as address:
        if address is None:
            print(f"PostgreSQL is not timed: no server is installed, and {VARIABLE} names none.")
        else:
            yield from _measurements(address, ", PostgreSQL")


def _measurements(address: str, where: str) -> Iterator[Measurement]:
    """In a database of its own; a save is evaluation, kept catalog values and a commit that reached the disk."""
    engine = open_engine(address)
    migrate(engine)
    catalog = ready_catalog()
    work = SavedWork(engine, lambda: catalog)
    document = example(EXAMPLE).read().as_dict()
    saved = work.create("scenario", document)
    fill(engine, saved.id)
    many = f"{SCENARIOS_SAVED:,}{where}"
    yield timed(f"first page of {many}", lambda: work.listed("scenario"), runs=31, unit="ms", aim=50)
    yield timed(f"a tag among {many}", lambda: work.listed("scenario", tag=TAG), runs=31, unit="ms", aim=50)
    last = f"Scenario {SCENARIOS_SAVED - 1:,}"
    yield timed(
        f"a name among {many}", lambda: work.listed("scenario", search=last), runs=9, unit="ms", aim=100
    )
    yield timed(
        f"save of a scenario{where}",
        lambda: work.replace("scenario", saved.id, document, version=None),
        runs=51,
        unit="ms",
        aim=30,
    )
    rates = [_saves_per_s(work, saved.id, document, first) for first in range(0, ROUNDS * SAVES, SAVES)]
    yield measured(f"saves of changed scenarios{where}", rates, unit="/s", aim=30, at_least=True)
    engine.dispose()


def _saves_per_s(work: SavedWork, id: str, document: dict[str, Any], first: int) -> float:
    """Of one scenario, each time with other costs."""
    start = time.perf_counter()
    for number in range(first, first + SAVES):
        economics = {**document["economics"], "wacc": 0.05 + number * 1e-6}
        work.replace("scenario", id, {**document, "economics": economics}, version=None)
    return SAVES / (time.perf_counter() - start)


def fill(engine: Engine, id: str) -> None:
    """Copies of one saved scenario, each changed a second before the last; without results, which no list reads."""
    heads, revisions, tags = SCENARIOS.heads, SCENARIOS.revisions, SCENARIOS.tags
    with engine.connect() as connection:
        head = dict(connection.execute(sa.select(heads)).mappings().one())
        columns = [column for column in revisions.c if column.name != "id"]
        revision = dict(connection.execute(sa.select(*columns)).mappings().one()) | {"results": None}
    with write_connection(engine) as connection:
        for start in range(1, SCENARIOS_SAVED, BLOCK):
            copies = [
                head
                | {
                    "id": new_id(),
                    "name": f"Scenario {number:,}",
                    "sort_name": f"scenario {number:,}",
                    "search_text": f"scenario {number:,}\n{head['search_text']}",
                    "updated_at": head["updated_at"] - timedelta(seconds=number),
                }
                for number in range(start, min(start + BLOCK, SCENARIOS_SAVED))
            ]
            connection.execute(heads.insert(), copies)
            connection.execute(
                revisions.insert(), [revision | {"scenario_id": copy["id"]} for copy in copies]
            )
            tagged = [
                {
                    "tag": TAG,
                    "scenario_id": copy["id"],
                    "workspace_id": copy["workspace_id"],
                    "deleted": False,
                    "updated_at": copy["updated_at"],
                }
                for copy in copies[::TAGGED_EVERY]
            ]
            connection.execute(tags.insert(), tagged)
    if is_server(engine):
        with (
            engine.connect() as connection
        ):  # as its autovacuum does in time, for a plan that knows the sizes
            connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql("VACUUM ANALYZE")
