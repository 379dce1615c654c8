"""Canonical text of what the product answers: the same for the same answer, whenever and wherever it was made.

Everything that may differ between two recordings of the same code is normalised here and nowhere else.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import openpyxl
import orjson

DIGITS = 10
"""Significant digits of a number: further ones depend on processor and libraries."""
HASH_LENGTH = 16

NOT_OURS = (
    # identifiers, hashes of catalog and inputs, secrets
    (
        re.compile(r"(?<![0-9A-Za-z])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{16,64}(?![0-9A-Za-z])"),
        "HASH",
    ),
    (
        re.compile(r"(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])"),
        "HASH",
    ),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d| UTC)?"), "TIME"),
    (
        re.compile(
            r"(Job HASH, |[Ss]earched (?:exactly )?in |were computed in )[0-9.,]+[ \u00a0\u202f]?(?:ms|µs|s|min)\b"
        ),
        r"\1DURATION",
    ),
    (re.compile(r"(?<=Podwright )\d+\.\d+[0-9A-Za-z.+-]*[0-9A-Za-z]"), "VERSION"),
)
UNSTABLE_MEMBERS = {
    "engine_version": "VERSION",
    "search_time_s": "DURATION",
    "strategies_per_s": "RATE",
    "points_per_s": "RATE",
    "request_id": "ID",
}
"""Members of JSON documents and the word that stands for their value."""
LONG_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:[eE][+-]?\d+)?(?![\w.])")

HIDDEN = frozenset({"script", "style", "template", "svg", "head"})
INLINE = frozenset(
    {"a", "abbr", "b", "bdi", "code", "em", "i", "input", "kbd", "mark", "small", "span", "strong", "sub", "sup", "time", "u", "var"}
)  # fmt: skip
ALONE = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})


def short_hash(text: str) -> str:
    """The hash that the record keeps of a canonical text."""
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def normalised(text: str) -> str:
    """Text without trailing blanks, identifiers, moments and digits beyond `DIGITS`."""
    for pattern, word in NOT_OURS:
        text = pattern.sub(word, text)
    text = LONG_NUMBER.sub(_shortened, text)
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n") + "\n"


def canonical_json(value: Any) -> str:
    """A document with sorted members, one value a line, its numbers rounded; 3.0 is 3."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS
    return normalised(orjson.dumps(_rounded(value), option=options).decode())


def canonical_answer(content: bytes, media_type: str) -> str:
    """The body of an answer or a file, by its media type.

    Raises
    ------
    ValueError : there is no canonical text of that media type
    """
    kind = media_type.partition(";")[0].strip()
    if kind.endswith(("/json", "+json")):
        return canonical_json(orjson.loads(content))
    if kind.endswith("spreadsheetml.sheet"):
        return canonical_workbook(content)
    if kind == "application/zip":
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            files = [(name, packed.read(name).decode()) for name in packed.namelist()]
        return normalised("".join(f"{name}\n{text}\n" for name, text in files))
    if kind.endswith("ndjson"):
        return "".join(canonical_json(orjson.loads(line)) for line in content.splitlines() if line.strip())
    if kind == "text/html":
        return page_of(content.decode()).text
    if kind.startswith("text/") or kind in ("application/yaml", "image/svg+xml", ""):
        return normalised(content.decode())
    raise ValueError(f"no canonical text of {media_type}")


def canonical_workbook(content: bytes) -> str:
    """Sheets with the values and formulas of their cells, a row a line."""
    book = openpyxl.load_workbook(io.BytesIO(content), read_only=True)
    lines: list[str] = []
    for sheet in book.worksheets:
        lines.append(f"[{sheet.title}]")
        rows = sheet.iter_rows(values_only=True)
        lines += ["\t".join("" if cell is None else _cell(cell) for cell in row).rstrip("\t") for row in rows]
    book.close()
    return normalised("\n".join(lines))


@dataclass
class Page:
    """What a reader sees of a page: its text, the documents of its charts, and where its links lead."""

    text: str
    charts: list[tuple[str, Any]] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def page_of(html: str) -> Page:
    """The visible text of a page, a block a line; of fields their values, of a choice the chosen one."""
    reader = _PageReader()
    reader.feed(html)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).splitlines())
    return Page(normalised("\n".join(line for line in lines if line)), reader.charts, reader.links)


class _PageReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.charts: list[tuple[str, Any]] = []
        self.links: list[str] = []
        self._hidden: list[str] = []
        self._figure = ""
        self._chart: list[str] | None = None
        self._options = 0
        self._option_shown = True
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "figure":
            self._figure = given.get("id", "")
        elif tag == "script" and given.get("class") == "chart-plot":
            self._chart = []
        elif tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "title" and self._hidden == ["head"]:
            self._hidden = []  # shown by the browser though it stands in the head
            self._in_title = True
        elif tag == "select":
            self._options = 0
        elif tag == "option":
            self._options += 1
            self._option_shown = "selected" in given
        if tag in HIDDEN:
            self._hidden.append(tag)
        elif tag == "input" and given.get("type") not in ("hidden", "password"):
            self._say(_field_text(given))
        if tag not in INLINE:
            self._say("\n" if tag not in ("td", "th") else "\t")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._chart is not None:
            self.charts.append((self._figure, orjson.loads("".join(self._chart))))
            self._chart = None
        if self._hidden and tag == self._hidden[-1]:
            self._hidden.pop()
        if tag == "option":
            self._option_shown = True
        elif tag == "select":
            self._say(f" (of {self._options})")
        elif tag == "title" and self._in_title:
            self._hidden, self._in_title = ["head"], False
        if tag not in INLINE:
            self._say("\n" if tag not in ("td", "th") else "\t")

    def handle_data(self, data: str) -> None:
        if self._chart is not None:
            self._chart.append(data)
        elif self._option_shown:
            self._say(data)

    def _say(self, text: str) -> None:
        if not self._hidden:
            self.parts.append(text)


def _field_text(given: dict[str, str]) -> str:
    if given.get("type") in ("checkbox", "radio"):
        return " [x] " if "checked" in given else " [ ] "
    return f" [{given.get('value', '')}] "


def _cell(value: Any) -> str:
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def _shortened(found: re.Match[str]) -> str:
    text = found.group()
    if sum(sign.isdigit() for sign in text.partition("e")[0]) <= DIGITS:
        return text
    return f"{float(text):.{DIGITS}g}"


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        short = float(f"{value:.{DIGITS}g}")
        return int(short) if short.is_integer() and abs(short) < 1e15 else short
    if isinstance(value, dict):
        return {key: UNSTABLE_MEMBERS.get(key, _rounded(item)) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value


def lines_of_figures(figures: dict[str, Any]) -> Iterator[str]:
    """`path = value` a line, of nested sections and lists."""
    yield from _flat("", figures)


def _flat(path: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(f"{path}.{key}" if path else key, item)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _flat(f"{path}[{place}]", item)
    else:
        yield f"{path} = {'unknown' if value is None else _rounded(value)}"
