"""The form of one own row: the columns of its kind with their units, filled in with what the workspace states."""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from app.catalog.columns import PRICE_UNITS, Column
from app.catalog.kinds import KINDS
from app.catalog.lookup import Catalog
from app.catalog.own.cells import figure_cells, lines_of, text_of
from app.catalog.own.columns import SOURCE_COLUMNS, key_of, own_columns
from app.catalog.own.entries import VALUE_KINDS, Entry, Fault, OwnSource, Place
from app.catalog.own.known import Known
from app.catalog.values import Part
from app.surfaces.pages.catalog.kinds import VIEWS, KindView
from app.surfaces.pages.catalog.table import name_of
from app.surfaces.pages.catalog.words import MARKS, label_of_field

MADE_OF_OTHERS = ("aliases", "assumptions")  # kinds whose keys are made of what they say
PROSE = frozenset({"notes", "note", "description", "price_note", "power_note", "vendor_headline"})
SOURCE_HINTS = {
    "source": "a quote, a data sheet, a measurement",
    "url": "optional",
    "licence": "optional",
    "as_of": "2026, 2026-11 or 2026-11-22",
}
SOURCE_LABELS = {
    "source": "Source",
    "url": "Web address",
    "licence": "Licence",
    "as_of": "As of",
    "value_kind": "Kind of value",
}


class Option(NamedTuple):
    value: str
    label: str


class FormField(NamedTuple):
    """One input; `beneath` is what counts while it is left empty."""

    name: str
    label: str
    unit: str
    basis: str
    text: str
    beneath: str
    options: tuple[Option, ...]
    wide: bool
    fault: str


class RowForm(NamedTuple):
    """Everything that the page of a form shows."""

    view: KindView
    key: str  # of the row that is changed; "" for a new one
    name: str
    version: int
    over: bool  # whether a built-in row lies beneath
    asks_key: bool
    words: tuple[FormField, ...]
    figures: tuple[FormField, ...]
    source: tuple[FormField, ...]
    faults: tuple[Fault, ...]  # those that belong to no field
    moved: bool


def row_form(
    catalog: Catalog,
    kind: str,
    key: str,
    *,
    typed: Mapping[str, str] | None = None,
    faults: Sequence[Fault] = (),
    moved: bool = False,
) -> RowForm:
    """The form of a row, new where there is no key; `typed` is what came back with `faults`."""
    known, columns = Known(catalog), own_columns(kind)
    present, builtin = (known.part(kind, key), known.builtin(kind, key)) if key else (None, None)
    stated = own_cells(present)
    shown = dict(typed) if typed is not None else {**stated, **_first_source(present)}
    below = _all_cells(builtin) if builtin is not None else {}
    wrong = {fault.column: f"{fault.message} {fault.hint}".strip() for fault in faults}
    made_of_others = kind in MADE_OF_OTHERS

    def field(name: str, label: str, column: Column | None = None) -> FormField:
        return FormField(
            name=name,
            label=label,
            unit=column.printed_unit if column else "",
            basis=column.basis.replace("`", "") if column else SOURCE_HINTS.get(name, ""),
            text=shown.get(name, ""),
            beneath=below.get(name, ""),
            options=_options(kind, name),
            wide=name in PROSE,
            fault=wrong.get(name, ""),
        )

    words = [field("key", "Key")] if not key and not made_of_others else []
    words += [
        field(name, _label(place)) for name, place in columns.text.items()
        if not (name == "key" and place == "key" and not made_of_others) and not (key and _is_identity(kind, name))
    ]  # fmt: skip
    figures = [
        field(name, _figure_label(column, name), column)
        for column in columns.figures
        if not column.derived
        for name in column.printed
    ]
    names = {found.name for found in (*words, *figures)} | set(SOURCE_COLUMNS) | {"key"}
    return RowForm(
        view=VIEWS[kind],
        key=key,
        name=name_of(present) if present else "",
        version=present.revision if present is not None and present.own else 0,
        over=builtin is not None,
        asks_key=not key and not made_of_others,
        words=tuple(words),
        figures=tuple(figures),
        source=tuple(field(name, label) for name, label in SOURCE_LABELS.items()),
        faults=tuple(fault for fault in faults if fault.column not in names),
        moved=moved,
    )


def entries_of_form(catalog: Catalog, kind: str, key: str, typed: Mapping[str, str]) -> list[Entry]:
    """The lines that a form comes to. What was not touched keeps the source that it has."""
    columns = own_columns(kind)
    present = Known(catalog).part(kind, key) if key else None
    lines = list(lines_of(present, own=True)) if present is not None and present.own else []
    cells = {name: typed[name].strip() for name in columns.names if typed.get(name, "").strip()}
    if present is not None:
        cells |= _not_asked(present)
    source = _source(typed)
    if kind not in MADE_OF_OTHERS:
        cells.pop("key", None)
    found = key or (typed.get("key", "").strip() if kind not in MADE_OF_OTHERS else key_of(kind, cells))
    kept: list[Entry] = []
    untouched = dict(cells)
    for line in lines:
        same = {
            name: text for name, text in line.items()
            if text and name not in SOURCE_COLUMNS and cells.get(name, "") == text
        }  # fmt: skip
        if same and _source(line) != source:
            kept.append(Entry(kind=kind, key=found, cells=same, source=_source(line)))
            untouched = {name: text for name, text in untouched.items() if name not in same}
    if not untouched:  # only the source was changed: it is that of everything
        return [Entry(kind=kind, key=found, cells=cells, source=source, place=Place())]
    return [*kept, Entry(kind=kind, key=found, cells=untouched, source=source)]


def _not_asked(part: Part) -> dict[str, str]:
    """What the form of a row leaves out: its key, and figures that are made of others."""
    columns, stated = own_columns(part.kind), own_cells(part)
    found = {
        name: text_of(part, field) for name, field in columns.text.items() if _is_identity(part.kind, name)
    }
    derived = [name for column in columns.figures if column.derived for name in column.printed]
    return found | {name: stated[name] for name in derived if name in stated}


def own_cells(part: Part | None) -> dict[str, str]:
    """What the workspace states of a row, by column."""
    if part is None or not part.own:
        return {}
    return {name: text for line in lines_of(part, own=True) for name, text in line.items() if text}


def _first_source(part: Part | None) -> dict[str, str]:
    line = next(lines_of(part, own=True), {}) if part is not None and part.own else {}
    return {name: line.get(name, "") for name in SOURCE_COLUMNS}


def _all_cells(part: Part) -> dict[str, str]:
    columns = own_columns(part.kind)
    found = {name: text_of(part, field) for name, field in columns.text.items()}
    for column in columns.figures:
        if column.field in part.facts:
            found |= figure_cells(column, part.facts[column.field])
    return found


def _source(typed: Mapping[str, str]) -> OwnSource:
    given = {name: typed.get(name, "").strip() for name in SOURCE_COLUMNS}
    return OwnSource(citation=given.pop("source"), **given)


def _is_identity(kind: str, name: str) -> bool:
    """Return whether a column is part of the key of a row that is there already."""
    fixed: dict[str, tuple[str, ...]] = {
        "aliases": ("kind", "alias"),
        "assumptions": ("room", "name", "applies_to", "unit"),
    }
    return name in fixed.get(kind, ())


def _label(field: str) -> str:
    return {"of": "Name of", "target": "Key of the row", "alias": "Written as"}.get(
        field, label_of_field(field)
    )


def _figure_label(column: Column, name: str) -> str:
    label = label_of_field(column.field)
    if name == column.low:
        return f"{label}, low"
    if name == column.high:
        return f"{label}, high"
    return f"{label}, typical" if column.low else label


def _options(kind: str, name: str) -> tuple[Option, ...]:
    """The words that a field may have, where they are few."""
    if name == "value_kind":
        return tuple(Option(word, MARKS[word]) for word in VALUE_KINDS)
    if kind == "prices" and name == "unit":
        return tuple(Option(unit, unit) for unit in PRICE_UNITS)
    field = own_columns(kind).text.get(name, "")
    info: Any = KINDS[kind].model_fields.get(field)
    if info is None or typing.get_origin(info.annotation) is not Literal:
        return ()
    return tuple(
        Option(str(word), str(word).replace("_", " ")) for word in typing.get_args(info.annotation) if word
    )
