"""Copying a whole database into another, of the same kind or of the other.

Tables and their order come from the metadata, so a table that is added later is copied as well.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.db.address import place_of, read_address
from app.db.engine import is_server, open_engine
from app.db.migrate import migrate
from app.db.session import read_connection, write_connection
from app.db.tables import PERSONAL_WORKSPACE_ID, SettingRow, WorkspaceRow, metadata, table_of
from app.db.tables.base import Owned

BLOCK = 200  # rows in memory at a time; one of a climate year has some hundred kilobytes
SETTING, WORKSPACE = table_of(SettingRow), table_of(WorkspaceRow)
CATALOG = {table_of(row) for row in Owned.__subclasses__()}


class NotEmptyError(RuntimeError):
    """A database that should be filled holds someone's work."""

    def __init__(self, place: str) -> None:
        super().__init__(f"the database {place} holds saved work; --replace puts the other in its place")


class CopyError(RuntimeError):
    """A copy that is not the same as its source; nothing was changed."""


def copy_database(source: str, target: str, *, replace: bool = False) -> dict[str, int]:
    """Copy everything from one address to another; the number of rows by table.

    The source is read as it is at one moment, the target written in one transaction: it has all of it
    or nothing, also when others use both meanwhile. Both are brought to the newest schema first.

    Raises
    ------
    NewerDatabaseError : one is of a newer version
    NotEmptyError : the target holds work, and that is not to be replaced
    CopyError : they are the same database, or not the same afterwards
    """
    if read_address(source) == read_address(target):
        raise CopyError(f"{place_of(read_address(source))} cannot be copied into itself")
    engines = [open_engine(address, json_as_text=True) for address in (source, target)]
    try:
        for address in (source, target):
            up_to_date(address)
        with read_connection(engines[0]) as reading, write_connection(engines[1]) as writing:
            if not replace and holds_work(writing):
                raise NotEmptyError(place_of(engines[1].url))
            return _copy_rows(reading, writing)
    finally:
        for engine in engines:
            engine.dispose()


def up_to_date(address: str) -> None:
    """Bring a database to the newest schema.

    Raises
    ------
    NewerDatabaseError : it is of a newer version
    """
    engine = open_engine(address)
    try:
        migrate(engine)
    finally:
        engine.dispose()


def holds_work(connection: Connection) -> bool:
    """Return whether there is anything in a database that Podwright did not put there by itself."""
    for table in metadata.sorted_tables:
        query = sa.select(sa.literal(1)).select_from(table)
        if table in CATALOG:
            query = query.where(table.c.workspace_id.is_not(None))
        elif table is WORKSPACE:
            query = query.where(table.c.id != PERSONAL_WORKSPACE_ID)
        if table is not SETTING and connection.execute(query.limit(1)).first() is not None:
            return True
    return False


def _copy_rows(source: Connection, target: Connection) -> dict[str, int]:
    tables = metadata.sorted_tables  # each after those that it refers to
    if is_server(target):
        names = ", ".join(target.dialect.identifier_preparer.format_table(table) for table in tables)
        target.exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")  # others read on, and write after it
    for table in reversed(tables):
        target.execute(table.delete())
    counts = {table.name: _copy_table(source, target, table) for table in tables}
    for table in tables:
        if is_server(target):
            _go_on_counting(target, table)
        found = target.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        if found != counts[table.name]:
            raise CopyError(f"{found} rows of {table.name} arrived, and {counts[table.name]} were sent")
    return counts


def _copy_table(source: Connection, target: Connection, table: sa.Table) -> int:
    """Rows that refer to others of their own table do so once all are there."""
    own = [column for column in table.c if any(key.column.table is table for key in column.foreign_keys)]
    keys = list(table.primary_key)
    later = table.update().where(*(key == sa.bindparam(f"key_{key.name}") for key in keys))
    query = sa.select(table).order_by(*keys)
    count = 0
    for part in source.execution_options(stream_results=True).execute(query).mappings().partitions(BLOCK):
        rows = [dict(row) for row in part]
        target.execute(table.insert(), [row | {column.name: None for column in own} for row in rows])
        count += len(rows)
    for part in _referring(source, table, own).partitions(BLOCK) if own else ():
        values = [{f"key_{key.name}": row[key.name] for key in keys} | _of(row, own) for row in part]
        target.execute(later.values({column.name: sa.bindparam(column.name) for column in own}), values)
    return count


def _referring(source: Connection, table: sa.Table, own: list[sa.Column[Any]]) -> sa.MappingResult:
    query = sa.select(*table.primary_key, *own).where(sa.or_(*(column.is_not(None) for column in own)))
    return source.execution_options(stream_results=True).execute(query).mappings()


def _of(row: Any, columns: list[sa.Column[Any]]) -> dict[str, Any]:
    return {column.name: row[column.name] for column in columns}


def _go_on_counting(target: Connection, table: sa.Table) -> None:
    """Ids that the server gives out from now on follow those that were copied."""
    column = table.autoincrement_column
    if column is not None:
        sequence = sa.func.pg_get_serial_sequence(table.name, column.name)
        highest = target.execute(sa.select(sa.func.max(column))).scalar()
        target.execute(sa.select(sa.func.setval(sequence, highest or 1, highest is not None)))
