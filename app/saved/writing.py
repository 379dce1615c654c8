"""What a save writes. Each function runs inside the one transaction of its caller."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.db.tables import (
    CatalogSnapshotRow,
    ScenarioDesignRow,
    ScenarioRevisionRow,
    ScenarioRow,
)
from app.db.tables.base import now
from app.saved.expand import DESIGN_KINDS, DesignUse
from app.saved.prepared import Prepared
from app.saved.records import Kind, Saved
from app.saved.rows import TABLES, HeadRow, RevisionRow, saved_record

LONGEST_NOTE = 500
KEPT = ("expanded", "results", "snapshot_hash")
"""What a save keeps beside its document, where its kind has the column."""
MOST_INDEXED_BYTES = 2_500  # PostgreSQL takes no more than 2,700 into an index; hardly anything is as long


def insert_head(
    session: Session,
    save: Prepared,
    *,
    id: str,
    workspace_id: int,
    created_by: str | None,
    tags: tuple[str, ...],
    forked_from_id: str | None,
) -> HeadRow:
    """Something new, without a revision yet."""
    moment = now()
    common: dict[str, Any] = {
        "id": id,
        "workspace_id": workspace_id,
        "name": save.name,
        "revision": 0,
        "tags": list(tags),
        "summary": save.summary,
        "forked_from_id": forked_from_id,
        "created_by": created_by,
        "created_at": moment,
        "updated_at": moment,
    }
    tables = TABLES[save.kind]
    if "kind" in tables.heads.c:  # a table of several kinds
        common["kind"] = save.kind
    head: HeadRow = tables.head(**common)
    session.add(head)
    session.flush()
    return head


def add_revision(
    session: Session, head: HeadRow, save: Prepared, note: str, created_by: str | None
) -> RevisionRow:
    """The next revision of a head, which takes over its name and summary."""
    common: dict[str, Any] = {
        "saved_id": head.id,
        "revision": head.revision + 1,
        "schema_version": save.schema_version,
        "document": save.document,
        "summary": save.summary,
        "catalog_revision": save.catalog_revision,
        "engine_version": save.engine_version,
        "note": note,
        "created_by": created_by,
        "created_at": now(),
    }
    if isinstance(head, ScenarioRow):
        _keep_snapshot(session, save)
        head.model = save.summary["model_key"] or save.summary["model"]
        head.system = save.summary["system_key"] or save.summary["system"]
        head.feasible = save.summary["feasible"]
    tables = TABLES[save.kind]
    kept = {name: getattr(save, name) for name in KEPT if name in tables.revisions.c}
    row: RevisionRow = tables.revision(**common, **kept)
    session.add(row)
    head.revision += 1
    head.name = save.name
    head.summary = save.summary
    session.flush()
    assert row.id is not None  # the database gave it one
    session.add_all(
        ScenarioDesignRow(
            scenario_revision_id=row.id, field=use.field, design_id=use.id, design_revision=use.revision
        )
        for use in save.uses
    )
    return row


def touch(session: Session, kind: Kind, head: HeadRow) -> None:
    """Update the search index, version and time of a head; part of every change."""
    tables = TABLES[kind]
    head.updated_at = now()
    head.sort_name = head.name.casefold()
    head.search_text = _search_text(head)
    session.execute(tables.tags.delete().where(tables.tags.c[tables.owner] == head.id))
    session.add_all(
        tables.tag(
            tag=tag,
            saved_id=head.id,
            workspace_id=head.workspace_id,
            deleted=head.deleted_at is not None,
            updated_at=head.updated_at,
        )
        for tag in head.tags
    )
    session.flush()


def newest_revision(session: Session, kind: Kind, head: HeadRow) -> RevisionRow:
    """The revision that a head shows.

    Raises
    ------
    LookupError : it is missing, which `podwright db check` reports
    """
    row = numbered_revision(session, kind, head.id, head.revision)
    if row is None:
        raise LookupError(f"revision {head.revision} of {kind} {head.id} is missing")
    return row


def numbered_revision(session: Session, kind: Kind, id: str, number: int) -> RevisionRow | None:
    """One revision of something saved, if there is one of this number."""
    tables = TABLES[kind]
    table = tables.revisions
    query = sa.select(tables.revision).where(table.c[tables.owner] == id, table.c.revision == number)
    row: RevisionRow | None = session.execute(query).scalar_one_or_none()
    return row


def record(session: Session, kind: Kind, head: HeadRow) -> Saved:
    """A head as the rest of the product sees it."""
    row = newest_revision(session, kind, head)
    return saved_record(kind, head, row.document, row.note)


def prepared_again(session: Session, kind: Kind, row: RevisionRow) -> Prepared:
    """A revision as what would write it once more, with the values of its time."""
    name = str(row.document["name"])
    kept: dict[str, Any] = {
        "kind": kind,
        "name": name,
        "document": row.document,
        "summary": row.summary,
        "catalog_revision": row.catalog_revision,
        "engine_version": row.engine_version,
        "schema_version": row.schema_version,
    }
    kept |= {name: getattr(row, name) for name in KEPT if name in TABLES[kind].revisions.c}
    return Prepared(**kept, uses=uses_of(session, row) if isinstance(row, ScenarioRevisionRow) else ())


def uses_of(session: Session, row: ScenarioRevisionRow) -> tuple[DesignUse, ...]:
    """The saved designs that went into a revision."""
    found = {field: session.get(ScenarioDesignRow, (row.id, field)) for field in DESIGN_KINDS}
    return tuple(
        DesignUse(field=field, id=use.design_id, revision=use.design_revision)
        for field, use in found.items()
        if use is not None
    )


def _keep_snapshot(session: Session, save: Prepared) -> None:
    if save.snapshot_hash is None or save.snapshot is None:
        return
    if session.get(CatalogSnapshotRow, save.snapshot_hash) is not None:
        return
    row = CatalogSnapshotRow(hash=save.snapshot_hash, content=save.snapshot(), created_at=now())
    # where others can write at the same time, as on a database server, one may have kept the same
    with suppress(IntegrityError), session.begin_nested():
        session.add(row)


def _search_text(head: HeadRow) -> str:
    words = [head.name, *head.tags]
    words += [str(value) for value in head.summary.values() if isinstance(value, str)]
    room = MOST_INDEXED_BYTES - len(head.sort_name.encode())  # both stand in the index of names
    text = "\n".join(words).casefold().encode()[:room]
    return text.decode(errors="ignore")  # a letter that was cut in two is left out
