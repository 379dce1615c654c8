"""Writing the catalog's own rows. Rows of a workspace are never touched.

Built-in parts, prices and climate years keep their ids, since rows of a workspace may refer to them;
facts have no one who refers to them and are written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy import Connection

from app.catalog.climate import COLUMNS, HOURS, pack
from app.catalog.kinds import KINDS
from app.catalog.provenance import Citation
from app.catalog.rows import SeedFact, SeedRecord
from app.catalog.seed import ClimateSeed
from app.db.tables import ClimateYearRow, FactRow, PartRow, PriceRow, SourceRow, table_of
from app.db.tables.base import now

Values: TypeAlias = dict[str, Any]
SourceIds: TypeAlias = Mapping[tuple[str, str], int]

WITHDRAWN = "withdrawn"
"""Status of a built-in part that left the seed files but that a workspace still refers to."""


SOURCE, PART, FACT, PRICE, CLIMATE = (
    table_of(row) for row in (SourceRow, PartRow, FactRow, PriceRow, ClimateYearRow)
)


def store_sources(connection: Connection, citations: Iterable[Citation]) -> dict[tuple[str, str], int]:
    """Every citation once; ids by text and address."""
    rows: dict[tuple[str, ...], Values] = {}
    for citation in citations:
        rows[citation.text, citation.url] = {
            "citation": citation.text,
            "url": citation.url,
            "families": ";".join(citation.families),
            "kind": citation.kind,
            "licence": citation.licence,
            "licence_basis": citation.licence_basis,
            "ship": citation.ship,
            "credit": citation.credit,
            "as_of": citation.as_of,
        }
    found = _upsert(connection, SOURCE, ("citation", "url"), rows)
    return {(text, url): number for (text, url), number in found.items()}


def store_parts(
    connection: Connection, records: Mapping[str, list[SeedRecord]], sources: SourceIds
) -> dict[tuple[str, str], int]:
    """Parts and their facts; ids by kind and key."""
    rows: dict[tuple[str, ...], Values] = {}
    for kind, found in records.items():
        if KINDS[kind].table == "part":
            for position, record in enumerate(found):
                rows[kind, record.key] = _part(kind, position, record, sources)
    ids = _upsert(connection, PART, ("kind", "key"), rows)
    kept = list(ids.values())  # a part that was withdrawn keeps its facts for anyone who refers to it
    connection.execute(FACT.delete().where(FACT.c.workspace_id.is_(None), FACT.c.part_id.in_(kept)))
    facts = [
        _fact(fact, ids[kind, record.key], sources)
        for kind, found in records.items()
        if KINDS[kind].table == "part"
        for record in found
        for fact in record.facts.values()
    ]
    connection.execute(FACT.insert(), _stamped(facts))
    return {(kind, key): number for (kind, key), number in ids.items()}


def store_prices(
    connection: Connection,
    records: Mapping[str, list[SeedRecord]],
    parts: Mapping[tuple[str, str], int],
    sources: SourceIds,
) -> None:
    """Purchase prices, rates and rentals."""
    hardware = {key: number for (kind, key), number in parts.items() if KINDS[kind].hardware}
    rows: dict[tuple[str, ...], Values] = {}
    for kind, found in records.items():
        if KINDS[kind].table == "price":
            for position, record in enumerate(found):
                rows[kind, record.key] = _price(kind, position, record, hardware, sources)
    _upsert(connection, PRICE, ("kind", "key"), rows)


def store_climate(connection: Connection, years: Iterable[ClimateSeed], sources: SourceIds) -> None:
    """Climate years with their hours."""
    rows: dict[tuple[str, ...], Values] = {}
    for position, year in enumerate(years):
        rows[year.record.key,] = _climate_year(position, year, sources)
    _upsert(connection, CLIMATE, ("key",), rows)


def remove_unused(connection: Connection, parts: Mapping[tuple[str, str], int]) -> None:
    """Built-in parts that left the seed files, and sources that nothing cites any more."""
    builtin = PART.c.workspace_id.is_(None)
    gone = [
        row.id
        for row in connection.execute(sa.select(PART.c.id, PART.c.kind, PART.c.key).where(builtin))
        if (row.kind, row.key) not in parts
    ]
    for number in gone:
        over = PART.alias()
        same = (over.c.kind == PART.c.kind, over.c.key == PART.c.key, over.c.workspace_id.is_not(None))
        referring = sa.union(
            sa.select(FACT.c.id).where(FACT.c.part_id == number, FACT.c.workspace_id.is_not(None)),
            sa.select(PRICE.c.id).where(PRICE.c.part_id == number),
            sa.select(over.c.id).join(PART, sa.and_(*same)).where(PART.c.id == number),
        )
        if connection.execute(referring).first() is None:
            connection.execute(FACT.delete().where(FACT.c.part_id == number))
            connection.execute(PART.delete().where(PART.c.id == number))
        else:
            connection.execute(PART.update().where(PART.c.id == number).values(status=WITHDRAWN))
    cited = sa.union(
        *(
            sa.select(table.c.source_id).where(table.c.source_id.is_not(None))
            for table in (PART, FACT, PRICE, CLIMATE)
        )
    )
    connection.execute(SOURCE.delete().where(SOURCE.c.workspace_id.is_(None), SOURCE.c.id.not_in(cited)))


def _upsert(
    connection: Connection, table: sa.Table, keys: tuple[str, ...], rows: dict[tuple[str, ...], Values]
) -> dict[tuple[str, ...], int]:
    """Insert what is new, change what differs; parts and sources that are gone wait for `remove_unused`."""
    builtin = table.c.workspace_id.is_(None)
    stored = {
        tuple(getattr(row, key) for key in keys): row
        for row in connection.execute(sa.select(table).where(builtin))
    }
    new = [values for key, values in rows.items() if key not in stored]
    if new:
        connection.execute(table.insert(), _stamped(new, revision=1 if "revision" in table.c else None))
    for key, values in rows.items():
        if key in stored and _differs(stored[key], values):
            changed = dict(values)
            if "revision" in table.c:
                changed["revision"] = stored[key].revision + 1
            connection.execute(table.update().where(table.c.id == stored[key].id).values(**changed))
    if table in (PRICE, CLIMATE):
        gone = [row.id for key, row in stored.items() if key not in rows]
        connection.execute(table.delete().where(table.c.id.in_(gone)))
    selected = connection.execute(sa.select(table.c.id, *(table.c[key] for key in keys)).where(builtin))
    return {tuple(row[1:]): row[0] for row in selected if tuple(row[1:]) in rows}


def _differs(stored: Any, values: Values) -> bool:
    return any(getattr(stored, name) != value for name, value in values.items())


def _stamped(rows: list[Values], revision: int | None = None) -> list[Values]:
    common: Values = {"workspace_id": None, "created_by": None, "created_at": now()}
    if revision is not None:
        common["revision"] = revision
    return [{**row, **common} for row in rows]


def _part(kind: str, position: int, record: SeedRecord, sources: SourceIds) -> Values:
    spec = KINDS[kind]
    attributes = dict(record.attributes)
    vendor = attributes.get(spec.vendor_field, "") if spec.vendor_field else ""
    return {
        "kind": kind,
        "key": record.key,
        "name": attributes.get(spec.name_field, record.key),
        "vendor": vendor,
        "year": getattr(record.spec, "year", None),
        "status": attributes.get("status", ""),
        "position": position,
        "attributes": attributes,
        "source_id": sources[record.citation.text, record.citation.url] if record.citation.text else None,
    }


def _fact(fact: SeedFact, part_id: int, sources: SourceIds) -> Values:
    return {
        "part_id": part_id,
        "field": fact.field,
        "value": fact.value,
        "low": fact.low,
        "typical": fact.typical,
        "high": fact.high,
        "unit": fact.unit,
        "printed_value": fact.printed_value,
        "printed_unit": fact.printed_unit,
        "printed_column": fact.printed_column,
        "kind": fact.kind,
        "confidence": fact.confidence,
        "as_of": fact.as_of,
        "source_id": sources[fact.citation.text, fact.citation.url],
    }


def _price(
    kind: str, position: int, record: SeedRecord, hardware: Mapping[str, int], sources: SourceIds
) -> Values:
    fact = record.facts["value"]
    attributes = dict(record.attributes)
    part_key = attributes.get("part_key") or attributes.get("accelerator_key")
    others = {name: other.value for name, other in record.facts.items() if name != "value"}
    rental = kind == "rentals"
    return {
        "kind": kind,
        "key": record.key,
        "part_id": hardware[part_key] if part_key else None,
        "item": attributes[KINDS[kind].name_field],
        "condition": attributes.get("terms" if rental else "condition", ""),
        "term": attributes.get("term", ""),
        "low": fact.low,
        "typical": fact.value if rental else fact.typical,
        "high": fact.high,
        "unit": fact.unit,
        "printed_unit": fact.printed_unit,
        "value_kind": fact.kind,
        "confidence": fact.confidence,
        "as_of": (record.row.cells["date"] if rental else record.row.cells["as_of"]).strip(),
        "position": position,
        "attributes": {**attributes, **others},
        "source_id": sources[fact.citation.text, fact.citation.url],
    }


def climate_digests(connection: Connection) -> dict[str, str]:
    """The built-in climate years that are stored, by key, with what they were made of."""
    query = sa.select(CLIMATE.c.key, CLIMATE.c.digest).where(CLIMATE.c.workspace_id.is_(None))
    return {row.key: row.digest for row in connection.execute(query)}


def _climate_year(position: int, year: ClimateSeed, sources: SourceIds) -> Values:
    record = year.record
    values: Values = {
        "key": record.key,
        "name": record.attributes["name"],
        "country": record.attributes["country"],
        "year_kind": record.attributes["year_kind"],
        "position": position,
        "attributes": dict(record.attributes),
        "statistics": {fact.field: _statistic(fact) for fact in record.facts.values()},
        "digest": year.digest,
        "source_id": sources[record.citation.text, record.citation.url],
    }
    if year.hours is not None:
        values |= {"hours": HOURS, "columns": ",".join(COLUMNS), "data": pack(year.hours)}
    return values


def _statistic(fact: SeedFact) -> Values:
    names = (
        "value",
        "unit",
        "printed_value",
        "printed_unit",
        "printed_column",
        "kind",
        "confidence",
        "as_of",
    )
    return {name: getattr(fact, name) for name in names}
