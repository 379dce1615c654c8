"""Lists of saved work, a page at a time, each read off an index from where the last page ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import sqlalchemy as sa
from sqlmodel import Session

from app.db.tables import ScenarioDesignRow, ShareGrantRow, table_of
from app.saved.cursor import place_of, token
from app.saved.errors import BadCursorError
from app.saved.records import Kind, Listed, Page, Revision, Saved
from app.saved.rows import DESIGNS, SCENARIOS, TABLES, Tables, revision_record, saved_record

Sort = Literal["updated", "name"]
MOST = 500
WORDS_LOOKED_FOR = 10

USE = table_of(ScenarioDesignRow)
GRANT = table_of(ShareGrantRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What may be seen of other workspaces: shared with these teams, and what these ids name."""

    teams: tuple[int, ...]
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which items of a kind, in which order. Filters that do not fit a kind find nothing.

    They are those of a workspace; with `elsewhere`, of any other.
    """

    kind: Listed
    workspace_id: int
    search: str = ""
    tag: str | None = None
    model: str | None = None
    system: str | None = None
    feasible: bool | None = None
    template: bool | None = None
    deleted: bool = False
    sort: Sort = "updated"
    elsewhere: Elsewhere | None = None

    @property
    def name(self) -> str:
        """What tells the tokens of this list from those of others."""
        ending = "/shared" if self.elsewhere else "/deleted" if self.deleted else ""
        return f"{self.kind}/{self.sort}{ending}"


def page_of(session: Session, asked: Asked, *, limit: int, after: str | None) -> Page[Saved]:
    """One page of saved work.

    Raises
    ------
    BadCursorError : `after` is no token of this list
    """
    tables = DESIGNS if asked.kind == "design" else TABLES[asked.kind]
    heads = tables.heads
    query = _with_document(tables).where(*_conditions(asked, tables))
    moved, id = heads.c.updated_at, heads.c.id
    if asked.tag is not None:
        query = query.join(tables.tags, tables.tags.c[tables.owner] == heads.c.id)
        # the same values, in the index of the tag
        moved, id = tables.tags.c.updated_at, tables.tags.c[tables.owner]
    if asked.sort == "name":
        query = query.order_by(heads.c.sort_name, heads.c.id)
    else:
        query = query.order_by(moved.desc(), id.desc())
    if after is not None and asked.sort == "name":
        place = place_of(after, asked.name, str, str)
        query = query.where(_after(heads.c.sort_name, heads.c.id, place))
    elif after is not None:
        text, last = place_of(after, asked.name, str, str)
        query = query.where(_before(moved, id, (_time(text, after), last)))
    rows = list(session.execute(query.limit(limit + 1)))
    items = tuple(saved_record(_kind(asked, row), row, row.document, row.note) for row in rows[:limit])
    if len(rows) <= limit:
        return Page(items=items, next=None)
    last_row = rows[limit - 1]
    place = last_row.sort_name if asked.sort == "name" else last_row.updated_at.isoformat()
    return Page(items=items, next=token(asked.name, place, last_row.id))


def revisions_of(session: Session, kind: Kind, id: str, *, limit: int, after: str | None) -> Page[Revision]:
    """Revisions of one thing that is saved, newest first.

    Raises
    ------
    BadCursorError : `after` is no token of this list
    """
    tables = TABLES[kind]
    table, name = tables.revisions, f"{kind}/{id}/revisions"
    columns = [column for column in table.c if column.name not in ("results", "expanded")]
    query = sa.select(*columns).where(table.c[tables.owner] == id).order_by(table.c.revision.desc())
    if after is not None:
        (number,) = place_of(after, name, int)
        query = query.where(table.c.revision < number)
    rows = list(session.execute(query.limit(limit + 1)))
    items = tuple(revision_record(kind, id, row) for row in rows[:limit])
    return Page(items=items, next=token(name, items[-1].revision) if len(rows) > limit else None)


def tags_in_use(session: Session, kind: Kind, workspace_id: int) -> tuple[tuple[str, int], ...]:
    """Tags with how many items have each, the most used first."""
    tables = TABLES[kind]
    tags, count = tables.tags, sa.func.count()
    query = sa.select(tags.c.tag, count).where(
        tags.c.workspace_id == workspace_id, tags.c.deleted == sa.false()
    )
    if "kind" in tables.heads.c:
        query = query.join(tables.heads, tables.heads.c.id == tags.c[tables.owner])
        query = query.where(tables.heads.c.kind == kind)
    rows = session.execute(query.group_by(tags.c.tag).order_by(count.desc(), tags.c.tag))
    return tuple((row[0], row[1]) for row in rows)


def scenarios_with(session: Session, id: str) -> tuple[Saved, ...]:
    """Scenarios whose newest revision names a design, by name."""
    heads, revisions = SCENARIOS.heads, SCENARIOS.revisions
    query = (
        _with_document(SCENARIOS)
        .join(USE, USE.c.scenario_revision_id == revisions.c.id)
        .where(USE.c.design_id == id, heads.c.deleted_at.is_(None))
        .order_by(heads.c.sort_name, heads.c.id)
    )
    return tuple(saved_record("scenario", row, row.document, row.note) for row in session.execute(query))


def _kind(asked: Asked, row: Any) -> Kind:
    kind: Kind = row.kind if asked.kind == "design" else asked.kind
    return kind


def _with_document(tables: Tables) -> sa.Select[Any]:
    heads, revisions = tables.heads, tables.revisions
    newest = sa.and_(revisions.c[tables.owner] == heads.c.id, revisions.c.revision == heads.c.revision)
    return sa.select(*heads.c, revisions.c.document, revisions.c.note).join(revisions, newest)


def _conditions(asked: Asked, tables: Tables) -> list[sa.ColumnElement[bool]]:
    heads = tables.heads.c
    found = [_where(asked, heads)]
    found.append(heads.deleted_at.is_not(None) if asked.deleted else heads.deleted_at.is_(None))
    if "kind" in heads and asked.kind != "design":
        found.append(heads.kind == asked.kind)
    if asked.tag is not None:
        tags = tables.tags.c
        if asked.elsewhere is None:
            found.append(tags.workspace_id == asked.workspace_id)
        found.append(tags.tag == asked.tag.strip().lower())
        found.append(tags.deleted == (sa.true() if asked.deleted else sa.false()))
    if asked.template is not None:
        found.append(heads.is_template == (sa.true() if asked.template else sa.false()))
    for name, value in (("model", asked.model), ("system", asked.system), ("feasible", asked.feasible)):
        if value is not None:
            found.append(heads[name] == value if name in heads else sa.false())
    found += [
        heads.search_text.contains(word, autoescape=True)
        for word in asked.search.casefold().split()[:WORDS_LOOKED_FOR]
    ]
    return found


def _where(asked: Asked, heads: Any) -> sa.ColumnElement[bool]:
    if asked.elsewhere is None:
        own: sa.ColumnElement[bool] = heads.workspace_id == asked.workspace_id
        return own
    granted = sa.select(GRANT.c.saved_id).where(GRANT.c.workspace_id.in_(asked.elsewhere.teams))
    seen = sa.or_(heads.id.in_(granted), heads.id.in_(asked.elsewhere.ids))
    return sa.and_(heads.workspace_id != asked.workspace_id, seen)


def _after(first: Any, second: Any, place: tuple[Any, ...]) -> sa.ColumnElement[bool]:
    return sa.tuple_(first, second) > sa.tuple_(*_bound(first, second, place))


def _before(first: Any, second: Any, place: tuple[Any, ...]) -> sa.ColumnElement[bool]:
    return sa.tuple_(first, second) < sa.tuple_(*_bound(first, second, place))


def _bound(first: Any, second: Any, place: tuple[Any, ...]) -> tuple[Any, Any]:
    """Values with the types of their columns, so that a time is compared as it is stored."""
    return sa.literal(place[0], first.type), sa.literal(place[1], second.type)


def _time(text: str, given: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise BadCursorError(given) from None
