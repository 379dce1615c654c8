"""Alembic's entry: runs the migrations on the connection or address it is given."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from app.db.collation import compare_by_bytes
from app.db.engine import open_engine
from app.db.session import write_connection
from app.db.tables import metadata


def run(connection: Connection) -> None:
    # Batch mode rebuilds a table where SQLite cannot alter it.
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
        compare_by_bytes(connection)


given = context.config.attributes.get("connection")
if context.is_offline_mode():
    # prints the statements for a database that someone else administers
    context.configure(
        dialect_name=context.config.attributes.get("dialect", "sqlite"), target_metadata=metadata
    )
    with context.begin_transaction():
        context.run_migrations()
elif given is not None:
    run(given)
else:
    address = context.config.attributes.get("url") or context.config.get_main_option("sqlalchemy.url")
    if address is None:
        raise RuntimeError("give a connection or a database address")
    with write_connection(open_engine(address)) as opened:
        run(opened)
