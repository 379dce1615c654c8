"""The columns that rows of a workspace are stated in: those of the seed files, and where each line comes from."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import NamedTuple

from app.catalog.columns import Column, numeric_columns, text_columns
from app.catalog.kinds import KINDS
from app.catalog.kinds.accelerators import Accelerator
from app.catalog.kinds.aliases import Alias
from app.catalog.kinds.assumptions import Assumption
from app.catalog.kinds.base import CatalogKind
from app.catalog.kinds.rentals import Rental

NOT_OWN = frozenset({"climate"})
"""Kinds whose rows are more than a line of text can hold: a climate year is uploaded as a file."""

SOURCE_COLUMNS = ("source", "url", "licence", "as_of", "value_kind", "confidence")
IDENTITY = {"aliases": ("kind", "alias"), "assumptions": ("room", "name", "applies_to", "unit")}
"""Columns that every line of a row repeats, where it is not the key alone."""

RECALLED = "memory_only_fields"  # columns of a line that were written down from memory, divided by ;
FILLED_OTHERWISE: dict[type[CatalogKind], dict[str, str]] = {
    Accelerator: {"generation": "generation"},
    Assumption: {"room": "room"},
}
"""Text that the seed files keep elsewhere: column -> field."""

ALSO_CALLED: dict[type[CatalogKind], dict[str, str]] = {
    Rental: {"date": "as_of"},
    Assumption: {"kind": "value_kind"},
}
"""Columns of the seed files that say where a line comes from under another name."""


class OwnColumns(NamedTuple):
    """Text columns with their fields, and figures; together with `SOURCE_COLUMNS` all of a kind."""

    text: dict[str, str]
    figures: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Every column that says something of the row itself, its key first."""
        figures = [name for column in self.figures for name in column.printed]
        return tuple(dict.fromkeys([*self.text, *figures]))

    def figure_at(self, name: str) -> Column | None:
        """The figure that a column, or a field of that name, speaks of."""
        return next(
            (column for column in self.figures if name == column.field or name in column.printed), None
        )


def own_kinds() -> tuple[str, ...]:
    """Kinds that a workspace may have rows of."""
    return tuple(kind for kind in KINDS if kind not in NOT_OWN)


@cache
def own_columns(kind: str) -> OwnColumns:
    """The columns of a kind."""
    spec = KINDS[kind]
    also = ALSO_CALLED.get(spec, {})
    left_out = {*SOURCE_COLUMNS, RECALLED, *also}
    text = {column: field for column, field in text_columns(spec).items() if column not in left_out}
    text |= FILLED_OTHERWISE.get(spec, {})
    figures = tuple(
        column if column.printed else dataclasses.replace(column, column=column.field)
        for column in numeric_columns(spec)
    )
    return OwnColumns(dict(sorted(text.items(), key=lambda item: item[0] != "key")), figures)


def column_named(kind: str, name: str) -> str:
    """The column that a name stands for: itself, or that of an earlier spelling.

    >>> column_named("models", "d_model"), column_named("models", "hidden"), column_named("prices", "unit")
    ('hidden', 'hidden', 'unit')
    """
    return KINDS[kind].earlier_columns.get(name, name) if kind in KINDS else name


def source_column(kind: str, name: str) -> str:
    """The source column that a name stands for; "" for one that says something of the row itself.

    >>> source_column("rentals", "date"), source_column("models", "date"), source_column("prices", "url")
    ('as_of', '', 'url')
    """
    if name in SOURCE_COLUMNS:
        return name
    return ALSO_CALLED.get(KINDS[kind], {}).get(name, "")


def key_of(kind: str, cells: dict[str, str]) -> str:
    """The key of the row that a line is about; other names and assumptions are known by what they say.

    >>> key_of("aliases", {"kind": "model", "alias": "Our 8B", "key": "llama_3_1_8b"})
    'model:Our 8B'
    """
    spec = KINDS[kind]
    if spec is Alias:
        return f"{cells.get('kind', '')}:{cells.get('alias', '')}" if cells.get("alias") else ""
    if spec is Assumption:
        condition = f"[{cells['applies_to']}]" if cells.get("applies_to") else ""
        name = cells.get("name", "")
        return f"{cells.get('room', '')}.{name}{condition}" if name else ""
    return cells.get("key", "")
