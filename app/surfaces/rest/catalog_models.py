"""The shapes of catalog answers."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field

from app.catalog.kinds import KINDS
from app.catalog.lookup import Catalog, Fact, Part, Price
from app.catalog.own.columns import NOT_OWN, own_columns
from app.catalog.own.known import covered
from app.surfaces.rest.catalog_query import fields_of

Origin = Literal["vendor", "measured", "third_party", "derived", "assumption"]


Whose = Literal["builtin", "workspace"]


class Answer(BaseModel):
    """Every member is always there."""

    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class FieldAnswer(Answer):
    """A field that rows can be filtered and sorted by."""

    name: str
    type: Literal["number", "text"]
    unit: str = Field(description="Unit of a number; 1 for a count or ratio, empty for text.")
    basis: str = Field(description="Counting convention, such as dense FLOP/s or one-way bandwidth.")


class ColumnAnswer(Answer):
    """A column of the tables of a kind, in which rows are stated and exported."""

    name: str
    field: str
    unit: str = Field(description="As it is printed; empty for words and counts.")
    type: Literal["number", "text"]


class KindAnswer(Answer):
    """A kind of catalog row."""

    kind: str
    title: str
    rows: int
    href: str
    fields: list[FieldAnswer]
    columns: list[ColumnAnswer] = Field(description="Of own rows; none where a workspace can have none.")


class KindsAnswer(Answer):
    """All kinds."""

    revision: str = Field(description="Of the catalog; it changes with any row.")
    items: list[KindAnswer]


class Printed(Answer):
    """Value as printed by the source, before conversion."""

    value: str
    unit: str
    column: str = Field(description="Column of the seed file.")


class ShortFact(Answer):
    """A figure in short."""

    value: float
    unit: str
    kind: Origin
    origin: Whose = Field(description="Whether Podwright ships it, or the workspace states it.")


class FactAnswer(ShortFact):
    """A figure in SI, what was printed, and where it comes from."""

    low: float | None
    typical: float | None
    high: float | None
    value_basis: str = Field(
        description="Choice of the value within a range; empty for a figure without one."
    )
    printed: Printed
    confidence: str = Field(description="confirmed, secondary, weak, recalled, or empty if not stated.")
    date: str = Field(description="YYYY, YYYY-MM or YYYY-MM-DD; empty when unknown.")
    source: str
    url: str
    licence: str
    credit: str
    own: str = Field(description="Whose own it is, who entered it and when; empty for a built-in one.")


class PriceAnswer(Answer):
    """Price; value is the typical, else the geometric mean of low and high."""

    key: str
    item: str
    condition: str
    value: float
    low: float | None
    typical: float | None
    high: float | None
    unit: str
    printed_unit: str
    value_basis: str
    kind: Origin
    confidence: str
    as_of: str
    source: str
    url: str
    licence: str
    note: str
    origin: Whose
    own: str


class RowAnswer(Answer):
    """A row in short. An unpublished figure is absent from facts."""

    key: str
    name: str
    vendor: str
    year: int | None
    status: str
    origin: Whose
    href: str
    attributes: dict[str, Any] = Field(description="Words of the row: form factor, notes and so on.")
    facts: dict[str, ShortFact]


class PageAnswer(Answer):
    """A page of rows."""

    items: list[RowAnswer]
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")


class PartAnswer(Answer):
    """A row with everything known about it."""

    kind: str
    key: str
    name: str
    vendor: str
    year: int | None
    status: str
    revision: int
    origin: Whose
    own: str = Field(description="Whose own row it is, who entered it and when; empty for a built-in one.")
    stated: list[str] = Field(description="Values of the workspace in place of the built-in row.")
    attributes: dict[str, Any]
    facts: dict[str, FactAnswer]
    builtin: dict[str, FactAnswer] = Field(description="Built-in figures that own ones stand in place of.")
    source: str
    price: PriceAnswer | None = Field(description="The price that speaks for a piece of hardware.")
    prices: list[PriceAnswer]


def kinds_answer(catalog: Catalog, base: str) -> dict[str, Any]:
    """All kinds with their fields."""
    items = [
        {
            "kind": kind,
            "title": KINDS[kind].title,
            "rows": len(catalog.keys(kind)),
            "href": f"{base}/{kind}",
            "fields": [dataclasses.asdict(field) for field in fields_of(kind).values()],
            "columns": columns_answer(kind),
        }
        for kind in catalog.kinds()
    ]
    return {"revision": catalog.revision, "items": items}


def row_answer(part: Part, base: str) -> dict[str, Any]:
    """A row in short."""
    names = ("key", "name", "vendor", "year", "status")
    facts = {
        name: {"value": fact.value, "unit": fact.unit, "kind": fact.kind, "origin": owner_of(fact)}
        for name, fact in part.facts.items()
    }
    return {
        **{name: getattr(part, name) for name in names},
        "origin": owner_of(part),
        "href": f"{base}/{part.kind}/{quote(part.key, safe='')}",
        "attributes": part.attributes,
        "facts": facts,
    }


def part_answer(catalog: Catalog, part: Part) -> dict[str, Any]:
    """A row with all its figures; hardware with all its prices."""
    names = ("kind", "key", "name", "vendor", "year", "status", "revision", "own", "attributes", "source")
    hardware = KINDS[part.kind].hardware
    price = catalog.price(part.key) if hardware else None
    return {
        **{name: getattr(part, name) for name in names},
        "origin": owner_of(part),
        "stated": list(part.stated),
        "facts": {name: _fact_answer(fact) for name, fact in part.facts.items()},
        "builtin": {name: _fact_answer(fact) for name, fact in covered(catalog, part).items()},
        "price": _price_answer(price) if price else None,
        "prices": [_price_answer(row) for row in catalog.prices(part.key)] if hardware else [],
    }


def _fact_answer(fact: Fact) -> dict[str, Any]:
    printed = {"value": fact.printed_value, "unit": fact.printed_unit, "column": fact.printed_column}
    names = [name for name in FactAnswer.model_fields if name not in ("printed", "origin")]
    return {**{name: getattr(fact, name) for name in names}, "printed": printed, "origin": owner_of(fact)}


def _price_answer(price: Price) -> dict[str, Any]:
    names = [name for name in PriceAnswer.model_fields if name != "origin"]
    return {**{name: getattr(price, name) for name in names}, "origin": owner_of(price)}


def owner_of(found: Part | Fact | Price) -> Whose:
    """Return whether Podwright ships it, or the workspace states it."""
    return "workspace" if found.own else "builtin"


def columns_answer(kind: str) -> list[dict[str, str]]:
    """The columns that rows of a kind are stated in."""
    if kind in NOT_OWN:
        return []
    columns = own_columns(kind)
    found = []
    for name in columns.names:
        figure = None if name in columns.text else columns.figure_at(name)
        field, unit = (figure.field, figure.printed_unit) if figure else (columns.text[name], "")
        found.append({"name": name, "field": field, "unit": unit, "type": "number" if figure else "text"})
    return found
