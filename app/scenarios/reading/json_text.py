"""JSON text -> plain values, with limits and without duplicate keys."""

from __future__ import annotations

import json
import re
from typing import Any

from app.scenarios.errors import ScenarioError, path_text, refuse
from app.server.text import ESCAPED, places_of_unkept

# A string (to its end, or to the end of the text where it is not closed), or what counts.
TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)


MOST_BYTES = 1_000_000
DEEPEST = 64
MOST_VALUES = 20_000  # keys, values and what aliases expand to; a long scenario has a few hundred
MOST_FAULTS = 100  # put into words; finding the nearest name of each takes time
LONGEST_NUMBER = 400  # characters; 1e308 written out has 309


class NotFinite(float):
    """A number too large to hold, NaN or infinity, with the text it was written as."""

    written: str

    def __new__(cls, written: str) -> NotFinite:
        number = super().__new__(cls, "nan")
        number.written = written if len(written) <= 40 else written[:37] + "..."
        return number

    def __str__(self) -> str:
        return self.written


def whole_number(text: str, base: int = 10) -> int | NotFinite:
    """An integer, unless it is one that no field could ever hold."""
    return NotFinite(text) if len(text) > LONGEST_NUMBER else int(text, base)


def number(text: str) -> float:
    """A float, or what stands for one that overflows."""
    value = float(text)
    return value if abs(value) <= 1.7976931348623157e308 else NotFinite(text)


def too_deep(line: int | None = None, column: int | None = None) -> ScenarioError:
    """The fault of a text nested too deeply."""
    message = f"The text is nested deeper than {DEEPEST} levels."
    return refuse(message, rule="depth", hint="A scenario needs six.", line=line, column=column)


def too_many(line: int | None = None, column: int | None = None, most: int = MOST_VALUES) -> ScenarioError:
    """The fault of a text with too many values, written out or by alias."""
    message = f"The text holds more than {most:,} values, aliases counted as what they stand for."
    hint = "Write out what is needed, without aliases."
    return refuse(message, rule="size", hint=hint, line=line, column=column)


def read_json(text: str, most_values: int = MOST_VALUES) -> Any:
    """Plain values.

    Raises
    ------
    ScenarioError : the text is not JSON, nested too deeply, too long, or names a key twice
    """
    _check_limits(text, most_values)
    try:
        values = json.loads(
            text,
            object_pairs_hook=_mapping,
            parse_float=number,
            parse_int=whole_number,
            parse_constant=NotFinite,
        )
    except json.JSONDecodeError as error:
        raise refuse(
            f"The text is not JSON: {error.msg[:1].lower()}{error.msg[1:].rstrip(':')}.",
            rule="json_syntax",
            hint="Check commas, quotes and brackets just before it.",
            line=error.lineno,
            column=error.colno,
        ) from None
    if ESCAPED.search(text) and (place := next(places_of_unkept(values), None)) is not None:
        raise refuse(
            "holds a character that is no text (NUL, or half of a surrogate pair).",
            rule="plain_text",
            path=place,
            hint="Leave it out.",
        )
    return values


def _check_limits(text: str, most_values: int) -> None:
    # The decoder recurses: this comes first, so that nesting cannot exhaust the stack.
    opened = text.count("[") + text.count("{")
    if opened <= DEEPEST and opened + text.count(",") <= most_values:
        return  # even if none stands in a string
    depth = values = 0
    for token in TOKEN.finditer(text):
        letter = text[token.start()]
        if letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        if letter in "[{,":
            values += 1
        if depth > DEEPEST or values > most_values:
            line = text.count("\n", 0, token.start()) + 1
            column = token.start() - text.rfind("\n", 0, token.start())
            raise too_deep(line, column) if depth > DEEPEST else too_many(line, column, most_values)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        if key in mapping:
            raise refuse(
                "is given twice.", rule="duplicate_key", path=path_text((key,)), hint="Keep one of the two."
            )
        mapping[key] = value
    return mapping
