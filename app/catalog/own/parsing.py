"""Lines that are about one row -> its values in SI, validated by the class of its kind over what lies beneath."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from app.catalog.columns import PRICE_UNITS, STATED_UNITS, Column
from app.catalog.errors import SeedError
from app.catalog.kinds import KINDS
from app.catalog.own.columns import IDENTITY, SOURCE_COLUMNS, own_columns
from app.catalog.own.entries import VALUE_KINDS, Entry, FaultError, OwnSource
from app.catalog.provenance import CONFIDENCE, MEMORY_WORDS
from app.catalog.rows import SeedFact, SeedRecord, errors_of, figure_of, printed_of, year_of
from app.catalog.seed_files import SeedRow
from app.catalog.values import Part
from app.likeness import most_like

LONGEST_TEXT = 2_000
LONGEST = {
    "name": 200,
    "key": 200,
    "source": 1_000,
    "url": 1_000,
    "licence": 200,
    "term": 64,
    "condition": 32,
}
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
WORDS_OF_RULES = {
    "missing": "Fill it in.",
    "string_too_short": "Fill it in.",
    "literal_error": "Choose one of the words named.",
    "greater_than_equal": "It cannot be less.",
    "less_than_equal": "It cannot be more.",
    "int_from_float": "State a whole number.",
    "string_pattern_mismatch": "Keys are lower-case letters, digits and single underscores.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What the lines of one row say: words by field, and figures with where each comes from.

    `record` is the whole row, what lies beneath included.
    """

    kind: str
    key: str
    texts: Mapping[str, Any]
    facts: Mapping[str, SeedFact]
    source: OwnSource
    record: SeedRecord


def parsed(entries: Sequence[Entry], beneath: Part | None) -> Stated:
    """The values of lines that are about one row.

    Raises
    ------
    FaultError : every cell that cannot be used
    """
    first = entries[0]
    columns = own_columns(first.kind)
    texts: dict[str, Any] = {}
    facts: dict[str, SeedFact] = {}
    blank = dict.fromkeys((*columns.names, *SOURCE_COLUMNS), "")
    _check_once(entries)
    faults: list[FaultError] = []
    for entry in entries:
        _check_cells(entry)
        row = SeedRow(file=entry.kind, line=entry.place.line, cells={**blank, **entry.cells})
        stated, figures, unreadable = _values_of(entry, row)
        texts |= stated
        facts |= figures
        faults += unreadable
    cells = {name: text for entry in entries for name, text in entry.cells.items()}
    row = SeedRow(file=first.kind, line=first.place.line, cells={**blank, **cells})
    source = next((entry.source for entry in entries if entry.source.citation), first.source)
    spec = _validated(first, row, {**_values_beneath(beneath), **texts}, facts, source, faults)
    facts = _in_unit_of_row(first.kind, spec, facts)
    beneath_facts = {name: _seed_fact(name, fact) for name, fact in beneath.facts.items()} if beneath else {}
    record = SeedRecord(row=row, spec=spec, facts={**beneath_facts, **facts}, citation=source.cited())
    return Stated(
        kind=first.kind, key=first.key, texts=texts, facts=facts, source=source, record=record
    )  # fmt: skip


def _check_once(entries: Sequence[Entry]) -> None:
    """Nothing, if no two lines of a row say the same thing; its key stands in each."""
    repeated = IDENTITY.get(entries[0].kind, ("key",))
    seen: set[str] = set()
    for entry in entries:
        for column in entry.cells:
            if column in seen:
                raise FaultError(
                    f"{column} of {entry.key} is stated twice.",
                    rule="twice",
                    column=column,
                    value=entry.cells[column][:60],
                    hint="Leave one of the two lines out.",
                )
        seen |= set(entry.cells) - set(repeated)


def _check_cells(entry: Entry) -> None:
    source = {name: text for name, text in dataclasses.asdict(entry.source).items() if text}
    for column, text in {**entry.cells, "source": entry.source.citation, **source}.items():
        most = LONGEST.get(column, LONGEST_TEXT)
        if len(text) > most:
            message = f"{column} has {len(text):,} characters; {most:,} are the most."
            raise FaultError(message, rule="too_long", column=column, value=text[:60], hint="Shorten it.")
        if found := CONTROL.search(text):
            message = f"{column} holds a control character ({found.group()!r})."
            raise FaultError(
                message, rule="plain_text", column=column, value=text[:60], hint="Send plain text."
            )


def check_source(source: OwnSource, *, has_figures: bool) -> None:
    """Raise FaultError if a row lacks a source.

    Raises
    ------
    FaultError : it does not
    """
    if not source.citation.strip():
        raise FaultError(
            "source is missing.",
            rule="missing",
            column="source",
            hint="Say where the values come from: a quote, a data sheet, a measurement.",
        )
    if source.url and not re.fullmatch(r"https?://[^\s\"'<>]+", source.url):
        raise FaultError(
            "url is no web address.",
            rule="url",
            column="url",
            value=source.url[:60],
            hint="Write it with https://, or leave it empty.",
        )
    if source.confidence not in CONFIDENCE and source.confidence not in CONFIDENCE.values():
        raise FaultError(
            f"{source.confidence!r} is no known word of confidence.",
            rule="one_of",
            column="confidence",
            value=source.confidence,
            hint="Known are confirmed, secondary, weak and recalled; it may be empty.",
        )
    if not has_figures:
        return
    if not DATE.fullmatch(source.as_of):
        raise FaultError(
            "as_of is no date." if source.as_of else "as_of is missing.",
            rule="date",
            column="as_of",
            value=source.as_of[:60],
            hint="Say when the values were true: 2026, 2026-11 or 2026-11-22.",
        )
    if source.value_kind not in VALUE_KINDS:
        raise FaultError(
            f"value_kind is {source.value_kind!r}." if source.value_kind else "value_kind is missing.",
            rule="one_of",
            column="value_kind",
            value=source.value_kind[:60],
            hint=f"It is one of {', '.join(VALUE_KINDS)}.",
        )


def _values_of(entry: Entry, row: SeedRow) -> tuple[dict[str, Any], dict[str, SeedFact], list[FaultError]]:
    """Words and figures of one line, and the cells that cannot be read."""
    columns = own_columns(entry.kind)
    texts: dict[str, Any] = {}
    facts: dict[str, SeedFact] = {}
    faults: list[FaultError] = []
    for name, field in columns.text.items():
        if not row.cells[name].strip() or (name == "key" and field == "key"):
            continue
        try:
            texts[field] = year_of(row, name) if field == "year" else row.cells[name].strip()
        except SeedError as error:
            faults.append(_fault(row, error, "number"))
    for column in columns.figures:
        unit = entry.units.get(column.field, column.printed_unit)
        try:
            fact = _fact(entry, row, dataclasses.replace(column, printed_unit=unit))
        except SeedError as error:
            faults.append(_fault(row, error, "number"))
            continue
        if fact is not None:
            facts[column.field] = fact
    return texts, facts, faults


def _fact(entry: Entry, row: SeedRow, column: Column) -> SeedFact | None:
    figure = figure_of(row, column)
    if figure is None:
        if any(row.cells[name].strip() for name in column.printed):
            raise row.error(column.low, "an end of a range needs the other end, or a typical value")
        return None
    low, value, typical, high = figure
    source, word = entry.source, entry.source.confidence
    recalled = word in MEMORY_WORDS or word == "recalled"
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
        kind="assumption" if recalled else source.value_kind,
        confidence=CONFIDENCE.get(word, word),
        as_of=source.as_of,
        citation=source.cited(),
    )


def _values_beneath(part: Part | None) -> dict[str, Any]:
    """The built-in row, or the row as it is, as values of its class."""
    if part is None:
        return {}
    year = {"year": part.year} if part.year else {}
    return {**part.attributes, **year, **{name: fact.value for name, fact in part.facts.items()}}


def _validated(
    entry: Entry,
    row: SeedRow,
    texts: dict[str, Any],
    facts: Mapping[str, SeedFact],
    source: OwnSource,
    faults: list[FaultError],
) -> Any:
    """The whole row as its class; every text of it is given, so that what may not be empty is asked for.

    `faults` are those of cells that could not be read; the error has them and all others.
    """
    kind = KINDS[entry.kind]
    blank = {field: "" for field in own_columns(entry.kind).text.values() if field != "year"}
    values = {**blank, **texts, **{name: fact.value for name, fact in facts.items()}}
    values["key"] = entry.key
    said = {
        "source": source.citation, "url": source.url, "as_of": source.as_of, "date": source.as_of,
        "value_kind": source.value_kind,
    }  # fmt: skip
    for field, text in said.items():
        if field in kind.model_fields and field not in own_columns(entry.kind).text.values():
            values[field] = text or values.get(field, "")
    known = {name: value for name, value in values.items() if name in kind.model_fields}
    found = list(faults)
    named = {fault.fault.column for fault in faults}
    try:
        spec = kind.model_validate(known)
    except ValidationError as error:
        wrong = error.errors(include_url=False)
        fields = {str(fault["loc"][0]) for fault in wrong if fault["loc"]}
        alone = [fault for fault in wrong if fault["loc"]]
        # each value by itself first, then how those that can be used fit together
        told = errors_of(kind, row, error)[: len(alone)] if alone else []
        found += [_fault(row, one, fault["type"]) for one, fault in zip(told, alone, strict=True)]
        together = kind.faults_of({name: value for name, value in known.items() if name not in fields})
        if alone or together:
            told_of = named | {fault.fault.column for fault in found}
            found += [
                _fault(row, row.error(fault.field, fault.message), fault.rule, fault.hint)
                for fault in together
                if fault.field not in fields and fault.field not in told_of
            ]
        else:
            found += [_fault(row, one, "value_error") for one in errors_of(kind, row, error)]
        if not found:  # what is left follows from cells that are told already
            found += [_fault(row, one, "value_error") for one in errors_of(kind, row, error)]
        raise FaultError.of(found) from None
    if found:
        raise FaultError.of(found)
    return spec


def _in_unit_of_row(kind: str, spec: Any, facts: Mapping[str, SeedFact]) -> dict[str, SeedFact]:
    """A price or an assumption speaks in the unit of its row."""
    if kind not in ("prices", "assumptions"):
        return dict(facts)
    unit = PRICE_UNITS[spec.unit].unit if kind == "prices" else spec.unit
    return {
        name: dataclasses.replace(fact, unit=unit, printed_unit=spec.unit) for name, fact in facts.items()
    }


def _seed_fact(field: str, fact: Any) -> SeedFact:
    """A fact of the catalog as checks between rows read it."""
    names = ("value", "low", "typical", "high", "unit", "printed_value", "printed_unit", "printed_column")
    return SeedFact(
        field=field,
        **{name: getattr(fact, name) for name in names},
        kind=fact.kind,
        confidence=fact.confidence,
        as_of=fact.date,
        citation=OwnSource(citation=fact.source, url=fact.url).cited(),
    )


def part_record(part: Part) -> SeedRecord:
    """A row of the catalog as checks between rows read it."""
    spec = KINDS[part.kind].model_construct(**{**_values_beneath(part), "key": part.key})
    row = SeedRow(file=part.kind, line=0, cells={})
    facts = {name: _seed_fact(name, fact) for name, fact in part.facts.items()}
    return SeedRecord(row=row, spec=spec, facts=facts, citation=OwnSource(citation=part.source).cited())


def _fault(row: SeedRow, error: SeedError, rule: str, hint: str = "") -> FaultError:
    reason = f"{error.reason[:1].upper()}{error.reason[1:]}"
    return FaultError(
        f"{error.column}: {error.reason}."
        if error.column and not error.reason.startswith(f"{error.column} ")
        else f"{reason}.",
        rule=rule,
        column=error.column,
        value=row.cells.get(error.column, "")[:60],
        hint=hint or _hint(row, error.column, rule),
    )


def _hint(row: SeedRow, column: str, rule: str) -> str:
    if column == "unit" and row.file == "prices":
        return f"The nearest are {', '.join(most_like(row.cells.get('unit', ''), PRICE_UNITS))}."
    return WORDS_OF_RULES.get(rule, "")


def as_fault(error: SeedError, cells: Mapping[str, str]) -> FaultError:
    """What a check between rows says of a line."""
    return _fault(SeedRow(file=error.file, line=error.line, cells=cells), error, "agrees")


def known_unit(column: Column, unit: str) -> bool:
    """Return whether a figure may be stated in a unit: one that measures the same."""
    return unit in STATED_UNITS and STATED_UNITS[unit].unit == column.unit


def lines_of_one(entries: Iterable[Entry]) -> dict[tuple[str, str], list[Entry]]:
    """Lines by the row they are about, in the order of the first line of each."""
    found: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        found.setdefault((entry.kind, entry.key), []).append(entry)
    return found
