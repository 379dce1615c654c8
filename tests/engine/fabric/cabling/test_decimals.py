"""Whole numbers as text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.fabric.cabling.decimals import decimals, padded

NUMBERS = st.lists(st.integers(0, 10**9), max_size=30)


@pytest.mark.slow
@given(NUMBERS)
def test_numbers_are_written_as_python_writes_them(numbers: list[int]):
    assert decimals(np.array(numbers, int)).tolist() == [str(number).encode() for number in numbers]


@pytest.mark.slow
@given(NUMBERS, st.integers(1, 6))
def test_padded_numbers_have_the_length_of_the_longest(numbers: list[int], least: int):
    digits = max([least, *(len(str(number)) for number in numbers)])
    assert padded(np.array(numbers, int), least).tolist() == [
        f"{number:0{digits}}".encode() for number in numbers
    ]


def test_what_is_below_nought_is_left_out():
    assert decimals(np.array([-1, 0, -7])).tolist() == [b"", b"0", b""]
