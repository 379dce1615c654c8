"""Reading validation files."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.validation.study import Row, UnsupportedRowError, ValidationFileError, read_rows
from tests.validation.conftest import RUNS


def test_rows_are_named_by_id_key_or_number(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id,key,scored\na,b,yes\n,b,no\n,,\n", encoding="utf-8-sig")
    rows = read_rows(path, ("id",))
    assert [row.key for row in rows] == ["a", "b", "3"]
    assert [row.scored for row in rows] == [True, False, True]


def test_family_is_the_prefix_of_the_id() -> None:
    assert Row("MT21Z-001", {}).family == "MT21Z"
    assert Row("17", {"source": "A table"}).family == "A table"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "has no column id"),
        (b"a\n1\n", "has no column id"),
        (b"id\n\xff\n", "is not UTF-8 text"),
        (b'id\n"open\n', "unexpected end of data"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(content)
    with pytest.raises(ValidationFileError, match=said):
        read_rows(path, ("id",))


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValidationFileError, match="No such file"):
        read_rows(tmp_path / "nothing.csv", ())


@pytest.mark.parametrize("text", ["x", "nan", "inf", "1e400"])
def test_cells_that_are_no_number(text: str) -> None:
    with pytest.raises(UnsupportedRowError, match="tp is"):
        Row("1", {"tp": text}).number("tp")


def test_counts() -> None:
    row = Row("1", {"a": "8", "b": "0", "c": "", "d": "2.5", "e": "-1", "f": "1,024"})
    assert [row.count(name) for name in "abcf"] == [8, None, None, 1024]
    for name in "de":
        with pytest.raises(UnsupportedRowError, match="not a whole number"):
            row.count(name)
    with pytest.raises(UnsupportedRowError, match="c is not given"):
        row.needed("c")


def test_fixture_is_what_the_papers_print() -> None:
    assert len(read_rows(RUNS, ("id", "accelerator_key"))) == 10
