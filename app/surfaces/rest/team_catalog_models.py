"""The shapes in which own rows of the catalog are sent and reported."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.catalog.own.columns import NOT_OWN, column_named, own_columns, source_column
from app.catalog.own.columns import key_of as key_of_cells
from app.catalog.own.entries import Entry, FaultError, OwnSource, Place
from app.catalog.own.planning import Line, Plan
from app.catalog.own.review import Finding
from app.saved.team_catalog.service import Imported
from app.surfaces.rest.catalog_models import Answer

MOST_LINES_OF_A_ROW = 200


class Sent(BaseModel):
    """Refuses unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class SentSource(Sent):
    """Where the values of a line come from."""

    citation: str = Field(description="A quote, a data sheet, a measurement.", examples=["Quote 4711"])
    url: str = ""
    licence: str = ""
    as_of: str = Field(
        "", description="When they were true: YYYY, YYYY-MM or YYYY-MM-DD.", examples=["2026-11"]
    )
    kind: str = Field(
        "", description="vendor, measured, third_party, derived or assumption.", examples=["vendor"]
    )
    confidence: str = ""


class SentLine(Sent):
    """Values of a row that share a source."""

    values: dict[str, str | int | float] = Field(
        description="By column, in the unit that /catalog names for it.", examples=[{"tdp_w": 650}]
    )
    source: SentSource


class OwnRow(Sent):
    """Everything that a workspace says of a row. Over a built-in row, what is not said stays as it is there."""

    lines: list[SentLine] = Field(min_length=1, max_length=MOST_LINES_OF_A_ROW)


class CatalogChangeAnswer(Answer):
    """One value of a row."""

    field: str
    before: str = Field(description="As it was stated; empty where there was none.")
    after: str
    unit: str
    was_own: bool = Field(description="Whether the value before was one of the workspace.")


class FaultAnswer(Answer):
    """Why a line cannot be used."""

    column: str
    value: str
    code: str
    message: str
    hint: str


class LineAnswer(Answer):
    """Outcome of one line."""

    line: int
    sheet: str = Field(description="Of a workbook, or the name of the file.")
    kind: str
    key: str
    outcome: Literal["added", "changed", "same", "refused"]
    changes: list[CatalogChangeAnswer]
    faults: list[FaultAnswer]


class ImportAnswer(Answer):
    """Result of an import, or of a dry run."""

    dry_run: bool
    applied: bool
    revision: str = Field(description="Of the catalog of the workspace, after it.")
    counts: dict[Literal["added", "changed", "same", "refused"], int]
    lines: list[LineAnswer]


class ExportedKind(Answer):
    """The rows of a kind."""

    kind: str
    lines: list[dict[str, str]] = Field(description="One for each source of a row, by column.")


class ExportAnswer(Answer):
    """Rows of several kinds; a kind without rows is left out."""

    items: list[ExportedKind]


class FindingAnswer(Answer):
    """Something of an own row that is worth another look."""

    kind: str
    key: str
    name: str
    field: str = Field(description="Empty where it is about the whole row.")
    why: Literal["equal", "older", "withdrawn", "dangling"]
    words: str
    own: str
    own_date: str
    builtin: str
    builtin_date: str


class ReviewAnswer(Answer):
    """All."""

    items: list[FindingAnswer]


def entries_of(kind: str, key: str, row: OwnRow) -> list[Entry]:
    """The lines of a row that was sent.

    Raises
    ------
    FaultError : a value has no such column
    """
    if kind in NOT_OWN:
        raise FaultError("Rows of this kind cannot be stated.", rule="kind", column="kind", value=kind)
    return [_entry(kind, key, line, number) for number, line in enumerate(row.lines, 1)]


def _entry(kind: str, key: str, line: SentLine, number: int) -> Entry:
    known = set(own_columns(kind).names)
    cells: dict[str, str] = {}
    for given, value in line.values.items():
        name = column_named(kind, given)
        if value != "" and name in cells:
            raise FaultError(
                f"{name} is stated twice, once as {given[:60]}.",
                rule="twice",
                column=name,
                value=_text(value)[:60],
                hint="Leave one out.",
            )
        if value != "":
            cells[name] = _text(value)
    for name in cells:
        if name not in known or source_column(kind, name):
            raise FaultError(
                f"{kind} have no column {name[:60]!r}.",
                rule="unknown_column",
                column=name[:60],
                value=cells[name][:60],
                hint="/catalog names the columns of each kind.",
            )
    stated = key_of_cells(kind, {"key": key, **cells})
    if kind not in ("aliases", "assumptions"):
        stated = cells.pop("key", key)
    if stated and stated != key:
        raise FaultError(
            f"The values are of {stated[:60]!r}, the address of {key[:60]!r}.",
            rule="same_key",
            column="key",
            value=stated[:60],
            hint="Send them to the address of their key.",
        )
    source = line.source
    return Entry(
        kind=kind,
        key=key,
        cells=cells,
        source=OwnSource(
            citation=source.citation,
            url=source.url,
            licence=source.licence,
            as_of=source.as_of,
            value_kind=source.kind,
            confidence=source.confidence,
        ),
        place=Place(line=number),
    )


def _text(value: str | int | float) -> str:
    return value.strip() if isinstance(value, str) else repr(value)


def import_answer(imported: Imported, *, dry_run: bool) -> dict[str, Any]:
    """The report of an import."""
    return {
        "dry_run": dry_run,
        "applied": imported.applied,
        "revision": imported.revision,
        **plan_answer(imported.plan),
    }


def plan_answer(plan: Plan) -> dict[str, Any]:
    """Outcome of each line."""
    return {"counts": plan.counts, "lines": [_line(line) for line in plan.lines]}


def _line(line: Line) -> dict[str, Any]:
    faults = [
        {"column": fault.column, "value": fault.value, "code": fault.rule, "message": fault.message, "hint": fault.hint}
        for fault in line.faults
    ]  # fmt: skip
    names = ("field", "before", "after", "unit", "was_own")
    return {
        "line": line.place.line,
        "sheet": line.place.sheet,
        "kind": line.kind,
        "key": line.key,
        "outcome": line.outcome,
        "changes": [{name: getattr(change, name) for name in names} for change in line.changes],
        "faults": faults,
    }


def finding_answer(finding: Finding) -> dict[str, Any]:
    """One finding."""
    return {**finding._asdict(), "words": finding.words}
