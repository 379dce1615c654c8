"""The XML of a workbook, unpacked within limits and without document types.

A workbook is a ZIP file, and neither the sizes nor the check sums in it can be believed: a few kilobytes may
unpack to gigabytes whatever they declare. So each file is unpacked here, piece by piece, and what is read
afterwards is a copy that needs no unpacking. XML files may define entities that grow when they are put in or
that name other files; a workbook needs none, and they are only possible in a document type, which is refused.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from xml.parsers import expat

from app.scenarios.errors import ScenarioError, refuse, shorten
from app.scenarios.reading.spreadsheets.limits import WorkbookLimits

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
    """What is wrong with a file as a whole."""
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
