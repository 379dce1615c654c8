"""Collects the numbers of a design, each with where it comes from.

A value is looked for in the scenario, then in the part's facts, then in a generic catalog row (a
visible assumption); else it is unknown, and a suggestion may stand alongside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from app.catalog.prices import RENT_ONLY, price_words
from app.catalog.values import Fact, Part, Price
from app.catalog.view import CatalogView
from app.engine.trace import Array, Origin, Suggestion
from app.engine.units import words_of
from app.scenarios.document.estimates import EstimateDocument


@dataclass
class Inputs:
    """`origins` and `values` grow as numbers are taken; paths are those of the `Design` record."""

    catalog: CatalogView
    context: dict[str, str] = field(default_factory=dict)
    overrides: Mapping[str, float] = field(default_factory=dict)
    estimates: Mapping[str, EstimateDocument] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    values: dict[str, Array] = field(default_factory=dict)

    def copy(self) -> Inputs:
        """Inputs that go on from here, and leave these as they are."""
        return replace(self, context=dict(self.context), origins=dict(self.origins), values=dict(self.values))

    def scenario(self, path: str, value: float, field_name: str | None = None) -> Array:
        """A number the scenario states; `field_name` is its place there when it differs."""
        return self._put(
            path, value, Origin(kind="scenario", label=field_name or path, field=field_name or path)
        )

    def fact(
        self,
        path: str,
        part: Part,
        name: str | None = None,
        *,
        given: float | None = None,
        scenario_field: str = "",
        suggestion: Suggestion | None = None,
    ) -> Array:
        """A fact of a part, unless the scenario gives the value; unknown when no one published it."""
        if given is not None:
            return self.scenario(path, given, scenario_field)
        known = part.facts.get(name or path.rsplit(".", 1)[-1])
        label = f"{part.name}, {words_of(name or path)}"
        if known is None:
            return self.unknown(
                path,
                label,
                catalog=f"{part.kind}/{part.key}",
                scenario_field=scenario_field,
                suggestion=suggestion,
            )
        return self._put(path, known.value, _fact_origin(known, label, f"{part.kind}/{part.key}"))

    def price(
        self,
        path: str,
        part: Part | None,
        *,
        given: float | None = None,
        scenario_field: str = "",
        name: str = "",
    ) -> Array:
        """The purchase price of a part; an estimate is only offered, never used unasked.

        `name` is what the part is called where the catalog has none.
        """
        if given is not None:
            return self.scenario(path, given, scenario_field)
        if part is None:
            label = f"{name}, price" if name else words_of(path)
            return self.unknown(path, label, scenario_field=scenario_field)
        label = f"{part.name}, price"
        price = self.catalog.price(part.key)
        if price is not None:
            return self._put(path, price.value, _price_origin(price, label))
        estimate = self.catalog.price_estimate(part.key)
        why = self.catalog.price_absence(part.key)
        rent_only = why.removeprefix(RENT_ONLY) if why.startswith(RENT_ONLY) else ""
        if rent_only:
            why += "; state a price to see the cost of owning"
        suggestion = (
            Suggestion(
                value=estimate.value,
                unit="USD",
                source=estimate.source,
                field=scenario_field,
                low=estimate.low,
                high=estimate.high,
            )
            if estimate and scenario_field and not rent_only
            else None
        )
        return self.unknown(
            path,
            f"{label} ({why})" if why else label,
            catalog=f"{part.kind}/{part.key}",
            scenario_field=scenario_field,
            suggestion=suggestion,
            rent_only=rent_only,
        )

    def unknown(
        self,
        path: str,
        label: str,
        *,
        catalog: str = "",
        scenario_field: str = "",
        suggestion: Suggestion | None = None,
        rent_only: str = "",
    ) -> Array:
        """What is not published; `scenario_field` is where it could be stated."""
        estimate = self.estimates.get(path)
        if estimate is not None and estimate.of == label:
            return self._put(
                path,
                estimate.value,
                Origin(
                    kind="estimate",
                    label=label,
                    source=estimate.rule,
                    catalog=catalog,
                    field=scenario_field,
                    low=estimate.low,
                    high=estimate.high,
                ),
            )
        origin = Origin(
            kind="unknown",
            label=label,
            catalog=catalog,
            field=scenario_field,
            suggestion=suggestion,
            rent_only=rent_only,
        )
        return self._put(path, np.nan, origin)

    def derived(self, path: str, value: float, label: str, source: str) -> Array:
        """A number that follows from other catalog or scenario values before the engine runs."""
        return self._put(path, value, Origin(kind="derived", label=label, source=source))

    def taken(self, path: str, value: Any, origin: Origin) -> Array:
        """A value whose origin the caller knows."""
        return self._put(path, value, origin)

    def assumption(
        self,
        path: str,
        name: str,
        *,
        given: float | None = None,
        scenario_field: str = "",
        also: Mapping[str, str] | None = None,
    ) -> Array:
        """A modelling assumption `room.name`, unless the scenario states the value.

        `also` adds to the context that chooses among rows of one name.

        Raises
        ------
        LookupError : the assumption is not in the catalog
        """
        if given is not None:
            return self.scenario(path, given, scenario_field or path)
        if name in self.overrides:
            return self.scenario(path, self.overrides[name], f"assumptions.{name}")
        room, _, field_name = name.partition(".")
        row = self.catalog.assumption(room, field_name, {**self.context, **(also or {})})
        origin = Origin(
            kind=row.kind,
            label=row.description,
            source=row.source,
            date=row.as_of,
            catalog=f"assumptions/{name}",
            low=row.low,
            high=row.high,
            own=row.own,
        )
        return self._put(path, row.value, origin)

    def setting(self, name: str) -> float:
        """A threshold or width `room.name` that decides before the engine runs; no figure is computed from it."""
        if name in self.overrides:
            return float(self.overrides[name])
        room, _, field_name = name.partition(".")
        return self.catalog.assumption(room, field_name, {}).value

    def _put(self, path: str, value: Any, origin: Origin) -> Array:
        self.origins[path] = origin
        array = np.asarray(value, dtype=float)
        self.values[path] = array if array.ndim else array.reshape(1)
        return self.values[path]


def _fact_origin(fact: Fact, label: str, catalog: str) -> Origin:
    return Origin(
        kind=fact.kind,
        label=label,
        source=fact.source,
        date=fact.date or "",
        confidence=fact.confidence,
        catalog=catalog,
        printed=f"{fact.printed_value} {fact.printed_unit}".strip(),
        low=fact.low,
        high=fact.high,
        own=fact.own,
    )


def _price_origin(price: Price, label: str) -> Origin:
    return Origin(
        kind=price.kind,
        label=f"{label}: {words}" if (words := price_words(price)) else label,
        source=price.source,
        date=price.as_of or "",
        confidence=price.confidence,
        catalog=f"prices/{price.key}",
        printed=price.condition,
        low=price.low,
        high=price.high,
        own=price.own,
    )
