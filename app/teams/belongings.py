"""Everything that belongs to a workspace, found by how its tables refer to one another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, ColumnElement, Table
from sqlmodel import Session

from app.db.tables.base import metadata

HEADS = ("scenario", "design", "projection")
OF_PEOPLE = ("workspace", "membership", "audit_entry")
"""What names a workspace without being a part of its work: people, and the log of what they did."""


def tables_of(workspace_id: int) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Each table that holds something of a workspace, and which of its rows; what refers to others comes last."""
    found: dict[str, ColumnElement[bool]] = {}
    for table in metadata.sorted_tables:
        if table.name in OF_PEOPLE:
            continue
        reasons: list[ColumnElement[bool]] = []
        if "workspace_id" in table.c:
            reasons.append(table.c.workspace_id == workspace_id)
        else:
            for key in table.foreign_keys:
                parent = key.column.table
                if parent.name in found:
                    reasons.append(key.parent.in_(_ids(key.column, found[parent.name])))
        if "saved_id" in table.c:
            heads = (metadata.tables[name] for name in HEADS)
            reasons += [
                table.c.saved_id.in_(_ids(head.c.id, head.c.workspace_id == workspace_id)) for head in heads
            ]
        if reasons:
            found[table.name] = sa.or_(*reasons)
            yield table, found[table.name]


def rows_of(session: Session, workspace_id: int) -> dict[str, list[dict[str, Any]]]:
    """All that belongs to a workspace, by table, as plain JSON; no secrets are among it."""
    held = {"api_token", "invitation", "share_link", "idempotency_key", "presence"}
    return {
        table.name: found
        for table, condition in tables_of(workspace_id)
        if table.name not in held and (found := plain_rows(session, table, condition))
    }


def plain_rows(session: Session, table: Table, condition: ColumnElement[bool]) -> list[dict[str, Any]]:
    """Rows as plain JSON, in the order of their keys."""
    rows = session.execute(sa.select(table).where(condition).order_by(*table.primary_key)).mappings()
    return [{str(name): _plain(value) for name, value in row.items()} for row in rows]


def remove(session: Session, workspace_id: int) -> None:
    """Delete all that belongs to a workspace, for good. What others made from it stays theirs."""
    for name in HEADS:
        head = metadata.tables[name]
        gone = _ids(head.c.id, head.c.workspace_id == workspace_id)
        session.execute(sa.update(head).where(head.c.forked_from_id.in_(gone)).values(forked_from_id=None))
    for table, condition in reversed(list(tables_of(workspace_id))):
        session.execute(sa.delete(table).where(condition))


def _ids(column: Column[Any], condition: ColumnElement[bool]) -> sa.Select[Any]:
    return sa.select(column).where(condition)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return None if isinstance(value, bytes) else value  # arrays of climate years, which are not text
