"""What would become of each line: added, changed with old and new value, the same, or refused with the reason."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.catalog.kinds import KINDS
from app.catalog.lookup import Catalog
from app.catalog.own.cells import number_text
from app.catalog.own.checking import check
from app.catalog.own.columns import own_columns
from app.catalog.own.entries import Entry, Fault, FaultError, Place
from app.catalog.own.known import Known, planned_part, year_part
from app.catalog.own.parsing import Stated, check_source, lines_of_one, parsed
from app.catalog.rows import SeedFact
from app.catalog.values import Fact, Part
from app.catalog.weather.year import UploadedYear

Outcome = Literal["added", "changed", "same", "refused"]
OUTCOMES: tuple[Outcome, ...] = ("added", "changed", "same", "refused")

FIRST = ("jurisdictions", "accelerators", "scale_up_fabrics", "nics", "cpus", "switches", "optics", "storage")
"""Kinds that rows of others name, looked at first so that one file may hold both."""

LAST = ("prices", "rentals", "aliases")
MOST_OWN_ROWS = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One value of a row; `before` is "" where there was none, `was_own` whether that was an own one."""

    field: str
    before: str
    after: str
    unit: str
    was_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the report."""

    place: Place
    kind: str
    key: str
    outcome: Outcome
    changes: tuple[Change, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """A row to write. With `replace` nothing else of the own row stays; without `stated` it goes.

    `year` is what is written of a climate year, which lines of text cannot hold.
    """

    kind: str
    key: str
    stated: Stated | None
    replace: bool = False
    year: UploadedYear | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """`revision` is that of the catalog which it was made for."""

    revision: str
    lines: tuple[Line, ...]
    writes: tuple[Write, ...]

    @property
    def counts(self) -> dict[Outcome, int]:
        """Lines by what becomes of them."""
        found = Counter(line.outcome for line in self.lines)
        return {outcome: found[outcome] for outcome in OUTCOMES}

    @property
    def refused(self) -> tuple[Line, ...]:
        """The lines that cannot be used."""
        return tuple(line for line in self.lines if line.outcome == "refused")


def planned(
    entries: Iterable[Entry],
    catalog: Catalog,
    *,
    replace: bool = False,
    refused: Sequence[Line] = (),
    years: Sequence[UploadedYear] = (),
) -> Plan:
    """What would become of the lines with a workspace's catalog; `refused` could not be read as lines at all.

    `years` are climate years that are written before them, which sites among them may name.
    """
    known, lines, writes = Known(catalog), list(refused), []
    for year in years:
        known.plan(year_part(year))
        writes.append(Write(kind="climate", key=year.key, stated=None, year=year))
    room = MOST_OWN_ROWS - len(catalog.own_parts())
    rows = lines_of_one(entries)
    for (kind, key), found in sorted(rows.items(), key=lambda row: _turn(row[0][0])):
        try:
            write, outcomes = _row(found, known, replace=replace)
            room -= write is not None and not _is_own(known, kind, key)
            if room < 0:
                raise FaultError(
                    f"A workspace has at most {MOST_OWN_ROWS:,} rows of its own.",
                    rule="at_most",
                    hint="Remove unused rows.",
                )
        except FaultError as error:
            lines += _refused(found, error.faults)
            continue
        lines += outcomes
        if write is not None:
            writes.append(write)
            if write.stated is not None:
                present = known.builtin(kind, key) if replace else known.part(kind, key)
                known.plan(planned_part(write.stated, present, known.builtin(kind, key)))
    order = sorted(lines, key=lambda line: (line.place.sheet, line.place.line))
    return Plan(revision=catalog.revision, lines=tuple(order), writes=tuple(writes))


def _turn(kind: str) -> int:
    if kind in FIRST:
        return FIRST.index(kind)
    return len(FIRST) + (1 + LAST.index(kind) if kind in LAST else 0)


def _is_own(known: Known, kind: str, key: str) -> bool:
    part = known.part(kind, key)
    return part is not None and bool(part.own)


def _row(entries: Sequence[Entry], known: Known, *, replace: bool) -> tuple[Write | None, list[Line]]:
    kind, key = entries[0].kind, entries[0].key
    builtin, present = known.builtin(kind, key), known.part(kind, key)
    beneath = builtin if replace else present
    stated = parsed(entries, beneath)
    check(stated, known)
    changes = _changes(stated, present)
    kept = _without_same(stated, beneath)
    outcome: Outcome = "added" if present is None else "changed" if changes else "same"
    if outcome != "same":
        _check_sources(entries, kept)
    write = None
    if replace and present is not None and present.own and _dropped(present, kept):
        outcome = "changed"
    if outcome != "same":
        nothing = not kept.texts and not kept.facts and builtin is not None
        write = Write(kind=kind, key=key, stated=None if nothing else kept, replace=replace)
    lines = [_line(entry, key, outcome, changes) for entry in entries]
    return write, lines


def _check_sources(entries: Sequence[Entry], kept: Stated) -> None:
    """Whatever is written has a source; what the catalog says already needs none."""
    for entry in entries:
        columns = own_columns(entry.kind)
        figures = {found.field for column in entry.cells if (found := columns.figure_at(column))}
        words = {columns.text.get(column, "") for column in entry.cells}
        if figures & set(kept.facts) or (words & set(kept.texts) and entry.kind != "aliases"):
            check_source(entry.source, has_figures=bool(figures & set(kept.facts)))


def _dropped(present: Part, kept: Stated) -> bool:
    """Return whether an own row says something now that it would not say any more."""
    said = set(present.stated) if present.is_override else {*present.attributes, *present.facts}
    return bool(said - {*kept.texts, *kept.facts} - {"value_kind", "as_of", "date", "year"})


def _line(entry: Entry, key: str, outcome: Outcome, changes: dict[str, Change]) -> Line:
    """A line of a row that is changed may itself say nothing new."""
    columns = own_columns(entry.kind)
    fields = {columns.text.get(column, "") for column in entry.cells}
    fields |= {found.field for column in entry.cells if (found := columns.figure_at(column))}
    own = tuple(change for field, change in changes.items() if field in fields)
    if outcome == "changed" and not own:
        outcome = "same"
    return Line(place=entry.place, kind=entry.kind, key=key, outcome=outcome, changes=own)


def _refused(entries: Sequence[Entry], faults: Sequence[Fault]) -> list[Line]:
    """Lines at fault with their faults; a row is written as a whole, so its other lines wait for them."""
    at_fault = next((entry for entry in entries if faults[0].column in entry.cells), entries[0])
    found = []
    for entry in entries:
        own = tuple(
            fault
            for fault in faults
            if fault.column in entry.cells or (entry is at_fault and not _stated_in(fault, entries))
        )
        if not own:
            waits = f"Line {at_fault.place.line} of the same row is refused."
            own = (Fault(column="", value="", rule="same_row", message=waits, hint="Put that line right."),)
        line = Line(place=entry.place, kind=entry.kind, key=entry.key, outcome="refused", faults=own)
        found.append(line)
    return found


def _stated_in(fault: Fault, entries: Sequence[Entry]) -> bool:
    return any(fault.column in entry.cells for entry in entries)


def _changes(stated: Stated, present: Part | None) -> dict[str, Change]:
    """What is new, by field."""
    found = {}
    for field, text in stated.texts.items():
        before = _text_of(present, field)
        if str(text) != before:
            found[field] = Change(
                field=field, before=before, after=str(text), unit="", was_own=_says(present, field)
            )
    for field, fact in stated.facts.items():
        now = _figure_of(present, field)
        if now is None or not _same(fact, now):
            found[field] = Change(
                field=field,
                before="" if now is None else figure_text(now),
                after=figure_text(fact),
                unit=fact.printed_unit or ("" if fact.unit == "1" else fact.unit),
                was_own=now is not None and bool(now.own),
            )
    return found


def _says(present: Part | None, field: str) -> bool:
    return present is not None and bool(present.own) and (not present.is_override or field in present.stated)


def _without_same(stated: Stated, beneath: Part | None) -> Stated:
    """Without what the row beneath says already: an equal value needs no own row.

    A price is one figure and is written whole, as soon as anything of it differs.
    """
    if beneath is None or KINDS[stated.kind].table == "price":
        return stated
    texts = {field: text for field, text in stated.texts.items() if str(text) != _text_of(beneath, field)}
    facts = {}
    for field, fact in stated.facts.items():
        now = _figure_of(beneath, field)
        if now is None or not _same(fact, now):
            facts[field] = fact
    return dataclasses.replace(stated, texts=texts, facts=facts)


def _text_of(part: Part | None, field: str) -> str:
    if part is None:
        return ""
    if field == "year":
        return str(part.year or "")
    return str(part.attributes.get(field, ""))


def _figure_of(part: Part | None, field: str) -> Fact | None:
    """A figure of a row; of prices all but one stand among the words."""
    if part is None or field in part.facts:
        return None if part is None else part.facts[field]
    number = part.attributes.get(field)
    if not isinstance(number, int | float):
        return None
    value = part.facts["value"]
    return dataclasses.replace(value, value=float(number), low=None, typical=None, high=None, unit="1",
                               printed_value=number_text(float(number)), printed_unit="")  # fmt: skip


def _same(fact: SeedFact, now: Fact) -> bool:
    """Equal numbers need no second entry; where the present one is an own one, its source counts as well."""
    pairs = ((fact.value, now.value), (fact.low, now.low), (fact.high, now.high))
    if not all(_as_good_as_equal(one, other) for one, other in pairs):
        return False
    said = (fact.citation.text, fact.citation.url, fact.as_of, fact.kind)
    return not now.own or said == (now.source, now.url, now.date, now.kind)


def _as_good_as_equal(one: float | None, other: float | None) -> bool:
    """Spreadsheets keep fifteen digits and a little."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-14)


def figure_text(fact: Any) -> str:
    """A figure as it was stated, with its range.

    A price keeps its numbers only, not how they were written.
    """
    ends = [number for number in (fact.low, fact.high) if number is not None]
    if fact.typical is None and ends:
        return fact.printed_value or " to ".join(number_text(end) for end in ends)
    text = fact.printed_value or number_text(fact.value)
    factor = _factor(fact)
    return f"{text} ({' to '.join(number_text(end / factor) for end in ends)})" if ends else text


def _factor(fact: Any) -> float:
    try:
        stated = float(fact.printed_value)
    except ValueError:
        return 1.0
    return fact.value / stated if stated else 1.0
