"""Text of people in cells: never a formula, and the same again after export and import."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scenarios.reading.spreadsheets.text import FORMULA_SIGNS, from_cell, to_cell

NEAR = st.text(alphabet="'=+-@\t\r\n ＝aH1", max_size=8)


@pytest.mark.parametrize("sign", FORMULA_SIGNS)
@pytest.mark.parametrize("before", ["", " ", "   ", "'", "' "])
def test_what_a_spreadsheet_would_compute_gets_a_quote(sign, before):
    text = f"{before}{sign}cmd|' /C calc'!A0"
    assert to_cell(text) == f"'{text}"
    assert from_cell(to_cell(text)) == text


@pytest.mark.parametrize("text", ["", "H100", "'tis", "a=b", "x\t=1", "1e12", "'"])
def test_other_text_stays_as_it_is(text):
    assert to_cell(text) == text
    assert from_cell(text) == text


@given(st.text(max_size=20) | NEAR)
def test_export_then_import_is_the_same_text_and_no_cell_is_a_formula(text):
    cell = to_cell(text)
    assert from_cell(cell) == text
    assert not cell.lstrip(" ").startswith(FORMULA_SIGNS)


@given(NEAR)
def test_two_texts_never_share_a_cell(text):
    assert to_cell(from_cell(text)) in (text, to_cell(text))
