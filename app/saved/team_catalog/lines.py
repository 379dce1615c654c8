"""Tables of text -> lines about rows of the catalog: a column a field, or a line a field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.catalog.kinds import KINDS
from app.catalog.own.columns import (
    NOT_OWN,
    RECALLED,
    SOURCE_COLUMNS,
    column_named,
    key_of,
    own_columns,
    own_kinds,
    source_column,
)
from app.catalog.own.entries import Entry, Fault, FaultError, OwnSource, Place
from app.catalog.own.parsing import known_unit
from app.catalog.own.planning import Line
from app.likeness import most_like
from app.saved.team_catalog.tables import TextRow, TextTable

LONG = {
    "part_kind": "kind", "kind": "kind", "part": "key", "key": "key", "field": "field", "value": "value",
    "typical": "value", "low": "low", "high": "high", "unit": "unit",
}  # fmt: skip
"""Columns of a table with a line a field, and what each stands for."""

KindOf = Callable[[str], tuple[str, list[str]]]
"""The kind of the row that has a key, "" where there is none or several, and the keys that are nearest then."""


class Read(NamedTuple):
    """What could be read, and the lines that could not."""

    entries: list[Entry]
    refused: list[Line]


@dataclass(frozen=True)
class _Reader:
    table: TextTable
    header: tuple[str, ...]
    kind: str
    kind_of: KindOf
    read: Read = field(default_factory=lambda: Read([], []))

    def line(self, row: TextRow) -> None:
        """One line, read or refused."""
        try:
            if len(row.cells) > len(self.header) and any(row.cells[len(self.header) :]):
                raise FaultError(
                    f"The line has {len(row.cells)} cells where the header has {len(self.header)}.",
                    rule="cells",
                    hint="Put quotes around a cell that holds the sign between cells.",
                )
            cells = {name: text for name, text in zip(self.header, row.cells, strict=False) if text and name}
            place = Place(line=row.line, sheet=self.table.name)
            self.read.entries.append(
                self._of_field(cells, place) if "field" in self.header else self._of_row(cells, place)
            )
        except FaultError as error:
            self.refuse(row.line, error.fault, _key_in(self.kind, self.header, row))

    def refuse(self, line: int, fault: Fault, key: str = "") -> None:
        """Report a line that cannot be read."""
        place = Place(line=line, sheet=self.table.name)
        refused = Line(place=place, kind=self.kind, key=key, outcome="refused", faults=(fault,))
        self.read.refused.append(refused)

    def _of_row(self, cells: Mapping[str, str], place: Place) -> Entry:
        said = {name: text for name, text in cells.items() if not source_column(self.kind, name)}
        said.pop(RECALLED, None)
        if RECALLED in cells:
            raise FaultError(
                f"{RECALLED} is not read here.",
                rule="unknown_column",
                column=RECALLED,
                value=cells[RECALLED][:60],
                hint="Give what was recalled a line of its own, with the confidence recalled.",
            )
        key = key_of(self.kind, said)
        if not key:
            raise FaultError("key is missing.", rule="missing", column="key", hint="Name the row.")
        if self.kind not in ("aliases", "assumptions"):
            said.pop("key", None)
        return Entry(kind=self.kind, key=key, cells=said, source=self._source(self.kind, cells), place=place)

    def _of_field(self, cells: Mapping[str, str], place: Place) -> Entry:
        """A line that states one field."""
        said = {LONG[name]: text for name, text in cells.items() if name in LONG}
        key, name = said.get("key", ""), said.get("field", "")
        if not key or not name:
            column = "field" if key else "key"
            raise FaultError(f"{column} is missing.", rule="missing", column=column, hint="Fill it in.")
        kind = said.get("kind") or self.kind
        near: list[str] = []
        if not kind:
            kind, near = self.kind_of(key)
        _check_kind(kind, key, near)
        columns = own_columns(kind)
        name = column_named(kind, name)
        figure = columns.figure_at(name)
        fields = {field: column for column, field in columns.text.items()}
        units: dict[str, str] = {}
        if figure is not None:
            stated = {figure.column: "value", figure.low: "low", figure.high: "high"}
            filled = {column: said[word] for column, word in stated.items() if column and said.get(word)}
            if not filled or (said.get("value") and not figure.column):
                hint = "State low and high." if not figure.column else "State its value."
                raise FaultError(f"{name} has no value.", rule="missing", column="value", hint=hint)
            if "unit" in fields:
                filled |= {"unit": said["unit"]} if said.get("unit") else {}
            else:
                units = _units(figure.field, name, said.get("unit", ""), kind)
        elif name in columns.text or name in fields:
            filled = {name if name in columns.text else fields[name]: said.get("value", "")}
        else:
            near = most_like(name, columns.names)
            raise FaultError(
                f"{kind} have no field {name!r}.",
                rule="unknown_field",
                column="field",
                value=name[:60],
                hint=f"The nearest are {', '.join(near)}.",
            )
        source = self._source(kind, cells)
        return Entry(kind=kind, key=key, cells=filled, units=units, source=source, place=place)

    def _source(self, kind: str, cells: Mapping[str, str]) -> OwnSource:
        said = {column: text for name, text in cells.items() if (column := source_column(kind, name))}
        return OwnSource(citation=said.pop("source", ""), **said)


def read_lines(tables: Iterable[TextTable], kind: str, kind_of: KindOf) -> Read:
    """The lines of tables. `kind` is that of all; "" where each says it by its name or its columns."""
    read = Read([], [])
    for table in tables:
        found = _read_table(table, kind, kind_of)
        read.entries.extend(found.entries)
        read.refused.extend(found.refused)
    return read


def _read_table(table: TextTable, kind: str, kind_of: KindOf) -> Read:
    if not table.rows:
        return Read([], [])
    first, *rows = table.rows
    header = tuple(cell.strip() for cell in first.cells)
    named = kind or _kind_of_table(table.name, header)
    if "field" not in header:
        header = tuple(column_named(named, name) for name in header)
    reader = _Reader(table, header, named, kind_of)
    try:
        _check_header(header, reader.kind)
    except FaultError as error:
        reader.refuse(first.line, error.fault)
        return reader.read
    for row in rows:
        reader.line(row)
    return reader.read


def _kind_of_table(name: str, header: tuple[str, ...]) -> str:
    """The kind that a sheet or file is named after, else the only one that has all its columns."""
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    named = [kind for kind in KINDS if plain == kind or plain.endswith(f"_{kind}")]
    if named:
        return max(named, key=len)
    if "field" in header:
        return ""
    fitting = [kind for kind in own_kinds() if set(filter(None, header)) <= _known(kind)]
    return fitting[0] if len(fitting) == 1 else ""


def _known(kind: str) -> set[str]:
    names = {*own_columns(kind).names, *SOURCE_COLUMNS, RECALLED}
    names |= set(KINDS[kind].earlier_columns)
    return names | {name for name in ("date", "kind") if source_column(kind, name)}


def _check_header(header: tuple[str, ...], kind: str) -> None:
    for name in header:
        if name and header.count(name) > 1:
            raise FaultError(
                f"The column {name} stands here twice.", rule="twice", column=name, hint="Leave one out."
            )
    if "field" in header:
        known = {*LONG, *SOURCE_COLUMNS}
    else:
        _check_kind(kind)
        known = _known(kind)
    for name in header:
        if name and name not in known:
            near = most_like(name, sorted(known))
            raise FaultError(
                f"The column {name[:60]} is unknown{f' of {kind}' if kind else ''}.",
                rule="unknown_column",
                column=name[:60],
                hint=f"The nearest are {', '.join(near)}.",
            )


def _check_kind(kind: str, key: str = "", near: Sequence[str] = ()) -> None:
    if kind in NOT_OWN:
        raise FaultError(
            "Climate years cannot be imported here: they are 8,760 hours of weather.",
            rule="kind",
            column="kind",
            value=kind,
            hint="Upload the year as an EPW file, or have a site name one of the years that are there.",
        )
    if kind not in KINDS:
        if not kind and key:
            message, hint = f"No row has the key {key[:60]!r}.", "For a new row fill in part_kind."
            hint = f"The nearest are {', '.join(near)}. {hint}" if near else hint
        else:
            message = f"There is no kind {kind[:60]!r}." if kind else "The kind of the rows is not known."
            hint = f"Name it: {', '.join(own_kinds())}."
        raise FaultError(message, rule="kind", column="kind", value=kind[:60], hint=hint)


def _units(field: str, name: str, unit: str, kind: str) -> dict[str, str]:
    """The unit of a figure, which must be said where it has one."""
    column = own_columns(kind).figure_at(field)
    assert column is not None
    if not unit and column.printed_unit:
        raise FaultError(
            f"The unit of {name} is missing.",
            rule="missing",
            column="unit",
            hint=f"It is printed in {column.printed_unit}.",
        )
    if unit and not known_unit(column, unit):
        raise FaultError(
            f"{name} cannot be stated in {unit[:60]!r}.",
            rule="unit",
            column="unit",
            value=unit[:60],
            hint=f"Use {column.printed_unit or 'no unit'} or {column.unit}.",
        )
    return {field: unit} if unit else {}


def _key_in(kind: str, header: tuple[str, ...], row: TextRow) -> str:
    cells = dict(zip(header, row.cells, strict=False))
    found = cells.get("key") or cells.get("part") or (key_of(kind, cells) if kind in KINDS else "")
    return found[:200]
