"""Searching, filtering and sorting rows of the catalog, for the pages and for the API alike.

A row is a part, or a line of a table made from one. What a condition or an order looks at is a function that
reads it from a row and gives None where it is unknown. The unknown passes no condition, and comes last
whichever way the rest is sorted.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

RowT = TypeVar("RowT")

OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lte": operator.le,
    "gt": operator.gt,
    "gte": operator.ge,
    "contains": operator.contains,
    "in": lambda value, choices: value in choices,
}
"""Ways to compare the value of a row with what is asked for, by the names that addresses use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Limits, None where there is none. They were typed in another unit, so what is as good as equal is within.

    >>> Range(low=0.3).holds(0.1 + 0.2), Range(high=0.3).holds(0.1 + 0.2), Range(low=1, high=2).holds(3)
    (True, True, False)
    """

    low: float | None = None
    high: float | None = None

    def holds(self, value: float) -> bool:
        above = self.low is None or value >= self.low or math.isclose(value, self.low)
        return above and (self.high is None or value <= self.high or math.isclose(value, self.high))


@dataclass(frozen=True, slots=True)
class Condition(Generic[RowT]):
    """What the value of a row must satisfy."""

    value: Callable[[RowT], Any]
    holds: Callable[[Any], bool]

    def passes(self, row: RowT) -> bool:
        found = self.value(row)
        return found is not None and self.holds(found)


@dataclass(frozen=True, slots=True)
class Order(Generic[RowT]):
    """What rows are sorted by. Rows of equal value keep the order they came in."""

    value: Callable[[RowT], Any]
    descending: bool = False

    def sorted(self, rows: Iterable[RowT]) -> list[RowT]:
        known: list[tuple[Any, RowT]] = []
        unknown: list[RowT] = []
        for row in rows:
            found = self.value(row)
            if found is None:
                unknown.append(row)
            else:
                known.append((found, row))
        known.sort(key=lambda pair: pair[0], reverse=self.descending)
        return [row for _, row in known] + unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection(Generic[RowT]):
    """The rows whose text holds all words and that pass all conditions, in an order where one is asked for."""

    text: Callable[[RowT], str]
    words: tuple[str, ...] = ()
    conditions: tuple[Condition[RowT], ...] = ()
    order: Order[RowT] | None = None

    def rows(self, rows: Iterable[RowT]) -> list[RowT]:
        found = [row for row in rows if self._holds(row)]
        return self.order.sorted(found) if self.order else found

    def _holds(self, row: RowT) -> bool:
        if not all(condition.passes(row) for condition in self.conditions):
            return False
        text = self.text(row) if self.words else ""
        return all(word in text for word in self.words)
