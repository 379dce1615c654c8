"""The cable schedule as a workbook in the point-to-point layout of NVIDIA's Cable Validation Tool.

A sheet a network, with the ten headings of the tool and two more behind them: it finds columns by heading.
A sheet of Excel ends at 1,048,576 rows; what is longer goes on in the next. The XML is written here, block by
block into the ZIP file that is sent: libraries write cell by cell, which takes a hundred times as long [1].

[1] ECMA-376, Office Open XML, part 1, 18.3.1 (worksheets) and 18.3.1.53 (text in the cell itself)
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from xml.sax.saxutils import escape

import numpy as np

from app.engine.fabric.cabling.decimals import Text, decimals
from app.engine.fabric.cabling.schedule import CABLE, POINT_TO_POINT, NetworkCables
from app.surfaces.files.cables.text import each, joined_rows

SHEET_ROWS = 1_048_576
HEADINGS = POINT_TO_POINT + CABLE
NUMBERS = frozenset({"A-U", "Z-RU", "Length (m)"})
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # of ZIP files: the same cables always give the same file
COMPRESSION = 3
ROWS = 2_048  # of a block: as XML a row takes a kilobyte
XML = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
BOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
SHEET_HEAD = (
    f'<worksheet xmlns="{MAIN}"><sheetViews><sheetView workbookViewId="0">'
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
    f'<cols><col min="1" max="{len(HEADINGS)}" width="16" customWidth="1"/></cols><sheetData>'
).encode()
SHEET_END = b"</sheetData></worksheet>"


class _Sent:
    """What has been written since it was last taken; the ZIP file goes through it and nothing is kept."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing waits."""

    def take(self) -> bytes:
        taken, self._pieces = b"".join(self._pieces), []
        return taken


def cables_xlsx(networks: Sequence[NetworkCables], sheet_rows: int = SHEET_ROWS) -> Iterator[bytes]:
    """The workbook in blocks."""
    sent, titles = _Sent(), []
    with zipfile.ZipFile(sent, "w", zipfile.ZIP_DEFLATED) as packed:  # type: ignore[call-overload]
        shown: list[NetworkCables | None] = [*networks]
        for network in shown or [None]:
            for place, links in enumerate(_sheets(network, sheet_rows), 1):
                title = network.network.replace("_", " ") if network else "no cables"
                titles.append(title if place == 1 else f"{title} {place}")
                with packed.open(
                    _entry(f"xl/worksheets/sheet{len(titles)}.xml"), "w", force_zip64=True
                ) as sheet:
                    for block in _sheet(network, links):
                        sheet.write(block)
                        yield sent.take()
        for name, content in _book(titles).items():
            packed.writestr(_entry(name), content)
    yield sent.take()


def _sheets(network: NetworkCables | None, sheet_rows: int) -> Iterator[range]:
    """The links of each sheet, below its heading; one sheet where there are none."""
    count = network.graph.link_count if network else 0
    for start in range(0, max(count, 1), sheet_rows - 1):
        yield range(start, min(start + sheet_rows - 1, count))


def _sheet(network: NetworkCables | None, links: range) -> Iterator[bytes]:
    heading = "".join(f'<c t="inlineStr"><is><t>{escape(words)}</t></is></c>' for words in HEADINGS)
    yield XML + SHEET_HEAD + f'<row r="1">{heading}</row>'.encode()
    if network is not None:
        safe = replace(network, parts=each(network.parts, _xml), rack_names=each(network.rack_names, _xml))
        for start in range(0, len(links), ROWS):
            yield _rows(safe, np.asarray(links[start : start + ROWS]), start + 2)
    yield SHEET_END


def _rows(network: NetworkCables, links: np.ndarray, first: int) -> bytes:
    text = network.text(links)
    parts: list[Text | bytes] = [b'<row r="', decimals(np.arange(links.size) + first), b'">']
    for heading in HEADINGS:
        before, after = (
            (b"<c><v>", b"</v></c>")
            if heading in NUMBERS
            else (b'<c t="inlineStr"><is><t>', b"</t></is></c>")
        )
        column = text[heading]
        blank = column == b""
        if blank.any():
            parts += [np.where(blank, b"<c/>", before), column, np.where(blank, b"", after)]
        else:
            parts += [before, column, after]
    return joined_rows([*parts, b"</row>"], links.size)


def _book(titles: Sequence[str]) -> dict[str, bytes]:
    """The other parts of the package: what it holds, and the names of its sheets."""
    numbers = range(1, len(titles) + 1)
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{SHEET_TYPE}"/>'
        for number in numbers
    )
    sheets = "".join(
        f'<sheet name="{escape(title)}" sheetId="{number}" r:id="rId{number}"/>'
        for number, title in zip(numbers, titles, strict=True)
    )
    inside = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in numbers
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{RELATIONS_TYPE}"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{BOOK_TYPE}"/>{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{inside}</Relationships>',
    }
    return {name: XML + content.encode() for name, content in parts.items()}


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, FIRST_DAY)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry._compresslevel = COMPRESSION  # type: ignore[attr-defined]
    return entry


def _xml(text: bytes) -> bytes:
    """A text between tags. XML has no control characters."""
    words = "".join(letter if letter.isprintable() else " " for letter in text.decode("utf-8", "replace"))
    return escape(words).encode()
