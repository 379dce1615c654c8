"""The catalog of a workspace as it will be once the lines that were looked at already are written."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from app.catalog.kinds import KINDS
from app.catalog.lookup import Catalog
from app.catalog.own.parsing import Stated
from app.catalog.reading import laid_over
from app.catalog.rows import CITATION_COLUMNS, SeedFact
from app.catalog.values import Fact, Part
from app.catalog.weather.year import UploadedYear
from app.likeness import most_like

MOST_SUGGESTED = 100
PLANNED = "entered now"
"""What rows that are not written yet say of who entered them."""


@dataclass(frozen=True)
class Known:
    """`catalog` is that of the workspace; what `planned` holds comes before it."""

    catalog: Catalog
    planned: dict[tuple[str, str], Part] = field(default_factory=dict)
    _asked: Iterator[int] = field(default_factory=count, repr=False)  # for what is most like a key

    def part(self, kind: str, key: str) -> Part | None:
        """A row, None where there is none."""
        if (kind, key) in self.planned:
            return self.planned[kind, key]
        return self.catalog.part(kind, key) if key in self.catalog.keys(kind) else None

    def builtin(self, kind: str, key: str) -> Part | None:
        """The built-in row of a key."""
        found = self.catalog.builtin
        return found.part(kind, key) if key in found.keys(kind) else None

    def has(self, kind: str, key: str) -> bool:
        return self.part(kind, key) is not None

    def kind_of_hardware(self, key: str) -> str:
        """The kind of a piece of hardware; "" where there is none of this key."""
        return next((kind for kind, spec in KINDS.items() if spec.hardware and self.has(kind, key)), "")

    def nearest(self, kinds: tuple[str, ...], key: str) -> list[str]:
        """Keys that are most like one that is not there."""
        keys = [other for kind, other in self.planned if kind in kinds]
        keys += [other for kind in kinds for other in self.catalog.keys(kind)]
        # of thousands of lines that are wrong the first ones show what is
        return most_like(key, dict.fromkeys(keys)) if next(self._asked) < MOST_SUGGESTED else []

    def plan(self, part: Part) -> None:
        """Count a row that was looked at as being there."""
        self.planned[part.kind, part.key] = part


def covered(catalog: Catalog, part: Part) -> dict[str, Fact]:
    """Built-in figures that own ones stand in place of."""
    builtin = Known(catalog).builtin(part.kind, part.key) if part.own else None
    if builtin is None:
        return {}
    return {name: fact for name, fact in builtin.facts.items() if name in part.facts and part.facts[name].own}


def planned_part(stated: Stated, present: Part | None, builtin: Part | None) -> Part:
    """A row as it will be. An own price stands in place of a built-in one; of a part only what is stated does."""
    facts = {name: _fact(fact) for name, fact in stated.facts.items()}
    own = Part(
        kind=stated.kind,
        key=stated.key,
        name=str(stated.texts.get(KINDS[stated.kind].name_field, "")),
        vendor=str(stated.texts.get(KINDS[stated.kind].vendor_field, "")),
        year=stated.texts.get("year"),
        status=str(stated.texts.get("status", "")),
        attributes={name: text for name, text in stated.texts.items() if name != "year"},
        facts=facts,
        source=stated.source.citation,
        own=PLANNED,
    )
    if KINDS[stated.kind].table == "price":
        others = {name: fact.value for name, fact in facts.items() if name != "value"}
        value = facts.get("value") or (present or builtin or own).facts["value"]
        return dataclasses.replace(
            own,
            name=str(getattr(stated.record.spec, KINDS[stated.kind].name_field)),
            attributes={**whole_attributes(stated), **others},
            facts={"value": value},
        )
    if present is not None:
        return dataclasses.replace(laid_over(own, present), stated=_stated(own, present, builtin))
    return dataclasses.replace(own, attributes=whole_attributes(stated))


def year_part(year: UploadedYear) -> Part:
    """A climate year as it will be."""
    return Part(
        kind="climate",
        key=year.key,
        name=year.name,
        vendor="",
        year=None,
        status="",
        attributes=year.attributes,
        facts={},
        source=year.source.citation,
        own=PLANNED,
    )


def whole_attributes(stated: Stated) -> dict[str, Any]:
    """The words of a whole row, as the seed files keep them."""
    spec = stated.record.spec
    figures = {name for name, info in type(spec).model_fields.items() if _is_figure(info.json_schema_extra)}
    words = spec.model_dump(exclude={*figures, *CITATION_COLUMNS, "key", "year"}, exclude_none=True)
    return {name: value for name, value in words.items() if value != ""}


def _is_figure(extra: Any) -> bool:
    return isinstance(extra, dict) and "printed_unit" in extra


def _stated(own: Part, present: Part, builtin: Part | None) -> tuple[str, ...]:
    if builtin is None:
        return ()
    now = (*(["year"] if own.year else []), *own.attributes, *own.facts)
    return tuple(dict.fromkeys([*present.stated, *now]))


def _fact(fact: SeedFact) -> Fact:
    names = (
        "value", "low", "typical", "high", "unit", "printed_value", "printed_unit", "printed_column", "kind",
        "confidence",
    )  # fmt: skip
    return Fact(
        **{name: getattr(fact, name) for name in names},
        source=fact.citation.text,
        url=fact.citation.url,
        date=fact.as_of,
        licence=fact.citation.licence,
        ship=fact.citation.ship,
        credit=fact.citation.credit,
        own=PLANNED,
    )
