"""Rows of text from columns of text, thousands at a time and none by itself."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from app.engine.fabric.cabling.decimals import Text
from app.scenarios.reading.spreadsheets.text import to_cell

FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # of ZIP files: the same cables always give the same file
COMPRESSION = 3


class Sent:
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


def zip_entry(name: str) -> zipfile.ZipInfo:
    """A part of a ZIP file."""
    entry = zipfile.ZipInfo(name, FIRST_DAY)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry._compresslevel = COMPRESSION  # type: ignore[attr-defined]
    return entry


def joined_rows(parts: Sequence[Text | bytes], rows: int) -> bytes:
    """One text after the other, row by row; a part is a column or the same in every row.

    Texts of a column stand in fields of one width, filled up with NUL. So a block is one table of bytes,
    and the text is the table without its NULs, which no text holds.

    >>> joined_rows([np.array([b"a", b"long"]), b"=", np.array([b"1", b"2"]), b";"], 2)
    b'a=1;long=2;'
    """
    widths = [len(part) if isinstance(part, bytes) else part.dtype.itemsize for part in parts]
    table = np.zeros((rows, sum(widths)), np.uint8)
    start = 0
    for part, width in zip(parts, widths, strict=True):
        table[:, start : start + width] = _bytes_of(part, rows, width)
        start += width
    flat = table.reshape(-1)
    text: bytes = flat[flat != 0].tobytes()
    return text


def csv_cell(text: bytes) -> bytes:
    """A text as a cell of a CSV file that no spreadsheet takes for a formula."""
    cell = to_cell(text.decode("utf-8", "replace"))
    if any(letter in cell for letter in ',"\r\n'):
        cell = '"' + cell.replace('"', '""') + '"'
    return cell.encode()


def each(table: Text, change: Callable[[bytes], bytes]) -> Text:
    """A small table with every text changed."""
    return np.array([change(text) for text in table.tolist()] or [b""])[: table.size]


def _bytes_of(part: Text | bytes, rows: int, width: int) -> NDArray[np.uint8]:
    if isinstance(part, bytes):
        return np.frombuffer(part, np.uint8)
    return np.ascontiguousarray(part).view(np.uint8).reshape(rows, width)
