"""Searching, filtering and sorting rows, whatever they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.catalog.query import OPERATORS, Condition, Order, Range, Selection

ROWS = [("b", 2), ("a", 1), ("c", None), ("d", 2)]


def number(row: tuple[str, int | None]) -> int | None:
    return row[1]


def name(row: tuple[str, int | None]) -> str:
    return row[0]


def test_the_unknown_passes_no_condition() -> None:
    for holds in (lambda value: True, lambda value: value != 1, Range().holds):
        found = Selection(text=name, conditions=(Condition(number, holds),)).rows(ROWS)
        assert ("c", None) not in found
        assert found


def test_the_unknown_comes_last_either_way_and_equals_keep_their_order() -> None:
    up, down = (
        Selection(text=name, order=Order(number, descending)).rows(ROWS) for descending in (False, True)
    )
    assert [name(row) for row in up] == ["a", "b", "d", "c"]
    assert [name(row) for row in down] == ["b", "d", "a", "c"]


def test_all_words_must_be_there() -> None:
    rows = ["red green", "green blue", "blue red"]
    assert Selection(text=str, words=("blue", "re")).rows(rows) == ["green blue", "blue red"]
    assert Selection(text=str, words=("blue", "pink")).rows(rows) == []


def test_without_an_order_rows_stay_as_they_came() -> None:
    assert Selection(text=name).rows(ROWS) == ROWS


def test_operators() -> None:
    assert list(OPERATORS) == ["eq", "ne", "lt", "lte", "gt", "gte", "contains", "in"]
    assert OPERATORS["contains"]("h100 sxm", "100")
    assert not OPERATORS["contains"]("100", "h100 sxm")
    assert OPERATORS["in"]("amd", ("amd", "google"))


@given(st.floats(1e-9, 1e18), st.floats(1e-15, 1e15))
def test_a_limit_typed_in_another_unit_holds_its_own_value(value: float, divisor: float) -> None:
    typed = float(repr(value / divisor)) * divisor
    assert Range(low=typed, high=typed).holds(value)
    assert not Range(low=1.001 * typed).holds(value)
    assert not Range(high=0.999 * typed).holds(value)
