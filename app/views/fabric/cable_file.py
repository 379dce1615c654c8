"""A point-to-point file that someone hands in: CSV or a workbook, its columns found by their headings.

Read are the headings of NVIDIA's Cable Validation Tool 1.4 to 1.6, those of the sheet of links of 1.7 and later,
those of cables in NetBox, and those of our own exports; whatever their order and whichever end is named first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from app.engine.fabric.cabling.compare import CableList
from app.engine.fabric.cabling.ports import canonical_port
from app.engine.fabric.cabling.schedule import PLACE
from app.scenarios.errors import MOST_ERRORS_SHOWN, InputError, ScenarioError, refuse, shorten
from app.scenarios.reading.spreadsheets.workbook import Value
from app.views.fabric.cables import CableTable, cable_tables

LONGEST_NAME = 200
MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
MONTH_AND_DAY = re.compile(rf"\d{{1,2}}-{MONTH}|{MONTH}-\d{{2}}")
NEEDED = ("a_node", "a_port", "z_node", "z_port")
HEADINGS = {
    "a_node": ("anodename", "anode", "aname", "sideadevice"),
    "a_port": ("aport", "ahcaport", "sideaname"),
    "z_node": ("znodename", "znode", "zname", "sidebdevice"),
    "z_port": ("zport", "sidebname"),
    "part": ("part", "medium", "cabletype"),
    "length_m": ("lengthm", "length", "cablelengthm"),
    "length_unit": ("lengthunit",),
}
"""What is read of a row, by its headings without blanks and signs."""
SHOWN = {"a_node": "A-Node Name", "a_port": "A-Port", "z_node": "Z-Node Name", "z_port": "Z-Port"}
UNPREFIXED = {"name": ("a_node", "z_node"), "hcaport": ("a_port",), "port": ("z_port",)}
"""The InfiniBand sheets of the tool name both ends alike: the first is A, the last Z."""
NOT_COMPARED = {
    "arack", "au", "atype", "zrack", "zru", "zu", "ztype", "rack", "u",
    "sideatype", "sidebtype", "sideasite", "sidebsite", "type", "status", "tenant", "label", "color", "description", "comments", "tags", "id",
}  # fmt: skip
METRES = {"": 1.0, "m": 1.0, "km": 1e3, "cm": 1e-2, "ft": 0.3048, "in": 0.0254, "mi": 1609.344}
"""Of the units of a length that NetBox knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CableFile:
    """The cables of a file, with the sheet and line of each, and what of the file was not read."""

    cables: CableList
    sheet: tuple[str, ...]  # of each cable; "" in a CSV file
    line: tuple[int, ...]
    unknown_columns: tuple[str, ...]
    skipped_sheets: tuple[str, ...]
    numbered: bool  # ports of switches are numbered through, and not by cage

    @property
    def rows(self) -> int:
        return len(self.line)


def read_cable_file(content: bytes) -> CableFile:
    """The cables of a file.

    Raises
    ------
    ScenarioError : it cannot be read, has no such table, or rows that name no cable
    """
    found = _Found()
    for table in cable_tables(content):
        found.read(table)
    return found.whole()


class _Found:
    """What has been read so far."""

    def __init__(self) -> None:
        self.cells: dict[str, list[str]] = {name: [] for name in HEADINGS}
        self.place: list[tuple[str, int]] = []
        self.unknown: dict[str, None] = {}
        self.skipped: list[str] = []
        self.faults: list[InputError] = []
        self.lacking: ScenarioError | None = None
        self.is_known = False
        self.numbered = False
        self.ports: dict[str, str] = {}

    def read(self, table: CableTable) -> None:
        line, heading = next(table.rows, (1, ()))
        try:
            columns = self._columns(table.name, line, [_text(cell) for cell in heading])
        except ScenarioError as error:
            self.lacking = self.lacking or error
            self.skipped.append(table.name)
            return
        self.is_known = True
        self.numbered |= table.numbered
        for line, row in table.rows:
            self._row(table.name, line, row, columns)
            if len(self.faults) >= MOST_ERRORS_SHOWN:
                raise ScenarioError(self.faults)

    def whole(self) -> CableFile:
        if self.faults:
            raise ScenarioError(self.faults)
        if not self.is_known:
            assert self.lacking is not None
            raise self.lacking
        ends = {
            side: [
                f"{node.lower()}\t{port}".encode()
                for node, port in zip(self.cells[f"{side}_node"], self.cells[f"{side}_port"], strict=True)
            ]
            for side in "az"
        }
        return CableFile(
            cables=CableList(
                a=np.array(ends["a"] or [], "S"),
                z=np.array(ends["z"] or [], "S"),
                part=np.array([part.encode() for part in self.cells["part"]], "S"),
                length_m=np.array([float(length or "nan") for length in self.cells["length_m"]], float)
                * np.array([METRES[unit] for unit in self.cells["length_unit"]], float),
            ),
            sheet=tuple(sheet for sheet, _ in self.place),
            line=tuple(line for _, line in self.place),
            unknown_columns=tuple(self.unknown),
            skipped_sheets=tuple(self.skipped),
            numbered=self.numbered,
        )

    def _columns(self, sheet: str, line: int, heading: list[str]) -> dict[str, int]:
        """Where each thing stands; what is not known of the heading is noted."""
        columns: dict[str, int] = {}
        for name, place in _meant(heading):
            if name in columns:
                first, again = heading[columns[name]], heading[place]
                raise refuse(
                    f"Columns {shorten(first)} and {shorten(again)} say the same.",
                    rule="given_twice", path=sheet, value=again, line=line, hint="Keep one.",
                )  # fmt: skip
            columns[name] = place
        lacking = [SHOWN[name] for name in NEEDED if name not in columns]
        if lacking:
            raise refuse(
                f"{'Sheet ' + shorten(sheet) if sheet else 'The file'} has no column {lacking[0]}.",
                rule="required", path=sheet, value=None, line=line,
                hint=f"It needs {', '.join(SHOWN.values())}; exports of a schedule have them.",
            )  # fmt: skip
        known = {_bare(name) for name in PLACE} | NOT_COMPARED
        for place, words in enumerate(heading):
            if words and place not in columns.values() and _bare(words) not in known:
                self.unknown[words] = None
        return columns

    def _row(self, sheet: str, line: int, row: Sequence[Value], columns: dict[str, int]) -> None:
        cells = {name: row[place] if place < len(row) else None for name, place in columns.items()}
        for name in NEEDED:
            if isinstance(cells[name], date) or (name.endswith("port") and _is_month_and_day(cells[name])):
                self._fault(sheet, line, name, cells[name], "date", "is a date: a spreadsheet has taken a port for one.",
                            "Format the column as text and enter the port again.")  # fmt: skip
                return
        texts = {name: _text(cell) for name, cell in cells.items()}
        for name in NEEDED:
            if not texts[name]:
                self._fault(sheet, line, name, None, "required", "The cell is empty.", "Name the device and port of both ends, or leave the row out.")  # fmt: skip
            elif len(texts[name]) > LONGEST_NAME or not texts[name].isprintable():
                self._fault(sheet, line, name, texts[name], "text", "is not a valid name of a device or port.", f"Write it in one line of at most {LONGEST_NAME} letters.")  # fmt: skip
        if not _is_length(texts.get("length_m", "")):
            self._fault(sheet, line, "length_m", texts["length_m"], "number", "is not a length in metres.", "Write a number from 0, such as 3 or 1.5, or leave it empty.")  # fmt: skip
        texts["length_unit"] = texts.get("length_unit", "").lower()
        if texts["length_unit"] not in METRES:
            self._fault(sheet, line, "length_unit", texts["length_unit"], "one_of", "is no unit of a length.", f"Write one of {', '.join(filter(None, METRES))}.")  # fmt: skip
            texts["length_unit"] = ""
        for name, kept in self.cells.items():
            text = texts.get(name, "")
            kept.append(self._port(text) if name.endswith("port") else text)
        self.place.append((sheet, line))

    def _port(self, text: str) -> str:
        if text not in self.ports:
            self.ports[text] = canonical_port(text)
        return self.ports[text]

    def _fault(
        self, sheet: str, line: int, name: str, value: Value, rule: str, message: str, hint: str
    ) -> None:
        column = SHOWN.get(name, "Length unit" if name == "length_unit" else "Length (m)")
        shown = str(value) if isinstance(value, date) else value
        words = message if value is None else f"{shorten(str(shown))} {message}"
        path = f"{sheet}: {column}" if sheet else column
        self.faults.append(InputError(path=path, value=shown, rule=rule, message=words, hint=hint, line=line))


def _is_month_and_day(cell: Value) -> bool:
    """What spreadsheets make of a port such as 1/2 when they write CSV; no device names its ports so."""
    return isinstance(cell, str) and MONTH_AND_DAY.fullmatch(cell.strip()) is not None


def _meant(heading: Sequence[str]) -> Iterator[tuple[str, int]]:
    """What each heading that is read means."""
    bare = [_bare(words) for words in heading]
    meaning = {words: name for name, known in HEADINGS.items() for words in known}
    prefixed = any(meaning.get(words) in NEEDED for words in bare)
    for place, words in enumerate(bare):
        if words in meaning:
            yield meaning[words], place
    if prefixed:
        return
    for words, names in UNPREFIXED.items():
        places = [place for place, bare_words in enumerate(bare) if bare_words == words]
        yield from zip(names, (places[0], places[-1]) if len(places) > 1 else places, strict=False)


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value).strip()


def _bare(heading: str) -> str:
    return "".join(letter for letter in heading.lower() if letter.isalnum())


def _is_length(text: str) -> bool:
    try:
        return text == "" or 0 <= float(text) < 1e6
    except ValueError:
        return False
