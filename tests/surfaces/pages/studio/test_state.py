"""The scenario in an address."""

from __future__ import annotations

import pytest

from app.scenarios.examples import list_examples
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import decode_state, encode_state


@pytest.mark.parametrize("example", list_examples(), ids=lambda example: example.key)
def test_address_keeps_the_scenario_and_stays_short(example: object) -> None:
    values = stated_values(example.read())  # type: ignore[attr-defined]
    state = encode_state(values)
    assert decode_state(state) == values
    assert len(state) < 3000
    assert state.replace("-", "").replace("_", "").replace(".", "").isalnum()


@pytest.mark.parametrize("text", ["", "1.", "2.abc", "1.!!!", "1.AAAA", "x", "1." + "A" * 5000])
def test_what_is_no_state_is_none(text: str) -> None:
    assert decode_state(text) is None


def test_a_state_that_would_unpack_without_end_is_none() -> None:
    assert decode_state(encode_state({"name": "a" * 5_000_000})) is None
