"""Faults of a scenario, said so that it can be corrected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

LONGEST_VALUE = 60
MOST_ERRORS_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class InputError:
    """One fault of one scenario.

    `path` is the field ("workload.model.layers"), empty for the text as a whole, and `value` what
    stands there. `message` says in one sentence what is wrong, `hint` a way out. `rule` is a short
    stable word for programs ("above", "unknown_key", "yaml_syntax"). `line` and `column` count
    from 1, where the place in the text is known. `stated` says that the schema of the document forbids it
    already, so that clients which validate values by the schema never meet it.
    """

    path: str
    value: Any
    rule: str
    message: str
    hint: str = ""
    line: int | None = None
    column: int | None = None
    stated: bool = False

    def __str__(self) -> str:
        place = self.path
        if self.line is not None:
            position = f"line {self.line}" + (f", column {self.column}" if self.column else "")
            place = f"{place} ({position})" if place else position
        return f"{place}: {self.words}" if place else self.words

    @property
    def words(self) -> str:
        """What is wrong and a way out, for where the place is plain to see."""
        return f"{self.message} {self.hint}".rstrip()

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON, for an API answer."""
        exact = self.value is None or isinstance(self.value, str | bool)
        if isinstance(self.value, int | float):
            exact = abs(self.value) < 10**LONGEST_VALUE  # False for NaN, which is not JSON
        return {
            "path": self.path,
            "value": self.value if exact else shorten(self.value),
            "rule": self.rule,
            "message": self.message,
            "hint": self.hint,
            "line": self.line,
            "column": self.column,
        }


class ScenarioError(Exception):
    """A scenario that cannot be used; `errors` holds one `InputError` a fault, never none."""

    def __init__(self, errors: Iterable[InputError]) -> None:
        self.errors = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        lines = [str(error) for error in self.errors[:MOST_ERRORS_SHOWN]]
        left_out = len(self.errors) - len(lines)
        return "\n".join([*lines, f"and {left_out} more."] if left_out else lines)


def refuse(
    message: str,
    *,
    rule: str,
    path: str = "",
    value: Any = None,
    hint: str = "",
    line: int | None = None,
    column: int | None = None,
    stated: bool = False,
) -> ScenarioError:
    """A `ScenarioError` with a single fault."""
    fault = InputError(
        path=path,
        value=value,
        rule=rule,
        message=message,
        hint=hint,
        line=line,
        column=column,
        stated=stated,
    )
    return ScenarioError([fault])


def path_text(place: tuple[str | int, ...]) -> str:
    """A place as people write it.

    >>> path_text(("published", 0, "value"))
    'published[0].value'
    """
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= 160 else text[:157] + "..."


def shorten(value: object) -> str:
    """`value` as one short line of printable text.

    >>> shorten("x" * 100)[-7:], shorten({"a": 1}), shorten(True), shorten(2.5), shorten(100_000)
    ("xxx...'", 'a mapping', 'true', '2.5', '100,000')

    A path keeps its end, which is the name of the file.

    >>> shorten(PurePath("/data", "x" * 100, "pod.yaml"))[-14:]
    "xxxx/pod.yaml'"
    """
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**LONGEST_VALUE:
        return "a very large whole number"
    text = f"{value:,}" if isinstance(value, int) else str(value)
    if len(text) > LONGEST_VALUE:
        kept = LONGEST_VALUE - 3
        text = "..." + text[-kept:] if isinstance(value, PurePath) else text[:kept] + "..."
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return f"'{text}'" if isinstance(value, str | PurePath) else text
