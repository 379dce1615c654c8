"""One printed row -> one validated record with a fact for each figure."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from app.catalog.columns import Column, numeric_columns, text_columns
from app.catalog.errors import SeedError
from app.catalog.kinds.base import CatalogKind, RowFaultsError
from app.catalog.provenance import (
    CONFIDENCE,
    MEMORY_WORDS,
    Citation,
    SourceFamilies,
    confidence_word,
    has_groups,
    in_group,
)
from app.catalog.seed_files import SeedRow

NOT_STATED = "not stated"

CITATION_COLUMNS = frozenset({"source", "url", "confidence", "memory_only_fields"})
"""Columns that say where the others come from; they are kept with the facts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedFact:
    """A figure in SI, what was printed, and where it comes from."""

    field: str
    value: float
    low: float | None
    typical: float | None
    high: float | None
    unit: str
    printed_value: str
    printed_unit: str
    printed_column: str
    kind: str
    confidence: str
    as_of: str
    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRecord:
    """A row that passed: its spec, its facts and its source."""

    row: SeedRow
    spec: CatalogKind
    facts: dict[str, SeedFact]
    citation: Citation
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.spec.key


def point_value(low: float | None, typical: float | None, high: float | None) -> float | None:
    """The figure a range stands for: its typical, else the geometric mean of low and high.

    >>> point_value(2.0, None, 8.0)
    4.0
    """
    if typical is not None:
        return typical
    if low is None or high is None:
        return None
    return math.sqrt(low * high)


def parse(
    kind: type[CatalogKind], row: SeedRow, families: SourceFamilies, extra: dict[str, Any] | None = None
) -> SeedRecord:
    """A validated record; `extra` fills fields that other files provide.

    Raises
    ------
    SeedError : a cell cannot be used
    """
    values: dict[str, Any] = dict(extra or {})
    for column, name in text_columns(kind).items():
        cell = row.cells[column].strip()
        values[name] = year_of(row, column) if name == "year" else cell
    figures = {}
    for spec in numeric_columns(kind):
        figure = figure_of(row, spec)
        if figure is not None:
            figures[spec] = figure
            values[spec.field] = figure[1]
    try:
        record = kind.model_validate(values)
    except ValidationError as error:
        raise errors_of(kind, row, error)[0] from None
    attributes = record.model_dump(
        exclude={*(spec.field for spec in numeric_columns(kind)), *CITATION_COLUMNS, "key", "year"},
        exclude_none=True,
    )
    date = _row_date(kind, row)
    citation = families.cite(
        row.cells.get("source", "") or NOT_STATED,
        url=row.cells.get("url", ""),
        date=date,
        family=row.cells.get("licence_key", ""),
    )
    facts = {
        spec.field: _rated(kind, _fact(row, spec, figure, citation, families, date))
        for spec, figure in figures.items()
    }
    return SeedRecord(
        row=row,
        spec=record,
        facts=facts,
        citation=citation,
        attributes={name: value for name, value in attributes.items() if value != ""},
    )


Figure = tuple[float | None, float, float | None, float | None]
"""low, point value, typical, high, in SI; typical is None for a figure without a range."""


def figure_of(row: SeedRow, column: Column) -> Figure | None:
    """A figure of a row in SI, None where the cells are empty; raises SeedError where they cannot be used."""
    typical = _number(row, column.column, column.factor) if column.column else None
    low = _number(row, column.low, column.factor) if column.low else None
    high = _number(row, column.high, column.factor) if column.high else None
    value = point_value(low, typical, high)
    if value is None:
        return None
    if (low is not None and low > value) or (high is not None and high < value):
        raise row.error(column.low or column.column, "low, typical and high are not in order")
    return low, value, typical if column.low else None, high


def _number(row: SeedRow, column: str, factor: float) -> float | None:
    cell = row.cells[column].strip()
    if not cell:
        return None
    try:
        value = float(cell)
    except ValueError:
        raise row.error(column, f"{cell!r} is not a number") from None
    if not math.isfinite(value):
        raise row.error(column, f"{cell!r} is not a finite number")
    if column.endswith("_low") and value < 0:
        raise row.error(column, "is negative")
    return value * factor


def year_of(row: SeedRow, column: str) -> int | None:
    """The year in a cell, None where it is empty; raises SeedError where it is none."""
    cell = row.cells[column].strip()
    if not cell:
        return None
    if not (cell.isdigit() and len(cell) == 4):
        raise row.error(column, f"{cell!r} is not a year")
    return int(cell)


def _row_date(kind: type[CatalogKind], row: SeedRow) -> str:
    return next((row.cells[name].strip() for name in kind.date_columns if row.cells[name].strip()), "")


def _fact(
    row: SeedRow, column: Column, figure: Figure, citation: Citation, families: SourceFamilies, date: str
) -> SeedFact:
    low, value, typical, high = figure
    if column.group:
        clause = in_group(row.cells["source"], column.group)
        if clause:
            citation = families.cite(clause, date=date)
    elif has_groups(row.cells.get("source", "")):
        citation = dataclasses.replace(citation, as_of=date)  # the dates in the text are those of others
    word = confidence_word(row.cells.get("confidence", "").strip(), column.group)
    recalled = any(name in row.cells.get("memory_only_fields", "").split(";") for name in column.printed)
    if column.derived:
        kind = "derived"
    elif recalled or word in MEMORY_WORDS:
        kind = "assumption"
    else:
        kind = citation.kind
    if word not in CONFIDENCE:
        raise row.error("confidence", f"{word!r} is no known word of confidence")
    return SeedFact(
        field=column.field,
        value=value,
        low=low,
        typical=typical,
        high=high,
        unit=column.unit,
        printed_value=printed_of(row, column),
        printed_unit=column.printed_unit,
        printed_column=";".join(column.printed),
        kind=kind,
        confidence=_confidence(kind, "recalled" if recalled else CONFIDENCE[word]),
        as_of=citation.as_of,
        citation=citation,
    )


def _confidence(kind: str, stated: str) -> str:
    """An assumption is never confirmed, whatever is said of the other values of its row."""
    return "weak" if kind == "assumption" and stated in ("confirmed", "secondary") else stated


def _rated(kind: type[CatalogKind], fact: SeedFact) -> SeedFact:
    """A rating printed with measurements was not measured."""
    is_rated = kind.measurable is not None and fact.field not in kind.measurable
    return dataclasses.replace(fact, kind="third_party") if is_rated and fact.kind == "measured" else fact


def printed_of(row: SeedRow, column: Column) -> str:
    """What is printed for a figure: its own cell, else the ends of its range."""
    typical = row.cells[column.column].strip() if column.column else ""
    ends = [row.cells[name].strip() for name in (column.low, column.high) if name]
    return typical or " to ".join(end for end in ends if end)


def errors_of(kind: type[CatalogKind], row: SeedRow, error: ValidationError) -> list[SeedError]:
    """The faults of a row, each by its column."""
    columns = {field: column for column, field in text_columns(kind).items()}
    columns |= {spec.field: spec.printed[0] for spec in numeric_columns(kind) if spec.printed}
    found = []
    for fault in error.errors(include_url=False):
        together = fault.get("ctx", {}).get("error")
        if isinstance(together, RowFaultsError):
            found += [row.error(columns.get(one.field, one.field), one.message) for one in together.faults]
            continue
        name = str(fault["loc"][0]) if fault["loc"] else ""
        reason = fault["msg"].removeprefix("Value error, ")
        column = columns.get(name, name)
        if column and row.cells.get(column):
            reason = f"{row.cells[column]!r}: {reason[0].lower()}{reason[1:]}"
        elif not column:
            # a check over several cells names its column itself
            column = next((word for word in reason.split() if word in row.cells), "")
        found.append(row.error(column, reason))
    return found
