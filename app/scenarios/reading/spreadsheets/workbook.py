"""A workbook that someone hands in: its sheets as rows of plain values, read within limits.

The XML of a workbook, unpacked within limits and without document types.

A workbook is a ZIP file, and neither the sizes nor the check sums in it can be believed: a few kilobytes may
unpack to gigabytes whatever they declare. So each file is unpacked here, piece by piece, and what is read
afterwards is a copy that needs no unpacking. XML files may define entities that grow when they are put in or
that name other files; a workbook needs none, and they are only possible in a document type, which is refused.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple
from xml.parsers import expat

from app.scenarios.errors import ScenarioError, refuse, shorten
from app.scenarios.reading.spreadsheets.text import WorkbookLimits

Value = str | int | float | bool | date | datetime | time | timedelta | None

ZIP = b"PK\x03\x04"
EXCEL_ROWS = 1_048_576
INFINITE = float("inf")


class Row(NamedTuple):
    """`number` is that of the spreadsheet, from 1; blank cells at the end are left out."""

    number: int
    values: tuple[Value, ...]


class SafeWorkbook:
    """Values as they were last computed: a formula that no program has computed yet has none."""

    def __init__(self, book: Any, limits: WorkbookLimits) -> None:
        self._sheets = {sheet.title: sheet for sheet in book.worksheets}
        self._limits = limits

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of its sheets, in their order."""
        return tuple(self._sheets)

    def rows(self, sheet: str) -> Iterator[Row]:
        """The rows of a sheet that are not blank.

        Raises
        ------
        KeyError : there is no such sheet
        ScenarioError : it holds too much, or is damaged
        """
        found, count, cells = self._sheets[sheet], 0, 0
        found.reset_dimensions()  # the size that a sheet states may be any
        try:
            for number, row in enumerate(found.iter_rows(max_row=EXCEL_ROWS, values_only=True), 1):
                cells += len(row) + 1
                if not row:
                    continue
                values = _without_blank_end(row)
                count += sum(value is not None for value in values)
                self._check(sheet, number, values, count, cells)
                if values:
                    yield Row(number, values)
        except ScenarioError:
            raise
        except Exception as error:
            # A damaged sheet makes its reader fail in any way at all.
            raise unreadable() from error

    def _check(self, sheet: str, number: int, values: tuple[Value, ...], count: int, cells: int) -> None:
        limits, place = self._limits, f"Sheet {shorten(sheet)}"
        if values and number > limits.most_rows:
            raise fault(f"{place} has more than {limits.most_rows:,} rows.", "Split it.")
        if len(values) > limits.most_columns:
            raise fault(
                f"{place} has more than {limits.most_columns:,} columns, in row {number:,}.",
                "Delete those that are not needed.",
            )
        if count > limits.most_values:
            raise fault(f"{place} has more than {limits.most_values:,} values.", "Split it.")
        if cells > limits.most_cells:
            raise fault(
                f"{place} has more than {limits.most_cells:,} cells, most blank.",
                "Copy the table into a new workbook.",
            )
        for value in values:
            if isinstance(value, str) and len(value) > limits.longest_text:
                raise fault(
                    f"{place} has a text of more than {limits.longest_text:,} characters, in row {number:,}.",
                    "Shorten it.",
                )
            if isinstance(value, float) and not abs(value) < INFINITE:
                raise fault(
                    f"{place} has a number in row {number:,} that is too large.",
                    "Write it in a larger unit.",
                )


def open_workbook(content: bytes, limits: WorkbookLimits | None = None) -> SafeWorkbook:
    """A workbook in memory.

    Raises
    ------
    ScenarioError : it is no workbook, damaged, too large, or made to do harm
    """
    found = limits or WorkbookLimits()
    if not content.startswith(ZIP):
        raise fault(
            "The file is no Excel workbook.",
            "Save it as .xlsx; the older .xls is not read, and a CSV file needs its own ending.",
        )
    plain = unpacked(content, found)
    from openpyxl import load_workbook

    try:
        book = load_workbook(plain, read_only=True, data_only=True, keep_links=False)
    except Exception as error:
        # A damaged workbook makes its reader fail in any way at all.
        raise unreadable() from error
    if not book.worksheets:
        raise unreadable()
    if len(book.worksheets) > found.most_sheets:
        raise fault(
            f"The workbook has {len(book.worksheets):,} sheets; it may have {found.most_sheets:,}.",
            "Delete those that are not needed.",
        )
    return SafeWorkbook(book, found)


def _without_blank_end(row: tuple[Value, ...]) -> tuple[Value, ...]:
    end = len(row)
    while end and row[end - 1] is None:
        end -= 1
    return row[:end]


PIECE_BYTES = 65_536
PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1
SMALL_BYTES = 100_000  # may shrink as it likes
NEEDED = (".xml", ".rels")
NOT_NEEDED = "chartsheets/"  # a sheet that is a drawing; its reader would ask for pictures
WAY_OUT = "Save it again as an ordinary Excel workbook (.xlsx), without a password."


class _BeginsError(Exception):
    """The document begins, and no document type came before."""


def unpacked(content: bytes, limits: WorkbookLimits) -> io.BytesIO:
    """The XML files of a workbook as a ZIP file that is not compressed.

    Raises
    ------
    ScenarioError : it is too large, packed too tightly, encrypted, damaged, or has a document type
    """
    if len(content) > limits.most_bytes:
        raise fault(
            f"The file is larger than {limits.most_bytes:,} bytes.", "Split it, or leave pictures out."
        )
    copy = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed, zipfile.ZipFile(copy, "w") as plain:
            for name, inside in _files(packed, limits):
                _check_xml(name, inside)
                plain.writestr(zipfile.ZipInfo(name), inside)
    except ScenarioError:
        raise
    except Exception as error:
        # A damaged ZIP file makes its reader fail in any way at all.
        raise unreadable() from error
    return copy


def unreadable() -> ScenarioError:
    """The fault of a file that is damaged, or no workbook."""
    return fault("The file looks like a workbook and cannot be read as one.", WAY_OUT)


def fault(message: str, hint: str) -> ScenarioError:
    """Faults of a file as a whole."""
    return refuse(message, rule="file", hint=hint)


def _files(packed: zipfile.ZipFile, limits: WorkbookLimits) -> Iterator[tuple[str, bytes]]:
    entries = packed.infolist()
    if len(entries) > limits.most_entries:
        raise fault(
            f"The workbook holds {len(entries):,} files; it may hold {limits.most_entries:,}.",
            "Leave out sheets, pictures and drawings that are not needed.",
        )
    if len({entry.filename for entry in entries}) < len(entries):
        raise fault("The workbook holds two files of the same name.", WAY_OUT)
    room = limits.most_unpacked_bytes
    if sum(entry.file_size for entry in entries if _is_needed(entry)) > room:
        raise _too_much(limits)
    for entry in entries:
        if not _is_needed(entry):
            continue
        if entry.flag_bits & ENCRYPTED or entry.compress_type not in PACKED_AS:
            raise fault("The workbook is encrypted, or packed in an unusual way.", WAY_OUT)
        inside = _unpacked_file(packed, entry, room, limits)
        room -= len(inside)
        yield entry.filename, inside


def _is_needed(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.lower().endswith(NEEDED) and NOT_NEEDED not in entry.filename


def _unpacked_file(
    packed: zipfile.ZipFile, entry: zipfile.ZipInfo, room: int, limits: WorkbookLimits
) -> bytes:
    content = bytearray()
    with packed.open(entry) as file:
        while piece := file.read(PIECE_BYTES):
            content += piece
            if len(content) > room:
                raise _too_much(limits)
            if len(content) > max(SMALL_BYTES, limits.most_packing * entry.compress_size):
                raise fault(
                    f"{shorten(entry.filename)} in the workbook is packed more than "
                    f"{limits.most_packing} times, which no table is.",
                    WAY_OUT,
                )
    return bytes(content)


def _too_much(limits: WorkbookLimits) -> ScenarioError:
    return fault(
        f"The file unpacks to more than {limits.most_unpacked_bytes:,} bytes.",
        "Leave out sheets that are not needed, or split the tables.",
    )


def _check_xml(name: str, content: bytes) -> None:
    """Nothing, if no document type stands before the first element, in whatever encoding."""

    def refuse_it(*_: object) -> None:
        raise fault(
            f"{shorten(name)} in the workbook has a document type (DTD), which no workbook needs.", WAY_OUT
        )

    def begin(*_: object) -> None:
        raise _BeginsError

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse_it
    parser.StartElementHandler = begin
    try:
        parser.Parse(content, True)
    except _BeginsError:
        return
