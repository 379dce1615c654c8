"""What claims are computed from, and how what is computed is compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.scaling_laws import scaling_laws
from app.engine.explain import explanation
from app.engine.trace import Array, Node, Origin, Traced, plain, traced_input
from app.engine.units import words_of
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_example, evaluated
from app.scenarios.load import build_scenario
from app.validation.claims.ledger import Article, Rule, Verdict, ledger

# What calculations of claims start from: catalog facts, figures of the article and of other sources, designs.
#
# Every number comes wrapped with its origin, so that the calculation can explain itself.


class Inputs:
    """Look-ups for the calculation of one claim; `design` is what it evaluated, if anything."""

    def __init__(self, catalog: Catalog, article: Article) -> None:
        self._catalog = catalog
        self._article = article
        self.example = ""
        self.design: EvaluatedScenario | None = None

    def fact(self, kind: str, key: str, name: str) -> Array:
        """A fact of a catalog row.

        Raises
        ------
        KeyError : not published
        """
        part = self._catalog.part(kind, key)
        found = part.facts[name]
        origin = Origin(
            kind=found.kind,
            label=f"{part.name}, {words_of(name)}",
            source=found.source,
            date=found.date,
            confidence=found.confidence,
            catalog=f"{kind}/{key}",
            printed=f"{found.printed_value} {found.printed_unit}".strip(),
            low=found.low,
            high=found.high,
        )
        return _input(name, found.value, found.unit, origin)

    def dimensions(self, kind: str, key: str) -> Array:
        """Dimensions of a torus, read from the words of a catalog row: "3D torus" has three.

        Raises
        ------
        ValueError : the row names no torus
        """
        part = self._catalog.part(kind, key)
        words = str(part.attributes["scale_up_topology"])
        found = re.search(r"(\d)D torus", words)
        if found is None:
            raise ValueError(f"{kind}/{key} is no torus: {words}")
        origin = Origin(
            kind="vendor",
            label=f"{part.name}, topology",
            source=part.source,
            catalog=f"{kind}/{key}",
            printed=words,
        )
        return _input("dimensions", float(found[1]), "1", origin)

    def accelerator(self, key: str, name: str) -> Array:
        return self.fact("accelerators", key, name)

    def system(self, key: str, name: str) -> Array:
        return self.fact("systems", key, name)

    def assumption(self, room: str, name: str) -> Array:
        """A value that the engine assumes."""
        row = self._catalog.assumption(room, name, {})
        origin = Origin(
            kind=row.kind,
            label=row.description,
            source=row.source,
            date=row.as_of,
            catalog=f"assumptions/{room}.{name}",
            low=row.low,
            high=row.high,
        )
        return _input(name, row.value, row.unit, origin)

    def price(self, part_key: str, row_key: str = "") -> Array:
        """What a part costs to buy: the price that speaks for it, or the one that is named.

        Raises
        ------
        CatalogLookupError : there is no such price
        """
        price = self._catalog.price_item(row_key) if row_key else self._catalog.price(part_key)
        assert price is not None, f"no published price of {part_key}"
        origin = Origin(
            kind=price.kind,
            label=f"{price.item}, price",
            source=price.source,
            date=price.as_of,
            confidence=price.confidence,
            catalog=f"prices/{price.key}",
            printed=price.condition,
            low=price.low,
            high=price.high,
        )
        return _input("price_usd", price.value, "USD", origin)

    def rental(self, accelerator: str, kind: str, key: str) -> Array:
        """A dated offer to rent an accelerator.

        Raises
        ------
        KeyError : there is no such offer
        """
        offers = {offer.key: offer for offer in self._catalog.rentals(accelerator, kind)}
        offer = offers[key]
        origin = Origin(
            kind=offer.value_kind,
            label=f"{offer.provider} {offer.instance}, {offer.term}",
            source=offer.source,
            date=offer.date,
            confidence=offer.confidence,
            catalog=f"rentals/{key}",
        )
        return _input("usd_per_accelerator_hour", offer.usd_per_accelerator_hour, "USD/h", origin)

    def published(self, key: str) -> Array:
        """A figure of another source."""
        found = ledger().published[key]
        source = "; ".join(text for text in (found.source, found.url) if text)
        origin = Origin(kind=found.kind, label=found.label, source=source, date=found.date)
        return _input(key, found.value, found.unit, origin)

    def says(self, value: float, unit: str, label: str) -> Array:
        """A figure that the article gives, and from which it draws another."""
        origin = Origin(kind="third_party", label=label, source=f"the article: {self._article.title}")
        return _input(label, value, unit, origin)

    def chosen(self, value: float, unit: str, label: str, why: str) -> Array:
        """A figure that we chose to work an example with."""
        return _input(label, value, unit, Origin(kind="assumption", label=label, source=why))

    def law(self, law: str, constant: str) -> Array:
        """A constant of a scaling law."""
        found = scaling_laws()[law]
        origin = Origin(kind="third_party", label=f"{found.name}, {constant}", source=found.source)
        return _input(constant, found.value(constant), "1", origin)

    def example_figure(self, key: str, path: str) -> Array:
        """A figure of a worked example, evaluated."""
        self.example, self.design = key, evaluate_example(key, self._catalog)
        return self._figure(path)

    def scenario_figure(self, values: Mapping[str, Any], path: str) -> Array:
        """A figure of a scenario, evaluated."""
        if self.design is None:
            self.design = evaluated(build_scenario(dict(values)), self._catalog)
        return self._figure(path)

    def _figure(self, path: str) -> Array:
        assert self.design is not None
        figure: Any = self.design.figures[path]
        return figure  # type: ignore[no-any-return]


def _input(name: str, value: float, unit: str, origin: Origin) -> Array:
    traced: Any = traced_input(name, np.array([value]), unit, origin)
    return traced  # type: ignore[no-any-return]


# Our figure beside the article's, and the verdict that follows.


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One computed figure of a claim.

    Without a rule, or with `decides` off, it stands beside the others and decides nothing. `unit` is how it is
    shown where that differs from the unit of its quantity; "%" shows a fraction as a percentage.
    """

    label: str
    ours: Array
    rule: Rule | None = None
    unit: str = ""
    decides: bool = True
    note: str = ""

    @property
    def value(self) -> float:
        return float(np.asarray(plain(self.ours), dtype=float).reshape(-1)[0])

    @property
    def own_unit(self) -> str:
        """The unit of the value."""
        return self.node.unit

    @property
    def verdict(self) -> Verdict | None:
        """By the rule; None without one."""
        return self.rule.verdict(self.value) if self.rule else None

    def explained(self) -> dict[str, Any]:
        """The calculation as a tree of plain values."""
        return explanation(self.node.name, self._traced)

    @property
    def node(self) -> Node:
        """The last step of the calculation."""
        return self._traced.node

    @property
    def _traced(self) -> Traced:
        found: Any = self.ours  # a traced value stands in for an array
        assert isinstance(found, Traced), f"{self.label} cannot explain itself"
        return found


Calculation = Callable[[Inputs], list[Compared]]


Topic = Mapping[str, Calculation]
"""Claim id -> what computes it."""
