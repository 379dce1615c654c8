"""A workbook with one look, and sheets of it that are written from the top down."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from datetime import datetime
from textwrap import wrap
from typing import Any, NamedTuple

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

UNKNOWN = "unknown"
A4 = 9
LONGEST_TEXT = 32_767  # characters of one cell
LINE_HEIGHT = 15.0
HEADING_HEIGHT = 22.0
LETTERS_IN_WIDTH = 1.1  # a column of width 10 holds 11 letters of ordinary text
MOST_LINES = 27  # no row can be higher than 409

LOOKS: dict[str, dict[str, Any]] = {
    "text": {"text_wrap": True, "valign": "top"},
    "unit": {"valign": "top", "indent": 1},
    "note": {"font_color": "#5B6470"},  # runs on over the cells to its right
    "muted": {"text_wrap": True, "valign": "top", "font_color": "#5B6470", "indent": 1},
    "code": {"text_wrap": True, "valign": "top", "font_name": "Consolas", "font_size": 9},
    "title": {"bold": True, "font_size": 16},
    "heading": {"bold": True, "font_size": 12, "font_color": "#17456B", "bottom": 1},
    "header": {"bold": True, "bg_color": "#E6EDF4", "bottom": 1, "text_wrap": True, "valign": "top"},
    "header_number": {"bold": True, "bg_color": "#E6EDF4", "bottom": 1, "align": "right", "valign": "top"},
    "unknown": {"italic": True, "font_color": "#9A3412", "align": "right", "valign": "top"},
    "total": {"bold": True, "top": 1},
    "choice": {"font_color": "#0B57D0", "align": "right", "valign": "top"},
}
INPUT = {"font_color": "#0B57D0"}  # spreadsheets of finance write in blue what may be changed
NUMBER = {"valign": "top", "align": "right"}


class Formula(NamedTuple):
    """A formula with the value it has as exported."""

    text: str
    value: float | str | None
    unit: str = "1"
    look: str = "number"


class Number(NamedTuple):
    """A number in its unit, which decides how many digits are shown. `value` None or NaN is unknown."""

    value: float | int | None
    unit: str = "1"
    look: str = "number"  # or input, total, share


class Text(NamedTuple):
    text: str
    look: str = "text"


Cell = Formula | Number | Text | str | None


class Book:
    """A workbook in memory. It carries the given date and never the clock's.

    Parameters
    ----------
    shown : how every text is written, its title included; names of sheets and cells are written as they are
    """

    def __init__(
        self, *, title: str, subject: str, created: datetime, shown: Callable[[str], str] = str
    ) -> None:
        self.shown = shown
        self._stream = io.BytesIO()
        options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
        self._book = Workbook(self._stream, options)
        self._book.set_properties(
            {
                "title": shown(title),
                "subject": subject,
                "author": "Podwright",
                "created": created.replace(tzinfo=None),
            }
        )
        self._formats: dict[tuple[str, str], Format] = {}

    def sheet(self, name: str, widths: Sequence[float], *, upright: bool = False) -> Sheet:
        """A further sheet, with the widths of its columns in characters; printed upright or across the page."""
        worksheet = self._book.add_worksheet(name)
        if not upright:
            worksheet.set_landscape()
        return Sheet(self, worksheet, widths)

    def name_cell(self, name: str, sheet: str, row: int, column: int) -> None:
        """Give a cell a name that formulas use."""
        self._book.define_name(name, f"='{sheet}'!${chr(ord('A') + column)}${row + 1}")

    def look(self, name: str, number_format: str = "") -> Format:
        """One format a look and number format."""
        if (name, number_format) not in self._formats:
            look = LOOKS.get(name, NUMBER)
            look = look | NUMBER if number_format else look
            look = look | INPUT if name == "input" else look
            added = {"num_format": number_format} if number_format else {}
            self._formats[name, number_format] = self._book.add_format(look | added)
        return self._formats[name, number_format]

    def content(self) -> bytes:
        """The file. Nothing can be written afterwards."""
        self._book.close()
        return self._stream.getvalue()


class Sheet:
    """`row` is the next row to be written, from 0."""

    def __init__(self, book: Book, worksheet: Worksheet, widths: Sequence[float]) -> None:
        self.book = book
        self.row = 0
        self.values: dict[tuple[int, int], float] = {}
        """Numbers that were written, of formulas what they gave, by row and column from 0."""
        self._worksheet = worksheet
        self._widths = widths
        for column, width in enumerate(widths):
            worksheet.set_column(column, column, width)
        worksheet.set_paper(A4)
        worksheet.fit_to_pages(1, 0)
        worksheet.set_footer("&L&A&RPage &P of &N")
        worksheet.hide_gridlines(2)

    @property
    def name(self) -> str:
        return str(self._worksheet.get_name())

    def header(self, *columns: str, numbers: Sequence[int] = (), frozen: bool = False) -> None:
        """The names of columns; frozen, they stay in sight and are printed on each page."""
        for column, words in enumerate(columns):
            look = "header_number" if column in numbers else "header"
            self._worksheet.write_string(self.row, column, self.book.shown(words), self.book.look(look))
        if frozen:
            self._worksheet.freeze_panes(self.row + 1, 0)
            self._worksheet.repeat_rows(self.row)
        self.row += 1

    def heading(self, words: str, look: str = "heading", *, across: int = 1) -> None:
        """A line of its own above a part of the sheet."""
        self._worksheet.write_string(self.row, 0, self.book.shown(words), self.book.look(look))
        for column in range(1, across):
            self._worksheet.write_blank(self.row, column, None, self.book.look(look))
        self._worksheet.set_row(self.row, HEADING_HEIGHT)
        self.row += 1

    def line(self, *cells: Cell) -> int:
        """One row; gives its position."""
        lines = 1
        for column, cell in enumerate(cells):
            found = Text(cell) if isinstance(cell, str) else cell
            if isinstance(found, Text):
                found = found._replace(text=self.book.shown(found.text))
            self._write(column, found)
            if isinstance(found, Text) and LOOKS[found.look].get("text_wrap"):
                lines = max(lines, wrapped_lines(found.text, LETTERS_IN_WIDTH * self._widths[column]))
        if lines > 1:  # said here, as not every program finds it out when it opens the file
            self._worksheet.set_row(self.row, LINE_HEIGHT * min(lines, MOST_LINES))
        self.row += 1
        return self.row - 1

    def allow(self, row: int, column: int, rule: dict[str, Any]) -> None:
        """Refuse what may not be typed into a cell, by a rule of XlsxWriter's `data_validation`."""
        self._worksheet.data_validation(row, column, row, column, rule)

    def gap(self) -> None:
        """An empty row."""
        self.row += 1

    def _write(self, column: int, cell: Formula | Number | Text | None) -> None:
        if isinstance(cell, Number | Formula) and isinstance(cell.value, int | float):
            self.values[self.row, column] = float(cell.value)
        if isinstance(cell, Text):
            text = cell.text[:LONGEST_TEXT]
            self._worksheet.write_string(self.row, column, text, self.book.look(cell.look))
        elif isinstance(cell, Number):
            self._write_number(column, cell)
        elif isinstance(cell, Formula):
            self._write_formula(column, cell)

    def _write_number(self, column: int, cell: Number) -> None:
        if cell.value is None or is_unknown(cell.value):
            self._worksheet.write_string(self.row, column, UNKNOWN, self.book.look("unknown"))
        else:
            look = self.book.look(cell.look, number_format(cell.value, cell.unit, cell.look))
            self._worksheet.write_number(self.row, column, cell.value, look)

    def _write_formula(self, column: int, cell: Formula) -> None:
        if isinstance(cell.value, int | float) and not is_unknown(cell.value):
            look = self.book.look(cell.look, number_format(cell.value, cell.unit, cell.look))
            self._worksheet.write_formula(self.row, column, cell.text, look, cell.value)
            return
        # Words and numbers do not add up: what is unknown stays so until someone fills it in.
        unknown = is_unknown(cell.value)
        text = f'=IFERROR({cell.text[1:]},"{UNKNOWN}")' if unknown else cell.text
        look = self.book.look("unknown", "#,##0.###")
        value = UNKNOWN if unknown or not cell.value else self.book.shown(str(cell.value))
        self._worksheet.write_formula(self.row, column, text, look, value)


def is_unknown(value: float | str | None) -> bool:
    """Return whether there is no number that could be shown."""
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def number_format(value: float, unit: str, look: str = "number") -> str:
    """Number format of a cell; the cell holds all digits.

    >>> number_format(2048, "1"), number_format(0.404, "1"), number_format(9.894e14, "FLOP/s")
    ('#,##0', '0.0000', '0.000E+00')
    """
    size = abs(value)
    if look == "share":
        return "0.0%"
    if size and (size >= 1e15 or size < 1e-3 or (unit.startswith("FLOP") and size >= 1e9)):
        return "0.000E+00"
    if float(value).is_integer() or size >= 1e4:
        return "#,##0"
    if size >= 100:
        return "#,##0.0"
    if size >= 10:
        return "0.00"
    return "0.000" if size >= 1 else "0.0000"


def wrapped_lines(text: str, width: float) -> int:
    """Number of lines that a text takes in a column, wrapped at words.

    >>> wrapped_lines("one two three", 8), wrapped_lines("one", 8), wrapped_lines("a\\nb", 8)
    (2, 1, 2)
    """
    if len(text) <= width and "\n" not in text:
        return 1  # as nearly all are, and wrapping is slow
    return sum(max(1, len(wrap(part, int(width)))) for part in text.split("\n"))


def unit_cell(unit: str) -> Text:
    """A unit beside its number: nothing for a bare one."""
    return Text("" if unit == "1" else unit, "unit")
