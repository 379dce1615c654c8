"""The query of a catalog listing: search, filters, order and page.

Pages are found by key and not by number: `after` holds the place of the last row that was seen, so
that nothing is shown twice or left out when rows come and go in between.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

import orjson

from app.catalog.columns import numeric_columns
from app.catalog.kinds import KINDS
from app.catalog.lookup import Part
from app.catalog.query import OPERATORS, Condition, Order, Selection
from app.likeness import nearest_names
from app.scenarios.errors import shorten
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.paging import bad_cursor, read_limit
from app.surfaces.rest.parameters import beyond_schema

Value: TypeAlias = float | str

PAGING = ("q", "sort", "limit", "after")
"""Every other parameter is a filter: `field__op=value`, and `field=value` is short for `eq`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """Where a page ended: the order it was in, and the sorted value and key of its last row."""

    sort: str
    value: Value | None
    key: str

    def text(self) -> str:
        content = orjson.dumps([self.sort, self.value, self.key])
        return base64.urlsafe_b64encode(content).decode().rstrip("=")


OF_EVERY_ROW = ("key", "name", "vendor", "year", "status", "source")
NOT_OF_A_ROW = frozenset({"url", "confidence", "memory_only_fields", "licence_key"})
"""They belong to single figures; the answer for one part shows them there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of the rows of a kind. Numbers are in `unit`; text is compared whatever its case."""

    name: str
    type: Literal["number", "text"]
    unit: str = ""
    basis: str = ""

    def of(self, part: Part) -> float | str | None:
        """The field of one row, None when it is unknown."""
        if self.type == "number":
            found = part.year if self.name == "year" else _number(part, self.name)
            return None if found is None else float(found)
        text = getattr(part, self.name) if self.name in OF_EVERY_ROW else part.attributes.get(self.name)
        return str(text).casefold() if text not in (None, "") else None


def _number(part: Part, name: str) -> float | None:
    if name in part.facts:
        return part.facts[name].value
    found = part.attributes.get(name)  # of prices and rentals, all numbers but one stand here
    return found if isinstance(found, int | float) else None


@cache
def fields_of(kind: str) -> Mapping[str, Field]:
    """Name -> field, what every row has first."""
    spec = KINDS[kind]
    found = {name: Field(name=name, type="number" if name == "year" else "text") for name in OF_EVERY_ROW}
    for column in numeric_columns(spec):
        found[column.field] = Field(name=column.field, type="number", unit=column.unit, basis=column.basis)
    for name in spec.model_fields:
        if name not in NOT_OF_A_ROW:
            found.setdefault(name, Field(name=name, type="text"))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogQuery:
    """Query over the rows of one kind."""

    selection: Selection[Part]
    sort: Field
    descending: bool
    limit: int
    after: Cursor | None

    @property
    def sort_text(self) -> str:
        return f"{'-' if self.descending else ''}{self.sort.name}"

    def page(self, parts: Sequence[Part]) -> tuple[list[Part], Cursor | None]:
        """The rows of the page, and where the next one begins; None at the end."""
        by_key = sorted(parts, key=lambda part: part.key)
        rest = [part for part in self.selection.rows(by_key) if self._follows(part)]
        shown = rest[: self.limit]
        if len(rest) <= self.limit:
            return shown, None
        last = shown[-1]
        return shown, Cursor(sort=self.sort_text, value=self.sort.of(last), key=last.key)

    def _follows(self, part: Part) -> bool:
        """Return whether a row comes after the cursor. Unknown values come last, equal ones by key."""
        if self.after is None:
            return True
        here, there = self.sort.of(part), self.after.value
        if here is None or there is None or here == there:
            return (here is None, part.key) > (there is None, self.after.key)
        return here < there if self.descending else here > there  # type: ignore[operator]


def read_query(given: Mapping[str, str], fields: Mapping[str, Field], limits: Limits) -> CatalogQuery:
    """A query from the parameters of a request.

    Raises
    ------
    ProblemError : a parameter is not known or its value cannot be used
    """
    asked = [(name, value) for name, value in given.items() if name not in PAGING]
    if len(asked) > limits.most_filters:
        raise beyond_schema(asked[0][0], "too_many", f"More than {limits.most_filters} filters.")
    sort = given.get("sort", "key")
    descending = sort.startswith("-")
    field = fields.get(sort.removeprefix("-"))
    if field is None:
        raise _no_such_field("sort", sort.removeprefix("-"), fields)
    selection = Selection(
        text=_searched,
        words=tuple(given.get("q", "").casefold().split()),
        conditions=tuple(_filter(name, value, fields) for name, value in asked),
        order=Order(field.of, descending),
    )
    return CatalogQuery(
        selection=selection,
        sort=field,
        descending=descending,
        limit=read_limit(given, limits),
        after=_cursor(given["after"], f"{'-' if descending else ''}{field.name}", field)
        if "after" in given
        else None,
    )


def _filter(name: str, value: str, fields: Mapping[str, Field]) -> Condition[Part]:
    field_name, mark, operation = name.rpartition("__")
    if not mark:
        field_name, operation = name, "eq"
    field = fields.get(field_name)
    if field is None:
        if mark or nearest_names(name[:80], PAGING, count=1) == "":
            raise _no_such_field(name, field_name, fields)
        # any name fits the schema of the conditions, a mistyped one of paging as well
        hint = f"Nearest: {nearest_names(name[:80], [*PAGING, *fields])}."
        raise beyond_schema(name, "unknown_parameter", f"{shorten(name)} is not a known parameter.", hint)
    if operation not in OPERATORS:
        known = ", ".join(OPERATORS)
        message = f"{shorten(operation)} is not an operator."
        near = nearest_names(operation[:80], OPERATORS, count=1)
        hint = (f"Nearest: {near}. " if near else "") + f"Operators: {known}."
        raise beyond_schema(name, "unknown_operator", message, hint)
    if operation == "contains" and field.type == "number":
        raise beyond_schema(
            name, "not_text", f"{field_name} is a number.", "Compare it by eq, ne, lt, lte, gt, gte or in."
        )
    compare = OPERATORS[operation]
    if operation == "in":
        choices = tuple(_value(name, one, field) for one in value.split(","))
        return Condition(field.of, lambda found: compare(found, choices))
    asked = _value(name, value, field)
    return Condition(field.of, lambda found: compare(found, asked))


def _no_such_field(parameter: str, name: str, fields: Mapping[str, Field]) -> Exception:
    near = nearest_names(name[:80], fields)
    hint = f"Nearest: {near}." if near else f"Fields: {', '.join(fields)}."
    return beyond_schema(parameter, "unknown_field", f"{shorten(name)} is not a field here.", hint)


def _value(parameter: str, text: str, field: Field) -> Value:
    if field.type == "text":
        return text.strip().casefold()
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise beyond_schema(
            parameter, "number", f"{shorten(text)} is not a number.", f"{field.name} is a number"
            + (f" in {field.unit}." if field.unit not in ("", "1") else "."),
        )  # fmt: skip
    return number


def _cursor(text: str, sort: str, field: Field) -> Cursor:
    try:
        content = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (binascii.Error, ValueError):
        raise bad_cursor() from None
    kind = float if field.type == "number" else str
    match content:
        case [str(made_for), value, str(key)] if made_for == sort and (
            value is None or isinstance(value, kind)
        ):
            return Cursor(sort=made_for, value=value, key=key)
    raise bad_cursor()


def _searched(part: Part) -> str:
    words = [part.key, part.key.replace("_", " "), part.name, part.vendor, part.status, str(part.year or "")]
    return " ".join([*words, *(str(value) for value in part.attributes.values())]).casefold()
