"""A CSV file that somebody hands in: rows of text with the numbers of their lines, read within limits."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.reading.spreadsheets.limits import WorkbookLimits
from app.scenarios.reading.spreadsheets.text import from_cell

DELIMITERS = ",;\t"


def decoded(content: bytes) -> str:
    """The text of a file.

    Raises
    ------
    ScenarioError : it is not UTF-8
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        hint = "Save it as CSV in UTF-8, or as an Excel workbook (.xlsx)."
        raise refuse("The file is not UTF-8 text.", rule="encoding", hint=hint, line=line) from None


def csv_rows(
    text: str, limits: WorkbookLimits, too_long: str = "Split it."
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows that are not blank, each with the number of its first line.

    Parameters
    ----------
    limits : of one sheet of a workbook; the heading line is not counted
    too_long : what to do about too many lines

    Raises
    ------
    ScenarioError : it holds too much, or is no CSV
    """
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    start, rows, values = 1, 0, 0
    try:
        for cells in reader:
            if len(cells) > limits.most_columns:
                message = f"The file has {len(cells):,} columns; {limits.most_columns:,} are the most."
                raise _fault(message, "Delete those that are not needed.", start)
            if any(cell.strip() for cell in cells):
                rows += 1
                values += len(cells)
                if rows > limits.most_rows + 1:
                    raise _fault(f"The file has more than {limits.most_rows:,} lines.", too_long)
                if values > limits.most_values:
                    raise _fault(f"The file has more than {limits.most_values:,} values.", too_long)
                yield start, tuple(from_cell(cell.strip()) for cell in cells)
            start = reader.line_num + 1
    except csv.Error as error:
        hint = "Save it again as CSV in UTF-8; a quote inside a cell is written twice."
        raise refuse(f"The CSV cannot be read: {error}.", rule="csv", line=start, hint=hint) from None


def _fault(message: str, hint: str, line: int | None = None) -> ScenarioError:
    return refuse(message, rule="file", hint=hint, line=line)
