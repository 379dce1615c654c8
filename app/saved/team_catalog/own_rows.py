"""Own rows of the catalog that a scenario rests on, as a section of its file.

Written in the columns of the tables, each number as
text that reads back to the last bit.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import textwrap
import zlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from app.catalog.climate import COLUMNS, HOURS, LIMITS, KeptYear, pack, unpack
from app.catalog.kinds import KINDS
from app.catalog.own.cells import lines_of, units_of
from app.catalog.own.columns import own_columns
from app.catalog.own.entries import Entry, FaultError, OwnSource
from app.catalog.own.parsing import check_source, known_unit
from app.catalog.values import Part
from app.catalog.view import CatalogView
from app.catalog.weather.year import KEY, MOST_LETTERS, UploadedYear, statistics_of
from app.saved.team_catalog.lines import Read, read_lines
from app.saved.team_catalog.rests_on import rests_on
from app.saved.team_catalog.tables import TextRow, TextTable
from app.scenarios.document.scenario import OWN_ROWS as SECTION
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import refuse
from app.scenarios.fields import Number
from app.scenarios.fields import Part as DocumentPart

MOST_LINES = 500
MOST_YEARS = 3
LONGEST_HOURS = 400_000  # letters of base64; a year has some 130,000
PACKED = len(COLUMNS) * HOURS * 4  # bytes of an unpacked year
CHUNK = 1_000

PLACE_OF_YEAR = ("latitude", "longitude", "elevation_m", "utc_offset_hours")


class OwnLine(DocumentPart):
    """A line of a table of own rows, as an import of the kind reads it."""

    cells: dict[str, str] = Field(max_length=200, description="Text of each column that is filled in.")
    units: dict[str, str] = Field(
        default={},
        max_length=200,
        description="Units of figures, by field, stated in another than the column's.",
    )


class OwnYear(DocumentPart):
    """An own climate year."""

    key: str = Field(pattern=f"^{KEY}$", description="Key that sites name.")
    name: str = Field(min_length=1, max_length=MOST_LETTERS, description="Name.")
    country: str = Field(default="", max_length=2, description="Country code.")
    year_kind: str = Field(default="", max_length=MOST_LETTERS, description="TMY, a measured year, ...")
    notes: str = Field(default="", max_length=4_000, description="What was done to the file.")
    source: str = Field(min_length=1, max_length=MOST_LETTERS, description="Source of the climate year.")
    url: str = Field(default="", max_length=1_000, description="Address of the source.")
    licence: str = Field(default="", max_length=MOST_LETTERS, description="Terms of the source.")
    as_of: str = Field(default="", max_length=10, description="When it was made.")
    latitude: Number = Field(description="Degrees.")
    longitude: Number = Field(description="Degrees.")
    elevation_m: Number = Field(description="Height of the station.")
    utc_offset_hours: Number = Field(description="Time zone.")
    hours: tuple[str, ...] = Field(
        strict=False, max_length=LONGEST_HOURS // CHUNK, description="Packed hourly columns, base64."
    )


class OwnRows(DocumentPart):
    """Own rows that a scenario rests on."""

    prices: Literal["included", "left out"] = Field(description="Whether own prices are among them.")
    left_out: tuple[str, ...] = Field(
        default=(), strict=False, max_length=MOST_LINES, description="Prices that stayed behind."
    )
    not_carried: tuple[str, ...] = Field(
        default=(),
        strict=False,
        max_length=MOST_LINES,
        description="Rows that could not be written, and why.",
    )
    tables: dict[str, Annotated[tuple[OwnLine, ...], Field(strict=False)]] = Field(
        default={}, max_length=len(KINDS), description="Lines by kind of row."
    )
    climate: tuple[OwnYear, ...] = Field(
        default=(), strict=False, max_length=MOST_YEARS, description="Own climate years."
    )

    @property
    def keys(self) -> tuple[str, ...]:
        """Rows as kind/key, each once."""
        lines = [f"{entry.kind}/{entry.key}" for entry in self.read().entries]
        return tuple(dict.fromkeys([*lines, *(f"climate/{year.key}" for year in self.climate)]))

    def read(self) -> Read:
        """Lines as an import reads them, and those that it refuses."""
        tables = []
        for kind, lines in self.tables.items():
            header = tuple(dict.fromkeys(name for line in lines for name in line.cells))
            rows = [TextRow(0, header)]
            rows += [
                TextRow(number, tuple(line.cells.get(name, "") for name in header))
                for number, line in enumerate(lines, start=1)
            ]
            tables.append(TextTable(kind, tuple(rows)))
        read = read_lines([table for table in tables if table.name in KINDS], "", lambda _: ("", []))
        for table in tables:
            if table.name not in KINDS:
                names = ", ".join(sorted(KINDS))
                raise refuse(
                    f"There is no kind {table.name[:60]!r}.",
                    rule="kind", path=f"{SECTION}.tables", hint=f"Kinds: {names}.",
                )  # fmt: skip
        entries = []
        for entry in read.entries:
            units = self.tables[entry.kind][entry.place.line - 1].units
            _check_units(entry, units)
            entries.append(dataclasses.replace(entry, units=units))
        return Read(entries, read.refused)

    def years(self) -> tuple[UploadedYear, ...]:
        """Climate years ready to be written; raises ScenarioError where one cannot be used."""
        return tuple(_uploaded(number, year) for number, year in enumerate(self.climate))

    def as_dict(self) -> dict[str, Any]:
        """Plain values, empty parts left out."""
        return self.model_dump(mode="json", exclude_defaults=True)


def own_rows_of(document: ScenarioDocument, view: CatalogView, *, prices: bool) -> OwnRows | None:
    """The own rows that a scenario rests on with a catalog, None where it rests on none.

    Without `prices` neither price and rental rows travel, nor any figure in US dollars of other rows.

    Raises
    ------
    ScenarioError : it rests on more rows than a file carries
    """
    found = rests_on(document, view)
    if found is None:
        return None
    years = [_year(kept, row) for kept, row in found.years]
    parts, lost = found.parts, found.lost
    tables: dict[str, list[OwnLine]] = {}
    left_out = []
    for (kind, _), row in sorted(parts.items()):
        priced, plain = _money(row)
        part = row if prices else plain
        left_out += [] if prices else priced
        if part is None:
            continue
        units = units_of(part)
        for line in lines_of(part, own=True, units=units):
            cells = {name: text for name, text in line.items() if text}
            in_line = {field: unit for field, unit in units.items() if _states(kind, cells, field)}
            tables.setdefault(kind, []).append(OwnLine(cells=cells, units=in_line))
    count = sum(map(len, tables.values()))
    if count > MOST_LINES or len(years) > MOST_YEARS:
        raise refuse(
            f"The scenario rests on {count:,} lines of own rows and {len(years)} own climate years; a file carries "
            f"{MOST_LINES:,} and {MOST_YEARS}.",
            rule="at_most",
            path=SECTION,
            hint="Export the tables of own rows by themselves, and import them first.",
        )
    if not (tables or years or left_out or lost):
        return None
    return OwnRows(
        prices="included" if prices else "left out",
        left_out=tuple(dict.fromkeys(left_out)),
        not_carried=tuple(lost),
        tables={kind: tuple(lines) for kind, lines in tables.items()},
        climate=tuple(years),
    )


def _states(kind: str, cells: Mapping[str, str], field: str) -> bool:
    column = own_columns(kind).figure_at(field)
    return column is not None and any(name in cells for name in column.printed)


def _money(part: Part) -> tuple[list[str], Part | None]:
    """What a row says of prices, in words, and the row without it; None where nothing else is left."""
    if KINDS[part.kind].table == "price":
        words = "rental of" if part.kind == "rentals" else "price of"
        about = part.attributes.get("part_key") or part.attributes.get("accelerator_key") or part.name
        return [f"{words} {about}"], None
    money = {field for field, fact in part.facts.items() if fact.own and "USD" in fact.unit}
    if not money:
        return [], part
    words_of_money = {"price_note"}
    plain = dataclasses.replace(
        part,
        facts={field: fact for field, fact in part.facts.items() if field not in money},
        attributes={name: text for name, text in part.attributes.items() if name not in words_of_money},
        stated=tuple(field for field in part.stated if field not in money | words_of_money),
    )
    told = [f"{field} of {part.kind}/{part.key}" for field in sorted(money)]
    is_empty = (part.is_override and not plain.stated) or part.kind == "assumptions"
    return told, None if is_empty else plain


def _year(kept: KeptYear, row: Part) -> OwnYear:
    place = {name: row.facts[name].value for name in PLACE_OF_YEAR}
    licence = "" if kept.licence == "not stated" else kept.licence
    any_fact = next(iter(row.facts.values()))
    return OwnYear(
        key=kept.key, name=kept.name, country=kept.country, year_kind=kept.year_kind, notes=kept.note,
        source=kept.source, url=any_fact.url, licence=licence, as_of=any_fact.date,
        hours=tuple(textwrap.wrap(kept.hours, CHUNK)), **place,
    )  # fmt: skip


def _check_units(entry: Entry, units: Mapping[str, str]) -> None:
    columns = own_columns(entry.kind)
    for field, unit in units.items():
        column = columns.figure_at(field)
        if column is None or column.field != field or not known_unit(column, unit):
            raise refuse(
                f"{field[:60]} of {entry.kind} cannot be stated in {unit[:60]!r}.",
                rule="unit",
                path=f"{SECTION}.tables.{entry.kind}[{entry.place.line - 1}].units",
                value=unit[:60],
                hint=f"Use {column.unit}." if column is not None else "Leave it out.",
            )


def _uploaded(number: int, year: OwnYear) -> UploadedYear:
    """A climate year of a file, its hours checked as those of an upload."""
    path = f"{SECTION}.climate[{number}]"
    source = OwnSource(
        citation=year.source, url=year.url, licence=year.licence, as_of=year.as_of, value_kind="third_party"
    )
    try:
        check_source(source, has_figures=bool(year.as_of))
    except FaultError as error:
        one = error.fault
        raise refuse(
            one.message, rule=one.rule, path=f"{path}.{one.column}", value=one.value, hint=one.hint
        ) from None
    try:
        packed = base64.b64decode("".join(year.hours), validate=True)
        plain = zlib.decompressobj().decompress(packed, PACKED + 1)
        if len(plain) != PACKED:
            raise ValueError
        hours = unpack(packed, ",".join(COLUMNS), HOURS)
    except (ValueError, zlib.error):
        hint = "Export the scenario again."
        raise refuse(
            f"The hours are not {HOURS:,} values a column.", rule="hours", path=f"{path}.hours", hint=hint
        ) from None
    for name, (low, high) in LIMITS.items():
        good = (hours[name] >= low) & (hours[name] <= high)
        if name == "wind_m_s":  # may be missing, as no model needs it
            good |= np.isnan(hours[name])
        if not good.all():
            first = int(np.flatnonzero(~good)[0])
            raise refuse(
                f"{name} of hour {first} is {hours[name][first]:g}, not between {low:g} and {high:g}.",
                rule="range",
                path=f"{path}.hours",
                hint="Export the scenario again.",
            )
    data = pack(hours)
    place = (year.latitude, year.longitude, year.elevation_m, year.utc_offset_hours)
    return UploadedYear(
        key=year.key,
        name=year.name,
        country=year.country,
        year_kind=year.year_kind,
        attributes={
            "name": year.name,
            "country": year.country,
            "year_kind": year.year_kind,
            "humidity": "as in the uploaded file",
            "licence_note": year.licence or "not stated: ask before passing it on",
            "notes": year.notes,
        },
        statistics=statistics_of(hours, place, year.as_of),
        data=data,
        digest=hashlib.sha256(data).hexdigest()[:16],
        source=source,
        notes=(),
    )
