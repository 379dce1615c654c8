"""Tokens: whole for those who were given them, refused from everybody else."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.saved.cursor import place_of, token
from app.saved.errors import BadCursorError

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(texts, texts, st.integers(0, 10**6))
def test_a_token_gives_its_place_back(name: str, text: str, number: int) -> None:
    given_out = token(name, text, number)
    assert given_out.replace("-", "").replace("_", "").isalnum()  # needs no quoting in an address
    assert place_of(given_out, name, str, int) == (text, number)


@given(
    st.text(max_size=80)
    | st.binary(max_size=60).map(lambda content: base64.urlsafe_b64encode(content).decode())
)
def test_anything_else_is_refused(given_text: str) -> None:
    with pytest.raises(BadCursorError):
        place_of(given_text, "scenario/updated", str, str)


@pytest.mark.parametrize(
    "values",
    [
        ["list", "a"],
        ["list", "a", 1, 2],
        ["other", "a", 1],
        ["list", "a", True],
        ["list", 1, "a"],
        ["list", None, 1],
        {"list": 1},
    ],
)
def test_a_token_of_another_shape_is_refused(values: object) -> None:
    text = base64.urlsafe_b64encode(json.dumps(values).encode()).decode()
    with pytest.raises(BadCursorError):
        place_of(text, "list", str, int)


def test_a_deep_or_endless_token_is_refused() -> None:
    deep = base64.urlsafe_b64encode(b"[" * 1400).decode()
    for text in (deep, "A" * 10_000):
        with pytest.raises(BadCursorError):
            place_of(text, "list", str)
