"""Looking a database over: is it whole, and can everything that was saved be read?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from app.catalog.snapshot import Snapshot, SnapshotError
from app.db.collation import sorted_otherwise
from app.db.migrate import HEAD, current_revision
from app.db.session import read_connection
from app.db.tables import CatalogSnapshotRow, metadata, table_of
from app.saved.documents import MODELS
from app.saved.faults import reason_of, storage_error
from app.saved.packing import PackingError, unpacked
from app.saved.records import Kind
from app.saved.rows import ALL_TABLES, Tables
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document

SNAPSHOT = table_of(CatalogSnapshotRow)
BLOCK = 200  # revisions read at a time
BACKUP = "Keep a copy of the file and go back to a backup."


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong. `place` says where, `way_out` what to do."""

    severity: Literal["error", "warning"]
    place: str
    message: str
    way_out: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.message} {self.way_out}".rstrip()


def check_database(engine: Engine) -> list[Finding]:
    """Everything that is wrong with a database; nothing is written. An empty list is a clean bill.

    Raises
    ------
    StorageError : it cannot be reached
    """
    found: list[Finding] = []
    try:
        with read_connection(engine) as connection:
            found.extend(_file(connection))
            schema = list(_schema(connection))
            found.extend(schema)
            if schema:
                return found  # what follows reads today's tables
            for look in (_order, _numbers, _revisions, _snapshots, _tags):
                found.extend(look(connection))
    except (DBAPIError, ValueError) as error:
        if isinstance(error, DBAPIError) and (away := reason_of(error, engine.url)) in (
            "unreachable",
            "lost",
        ):
            raise storage_error(away, engine.url) from None
        reason = error.orig if isinstance(error, DBAPIError) else error
        found.append(_error("database", f"cannot be read any further: {reason}.", BACKUP))
    return found


def _file(connection: Connection) -> Iterator[Finding]:
    if connection.dialect.name != "sqlite":
        return  # a database server looks after its own files
    for (message,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if message != "ok":
            yield _error("file", f"is damaged: {message}.", BACKUP)
    for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield _error(f"{table}, row {row}", f"refers to a row of {parent} that is not there.", BACKUP)


def _schema(connection: Connection) -> Iterator[Finding]:
    current = current_revision(connection)
    if current is None:
        yield _error("schema", "the database is empty.", "`podwright seed` fills it.")
    elif current < HEAD:
        way_out = "Starting Podwright brings it up to date."
        yield _error("schema", f"is {current}, older than {HEAD} of this version.", way_out)
    elif current != HEAD:
        way_out = "Start the newer version, or choose another database."
        yield _error("schema", f"is {current}, newer than {HEAD} of this version.", way_out)
    else:
        there = set(sa.inspect(connection).get_table_names())
        for name in sorted(set(metadata.tables) - there):
            yield _error("schema", f"the table {name} is missing.", BACKUP)


def _order(connection: Connection) -> Iterator[Finding]:
    """On a server, columns that someone added or changed without a migration of ours."""
    for table, columns in sorted_otherwise(connection).items():
        yield Finding(
            severity="warning",
            place=f"{table}, {', '.join(name for name, _ in columns)}",
            message="is not compared by bytes: lists may have another order than they should.",
            way_out='ALTER TABLE ... ALTER COLUMN ... TYPE ... COLLATE "C" puts it right.',
        )


def _numbers(connection: Connection) -> Iterator[Finding]:
    """Revisions are 1 to n without holes, and the newest is the one that the head names."""
    for tables in ALL_TABLES:
        heads, revisions = tables.heads, tables.revisions
        number = revisions.c.revision
        columns = (heads.c.id, heads.c.name, heads.c.revision)
        joined = heads.outerjoin(revisions, revisions.c[tables.owner] == heads.c.id)
        query = sa.select(*columns, sa.func.count(number), sa.func.min(number), sa.func.max(number))
        for id, name, newest, count, first, last in connection.execute(
            query.select_from(joined).group_by(*columns).order_by(heads.c.id)
        ):
            if (count, first, last) != (newest, 1, newest):
                numbers = f"{count} revisions from {first} to {last}" if count else "no revisions"
                message = f"{name!r} should have revisions 1 to {newest} and has {numbers}."
                yield _error(_place(tables, id), message, BACKUP)


def _revisions(connection: Connection) -> Iterator[Finding]:
    """Documents can be parsed and results unpacked; a block at a time, so that size does not matter."""
    for tables in ALL_TABLES:
        table, last = tables.revisions, 0
        # as text: a document that is no JSON must not end the walk
        document = sa.cast(table.c.document, sa.String).label("text")
        names = ("id", "revision", tables.owner, "results", "snapshot_hash")
        columns = [table.c[name] for name in names if name in table.c]
        heads = tables.heads  # only designs are of several kinds, the others are called as their table
        kind = heads.c.kind if "kind" in heads.c else sa.literal(heads.name).label("kind")
        while True:
            query = sa.select(*columns, document, kind).join(heads, heads.c.id == table.c[tables.owner])
            rows = list(connection.execute(query.where(table.c.id > last).order_by(table.c.id).limit(BLOCK)))
            for row in rows:
                yield from _revision(tables, row)
            if len(rows) < BLOCK:
                break
            last = rows[-1].id


def _revision(tables: Tables, row: Any) -> Iterator[Finding]:
    place = f"{_place(tables, getattr(row, tables.owner))}, revision {row.revision}"
    kind: Kind = row.kind
    try:
        build_document(MODELS[kind], json.loads(row.text))
    except ScenarioError as error:
        yield Finding(
            severity="warning",
            place=place,
            message=f"this version cannot evaluate its document: {error}",
            way_out="It can still be read; a new revision puts it right.",
        )
    except ValueError as error:
        yield _error(place, f"its document cannot be read: {error}.", BACKUP)
    if getattr(row, "results", None) is None:
        return
    try:
        unpacked(row.results)
    except PackingError as error:
        yield _error(place, f"{error}.", BACKUP)
    if kind == "scenario" and row.snapshot_hash is None:
        yield _error(place, "it has results, and no catalog values that they were computed with.", BACKUP)


def _snapshots(connection: Connection) -> Iterator[Finding]:
    hashes = connection.execute(sa.select(SNAPSHOT.c.hash).order_by(SNAPSHOT.c.hash)).scalars().all()
    for hash in hashes:
        content = connection.execute(
            sa.select(SNAPSHOT.c.content).where(SNAPSHOT.c.hash == hash)
        ).scalar_one()
        place = f"catalog values {hash[:12]}"
        try:
            if Snapshot.hash_of(content) != hash:
                yield _error(place, "are not those that were kept.", BACKUP)
            Snapshot.unpacked(content)
        except SnapshotError as error:
            yield _error(place, f"{error}.", BACKUP)


def _tags(connection: Connection) -> Iterator[Finding]:
    """The index of tags says what the heads say."""
    for tables in ALL_TABLES:
        heads, tags = tables.heads, tables.tags
        indexed: dict[str, set[str]] = {}
        for id, tag in connection.execute(sa.select(tags.c[tables.owner], tags.c.tag)):
            indexed.setdefault(id, set()).add(tag)
        stored = sa.select(heads.c.id, heads.c.name, heads.c.tags).order_by(heads.c.id)
        for id, name, stated in connection.execute(stored):
            if set(stated) != indexed.get(id, set()):
                yield Finding(
                    severity="warning",
                    place=_place(tables, id),
                    message=f"lists by tag do not find {name!r} as they should.",
                    way_out="Saving its tags again puts it right.",
                )


def _place(tables: Tables, id: str) -> str:
    return f"{tables.heads.name} {id}"


def _error(place: str, message: str, way_out: str) -> Finding:
    return Finding(severity="error", place=place, message=message, way_out=way_out)
