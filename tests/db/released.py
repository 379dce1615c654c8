"""Databases as released versions left them: `python -m tests.db.released > tests/fixtures/databases/NNNN.json`.

To be run before a migration is added, with the version that people have: it saves some work and prints every
row but those of the built-in catalog. The first version could not save: its rows were written by hand.
"""

from __future__ import annotations

import base64
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from sqlalchemy import Engine

from app.db.engine import is_server, open_engine
from app.db.migrate import HEAD, alembic_config
from app.db.session import write_connection

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "databases"
BUILT_IN = {"alembic_version", "setting", "source", "part", "fact", "price", "climate_year", "workspace"}
POD = {
    "schema_version": 1,
    "name": "Öld pod",
    "workload": {
        "kind": "training", "model": "llama_3_1_8b", "tokens": 1e12, "sequence_length": 8192,
        "global_batch_sequences": 256, "precision": "bf16",
    },
    "supernode": {"system": "dgx_h100"},
    "pod": {"supernodes": 16},
    "parallelism": {"tp": 1, "pp": 1},
    "facility": {"site": "ashburn"},
}  # fmt: skip

STUDY = {
    "name": "Which pod",
    "workload": {"training": POD["workload"]},
    "chosen": [{"name": "Small", "candidate": {"system": "dgx_h100", "supernodes": 8}}],
}

FLEET = {
    "name": "Shared pod",
    "classes": [{"name": "Research", "jobs_per_hour": 1, "duration_hours": 2}],
    "pods": [{"supernodes": 4, "accelerators": 8}],
}


def released() -> dict[str, Path]:
    """The files by the revision of their schema."""
    return {path.stem: path for path in sorted(FIXTURES.glob("*.json"))}


def read(revision: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(released()[revision].read_text(encoding="utf-8"))
    return found


def fill(engine: Engine, revision: str) -> None:
    """Make an empty database what a version of this schema left."""
    with write_connection(engine) as connection:
        command.upgrade(alembic_config(connection), revision)
    with write_connection(engine) as connection:
        for table, rows in read(revision)["tables"].items():
            columns = {column["name"]: column["type"] for column in sa.inspect(connection).get_columns(table)}
            names = ", ".join(f'"{name}"' for name in rows[0])
            values = ", ".join(f":{name}" for name in rows[0])
            statement = sa.text(f"INSERT INTO {table} ({names}) VALUES ({values})")
            for row in rows:
                connection.execute(statement, {name: _stored(row[name], columns[name]) for name in row})
            if is_server(connection) and "INTEGER" in str(columns.get("id")):
                sequence = f"pg_get_serial_sequence('{table}', 'id')"
                connection.exec_driver_sql(f"SELECT setval({sequence}, (SELECT max(id) FROM {table}))")


def _stored(value: Any, kind: sa.types.TypeEngine[Any]) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value["base64"])
    return bool(value) if isinstance(kind, sa.Boolean) and value is not None else value


def _printed(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _work(engine: Engine) -> None:
    from app.catalog.ready import ready_catalog
    from app.saved.store import SavedWork

    work = SavedWork(engine, ready_catalog)
    node = work.create("supernode", {"name": "Old node", "supernode": {"system": "dgx_h100"}}, tags=["kept"])
    first = work.create("scenario", POD, note="First", tags=["blue", "2026"])
    longer = POD | {"workload": {**POD["workload"], "tokens": 2e12}}  # type: ignore[dict-item]
    work.replace("scenario", first.id, longer, version=1, note="Longer")
    work.create("scenario", POD | {"name": "With a design", "supernode": {"design": node.id}})
    copied = work.duplicate("scenario", first.id)
    work.delete("scenario", copied.id, version=1)
    work.create("projection", {"name": "Chinchilla", "flops": 5.76e23}, tags=["law"])
    work.create("study", STUDY, tags=["plan"])
    work.create("fleet", FLEET, tags=["plan"])


def main() -> None:
    from app import __version__
    from app.db.migrate import migrate

    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(f"sqlite:///{folder}/podwright.db")
        migrate(engine)
        _work(engine)
        tables: dict[str, list[dict[str, Any]]] = {}
        with engine.connect() as connection:
            for table in sa.inspect(connection).get_sorted_table_and_fkc_names():
                if table[0] is None or table[0] in BUILT_IN:
                    continue
                rows = connection.exec_driver_sql(f"SELECT * FROM {table[0]}").mappings()
                found = [{name: _printed(value) for name, value in row.items()} for row in rows]
                if found:
                    tables[table[0]] = found
        engine.dispose()
    content = {"revision": HEAD, "engine_version": __version__, "tables": tables}
    sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
