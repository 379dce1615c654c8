"""Workbooks that people hand in: read as they are, and refused with a reason where they are made to do harm."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
import zlib
from datetime import datetime

import pytest
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference

from app.scenarios.errors import ScenarioError
from app.scenarios.reading.spreadsheets.text import WorkbookLimits
from app.scenarios.reading.spreadsheets.workbook import Row, open_workbook

SHEET = "xl/worksheets/sheet1.xml"
DOCTYPE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
WHEN = datetime(2026, 11, 22)  # noqa: DTZ001 - spreadsheets know no time zones
LAUGHS = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


def workbook(*rows: tuple, sheets: int = 1) -> bytes:
    book, stream = Workbook(), io.BytesIO()
    book.active.title = "Parts"
    for row in rows:
        book.active.append(row)
    for number in range(1, sheets):
        book.create_sheet(f"More {number}")
    book.save(stream)
    return stream.getvalue()


def changed(content: bytes, **parts: str | bytes) -> bytes:
    """The workbook with files put in or replaced; a name's double underscore is a slash, `sheet` is the first one."""
    stream = io.BytesIO()
    named = {name.replace("__", "/").replace("_xml", ".xml"): text for name, text in parts.items()}
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in [*old.namelist(), *(name for name in named if name not in old.namelist())]:
            new.writestr(name, named[name] if name in named else old.read(name))
    return stream.getvalue()


def with_sheet(xml: str | bytes) -> bytes:
    return changed(workbook(("a",)), xl__worksheets__sheet1_xml=xml)


def sheet_xml(rows: str, before: str = "") -> str:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return (
        f'<?xml version="1.0"?>{before}<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'
    )


def read_all(content: bytes, limits: WorkbookLimits) -> None:
    book = open_workbook(content, limits)
    for sheet in book.sheets:
        list(book.rows(sheet))


def refused(content: bytes, **limits: int) -> str:
    with pytest.raises(ScenarioError) as caught:
        read_all(content, WorkbookLimits(**limits))
    assert [error.rule for error in caught.value.errors] == ["file"]
    assert caught.value.errors[0].hint
    return str(caught.value)


def test_values_come_as_they_were_written():
    content = workbook(("key", "value", None), (None, 1.5, None), (), ("last", True, WHEN), ("=1+1",))
    book = open_workbook(content)
    assert book.sheets == ("Parts",)
    assert list(book.rows("Parts")) == [
        Row(1, ("key", "value")),
        Row(2, (None, 1.5)),
        Row(4, ("last", True, WHEN)),
        # nobody has computed the formula of row 5 yet
    ]
    with pytest.raises(KeyError):
        list(book.rows("None"))


def test_what_a_formula_came_to_is_read_and_not_the_formula():
    content = with_sheet(sheet_xml('<row r="1"><c r="A1"><f>1+1</f><v>2</v></c></row>'))
    assert list(open_workbook(content).rows("Parts")) == [Row(1, (2,))]


def test_a_sheet_that_is_a_chart_is_passed_over():
    book, stream = Workbook(), io.BytesIO()
    book.active.append((1, 2))
    chart = BarChart()
    chart.add_data(Reference(book.active, min_col=1, max_col=2, min_row=1))
    book.create_chartsheet("Drawn").add_chart(chart)
    book.save(stream)
    assert open_workbook(stream.getvalue()).sheets == ("Sheet",)


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])
def test_what_is_no_workbook_says_what_to_do(content):
    assert "Save it as .xlsx" in refused(content)


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04",
        b"PK\x03\x04" + b"\0" * 500,
        workbook(("a",))[:-40],
        with_sheet("not xml"),
        with_sheet(sheet_xml('<row r="1"><c r="A1"><v>1'.replace("<v>1", "<v>one</v>") + "</c></row>")),
        with_sheet(sheet_xml('<row r="1"><c r="A1"><v>' + "9" * 5000 + "</v></c></row>")),
        with_sheet(sheet_xml('<row r="1"><c r="ZZZZ1"><v>1</v></c></row>')),
        changed(workbook(("a",)), xl__workbook_xml="<a/>"),
    ],
)
def test_a_damaged_workbook_is_refused(content):
    assert "cannot be read as one" in refused(content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("doctype", [DOCTYPE, LAUGHS, "<!DOCTYPE a>", '<!DOCTYPE a PUBLIC "x" "http://x.y">'])
def test_a_document_type_is_refused_in_any_encoding(doctype, encoding):
    xml = sheet_xml("", doctype).replace('version="1.0"', f'version="1.0" encoding="{encoding[:6]}"')
    content = ("\ufeff" if encoding == "utf-16-le" else "") + xml
    assert "has a document type (DTD)" in refused(with_sheet(content.encode(encoding)))


@pytest.mark.parametrize(
    "name", ["xl__styles_xml", "xl__sharedStrings_xml", "docProps__core_xml", "xl__new_xml"]
)
def test_a_document_type_is_refused_wherever_it_stands(name):
    content = changed(workbook(("a",)), **{name: f'<?xml version="1.0"?><!-- x -->{LAUGHS}<a>&b;</a>'})
    assert "has a document type (DTD)" in refused(content)


def test_a_bomb_is_refused_before_it_goes_off():
    content = changed(workbook(("a",)), xl__bomb_xml=b"0" * 30_000_001)
    assert len(content) < 100_000
    assert "unpacks to more than 30,000,000 bytes" in refused(content)


def test_a_bomb_that_lies_about_its_size_does_not_go_off():
    """The header says 10 bytes, and its check sum is that of the first 10: only unpacking tells."""
    bomb = b"<a/>" + b" " * 5_000_000
    content = changed(workbook(("a",)), xl__bomb_xml=bomb)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entry = archive.getinfo("xl/bomb.xml")
    honest = struct.pack("<III", entry.CRC, entry.compress_size, entry.file_size)
    lying = struct.pack("<III", zlib.crc32(bomb[:10]), entry.compress_size, 10)
    assert content.count(honest) == 2
    tracemalloc.start()
    book = open_workbook(content.replace(honest, lying))
    assert list(book.rows("Parts")) == [Row(1, ("a",))]
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak_bytes < len(bomb) / 2  # what it says it holds was read, and no more was unpacked


def test_what_is_packed_too_tightly_is_refused():
    content = changed(workbook(("a",)), xl__bomb_xml=b"0" * 5_000_000)
    assert "packed more than 200 times" in refused(content)


def test_pictures_and_macros_are_never_unpacked():
    content = changed(workbook(("a",)), xl__media__image1=b"0" * 50_000_000)
    assert list(open_workbook(content).rows("Parts")) == [Row(1, ("a",))]


def test_too_many_files_and_two_of_one_name_are_refused():
    assert "may hold 5" in refused(workbook(("a",)), most_entries=5)
    stream = io.BytesIO(workbook(("a",)))
    with zipfile.ZipFile(stream, "a") as packed, pytest.warns(UserWarning, match="Duplicate"):
        packed.writestr(SHEET, sheet_xml(""))
    assert "two files of the same name" in refused(stream.getvalue())


def test_an_encrypted_file_is_refused():
    content = bytearray(workbook(("a",)))
    start = content.index(b"PK\x01\x02")
    content[start + 8] |= 1
    assert "encrypted" in refused(bytes(content))


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"most_bytes": 100}, "larger than 100 bytes"),
        ({"most_unpacked_bytes": 1000}, "unpacks to more than 1,000 bytes"),
        ({"most_sheets": 2}, "has 3 sheets; it may have 2"),
        ({"most_rows": 2}, "has more than 2 rows"),
        ({"most_columns": 2}, "more than 2 columns, in row 1"),
        ({"most_values": 5}, "more than 5 values"),
        ({"longest_text": 4}, "text of more than 4 characters, in row 2"),
    ],
)
def test_each_limit_says_what_it_is(limits, said):
    content = workbook(("a", "b", "c"), ("lengthy", 2, 3), ("x", "y", "z"), sheets=3)
    assert said in refused(content, **limits)


def test_one_value_far_outside_is_refused_and_a_blank_one_is_not():
    far = '<row r="1048576"><c r="A1048576">{}</c></row>'
    assert "more than 20,000 rows" in refused(with_sheet(sheet_xml(far.format("<v>1</v>"))))
    assert list(open_workbook(with_sheet(sheet_xml(far.format("")))).rows("Parts")) == []
    assert "more than 200 columns" in refused(
        with_sheet(sheet_xml('<row r="1"><c r="XFD1"><v>1</v></c></row>'))
    )


def test_wide_blank_rows_do_not_take_forever():
    rows = "".join(f'<row r="{number}"><c r="XFD{number}"/></row>' for number in range(1, 2000))
    assert "most blank" in refused(with_sheet(sheet_xml(rows)))


def test_a_stated_size_of_the_sheet_is_not_believed():
    xml = sheet_xml('<row r="1"><c r="A1"><v>1</v></c></row>').replace(
        "<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>'
    )
    assert list(open_workbook(with_sheet(xml)).rows("Parts")) == [Row(1, (1,))]


def test_a_number_that_overflows_is_refused():
    assert "too large" in refused(with_sheet(sheet_xml('<row r="1"><c r="A1"><v>1e999</v></c></row>')))
