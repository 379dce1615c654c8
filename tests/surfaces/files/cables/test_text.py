"""Rows of text from columns of text."""

from __future__ import annotations

import csv
import io

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.scenarios.reading.spreadsheets.text import from_cell
from app.surfaces.files.cables.text import csv_cell, each, joined_rows

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=8))
def test_rows_are_the_texts_one_after_the_other(rows: list[tuple[str, str]]):
    columns = [np.array([row[place].encode() for row in rows], "S") for place in (0, 1)]
    found = joined_rows([b"<", columns[0], b"|", columns[1], b">"], len(rows))
    assert found.decode() == "".join(f"<{one}|{other}>" for one, other in rows)


@given(WORDS.filter(lambda text: "\r" not in text))
def test_a_cell_is_read_as_it_was_written_and_never_computed(text: str):
    cell = csv_cell(text.encode()).decode()
    read = next(csv.reader(io.StringIO(cell + ",\n", newline="")))[0]
    assert from_cell(read) == text
    assert not read.lstrip(" ").startswith(("=", "+", "-", "@"))


def test_a_table_without_entries_stays_so():
    assert each(np.empty(0, "S4"), bytes.upper).tolist() == []
    assert each(np.array([b"a", b"b"]), bytes.upper).tolist() == [b"A", b"B"]
