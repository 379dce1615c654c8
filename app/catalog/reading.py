"""Reading rows of the database into plain values."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Engine

from app.catalog.climate import binned, unpack
from app.catalog.columns import numeric_columns
from app.catalog.errors import CatalogLookupError
from app.catalog.kinds import KINDS
from app.catalog.rows import point_value
from app.catalog.values import ClimateYear, Fact, Part, Price, RentalOffer
from app.db.tables import (
    AccountRow,
    ClimateYearRow,
    FactRow,
    PartRow,
    PriceRow,
    SourceRow,
    WorkspaceRow,
    table_of,
)

SOURCE, PART, FACT, PRICE, CLIMATE = (
    table_of(row) for row in (SourceRow, PartRow, FactRow, PriceRow, ClimateYearRow)
)
WORKSPACE, ACCOUNT = table_of(WorkspaceRow), table_of(AccountRow)


@dataclass(frozen=True)
class Reader:
    """Reads the built-in rows, and over them those of one workspace."""

    engine: Engine
    workspace_id: int | None

    def parts(self, kind: str) -> dict[str, Part]:
        """All rows of a kind by key.

        A workspace's own part says some things differently from the built-in part of its key, and the rest
        stays; an own price stands in place of the built-in one, for it is one figure with its date.
        """
        table = KINDS[kind].table
        if table == "price":
            return {part.key: part for part in self._price_parts(kind)}
        if table == "climate_year":
            return {part.key: part for part in self._climate_parts()}
        found: dict[str, Part] = {}
        for part in self._plain_parts(kind):
            beneath = found.get(part.key)
            found[part.key] = part if beneath is None else laid_over(part, beneath)
        return found

    def prices(self) -> Iterator[Price]:
        """Every row of prices.csv and its like, own ones in place of built-in ones of the same key."""
        for row in {row.key: row for row in self._rows(self._priced("prices"))}.values():
            yield Price(
                key=row.key,
                part_key=row.part_key or "",
                item=row.item,
                condition=row.condition,
                value=_point(row),
                low=row.low,
                typical=row.typical,
                high=row.high,
                unit=row.unit,
                printed_unit=row.printed_unit,
                kind=row.value_kind,
                source=row.citation,
                url=row.url,
                as_of=row.as_of,
                confidence=row.confidence,
                licence=row.licence,
                note=row.attributes.get("notes", ""),
                own=_own(row),
                channel=row.attributes.get("channel", ""),
                basis=row.attributes.get("basis", ""),
                reliability=row.attributes.get("reliability", "usable"),
                reliability_reason=row.attributes.get("reliability_reason", ""),
            )

    def rentals(self) -> Iterator[RentalOffer]:
        """Every offer, the same way."""
        for row in {row.key: row for row in self._rows(self._priced("rentals"))}.values():
            yield RentalOffer(
                key=row.key,
                accelerator_key=row.part_key,
                kind=row.condition,
                provider=row.attributes.get("provider", ""),
                vendor_class=row.attributes.get("vendor_class", ""),
                region=row.attributes.get("region", ""),
                instance=row.attributes.get("instance", ""),
                term=row.term,
                date=row.as_of,
                usd_per_accelerator_hour=_point(row),
                value_kind=row.value_kind,
                source=row.citation,
                url=row.url,
                confidence=row.confidence,
                licence=row.licence,
                note=row.attributes.get("notes", ""),
                own=_own(row),
            )

    def climate_year(self, key: str) -> ClimateYear:
        """One year with its hours and bins."""
        query = self._with_source(CLIMATE).where(CLIMATE.c.key == key)
        rows = self._rows(query)
        if not rows:
            raise CatalogLookupError(f"there is no climate year {key!r}")
        row = rows[-1]
        hours = unpack(row.data, row.columns, row.hours)
        bins = binned(
            dry_bulb_c=hours["dry_bulb_c"],
            wet_bulb_c=hours["wet_bulb_c"],
            pressure_pa=hours["pressure_pa"],
        )
        return ClimateYear(
            key=row.key,
            name=row.name,
            country=row.country,
            year_kind=row.year_kind,
            humidity=row.attributes.get("humidity", ""),
            note=row.attributes.get("notes", ""),
            source=row.citation,
            credit=row.credit,
            licence=row.licence,
            ship=row.ship,
            digest=row.digest,
            binned_dry_bulb_c=bins.dry_bulb_c,
            binned_wet_bulb_c=bins.wet_bulb_c,
            binned_pressure_pa=bins.pressure_pa,
            binned_hours=bins.hours,
            own=_own(row),
            **hours,
        )

    def has_own(self) -> bool:
        """Return whether the workspace has any row of its own."""
        mine = [sa.select(table.c.id).where(table.c.workspace_id == self.workspace_id).limit(1)
                for table in (PART, FACT, PRICE, CLIMATE)]  # fmt: skip
        return any(self._rows(query) for query in mine)

    def own_keys(self) -> tuple[tuple[str, str], ...]:
        """Kind and key of the workspace's own rows, in the order of kinds."""
        queries = (
            sa.select(table.c.kind, table.c.key).where(table.c.workspace_id == self.workspace_id)
            for table in (PART, PRICE)
        )
        found = [(row.kind, row.key) for query in queries for row in self._rows(query)]
        years = sa.select(CLIMATE.c.key).where(CLIMATE.c.workspace_id == self.workspace_id)
        return tuple(sorted([*found, *(("climate", row.key) for row in self._rows(years))]))

    def _plain_parts(self, kind: str) -> Iterator[Part]:
        parts = self._rows(self._with_source(PART).where(PART.c.kind == kind))
        facts: dict[int, dict[str, Fact]] = defaultdict(dict)
        query = self._with_source(FACT).join(PART, PART.c.id == FACT.c.part_id).where(PART.c.kind == kind)
        for row in self._rows(query):
            facts[row.part_id][row.field] = _fact(row)
        for row in parts:
            yield Part(
                kind=kind,
                key=row.key,
                name=row.name,
                vendor=row.vendor,
                year=row.year,
                status=row.status,
                attributes=row.attributes,
                facts=facts.get(row.id, {}),
                source=row.citation or "",
                workspace_id=row.workspace_id,
                revision=row.revision,
                own=_own(row),
            )

    def _price_parts(self, kind: str) -> Iterator[Part]:
        for row in self._rows(self._priced(kind)):
            low_high = " to ".join(f"{value:g}" for value in (row.low, row.high) if value is not None)
            printed = f"{row.typical:g}" if row.typical is not None else low_high
            fact = _fact(row, value=_point(row), kind=row.value_kind, printed_value=printed)
            yield Part(
                kind=kind,
                key=row.key,
                name=row.item,
                vendor=row.attributes.get("provider", ""),
                year=None,
                status="",
                attributes=row.attributes,
                facts={"value": fact},
                source=row.citation,
                workspace_id=row.workspace_id,
                revision=row.revision,
                own=_own(row),
            )

    def _climate_parts(self) -> Iterator[Part]:
        columns = [column for column in CLIMATE.c if column.name != "data"]
        for row in self._rows(self._with_source(CLIMATE, columns)):
            yield Part(
                kind="climate",
                key=row.key,
                name=row.name,
                vendor="",
                year=None,
                status="",
                attributes=row.attributes,
                facts={name: _fact(row, **statistic) for name, statistic in row.statistics.items()},
                source=row.citation,
                workspace_id=row.workspace_id,
                revision=row.revision,
                own=_own(row),
            )

    def _priced(self, kind: str) -> sa.Select[Any]:
        query = self._with_source(PRICE).outerjoin(PART, PART.c.id == PRICE.c.part_id)
        return query.add_columns(PART.c.key.label("part_key")).where(PRICE.c.kind == kind)

    def _with_source(self, table: sa.Table, columns: list[sa.Column[Any]] | None = None) -> sa.Select[Any]:
        """Rows with their sources, built-in ones first, so that a workspace's own come after and win."""
        own = sa.or_(table.c.workspace_id.is_(None), table.c.workspace_id == (self.workspace_id or 0))
        chosen = [column for column in (columns or table.c) if column.name != "as_of"]
        dates = [table.c.as_of] if "as_of" in table.c else [SOURCE.c.as_of]
        terms = (SOURCE.c.citation, SOURCE.c.url, SOURCE.c.licence, SOURCE.c.ship, SOURCE.c.credit)
        who = (WORKSPACE.c.name.label("team"), ACCOUNT.c.name.label("author"))
        query = (
            sa.select(*chosen, *dates, *terms, *who)
            .outerjoin(SOURCE, SOURCE.c.id == table.c.source_id)
            .outerjoin(WORKSPACE, WORKSPACE.c.id == table.c.workspace_id)
            .outerjoin(ACCOUNT, ACCOUNT.c.id == table.c.created_by)
        )
        # own rows have no place of a file: they stand in the order in which they were made
        place = [table.c.position] if "position" in table.c else []
        order = (table.c.workspace_id.is_not(None), *place, table.c.id)
        return query.where(own).order_by(*order)

    def _rows(self, query: sa.Select[Any]) -> list[Any]:
        with self.engine.connect() as connection:
            return list(connection.execute(query))


def laid_over(own: Part, beneath: Part) -> Part:
    """A built-in part as a workspace has it: what its own row does not say stays the built-in part's."""
    facts = dict(beneath.facts)
    if own.kind == "models" and own.facts:  # what was counted of the built-in shape is not of this one
        counted = {column.field for column in numeric_columns(KINDS["models"]) if column.derived}
        facts = {name: fact for name, fact in facts.items() if name not in counted}
    return dataclasses.replace(
        beneath,
        name=own.name or beneath.name,
        vendor=own.vendor or beneath.vendor,
        year=own.year or beneath.year,
        status=own.status or beneath.status,
        attributes={**beneath.attributes, **own.attributes},
        facts={**facts, **own.facts},
        source=beneath.source or own.source,
        workspace_id=own.workspace_id,
        revision=own.revision,
        own=own.own,
        stated=(*(["year"] if own.year else []), *own.attributes, *own.facts),
    )


def _own(row: Any) -> str:
    """Whose own row it is, and who entered it when; "" for a built-in one."""
    if row.workspace_id is None:
        return ""
    by = f" by {row.author}" if row.author else ""
    return f"{row.team}, entered{by} on {row.created_at:%Y-%m-%d}"


def _point(row: Any) -> float:
    value = point_value(row.low, row.typical, row.high)
    if value is None:
        raise CatalogLookupError(f"{row.kind} {row.key!r} has neither a typical value nor a range")
    return value


def _fact(row: Any, **given: Any) -> Fact:
    """A fact from a row that has its columns, or from `given` where it has not."""
    return Fact(
        source=row.citation,
        url=row.url,
        licence=row.licence,
        ship=row.ship,
        credit=row.credit,
        own=_own(row) if row.workspace_id is not None else "",
        **(_stated(row, given) if given else _columns_of(row)),
    )


def _columns_of(row: Any) -> dict[str, Any]:
    """What a row of the table of facts says; thousands are read before the first page."""
    return {
        "value": row.value,
        "low": row.low,
        "typical": row.typical,
        "high": row.high,
        "unit": row.unit,
        "printed_value": row.printed_value,
        "printed_unit": row.printed_unit,
        "printed_column": row.printed_column,
        "kind": row.kind,
        "date": row.as_of,
        "confidence": row.confidence,
    }


def _stated(row: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The same of a row of another table."""
    names = ("value", "low", "typical", "high", "unit", "printed_value", "printed_unit", "kind", "confidence")
    found = {name: given[name] if name in given else getattr(row, name, None) for name in names}
    date = given["as_of"] if "as_of" in given else getattr(row, "as_of", None)
    column = given["printed_column"] if "printed_column" in given else getattr(row, "printed_column", "")
    return {**found, "date": date, "printed_column": column}
