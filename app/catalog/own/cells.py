"""Rows of the catalog as the cells of a table, which say the same again when they are read."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from types import MappingProxyType

from app.catalog.columns import Column
from app.catalog.own.columns import IDENTITY, SOURCE_COLUMNS, own_columns
from app.catalog.own.entries import OwnSource
from app.catalog.values import Fact, Part

NO_UNITS: Mapping[str, str] = MappingProxyType({})


def number_text(value: float) -> str:
    """A number as people write it: twelve digits, or all digits where twelve would change it.

    >>> number_text(0.3 / 0.01), number_text(1e12), number_text(0.075)
    ('30', '1000000000000', '0.075')
    """
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    short = f"{value:.12g}"
    return short if math.isclose(float(short), value, rel_tol=1e-14) else repr(value)


def exact_text(value: float, factor: float = 1.0) -> str:
    """A number in a unit that is worth `factor`, so that reading it gives `value` to the last bit; "" where no
    number does.

    >>> exact_text(0.3, 0.01), exact_text(650.0), exact_text(1 / 3)
    ('30', '650', '0.3333333333333333')
    """
    stated = value / factor
    near = (stated, math.nextafter(stated, -math.inf), math.nextafter(stated, math.inf))
    texts = (number_text(stated), *(repr(number) for number in near))
    return next((text for text in texts if float(text) * factor == value), "")


def header_of(kind: str) -> tuple[str, ...]:
    """The columns of a table of a kind."""
    return (*own_columns(kind).names, *SOURCE_COLUMNS)


def lines_of(part: Part, *, own: bool, units: Mapping[str, str] = NO_UNITS) -> Iterator[dict[str, str]]:
    """The lines that say what a row says, one for each source; with `own` only what the workspace says.

    `units` are those of figures, by field, that are stated in another unit than that of their column.
    """
    by_source: dict[OwnSource, dict[str, str]] = {}
    columns = own_columns(part.kind)
    for figure in columns.figures:
        unit = units.get(figure.field, figure.printed_unit)
        column = dataclasses.replace(figure, printed_unit=unit)
        fact = _figure(part, column)
        if fact is not None and (not own or fact.own):
            by_source.setdefault(source_of(fact), {}).update(figure_cells(column, fact))
    words = {
        column: text
        for column, field in columns.text.items()
        if (text := text_of(part, field)) and (not own or _is_own(part, field))
    }
    first = next(iter(by_source), OwnSource(citation=part.source))
    if words or not by_source:
        by_source[first] = {**words, **by_source.get(first, {})}
    repeated = IDENTITY.get(part.kind, ("key",))
    identity = {
        column: part.key if column == "key" else text_of(part, columns.text[column]) for column in repeated
    }
    for source, cells in by_source.items():
        said = {"source" if name == "citation" else name: text for name, text in asdict(source).items()}
        yield {**identity, **cells, **said}


def text_of(part: Part, field: str) -> str:
    """The words of a field as they are in a cell."""
    if field == "key":
        return part.key
    if field == "year":
        return str(part.year or "")
    return str(part.attributes.get(field, ""))


def source_of(fact: Fact) -> OwnSource:
    """Where a figure comes from, as its line says it."""
    return OwnSource(
        citation=fact.source,
        url=fact.url,
        licence="" if fact.licence == "not stated" else fact.licence,
        as_of=fact.date,
        value_kind=fact.kind,
        confidence=fact.confidence,
    )


def figure_cells(column: Column, fact: Fact) -> dict[str, str]:
    """A figure in the unit of its column; as it was printed, where it was printed so."""
    factor = column.factor
    same_unit = fact.printed_unit == column.printed_unit and fact.printed_column != ""
    cells: dict[str, str] = {}
    if column.column and (
        fact.typical is not None or not column.low or (fact.low is None and fact.high is None)
    ):
        typical = fact.value if fact.typical is None else fact.typical
        as_printed = same_unit and _is_number(fact.printed_value)
        cells[column.column] = fact.printed_value if as_printed else _in_unit(typical, factor)
    for name, end in ((column.low, fact.low), (column.high, fact.high)):
        if name and end is not None:
            cells[name] = _in_unit(end, factor)
    return cells


def _in_unit(value: float, factor: float) -> str:
    return exact_text(value, factor) or number_text(value / factor)


def units_of(part: Part) -> dict[str, str]:
    """Units, by field, of own figures that no number in the unit of their column states to the last bit."""
    units = {}
    for column in own_columns(part.kind).figures:
        fact = _figure(part, column)
        if fact is not None and fact.own:
            numbers = (fact.value if fact.typical is None else fact.typical, fact.low, fact.high)
            if not all(exact_text(number, column.factor) for number in numbers if number is not None):
                units[column.field] = column.unit
    return units


def _figure(part: Part, column: Column) -> Fact | None:
    """A figure of a row; of prices all but one stand among the words."""
    if column.field in part.facts:
        return part.facts[column.field]
    number = part.attributes.get(column.field)
    if not isinstance(number, int | float) or "value" not in part.facts:
        return None
    about = part.facts["value"]
    return Fact(
        value=float(number), low=None, typical=None, high=None, unit=column.unit,
        printed_value="", printed_unit="", printed_column=column.column,
        kind=about.kind, source=about.source, url=about.url, date=about.date, confidence=about.confidence,
        licence=about.licence, ship=about.ship, credit=about.credit, own=about.own,
    )  # fmt: skip


def _is_own(part: Part, field: str) -> bool:
    return bool(part.own) and (not part.is_override or field in part.stated or field == "key")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
