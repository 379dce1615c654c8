"""What a save writes. Each function runs inside the one transaction of its caller."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.db.tables import (
    CatalogSnapshotRow,
    DesignRevisionRow,
    DesignRow,
    ProjectionRevisionRow,
    ProjectionRow,
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
    head: HeadRow
    if save.kind == "scenario":
        head = ScenarioRow(**common)
    elif save.kind == "projection":
        head = ProjectionRow(**common)
    else:
        head = DesignRow(**common, kind=save.kind)
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
    row: RevisionRow
    if isinstance(head, ScenarioRow):
        _keep_snapshot(session, save)
        row = ScenarioRevisionRow(
            **common,
            expanded=save.expanded,
            results=save.results,
            snapshot_hash=save.snapshot_hash,
        )
        head.model = save.summary["model_key"] or save.summary["model"]
        head.system = save.summary["system_key"] or save.summary["system"]
        head.feasible = save.summary["feasible"]
    elif isinstance(head, ProjectionRow):
        assert save.results is not None
        row = ProjectionRevisionRow(**common, results=save.results)
    else:
        row = DesignRevisionRow(**common)
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
    """What every change does: the index of the head follows, and its version and time go on."""
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
    if isinstance(row, DesignRevisionRow):
        return Prepared(**kept)
    if isinstance(row, ProjectionRevisionRow):
        return Prepared(**kept, results=row.results)
    return Prepared(
        **kept,
        expanded=row.expanded,
        results=row.results,
        snapshot_hash=row.snapshot_hash,
        uses=uses_of(session, row),
    )


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
