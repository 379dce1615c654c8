"""Text is compared by its bytes on every database, so that lists have the same order on all.

SQLite does so by itself. A PostgreSQL database has a collation of its own, which sorts as people of some
country do and may change with the next version of its operating system, under the indexes.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Connection

from app.db.engine import is_server

BY_BYTES = "C"

OTHERWISE = sa.text("""
    SELECT attribute.attrelid::regclass::text AS table_name,
           quote_ident(attribute.attname) AS column_name,
           format_type(attribute.atttypid, attribute.atttypmod) AS type_name
    FROM pg_attribute AS attribute
    JOIN pg_class AS class ON class.oid = attribute.attrelid
    JOIN pg_collation AS sorting ON sorting.oid = attribute.attcollation
    WHERE class.relkind = 'r' AND class.relnamespace = current_schema()::regnamespace
      AND attribute.attnum > 0 AND NOT attribute.attisdropped AND sorting.collname <> :by_bytes
    ORDER BY table_name, column_name
""")


def sorted_otherwise(connection: Connection) -> dict[str, list[tuple[str, str]]]:
    """Columns of text with another collation, by table: name and type, as the database quotes them."""
    found: dict[str, list[tuple[str, str]]] = {}
    if is_server(connection):
        for table, column, kind in connection.execute(OTHERWISE, {"by_bytes": BY_BYTES}):
            found.setdefault(table, []).append((column, kind))
    return found


def compare_by_bytes(connection: Connection) -> None:
    """Give every column of text that has another collation the one of bytes."""
    for table, columns in sorted_otherwise(connection).items():
        changes = [f'ALTER COLUMN {column} TYPE {kind} COLLATE "{BY_BYTES}"' for column, kind in columns]
        connection.exec_driver_sql(f"ALTER TABLE {table} {', '.join(changes)}")
