"""Writing what was planned for a workspace: all of it or nothing, counted so that every catalog notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Connection

from app.catalog.climate import COLUMNS, HOURS
from app.catalog.kinds import KINDS
from app.catalog.own.entries import VALUE_KINDS
from app.catalog.own.known import whole_attributes
from app.catalog.own.parsing import Stated
from app.catalog.own.planning import Write
from app.catalog.provenance import Citation
from app.catalog.rows import SeedFact
from app.catalog.store import CLIMATE, FACT, PART, PRICE, SOURCE
from app.catalog.weather.year import UploadedYear
from app.db.tables import WorkspaceRow, table_of
from app.db.tables.base import now

Values: TypeAlias = dict[str, Any]
WORKSPACE = table_of(WorkspaceRow)


def count_change(connection: Connection, workspace_id: int) -> int:
    """Say that the rows of a workspace change; how often they had before. Others who write wait from here on."""
    mine = WORKSPACE.c.id == workspace_id
    connection.execute(WORKSPACE.update().where(mine).values(catalog_changes=WORKSPACE.c.catalog_changes + 1))
    after = connection.execute(sa.select(WORKSPACE.c.catalog_changes).where(mine)).scalar_one()
    return int(after) - 1


def write_all(
    connection: Connection, workspace_id: int, writes: Iterable[Write], *, created_by: str | None
) -> None:
    """Write every row, and forget sources that nothing cites any more."""
    writer = _Writer(connection, workspace_id, created_by)
    for write in writes:
        if write.year is not None:
            writer.year(write.year)
        elif write.stated is None:
            writer.remove(write.kind, write.key)
        elif KINDS[write.kind].table == "price":
            writer.price(write.stated)
        else:
            writer.part(write.stated, replace=write.replace)
    writer.sources.forget_uncited()


@dataclass
class Sources:
    """`insert` writes a row of the workspace, and says its number."""

    connection: Connection
    workspace_id: int
    insert: Callable[[sa.Table, dict[str, Any]], int]
    written: dict[tuple[str, str], int] = field(default_factory=dict)

    def number(self, citation: Citation) -> int:
        """The row of a source, which says from now on what this citation does."""
        cited = (citation.text, citation.url)
        if cited in self.written:
            return self.written[cited]
        values: dict[str, Any] = {
            "families": ";".join(citation.families),
            "kind": citation.kind if citation.kind in VALUE_KINDS else "assumption",
            "licence": citation.licence,
            "licence_basis": citation.licence_basis,
            "ship": citation.ship,
            "credit": citation.credit,
            "as_of": citation.as_of,
        }
        mine = (SOURCE.c.workspace_id == self.workspace_id,)
        same = (SOURCE.c.citation == citation.text, SOURCE.c.url == citation.url)
        found = self.connection.execute(sa.select(SOURCE.c.id).where(*mine, *same)).scalar()
        if found is None:
            found = self.insert(SOURCE, {"citation": citation.text, "url": citation.url, **values})
        else:
            self.connection.execute(SOURCE.update().where(SOURCE.c.id == found).values(**values))
        self.written[cited] = found
        return found

    def forget_uncited(self) -> None:
        """Sources of the workspace that nothing cites any more."""
        cited = sa.union(
            *(
                sa.select(table.c.source_id).where(
                    table.c.workspace_id == self.workspace_id, table.c.source_id.is_not(None)
                )
                for table in (PART, FACT, PRICE, CLIMATE)
            )
        )
        mine = SOURCE.c.workspace_id == self.workspace_id
        self.connection.execute(SOURCE.delete().where(mine, SOURCE.c.id.not_in(cited)))


@dataclass
class _Writer:
    connection: Connection
    workspace_id: int
    created_by: str | None
    sources: Sources = field(init=False)

    def __post_init__(self) -> None:
        self.sources = Sources(self.connection, self.workspace_id, self._insert)

    def part(self, stated: Stated, *, replace: bool) -> None:
        """An own part, or what is said differently of a built-in one."""
        there = self._own(PART, stated.kind, stated.key)
        is_override = self._builtin_part(stated.kind, stated.key) is not None
        attributes = {name: text for name, text in stated.texts.items() if name != "year"}
        before: Values = {} if there is None or replace else dict(there.attributes)
        if not is_override:
            attributes = whole_attributes(stated)
        spec = KINDS[stated.kind]
        said = {**before, **attributes}
        year = stated.texts.get("year") or (there.year if there is not None and not replace else None)
        values: Values = {
            "name": said.get(spec.name_field, ""),
            "vendor": said.get(spec.vendor_field, "") if spec.vendor_field else "",
            "year": year,
            "status": said.get("status", ""),
            "attributes": said,
            "source_id": self.sources.number(stated.source.cited()) if stated.source.citation else None,
        }
        if there is None:
            named = {"kind": stated.kind, "key": stated.key, "revision": 1, "position": 0}
            number = self._insert(PART, {**named, **values})
        else:
            number = there.id
            changed = {**values, "revision": there.revision + 1}
            self.connection.execute(PART.update().where(PART.c.id == number).values(**changed))
        gone = FACT.c.part_id == number
        if not replace:
            gone &= FACT.c.field.in_(list(stated.facts))
        self.connection.execute(FACT.delete().where(gone))
        for fact in stated.facts.values():
            self._insert(
                FACT, {"part_id": number, **_fact(fact), "source_id": self.sources.number(fact.citation)}
            )

    def price(self, stated: Stated) -> None:
        """An own price or rental; it stands whole in place of a built-in one of its key."""
        there = self._own(PRICE, stated.kind, stated.key)
        fact = stated.record.facts["value"]
        attributes = whole_attributes(stated)
        part_key = attributes.get("part_key") or attributes.get("accelerator_key")
        others = {name: other.value for name, other in stated.record.facts.items() if name != "value"}
        present = dict(there.attributes) if there is not None else {}
        rental = stated.kind == "rentals"
        source = fact.citation if "value" in stated.facts else stated.source.cited()
        values: Values = {
            "part_id": self._hardware(str(part_key)) if part_key else None,
            "item": attributes[KINDS[stated.kind].name_field],
            "condition": attributes.get("terms" if rental else "condition", ""),
            "term": attributes.get("term", ""),
            "low": fact.low,
            "typical": fact.value if rental else fact.typical,
            "high": fact.high,
            "unit": fact.unit,
            "printed_unit": fact.printed_unit,
            "value_kind": fact.kind,
            "confidence": fact.confidence,
            "as_of": fact.as_of,
            "attributes": {**_numbers(present), **attributes, **others},
            "source_id": self.sources.number(source),
        }
        if there is None:
            named = {"kind": stated.kind, "key": stated.key, "revision": 1, "position": 0}
            self._insert(PRICE, {**named, **values})
            return
        changed = {
            **values,
            "revision": there.revision + 1,
            "created_by": self.created_by,
            "created_at": now(),
        }
        self.connection.execute(PRICE.update().where(PRICE.c.id == there.id).values(**changed))

    def year(self, year: UploadedYear) -> None:
        """A climate year, whole in place of one of its key."""
        values: Values = {
            "name": year.name,
            "country": year.country,
            "year_kind": year.year_kind,
            "attributes": year.attributes,
            "statistics": year.statistics,
            "hours": HOURS,
            "digest": year.digest,
            "columns": ",".join(COLUMNS),
            "data": year.data,
            "source_id": self.sources.number(year.source.cited()),
        }
        there = self._own(CLIMATE, "climate", year.key)
        if there is None:
            self._insert(CLIMATE, {"key": year.key, "revision": 1, "position": 0, **values})
            return
        changed = {
            **values,
            "revision": there.revision + 1,
            "created_by": self.created_by,
            "created_at": now(),
        }
        self.connection.execute(CLIMATE.update().where(CLIMATE.c.id == there.id).values(**changed))

    def remove(self, kind: str, key: str) -> None:
        """An own row goes, and with it what it says of a built-in one. Prices of a part stay with the built-in."""
        table = {"price": PRICE, "climate_year": CLIMATE}.get(KINDS[kind].table, PART)
        there = self._own(table, kind, key)
        if there is None:
            return
        if table is PART:
            self.connection.execute(FACT.delete().where(FACT.c.part_id == there.id))
            beneath = self._builtin_part(kind, key)
            self.connection.execute(PRICE.update().where(PRICE.c.part_id == there.id).values(part_id=beneath))
        self.connection.execute(table.delete().where(table.c.id == there.id))

    def _own(self, table: sa.Table, kind: str, key: str) -> Any:
        mine = [table.c.workspace_id == self.workspace_id, table.c.key == key]
        if table is not CLIMATE:  # which holds one kind
            mine.append(table.c.kind == kind)
        return self.connection.execute(sa.select(table).where(*mine)).first()

    def _builtin_part(self, kind: str, key: str) -> int | None:
        query = sa.select(PART.c.id).where(
            PART.c.workspace_id.is_(None), PART.c.kind == kind, PART.c.key == key
        )
        return self.connection.execute(query).scalar()

    def _hardware(self, key: str) -> int:
        """The part that a price is for: the built-in one where there is one, which an own row may only lie over."""
        kinds = [kind for kind, spec in KINDS.items() if spec.hardware]
        theirs = sa.or_(PART.c.workspace_id.is_(None), PART.c.workspace_id == self.workspace_id)
        query = (
            sa.select(PART.c.id)
            .where(theirs, PART.c.kind.in_(kinds), PART.c.key == key)
            .order_by(PART.c.workspace_id.is_not(None), PART.c.id)
        )
        return int(self.connection.execute(query).scalars().first() or 0)

    def _insert(self, table: sa.Table, values: Values) -> int:
        owned: Values = {
            "workspace_id": self.workspace_id, "created_by": self.created_by, "created_at": now(),
        }  # fmt: skip
        result = self.connection.execute(table.insert().values(**values, **owned))
        return int(result.inserted_primary_key[0])  # type: ignore[index]


def _numbers(attributes: Values) -> Values:
    """Figures of a price that stand among its words."""
    return {
        name: value
        for name, value in attributes.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def _fact(fact: SeedFact) -> Values:
    names = (
        "field", "value", "low", "typical", "high", "unit", "printed_value", "printed_unit",
        "printed_column", "kind", "confidence", "as_of",
    )  # fmt: skip
    return {name: getattr(fact, name) for name in names}
