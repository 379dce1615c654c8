"""Names of revisions as they are kept: beside the revision, which itself never changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Annotated

import sqlalchemy as sa
from pydantic import Field
from sqlmodel import Session, col, select

from app.db.tables import AccountRow, RevisionNameRow, table_of
from app.db.tables.base import now
from app.saved.records import Kind, Revision
from app.saved.rows import TABLES
from app.saved.writing import LONGEST_NOTE
from app.scenarios.errors import refuse
from app.scenarios.fields import Line, Paragraph, Part
from app.scenarios.load import build_document


class RevisionName(Part):
    """Name of a revision, and why."""

    name: Line = Field(description="Name of the scenario.")
    note: Annotated[Paragraph, Field(max_length=LONGEST_NOTE)] = Field(
        default="", description="Why it matters."
    )


def clean_name(name: str, note: str) -> RevisionName:
    """A name that a revision can have.

    Raises
    ------
    ScenarioError : name or note cannot be used
    """
    return build_document(RevisionName, {"name": name.strip(), "note": note.strip()})


def put_name(
    session: Session, kind: Kind, id: str, number: int, wanted: RevisionName, created_by: str | None
) -> None:
    """Call a revision something, in place of what it was called.

    Raises
    ------
    ScenarioError : another revision has this name
    """
    named = select(RevisionNameRow).where(
        col(RevisionNameRow.saved_id) == id, col(RevisionNameRow.name) == wanted.name
    )
    other = session.exec(named.where(col(RevisionNameRow.revision) != number)).first()
    if other is not None:
        raise refuse(
            f"Revision {other.revision} has this name.",
            rule="unique",
            path="name",
            value=wanted.name,
            hint="Choose another, or take it from that one first.",
        )
    row = session.get(RevisionNameRow, (id, number))
    if row is None:
        row = RevisionNameRow(saved_id=id, revision=number, kind=kind, name=wanted.name)
    row.name, row.note = wanted.name, wanted.note
    row.created_by, row.created_at = created_by, now()
    session.add(row)
    session.flush()


def take_name(session: Session, id: str, number: int) -> bool:
    """Remove the name of a revision; whether it had one."""
    row = session.get(RevisionNameRow, (id, number))
    if row is None:
        return False
    session.delete(row)
    session.flush()
    return True


def with_names(session: Session, id: str, revisions: Iterable[Revision]) -> tuple[Revision, ...]:
    """Revisions of one thing, each with what it is called and who saved it."""
    found = tuple(revisions)
    numbers = [revision.revision for revision in found]
    rows = session.exec(
        select(RevisionNameRow).where(
            col(RevisionNameRow.saved_id) == id, col(RevisionNameRow.revision).in_(numbers)
        )
    )
    names = {row.revision: (row.name, row.note) for row in rows}
    people = {revision.created_by for revision in found if revision.created_by}
    accounts = session.exec(select(AccountRow).where(col(AccountRow.id).in_(people))) if people else ()
    authors: dict[str | None, str] = {account.id: account.name for account in accounts}
    return tuple(
        dataclasses.replace(
            revision,
            author=authors.get(revision.created_by, ""),
            label=names.get(revision.revision, ("", ""))[0],
            label_note=names.get(revision.revision, ("", ""))[1],
        )
        for revision in found
    )


def authors_of(session: Session, kind: Kind, id: str, after: int, up_to: int) -> tuple[str, ...]:
    """Names of those who saved the revisions after one, up to another, in the order of their first."""
    tables = TABLES[kind]
    table = tables.revisions
    first = sa.func.min(table.c.revision)
    accounts = table_of(AccountRow)
    found = session.execute(
        sa.select(accounts.c.name)
        .join(table, table.c.created_by == accounts.c.id)
        .where(table.c[tables.owner] == id, table.c.revision > after, table.c.revision <= up_to)
        .group_by(accounts.c.id, accounts.c.name)
        .order_by(first)
    )
    return tuple(found.scalars())
